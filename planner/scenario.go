package planner

import (
	"context"
	"io"
	"reflect"

	"github.com/capplan/capplan/internal/document"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

// A FileError says what is wrong with a file, where, and what was expected.
type FileError = source.FileError

// A Scenario is a whole planning question: any part may be absent, and each
// part asks its own question. Names of files are as written; whoever opens
// them takes them relative to the scenario file.
type Scenario struct {
	Name       string               `json:"name,omitempty"`
	Load       *ScenarioLoad        `json:"load,omitempty"`
	Service    *ScenarioService     `json:"service,omitempty"`
	Objectives *ScenarioObjectives  `json:"objectives,omitempty"`
	Machines   []ScenarioMachine    `json:"machines,omitempty"`
	Costs      *ScenarioCosts       `json:"costs,omitempty"`
	Link       *ScenarioLink        `json:"link,omitempty"`
	Epoch      *ScenarioEpoch       `json:"epoch,omitempty"`
	Replicas   *ScenarioReplicas    `json:"replicas,omitempty"`
	Checkpoint *ScenarioCheckpoint  `json:"checkpoint,omitempty"`
	Routing    *ScenarioRouting     `json:"routing,omitempty"`
	Allocation *ScenarioAllocation  `json:"allocation,omitempty"`
	Free       *ScenarioFreeMachine `json:"availability,omitempty"`
	Samples    *units.Count         `json:"samples,omitempty"` // draws from ranges; nil: the planner's default
	Seed       *units.Count         `json:"seed,omitempty"`    // of the draws; nil: 1

	d *document.Document
}

// A ScenarioLoad is what comes in, in one of four forms: a rate, erlangs, a
// curve over the day, or a job log.
type ScenarioLoad struct {
	Rate       *units.Range[units.Rate]   `json:"rate,omitempty"`
	Erlangs    *units.Range[units.Erlang] `json:"erlangs,omitempty"`
	Curve      string                     `json:"curve,omitempty"` // CSV with the columns time_s,rate_per_s
	Log        string                     `json:"log,omitempty"`   // Standard Workload Format
	From       *units.Duration            `json:"from,omitempty"`  // of the log
	To         *units.Duration            `json:"to,omitempty"`
	ArrivalSCV *units.Number              `json:"arrival_scv,omitempty"` // of the gaps; nil: 1, Poisson
}

// A ScenarioService is how long a request holds a server of speed 1, and how
// long its sender waits.
type ScenarioService struct {
	Time     *units.Range[units.Duration] `json:"time,omitempty"`
	SCV      *units.Number                `json:"scv,omitempty"` // nil: 1, exponential
	Patience *units.Duration              `json:"patience,omitempty"`
	Model    string                       `json:"model,omitempty"`    // loss, wait or abandon; empty: by the objectives
	Staffing string                       `json:"staffing,omitempty"` // of a curve: sipp, lagged-sipp or mol
}

// ScenarioObjectives are the limits that the fleet has to keep, all at once.
type ScenarioObjectives struct {
	MaxBlocking     *units.Fraction   `json:"max_blocking,omitempty"`
	MaxWait         *units.Duration   `json:"max_wait,omitempty"`
	Percentile      *units.Percentile `json:"percentile,omitempty"`       // of max_wait; nil: 95%
	ServiceLevelOf  string            `json:"service_level_of,omitempty"` // offered, served, stayed or waits: whom max_wait counts where some give up; empty: offered
	MaxMeanWait     *units.Duration   `json:"max_mean_wait,omitempty"`
	MaxMeanResponse *units.Duration   `json:"max_mean_response,omitempty"`
	MaxUtilization  *units.Fraction   `json:"max_utilization,omitempty"`
	MinUtilization  *units.Fraction   `json:"min_utilization,omitempty"`
	MaxAbandon      *units.Fraction   `json:"max_abandon,omitempty"`
	Availability    *units.Fraction   `json:"availability,omitempty"` // chance that a job on public machines has a replica alive
	Budget          *units.Price      `json:"budget,omitempty"`       // such as 40/h
	// PublicCount says how public machines that come and go enter the figures:
	// averaged (over how many are up) or mean; empty: averaged, or mean where
	// outages are known to be below a tenth of the service time.
	PublicCount string `json:"public_count,omitempty"`
}

// A ScenarioMachine is a type of machine that can be had.
type ScenarioMachine struct {
	Name         string                       `json:"name"`            // given once in a file
	Kind         string                       `json:"kind,omitempty"`  // dedicated or public; empty: dedicated
	Price        *units.Range[units.Price]    `json:"price,omitempty"` // such as 0.40/h; nil: 0
	Speed        *units.Range[units.Number]   `json:"speed,omitempty"` // of the server that service.time is of; nil: 1
	SpeedCV      *units.Number                `json:"speed_cv,omitempty"`
	Slots        *units.Count                 `json:"slots,omitempty"` // jobs that one holds at a time, each at its speed; nil: 1
	Availability *units.Range[units.Fraction] `json:"availability,omitempty"`
	MTTF         *units.Range[units.Duration] `json:"mttf,omitempty"`
	MTTR         *units.Range[units.Duration] `json:"mttr,omitempty"`
	// Trace is a file of up and down intervals, or of samples of load, which
	// are labelled by the thresholds of the part availability: there is S1, S2.
	Trace string `json:"trace,omitempty"`
	// Predicted takes the chance to be free throughout the window of the part
	// availability: all, best 20, or names of its machines, by commas.
	Predicted string       `json:"predicted,omitempty"`
	Replicas  *units.Count `json:"replicas,omitempty"` // of each job on it; nil: by objectives.availability
	AtLeast   *units.Count `json:"at_least,omitempty"` // that are taken in any case; nil: 0
	Limit     *units.Count `json:"limit,omitempty"`    // that can be had; nil: any number
}

// ScenarioCosts are what a plan can cost beside the machines.
type ScenarioCosts struct {
	Shortfall *units.Price `json:"shortfall,omitempty"` // of a missing server of speed 1, such as 5/h
}

// A ScenarioLink is the link between dedicated and public machines. What is
// not given comes from the rest of the scenario.
type ScenarioLink struct {
	Uplink    *units.Bandwidth `json:"uplink,omitempty"`
	Downlink  *units.Bandwidth `json:"downlink,omitempty"`
	Footprint *units.Size      `json:"footprint,omitempty"` // data moved per job
	Replicas  *units.Count     `json:"replicas,omitempty"`
	Dedicated *units.Count     `json:"dedicated,omitempty"`
	Rate      *units.Rate      `json:"rate,omitempty"`
	Epoch     *units.Duration  `json:"epoch,omitempty"`
}

// A ScenarioEpoch is the scheduling between dedicated and public machines.
type ScenarioEpoch struct {
	Length        *units.Duration `json:"length,omitempty"`         // nil: the best one
	Migrations    *units.Number   `json:"migrations,omitempty"`     // begun in an epoch
	MigrationTime *units.Duration `json:"migration_time,omitempty"` // of one
	FailureRate   *units.Rate     `json:"failure_rate,omitempty"`   // nil: from the replicas
	PublicJobs    *units.Number   `json:"public_jobs,omitempty"`    // nil: the offered load
	Model         string          `json:"model,omitempty"`          // mm1 or parallel; empty: mm1
}

// ScenarioReplicas ask how many replicas one kind of machine needs.
type ScenarioReplicas struct {
	// Machine names a type of machines that mttf and mttr, or its availability,
	// are of, in place of them.
	Machine string          `json:"machine,omitempty"`
	MTTF    *units.Duration `json:"mttf,omitempty"`
	MTTR    *units.Duration `json:"mttr,omitempty"`
	Trace   string          `json:"trace,omitempty"`
	Target  units.Fraction  `json:"target"`
	Needed  *units.Count    `json:"needed,omitempty"` // that must be up; nil: 1
	Crews   *units.Count    `json:"crews,omitempty"`  // of repair; nil: one for each
	Window  *units.Duration `json:"window,omitempty"`
}

// A ScenarioCheckpoint is a long job that may save its state.
type ScenarioCheckpoint struct {
	// Machine names a type of machines that mtbf and mttr are of, its MTTF and
	// MTTR, where they are not given.
	Machine string          `json:"machine,omitempty"`
	MTBF    *units.Duration `json:"mtbf,omitempty"`
	Cost    units.Duration  `json:"cost"`
	Restart *units.Duration `json:"restart,omitempty"`
	Work    units.Duration  `json:"work"`
	MTTR    *units.Duration `json:"mttr,omitempty"`
}

// ScenarioRouting are the clusters that the load is routed over, here or in a
// file of their own.
type ScenarioRouting struct {
	Rate     *units.Range[units.Rate] `json:"rate,omitempty"` // nil: that of the load
	File     string                   `json:"file,omitempty"`
	Clusters []routes.Cluster         `json:"clusters,omitempty"`
	Types    []routes.RequestType     `json:"types,omitempty"`
	Policy   string                   `json:"policy,omitempty"` // pap, rr, lrf or bcf; empty: pap
	Hedge    string                   `json:"hedge,omitempty"`  // nominal, mean or worst; empty: nominal
}

// A ScenarioAllocation is a batch of jobs with levels of service, here or in a
// file of its own.
type ScenarioAllocation struct {
	File   string                `json:"file,omitempty"`
	Batch  *allocation.BatchFile `json:"batch,omitempty"`
	Method string                `json:"method,omitempty"` // empty: lp-round
	Backup string                `json:"backup,omitempty"` // soft or strict; empty: none
	Fail   []string              `json:"fail,omitempty"`   // resources or risk groups that fail in turn
}

// A ScenarioFreeMachine asks how likely machines are free through a window of
// a day, from their records.
type ScenarioFreeMachine struct {
	Trace  string          `json:"trace"` // CSV of load and free memory; several hosts are ranked
	Day    string          `json:"day"`   // weekday or weekend
	Start  string          `json:"start"` // such as 09:00
	Window units.Duration  `json:"window"`
	Days   units.Count     `json:"days"`           // most recent ones to learn from
	Task   *units.Duration `json:"task,omitempty"` // to rank by its completion
	// The thresholds of the states, also of the traces of samples that machines
	// have; nil: the defaults of capplan availability.
	Light      *units.Fraction `json:"light,omitempty"`
	Heavy      *units.Fraction `json:"heavy,omitempty"`
	Grace      *units.Duration `json:"grace,omitempty"`
	Gap        *units.Duration `json:"gap,omitempty"`
	Period     *units.Duration `json:"period,omitempty"`
	WorkingSet *units.Size     `json:"working_set,omitempty"`
	Zone       string          `json:"zone,omitempty"` // of the clock; empty: UTC
}

const scenarioForm = `a scenario such as the one that capplan init writes: load, service, objectives, machines, ...`

// ReadScenario reads a scenario, YAML or JSON by its content. Unknown fields,
// fields or names given twice, values that are no quantities, and fields that
// contradict each other give a *FileError with line, column and the line; of
// two that contradict each other both are named. name is used in messages only.
// A scenario holds at most 32 MiB of YAML or 256 MiB of JSON.
func ReadScenario(ctx context.Context, name string, r io.Reader) (*Scenario, error) {
	d, err := document.Read(ctx, name, scenarioForm, r)
	if err != nil {
		return nil, err
	}
	s := &Scenario{d: d}
	if err := d.Decode(d.Root, reflect.ValueOf(s).Elem(), "the scenario"); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// At returns an error at a place of the file such as machines[1].trace, with
// line, column and the line. A place that is not in the file is that of what
// stands around it.
func (s *Scenario) At(place, problem, want string) *source.FileError {
	return s.d.ErrorAt(place, problem, want)
}

// Line returns the line of a place, 0 where it is not in the file.
func (s *Scenario) Line(place string) int {
	n, ok := s.d.Find(place)
	if !ok {
		return 0
	}
	return int(n.Line)
}
