package scenario

import (
	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
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
	Name         string        `json:"name,omitempty"` // of the plan, the title of its report
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
	Samples      *units.Count  `json:"samples,omitempty"` // draws from ranges; nil: 4000
	Seed         *units.Count  `json:"seed,omitempty"`    // of the draws; nil: 1
	// Explain asks for the formulas with the numbers put in.
	Explain bool `json:"-"`
	// Simulate asks for the figures of the mix, and of the servers of speed 1, by
	// simulation too.
	Simulate *simulate.Question `json:"-"`

	file *document.Document // that it was read from, to say where a field stands; nil: none
}

// A Load is what comes in, in one of four forms: a rate, erlangs, a
// curve over the day, or a job log.
type Load struct {
	Rate    *units.Range[units.Rate]   `json:"rate,omitempty"`    // of arrivals, such as 72/min
	Erlangs *units.Range[units.Erlang] `json:"erlangs,omitempty"` // offered load, rate times service time
	// CSV with a header such as time_s,rate_per_s or time,count: a load over the day or many days
	CurveFile string `json:"curve,omitempty"`
	// of the curve where their names do not tell: time, date, count, rate, duration, as in
	// time=ts,count=hits
	Columns string         `json:"columns,omitempty"`
	Day     *traffic.Level `json:"day,omitempty"`  // folds the days of the curve into a typical one
	Week    *traffic.Level `json:"week,omitempty"` // folds the weeks of the curve likewise
	// of the curve, in which its days begin, such as Europe/Berlin; empty: as its times are
	// written, else UTC
	Zone string `json:"zone,omitempty"`
	// in which the curve is counted where each of its rows is one request; nil: 1s to 5min
	Interval   *units.Duration `json:"interval,omitempty"`
	LogFile    string          `json:"log,omitempty"`         // Standard Workload Format
	From       *units.Duration `json:"from,omitempty"`        // of the log
	To         *units.Duration `json:"to,omitempty"`          // end of the part of the log that is taken
	ArrivalSCV *units.Number   `json:"arrival_scv,omitempty"` // of the gaps; nil: 1, Poisson
	// More comes in than that: times a factor, and growing to a date.
	Times  *units.Number      `json:"times,omitempty"`
	Growth *sizing.GrowthRate `json:"growth,omitempty"` // such as 20%/year
	Until  *sizing.Date       `json:"until,omitempty"`  // such as 2027-06
	AsOf   *sizing.Date       `json:"as_of,omitempty"`  // of the load given; nil: today

	Curve *traffic.Curve  `json:"-"` // what CurveFile holds
	Log   *joblog.Summary `json:"-"` // what LogFile holds
	// Service is what the durations of CurveFile say of the service; nil: it has none.
	Service *traffic.Service `json:"-"`
}

// A Service is how long a request holds a server of speed 1, and how
// long its sender waits.
type Service struct {
	Time *units.Range[units.Duration] `json:"time,omitempty"` // mean, on a server of speed 1
	SCV  *units.Number                `json:"scv,omitempty"`  // nil: 1, exponential
	// File holds results of vegeta, k6 or wrk, or a CSV column of durations: their
	// mean and SCV are those of the service.
	File     string           `json:"file,omitempty"`
	Measured *traffic.Service `json:"-"` // what File holds
	// mean: who waits longer than a random time of this mean gives up
	Patience *units.Duration       `json:"patience,omitempty"`
	Model    sizing.ModelKind      `json:"model,omitempty"`    // loss, wait, abandon or ps; empty: by the objectives
	Staffing sizing.StaffingMethod `json:"staffing,omitempty"` // of a curve: sipp, lagged-sipp or mol
	// cores that one job takes of a machine while it is served
	CPU    *units.Number `json:"cpu,omitempty"`
	Memory *units.Size   `json:"memory,omitempty"` // that one job takes of a machine while it is served
}

// Objectives are the limits that the fleet has to keep, all at once.
type Objectives struct {
	// limit on the chance to find all servers busy: to be lost, or to have to wait
	MaxBlocking *units.Fraction `json:"max_blocking,omitempty"`
	// that a share of arrivals, percentile, may wait at most
	MaxWait    *units.Duration   `json:"max_wait,omitempty"`
	Percentile *units.Percentile `json:"percentile,omitempty"` // of max_wait and max_response; nil: 95%
	// offered, served, stayed or waits: whom max_wait counts where some give up; empty: offered
	ServiceLevelOf sizing.ServiceLevelOf `json:"service_level_of,omitempty"`
	MaxMeanWait    *units.Duration       `json:"max_mean_wait,omitempty"` // limit on the mean wait
	// limit on the mean of wait and service together
	MaxMeanResponse *units.Duration `json:"max_mean_response,omitempty"`
	// MaxResponse is the wait and service that a share of arrivals, percentile, may
	// take at most; Responses are several of such limits: p50<80ms,p99<300ms.
	MaxResponse    *units.Duration       `json:"max_response,omitempty"`
	Responses      sizing.ResponseLimits `json:"responses,omitempty"`
	MaxUtilization *units.Fraction       `json:"max_utilization,omitempty"` // limit on the busy share of the servers
	// that the servers are busy at least: a fleet that is less so is named as a contradiction
	MinUtilization *units.Fraction `json:"min_utilization,omitempty"`
	MaxAbandon     *units.Fraction `json:"max_abandon,omitempty"` // limit on the chance to give up before service
	// chance that a job on public machines has a replica alive
	Availability *units.Fraction `json:"availability,omitempty"`
	Budget       *units.Money    `json:"budget,omitempty"` // such as 40/h or €30000/month
	// Spare are machines of any type that may be lost, the other limits still kept;
	// with zones and survive beside those of the zones lost.
	Spare *units.Count `json:"spare,omitempty"`
	// over which the machines of each type stand as evenly as they can: see survive
	Zones *units.Count `json:"zones,omitempty"`
	// zones that may be lost at a time, the other limits still kept; nil: 1 beside zones
	Survive *units.Count `json:"survive,omitempty"`
	// MaxPublicShare limits what public machines are worth, of what all are worth,
	// such as 40%.
	MaxPublicShare *units.Fraction `json:"max_public_share,omitempty"`
	// PublicCount says how public machines that come and go enter the figures:
	// averaged (over how many are up) or mean; empty: averaged, or mean where
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

// A MachineType is a type of machine that can be had.
type MachineType struct {
	Name string      `json:"name"`           // given once in a file
	Kind MachineKind `json:"kind,omitempty"` // dedicated or public; empty: dedicated
	// such as 0.40/h, $0.40/h or €290/month; nil: 0
	Price *units.Range[units.Price] `json:"price,omitempty"`
	// of the server that service.time is of; nil: 1
	Speed *units.Range[units.Number] `json:"speed,omitempty"`
	// coefficient of variation of the speeds, lognormal: the fastest of the replicas counts
	SpeedCV *units.Number `json:"speed_cv,omitempty"`
	// jobs that one holds at a time at most, each at its speed; nil: as many as cpu and memory
	// hold, without them 1
	Slots        *units.Count                 `json:"slots,omitempty"`
	CPU          *units.Number                `json:"cpu,omitempty"`          // cores, of which a job takes service.cpu
	Memory       *units.Size                  `json:"memory,omitempty"`       // of which a job takes service.memory
	Availability *units.Range[units.Fraction] `json:"availability,omitempty"` // share of time that one is there
	MTTF         *units.Range[units.Duration] `json:"mttf,omitempty"`         // mean time to failure, with mttr
	MTTR         *units.Range[units.Duration] `json:"mttr,omitempty"`         // mean time that one is away
	// groups of equal size, each of which goes at once, such as spot pools; nil: machines are
	// independent
	Groups            *units.Count    `json:"groups,omitempty"`
	GroupAvailability *units.Fraction `json:"group_availability,omitempty"` // share of time that a group is there
	// Trace is a file of up and down intervals, or of samples of load, which
	// are labelled by the thresholds of the part availability: there is S1, S2.
	TraceFile string       `json:"trace,omitempty"`
	Trace     *tally.Fleet `json:"-"` // what TraceFile holds
	// FleetFile is a file that availability fit --model frailty wrote: availability, worth
	// and risk are those of its machines by their model.
	FleetFile string          `json:"fleet,omitempty"`
	Learnt    *forecast.Fleet `json:"-"` // the machines of FleetFile, or of TraceFile as learnt from it; nil: not known
	// Predicted takes the chance to be free throughout the window of the part
	// availability: all, best 20, or names of its machines, by commas.
	Predicted string       `json:"predicted,omitempty"`
	Replicas  *units.Count `json:"replicas,omitempty"` // of each job on it; nil: by objectives.availability
	AtLeast   *units.Count `json:"at_least,omitempty"` // that are taken in any case; nil: 0
	Limit     *units.Count `json:"limit,omitempty"`    // that can be had; nil: any number
}

// Costs are what a plan can cost beside the machines.
type Costs struct {
	Shortfall *units.Money `json:"shortfall,omitempty"` // of a missing server of speed 1, such as 5/h
}

// A Link is the link between dedicated and public machines. What is
// not given comes from the rest of the scenario.
type Link struct {
	Uplink    *units.Bandwidth `json:"uplink,omitempty"`    // from dedicated to public machines
	Downlink  *units.Bandwidth `json:"downlink,omitempty"`  // from public machines back
	Footprint *units.Size      `json:"footprint,omitempty"` // data moved per job
	Replicas  *units.Count     `json:"replicas,omitempty"`  // of each job on public machines
	Dedicated *units.Count     `json:"dedicated,omitempty"` // dedicated servers
	Rate      *units.Rate      `json:"rate,omitempty"`      // of jobs arriving
	Epoch     *units.Duration  `json:"epoch,omitempty"`     // between two rounds of scheduling
}

// An Epoch is the scheduling between dedicated and public machines.
type Epoch struct {
	Length        *units.Duration     `json:"length,omitempty"`         // nil: the best one
	Migrations    *units.Number       `json:"migrations,omitempty"`     // begun in an epoch
	MigrationTime *units.Duration     `json:"migration_time,omitempty"` // of one
	FailureRate   *units.Rate         `json:"failure_rate,omitempty"`   // nil: from the replicas
	PublicJobs    *units.Number       `json:"public_jobs,omitempty"`    // nil: the offered load
	Model         survival.EpochModel `json:"model,omitempty"`          // mm1 or parallel; empty: mm1
}

// Replicas ask how many replicas one kind of machine needs.
type Replicas struct {
	// Machine names a type of machines that mttf and mttr, or its availability,
	// are of, in place of them.
	Machine   string          `json:"machine,omitempty"`
	MTTF      *units.Duration `json:"mttf,omitempty"`   // mean time to failure of one machine
	MTTR      *units.Duration `json:"mttr,omitempty"`   // mean time that one machine is away
	TraceFile string          `json:"trace,omitempty"`  // file of times up and down, in place of mttf and mttr
	Trace     *tally.Fleet    `json:"-"`                // what TraceFile holds
	Target    units.Fraction  `json:"target"`           // share of time that enough replicas are up
	Needed    *units.Count    `json:"needed,omitempty"` // that must be up; nil: 1
	Crews     *units.Count    `json:"crews,omitempty"`  // of repair; nil: one for each
	Window    *units.Duration `json:"window,omitempty"` // that the replicas have to last, for the interval reliability
}

// A Checkpoint is a long job that may save its state.
type Checkpoint struct {
	// Machine names a type of machines that mtbf and mttr are of, its MTTF and
	// MTTR, where they are not given.
	Machine string          `json:"machine,omitempty"`
	MTBF    *units.Duration `json:"mtbf,omitempty"`    // mean time between failures
	Cost    units.Duration  `json:"cost"`              // time to save
	Restart *units.Duration `json:"restart,omitempty"` // from a failure until work goes on; left out: 0
	Work    units.Duration  `json:"work"`              // length of the job without failures
	MTTR    *units.Duration `json:"mttr,omitempty"`    // to replace a failed replica; left out: of machine, else restart
}

// Routing are the clusters that the load is routed over, here or in a
// file of their own.
type Routing struct {
	Rate     *units.Range[units.Rate] `json:"rate,omitempty"` // nil: that of the load
	File     string                   `json:"file,omitempty"` // file of clusters, in place of clusters
	Clusters []routes.Cluster         `json:"clusters,omitempty"`
	Types    []routes.RequestType     `json:"types,omitempty"`
	Policy   routes.Policy            `json:"policy,omitempty"` // pap, rr, lrf or bcf; empty: pap
	Hedge    routes.Hedge             `json:"hedge,omitempty"`  // nominal, mean or worst; empty: nominal

	listed *routes.ClusterFile // what File holds
}

// An Allocation is a batch of jobs with levels of service, here or in a
// file of its own.
type Allocation struct {
	File   string                `json:"file,omitempty"` // file of a batch, in place of batch
	Batch  *allocation.BatchFile `json:"batch,omitempty"`
	Method alloc.Method          `json:"method,omitempty"` // empty: lp-round
	Backup alloc.BackupMode      `json:"backup,omitempty"` // soft or strict; empty: none
	Fail   []string              `json:"fail,omitempty"`   // resources or risk groups that fail in turn

	listed *allocation.BatchFile // what File holds
}

// An Availability asks how likely machines are free through a window of
// a day, from their records.
type Availability struct {
	TraceFile string          `json:"trace"`          // CSV of load and free memory; several hosts are ranked
	Day       string          `json:"day"`            // weekday or weekend
	Start     string          `json:"start"`          // such as 09:00
	Window    units.Duration  `json:"window"`         // length of the window
	Days      units.Count     `json:"days"`           // most recent ones to learn from
	Task      *units.Duration `json:"task,omitempty"` // to rank by its completion
	// The thresholds of the states hold for the traces of samples that machines
	// have as well; nil: the defaults of capplan availability.
	Light *units.Fraction `json:"light,omitempty"` // load up to which the machine is lightly used (S1)
	Heavy *units.Fraction `json:"heavy,omitempty"` // load above which it is short of processor (S3)
	Grace *units.Duration `json:"grace,omitempty"` // that a load above heavy may last before it counts
	// between samples from which on the machine is taken to be away (S5)
	Gap    *units.Duration `json:"gap,omitempty"`
	Period *units.Duration `json:"period,omitempty"` // between two samples
	// memory of a guest job: with less free the machine is short of it (S4)
	WorkingSet *units.Size `json:"working_set,omitempty"`
	Zone       string      `json:"zone,omitempty"` // of the clock; empty: UTC

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
	Tasks    units.Count    `json:"tasks"`     // that are independent, all there at once
	TaskTime units.Duration `json:"task_time"` // of one, on a machine of speed 1
	// Machine is the type that the tasks run on; empty: the first that is public.
	Machine string       `json:"machine,omitempty"`
	Count   *units.Count `json:"count,omitempty"`  // of these machines; nil: the limit of the type
	Server  string       `json:"server,omitempty"` // that hands out tasks: xwhep, boinc or checkpoint; empty: xwhep
	// By is the deadline, from the submission on, for which the cheapest help is
	// looked for.
	By   *units.Duration `json:"by,omitempty"`
	With *units.Fraction `json:"with,omitempty"` // chance to be done by then; nil: 95%
	// Cloud is the type of machines that help, with its price and speed; empty: the
	// dedicated one that is cheapest for its speed.
	Cloud string          `json:"cloud,omitempty"`
	Boot  *units.Duration `json:"boot,omitempty"` // of one that helps; nil: 2 min
}
