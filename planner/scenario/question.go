package scenario

import (
	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// A Question is a whole scenario: any part may be absent, and each part asks
// its own question. What one part answers is handed on to those that need it:
// the replicas to the mix, and the share of the work that the mix does on public
// machines to epoch and link, which in turn hold the choice of the mix to what
// they allow.
//
// It is what a scenario file holds and what a program fills in. Where a field names a
// file, the field beside it holds what is in the file: a program gives that, and leaves
// the name empty.
type Question struct {
	Name         string        `json:"name,omitempty"` // name of the plan and title of its report
	Load         *Load         `json:"load,omitempty"`
	Service      *Service      `json:"service,omitempty"`
	Objectives   *Objectives   `json:"objectives,omitempty"`
	Machines     []MachineType `json:"machines,omitempty"`
	Costs        *Costs        `json:"costs,omitempty"`
	Link         *Link         `json:"link,omitempty"`
	Epoch        *Epoch        `json:"epoch,omitempty"`
	Replicas     *Replicas     `json:"replicas,omitempty"`
	Checkpoint   *Checkpoint   `json:"checkpoint,omitempty"`
	Bag          *Bag          `json:"bag,omitempty"`
	Routing      *Routing      `json:"routing,omitempty"`
	Allocation   *Allocation   `json:"allocation,omitempty"`
	Availability *Availability `json:"availability,omitempty"`
	Samples      *units.Count  `json:"samples,omitempty"` // number of draws from the ranges; nil: 4000
	Seed         *units.Count  `json:"seed,omitempty"`    // seed of the draws; nil: 1
	// Explain asks for the formulas with the numbers put in.
	Explain bool `json:"-"`
	// Simulate asks for the figures of the mix, and of the servers of speed 1, by
	// simulation too.
	Simulate *simulate.Question `json:"-"`

	file *document.Document // that it was read from, to say where a field stands; nil: none
	over map[string]string  // fields, by their paths, whose values are not those of the file: their names
}

// A Load is what comes in, in one of four forms: a rate, erlangs, a
// curve over the day, or a job log.
type Load struct {
	Rate    *units.Range[units.Rate]   `json:"rate,omitempty"`    // arrivals per time, such as 72/min
	Erlangs *units.Range[units.Erlang] `json:"erlangs,omitempty"` // offered load, rate times service time
	// CSV with a header such as time_s,rate_per_s or time,count: a load over the day or many days
	CurveFile string `json:"curve,omitempty"`
	// which columns of the curve hold time, date, count, rate and duration, if their names do not say
	// so, as in time=ts,count=hits
	Columns string         `json:"columns,omitempty"`
	Day     *traffic.Level `json:"day,omitempty"`  // folds the days of the curve into a typical one
	Week    *traffic.Level `json:"week,omitempty"` // folds the weeks of the curve into a typical one
	// time zone in which the days of the curve begin, such as Europe/Berlin; empty: the zone that its
	// times are written in, else UTC
	Zone string `json:"zone,omitempty"`
	// length of the intervals in which requests are counted if each row of the curve is one request;
	// nil: 1s to 5min
	Interval   *units.Duration `json:"interval,omitempty"`
	LogFile    string          `json:"log,omitempty"`         // job log in the Standard Workload Format
	From       *units.Duration `json:"from,omitempty"`        // begin of the part of the log that is taken
	To         *units.Duration `json:"to,omitempty"`          // end of the part of the log that is taken
	ArrivalSCV *units.Number   `json:"arrival_scv,omitempty"` // SCV of the gaps between arrivals; nil: 1, Poisson
	// factor by which the load is multiplied
	Times  *units.Number `json:"times,omitempty"`
	Growth *growth.Rate  `json:"growth,omitempty"` // growth of the load, such as 20%/year
	Until  *growth.Date  `json:"until,omitempty"`  // date to which it grows, such as 2027-06
	AsOf   *growth.Date  `json:"as_of,omitempty"`  // date of the given load; nil: today

	Curve *traffic.Curve  `json:"-"` // what CurveFile holds
	Log   *joblog.Summary `json:"-"` // what LogFile holds
	// Service is what the durations of CurveFile say of the service; nil: it has none.
	Service *traffic.Service `json:"-"`
}

// A Service is how long a request holds a server of speed 1, and how
// long its sender waits.
type Service struct {
	Time *units.Range[units.Duration] `json:"time,omitempty"` // mean service time on a server of speed 1
	SCV  *units.Number                `json:"scv,omitempty"`  // SCV of the service times; nil: 1, exponential
	// File holds results of vegeta, k6 or wrk, or a CSV column of durations: their
	// mean and SCV are those of the service.
	File     string           `json:"file,omitempty"`
	Measured *traffic.Service `json:"-"` // what File holds
	// mean patience: whoever waits longer than a random time of this mean gives up
	Patience *units.Duration       `json:"patience,omitempty"`
	Model    sizing.ModelKind      `json:"model,omitempty"`    // loss, wait, abandon or ps; empty: by the objectives
	Staffing sizing.StaffingMethod `json:"staffing,omitempty"` // method for a curve: sipp, lagged-sipp or mol
	// cores of a machine that one job takes while it is served
	CPU    *units.Number `json:"cpu,omitempty"`
	Memory *units.Size   `json:"memory,omitempty"` // memory of a machine that one job takes while it is served
}

// Objectives are the limits that the fleet has to keep, all at once.
type Objectives struct {
	// limit on the chance to find all servers busy, and so to be lost or to wait
	MaxBlocking *units.Fraction `json:"max_blocking,omitempty"`
	// limit on the wait of the share percentile of the arrivals
	MaxWait *units.Duration `json:"max_wait,omitempty"`
	// share of arrivals that max_wait and max_response hold for; nil: 95%
	Percentile *units.Percentile `json:"percentile,omitempty"`
	// whom max_wait counts if some give up: offered, served, stayed or waits; empty: offered
	ServiceLevelOf sizing.ServiceLevelOf `json:"service_level_of,omitempty"`
	MaxMeanWait    *units.Duration       `json:"max_mean_wait,omitempty"` // limit on the mean wait
	// limit on the mean of wait and service together
	MaxMeanResponse *units.Duration `json:"max_mean_response,omitempty"`
	// MaxResponse limits the wait and service together of the share percentile of the
	// arrivals; responses holds several such limits: p50<80ms,p99<300ms.
	MaxResponse    *units.Duration       `json:"max_response,omitempty"`
	Responses      sizing.ResponseLimits `json:"responses,omitempty"`
	MaxUtilization *units.Fraction       `json:"max_utilization,omitempty"` // limit on the busy share of the servers
	// least busy share of the servers: a fleet that is less busy is reported as a contradiction
	MinUtilization *units.Fraction `json:"min_utilization,omitempty"`
	MaxAbandon     *units.Fraction `json:"max_abandon,omitempty"` // limit on the chance to give up before service
	// chance that a job on public machines has a replica alive
	Availability *units.Fraction `json:"availability,omitempty"`
	Budget       *units.Money    `json:"budget,omitempty"` // limit on the cost, such as 40/h or €30000/month
	// Spare is how many machines of any type may be lost with the other limits still kept,
	// in addition to the zones that survive allows to be lost.
	Spare *units.Count `json:"spare,omitempty"`
	// number of zones over which the machines of each type are spread evenly: see survive
	Zones *units.Count `json:"zones,omitempty"`
	// how many zones may be lost at a time with the other limits still kept; nil: 1 if zones are given
	Survive *units.Count `json:"survive,omitempty"`
	// MaxPublicShare limits the worth of public machines as a share of the worth of all,
	// such as 40%.
	MaxPublicShare *units.Fraction `json:"max_public_share,omitempty"`
	// PublicCount says how public machines that come and go enter the figures:
	// averaged (over how many are up) or mean; empty: averaged, or mean if
	// outages are known to be below a tenth of the service time.
	PublicCount sizing.PublicCount `json:"public_count,omitempty"`
}

// A MachineKind says whose a machine is.
type MachineKind string

// The kinds. The empty one is dedicated.
const (
	Dedicated MachineKind = "dedicated" // reliable, on this side of the link
	Public    MachineKind = "public"    // comes and goes; jobs on it are replicated
)

// A MachineType is a type of machine that a plan may use.
type MachineType struct {
	Name string      `json:"name"`           // a name that no other has in the file
	Kind MachineKind `json:"kind,omitempty"` // dedicated or public; empty: dedicated
	// price of one machine, such as 0.40/h, $0.40/h or €290/month; nil: 0
	Price *units.Range[units.Price] `json:"price,omitempty"`
	// speed relative to the server that service.time is measured on; nil: 1
	Speed *units.Range[units.Number] `json:"speed,omitempty"`
	// coefficient of variation of the speeds (lognormal); the fastest replica counts
	SpeedCV *units.Number `json:"speed_cv,omitempty"`
	// most jobs at a time on one machine, each at its full speed; nil: as many as cpu and memory
	// allow, without these 1
	Slots        *units.Count                 `json:"slots,omitempty"`
	CPU          *units.Number                `json:"cpu,omitempty"`          // cores of one machine
	Memory       *units.Size                  `json:"memory,omitempty"`       // memory of one machine
	Availability *units.Range[units.Fraction] `json:"availability,omitempty"` // share of time that a machine is available
	MTTF         *units.Range[units.Duration] `json:"mttf,omitempty"`         // mean time to failure, with mttr
	MTTR         *units.Range[units.Duration] `json:"mttr,omitempty"`         // mean time that a machine is away
	// number of groups of equal size whose machines fail together, such as spot pools; nil: machines
	// are independent
	Groups            *units.Count    `json:"groups,omitempty"`
	GroupAvailability *units.Fraction `json:"group_availability,omitempty"` // share of time that a group is available
	// Trace is a file of up and down intervals, or of samples of load, which
	// are labelled by the thresholds of the part availability: S1 and S2 count as available.
	TraceFile string       `json:"trace,omitempty"`
	Trace     *tally.Fleet `json:"-"` // what TraceFile holds
	// FleetFile is a file that availability fit --model frailty wrote: availability, worth
	// and risk are what its model says of its machines.
	FleetFile string          `json:"fleet,omitempty"`
	Fitted    *forecast.Fleet `json:"-"` // the fleet in FleetFile, or fitted to TraceFile; nil: not known
	// Predicted takes the chance to be free throughout the window of the part
	// availability: all, best 20, or names of its machines, separated by commas.
	Predicted string       `json:"predicted,omitempty"`
	Replicas  *units.Count `json:"replicas,omitempty"` // replicas of each job on it; nil: as objectives.availability needs
	AtLeast   *units.Count `json:"at_least,omitempty"` // number that is taken in any case; nil: 0
	Limit     *units.Count `json:"limit,omitempty"`    // greatest number that may be taken; nil: any
}

// Costs are what a plan can cost besides its machines.
type Costs struct {
	Shortfall *units.Money `json:"shortfall,omitempty"` // cost of a missing server of speed 1, such as 5/h
}

// A Link is the link between dedicated and public machines. What is
// not given comes from the rest of the scenario.
type Link struct {
	Uplink    *units.Bandwidth `json:"uplink,omitempty"`    // bandwidth from dedicated to public machines
	Downlink  *units.Bandwidth `json:"downlink,omitempty"`  // bandwidth from public to dedicated machines
	Footprint *units.Size      `json:"footprint,omitempty"` // data moved per job
	Replicas  *units.Count     `json:"replicas,omitempty"`  // replicas of each job on public machines
	Dedicated *units.Count     `json:"dedicated,omitempty"` // number of dedicated servers
	Rate      *units.Rate      `json:"rate,omitempty"`      // jobs that arrive per time
	Epoch     *units.Duration  `json:"epoch,omitempty"`     // time between two rounds of scheduling
}

// An Epoch is the scheduling between dedicated and public machines.
type Epoch struct {
	Length        *units.Duration     `json:"length,omitempty"`         // time between two rounds; nil: the best one
	Migrations    *units.Number       `json:"migrations,omitempty"`     // migrations begun in an epoch
	MigrationTime *units.Duration     `json:"migration_time,omitempty"` // time that one migration takes
	FailureRate   *units.Rate         `json:"failure_rate,omitempty"`   // jobs losing all replicas; nil: by the replicas
	PublicJobs    *units.Number       `json:"public_jobs,omitempty"`    // jobs on public machines; nil: the offered load
	Model         survival.EpochModel `json:"model,omitempty"`          // mm1 or parallel; empty: mm1
}

// Replicas asks how many replicas a job needs on one kind of machine.
type Replicas struct {
	// Machine names a type of machine, whose mttf and mttr, or availability, are
	// taken.
	Machine   string          `json:"machine,omitempty"`
	MTTF      *units.Duration `json:"mttf,omitempty"`   // mean time to failure of one machine
	MTTR      *units.Duration `json:"mttr,omitempty"`   // mean time that one machine is away
	TraceFile string          `json:"trace,omitempty"`  // file of times up and down, in place of mttf and mttr
	Trace     *tally.Fleet    `json:"-"`                // what TraceFile holds
	Target    units.Fraction  `json:"target"`           // share of time that enough replicas are up
	Needed    *units.Count    `json:"needed,omitempty"` // replicas that must be up; nil: 1
	Crews     *units.Count    `json:"crews,omitempty"`  // repair crews; nil: one for each replica
	Window    *units.Duration `json:"window,omitempty"` // time that the replicas have to survive: interval reliability
}

// A Checkpoint is a long job that may save its state.
type Checkpoint struct {
	// Machine names a type of machine, whose MTTF and MTTR are taken where mtbf
	// and mttr are not given.
	Machine string          `json:"machine,omitempty"`
	MTBF    *units.Duration `json:"mtbf,omitempty"`    // mean time between failures
	Cost    units.Duration  `json:"cost"`              // time to save
	Restart *units.Duration `json:"restart,omitempty"` // time from a failure until work goes on; left out: 0
	Work    units.Duration  `json:"work"`              // length of the job without failures
	MTTR    *units.Duration `json:"mttr,omitempty"`    // time to replace a replica; left out: of machine, else restart
}

// Routing are the clusters that the load is routed over, here or in a
// file of their own.
type Routing struct {
	Rate     *units.Range[units.Rate] `json:"rate,omitempty"` // external requests per time; nil: the rate of the load
	File     string                   `json:"file,omitempty"` // file of clusters, in place of clusters
	Clusters []routes.Cluster         `json:"clusters,omitempty"`
	Types    []routes.RequestType     `json:"types,omitempty"`
	Policy   routes.Policy            `json:"policy,omitempty"` // pap, rr, lrf or bcf; empty: pap
	Hedge    routes.Hedge             `json:"hedge,omitempty"`  // nominal, mean or worst; empty: nominal, with the recommended split

	listed *routes.ClusterFile // what File holds
}

// An Allocation is a batch of jobs with levels of service, here or in a
// file of its own.
type Allocation struct {
	File   string                `json:"file,omitempty"` // file of a batch, in place of batch
	Batch  *allocation.BatchFile `json:"batch,omitempty"`
	Method alloc.Method          `json:"method,omitempty"` // method of assignment; empty: lp-round
	Backup alloc.BackupMode      `json:"backup,omitempty"` // soft or strict backups; empty: none
	Fail   []string              `json:"fail,omitempty"`   // resources or risk groups that fail one after another

	listed *allocation.BatchFile // what File holds
}

// An Availability asks how likely machines are free through a window of
// a day, from their records.
type Availability struct {
	TraceFile string          `json:"trace"`          // CSV of load and free memory; several hosts are ranked
	Day       string          `json:"day"`            // weekday or weekend
	Start     string          `json:"start"`          // begin of the window, such as 09:00
	Window    units.Duration  `json:"window"`         // length of the window
	Days      units.Count     `json:"days"`           // number of most recent days to learn from
	Task      *units.Duration `json:"task,omitempty"` // length of a task, to rank machines by its completion
	// The thresholds of the states also hold for the traces of samples of machines;
	// nil: the defaults of capplan availability.
	Light *units.Fraction `json:"light,omitempty"` // load up to which the machine is lightly used (S1)
	Heavy *units.Fraction `json:"heavy,omitempty"` // load above which the machine is short of processor (S3)
	Grace *units.Duration `json:"grace,omitempty"` // time that a load above heavy may last before it counts
	// least time between two samples that counts as the machine being away (S5)
	Gap    *units.Duration `json:"gap,omitempty"`
	Period *units.Duration `json:"period,omitempty"` // time between two samples
	// memory of a guest job: with less free the machine is short of it (S4)
	WorkingSet *units.Size `json:"working_set,omitempty"`
	Zone       string      `json:"zone,omitempty"` // time zone of the clock; empty: UTC

	Hosts []machines.Trace `json:"-"` // what TraceFile holds
}

// Unplaced returns a copy that does not say where its fields stood in the file it
// was read from: what is changed in it stands nowhere.
func (q *Question) Unplaced() *Question {
	free := *q
	free.file = nil
	return &free
}

// A Bag is a bag of tasks that runs on machines of a type that come and go, with
// help from machines of another, which are paid while they help.
type Bag struct {
	Tasks    units.Count    `json:"tasks"`     // number of independent tasks, all submitted at once
	TaskTime units.Duration `json:"task_time"` // time of one task on a machine of speed 1
	// Machine is the type that the tasks run on; empty: the first that is public.
	Machine string       `json:"machine,omitempty"`
	Count   *units.Count `json:"count,omitempty"`  // number of these machines; nil: the limit of the type
	Server  string       `json:"server,omitempty"` // server that hands out tasks: xwhep, boinc or checkpoint; empty: xwhep
	// By is the deadline, counted from the submission, that the cheapest help is to
	// meet.
	By   *units.Duration `json:"by,omitempty"`
	With *units.Fraction `json:"with,omitempty"` // chance to be done by then; nil: 95%
	// Cloud is the type of machines that help, with its price and speed; empty: the
	// dedicated one that is cheapest for its speed.
	Cloud string          `json:"cloud,omitempty"`
	Boot  *units.Duration `json:"boot,omitempty"` // time that a helping machine takes to start; nil: 2 min
	// Hourly charges a helping machine for every hour that it begins.
	Hourly bool `json:"hourly,omitempty"`
}
