package main

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// sizeFlags are the flags from which size, check and sweep build a question. The flags of traffic,
// objectives and model are bound to the question itself; the fields here are those that need a look
// or a file first.
type sizeFlags struct {
	set      *cmdline.FlagSet
	question *sizing.SizeQuestion
	curve    trafficFile
	// log is a file in the Standard Workload Format; window is the part of it to use.
	log    string
	window window
	pool   poolFlags
	// cost is of a server too many and penalty of one too few, for the fleet of least regret.
	cost    *units.Cost
	penalty *units.Cost

	growth     growthFlags
	headroom   headroomFlags
	simulation *simulateFlags
}

// A window is a part of a log. Both ends are times since the log's start; what lies outside is left
// out of the load.
type window struct {
	from, to *units.Duration
	strict   bool
}

// flags binds a part of a log, for all commands that take one by --swf.
func (w *window) flags(s *cmdline.FlagSet) {
	cmdline.Value(s, "from", &w.from, "TIME", "count only jobs submitted at this time or later, since the start of the log")
	cmdline.Value(s, "to", &w.to, "TIME", "count only jobs submitted before this time, since the start of the log")
	s.Toggle("strict", &w.strict, "treat a malformed line as an error instead of counting it")
}

// options returns the window in seconds since the first job of the log.
func (w *window) options() joblog.SWFOptions {
	o := joblog.SWFOptions{Strict: w.strict, From: float64(ask.Value(w.from))}
	if w.to != nil {
		o.To = max(float64(*w.to), math.SmallestNonzeroFloat64) // 0 would be no end
	}
	return o
}

// poolFlags describe a public pool. size, capacity, check and throughput describe the pool alike. A
// nil field is a flag that was not given.
type poolFlags struct {
	machines *units.Count
	// speed is the mean, relative to a dedicated server, and spread its coefficient of variation.
	speed  *units.Number
	spread *units.Number
	// availability is the share of time that a machine is there, in [0, 1].
	availability *units.Fraction
	replicas     *units.Count
	count        sizing.PublicCount
	// outage is the mean time that a machine is away, in s.
	outage *units.Duration
}

// flags binds the public machines; a fleet without them has none of these flags.
func (p *poolFlags) flags(s *cmdline.FlagSet) {
	cmdline.Value(s, "public", &p.machines, "N", "machines of a public pool that work beside the dedicated servers")
	cmdline.Value(s, "public-speed",
		&p.speed, "X", "mean speed of a public machine relative to a dedicated one (default 1)")
	cmdline.Value(s, "public-speed-cv", &p.spread,
		"CV", "coefficient of variation of the public speeds, which are lognormal; of several replicas the fastest "+
			"then counts")
	cmdline.Value(s, "public-availability", &p.availability, "P", "share of time that a public machine is available")
	cmdline.Value(s, "replicas", &p.replicas, "R", "copies of each job on the public pool (default 1)")
	cmdline.OneOf(s, "public-count",
		&p.count, "`COUNT` of public machines that come and go: averaged (over how many are up) or mean (their mean "+
			"number, as in PCU section 4.6) (default: averaged, or mean if --public-outage is below a tenth of the "+
			"service time)",
		nil, "averaged", "mean")
	cmdline.Value(s, "public-outage", &p.outage, "TIME", "mean time that a public machine is away")
}

// pool returns the pool, or nil if there is none. Errors: *ask.InputError of the flag that is
// missing or out of its domain.
func (p *poolFlags) pool() (*sizing.Pool, error) {
	if p.machines == nil {
		if p.speed != nil || p.spread != nil || p.availability != nil || p.replicas != nil ||
			p.count != "" || p.outage != nil {
			return nil, &ask.InputError{Field: "public",
				Reason: "the pool's speed, availability and replicas need its size, such as --public 10000"}
		}
		return nil, nil
	}
	// An availability has no default: machines that are always there would be dedicated ones.
	if p.availability == nil {
		return nil, &ask.InputError{Field: "public-availability",
			Reason: "a public pool needs an availability, such as --public-availability 70%"}
	}
	switch {
	case p.outage != nil && *p.outage == 0:
		return nil, ask.Inputf("public-outage", "want a time above 0 such as 10min")
	case p.speed != nil && *p.speed == 0:
		return nil, ask.Inputf("public-speed", "want a speed above 0 such as 0.34")
	case p.replicas != nil && *p.replicas < 1:
		return nil, ask.Inputf("replicas", "want at least 1 copy of each job")
	}
	return &sizing.Pool{
		Machines:     float64(*p.machines),
		Speed:        ask.Or(p.speed, 1.0), // that of a dedicated server
		SpeedCV:      float64(ask.Value(p.spread)),
		Availability: float64(*p.availability),
		Replicas:     ask.Or(p.replicas, 1.0),
		Count:        p.count,
		Outage:       float64(ask.Value(p.outage)),
	}, nil
}

// trafficFlags adds the flags of a load given in numbers. A value may be a range: the figures are
// then those of draws from it.
func trafficFlags(s *cmdline.FlagSet, t *sizing.Traffic) {
	cmdline.Value(s, "load", &t.OfferedLoad, "ERLANG",
		"offered load in erlangs: arrival rate times service time; may be a range such as 80..130 or 80..100..130")
	cmdline.Value(s, "rate", &t.Rate, "RATE", "arrival rate such as 5.4/s or 120/min; may be a range")
	cmdline.Value(s, "service-time", &t.ServiceTime, "TIME", "mean service time such as 90s or 3min; may be a range")
	cmdline.Value(s, "arrival-scv",
		&t.ArrivalSCV, "SCV", "squared coefficient of variation of the gaps between arrivals (default 1, Poisson)")
	cmdline.Value(s, "service-scv",
		&t.ServiceSCV, "SCV", "squared coefficient of variation of the service times (default 1, exponential)")
	cmdline.Value(s, "patience",
		&t.Patience, "TIME", "mean patience: a caller gives up after a random time with this mean")
}

// serviceLevelUsage explains the meanings of a service level.
const serviceLevelUsage = "`WHOM`: whom --max-wait counts if some give up: offered (default; share of all arrivals that " +
	"are served in time), served (share of those who are served), stayed (share of all but those who give up within " +
	"--max-wait) or waits (who gives up within --max-wait counts as in time)"

// objectiveFlags adds the limits. A limit that is not given stays nil and does not bind; at least
// one is asked for, which the question checks.
func objectiveFlags(s *cmdline.FlagSet, o *sizing.Objectives) {
	cmdline.Value(s, "max-blocking", &o.MaxBlocking,
		"P", "limit on the chance that an arrival finds all servers busy and is lost (model loss) or has to wait")
	cmdline.Value(s, "max-wait", &o.MaxWait, "TIME", "limit on the wait of a share of arrivals, see --percentile")
	cmdline.Value(s, "percentile",
		&o.Percentile, "P", "share of arrivals that must keep --max-wait and --max-response, such as 95% (default "+
			"95%)")
	cmdline.OneOf(s, "service-level-of",
		&o.ServiceLevelOf, serviceLevelUsage, nil, "offered", "served", "stayed", "waits")
	cmdline.Value(s, "max-response", &o.MaxResponse,
		"TIME", "limit on the response (wait and service together) of a share of arrivals, see --percentile")
	cmdline.Setting(s, "objective",
		&o.Responses, "LIST", "limits on several percentiles of the response, such as p50<80ms,p99<300ms")
	cmdline.Value(s, "max-mean-wait", &o.MaxMeanWait, "TIME", "limit on the mean wait")
	cmdline.Value(s, "max-mean-response", &o.MaxMeanResponse, "TIME", "limit on the mean of wait and service together")
	cmdline.Value(s, "max-utilization", &o.MaxUtilization, "P", "limit on the busy share of the servers")
	cmdline.Value(s, "max-abandon", &o.MaxAbandon, "P",
		"limit on the chance that a caller gives up before service; needs --patience (default 5% if only means or "+
			"the utilization are limited)")
}

// modelFlag binds --model, with the same words for every command that sizes a pool. A default that
// depends on other flags is chosen by the question, where embedders get it too.
func modelFlag(s *cmdline.FlagSet, kind *sizing.ModelKind) {
	cmdline.OneOf(s, "model", kind,
		"`MODEL`: what happens to an arrival that finds all servers busy: loss, wait, abandon, or ps (all present "+
			"share the servers) (default: loss if only --max-blocking is given, abandon with --patience, else wait)",
		nil, "loss", "wait", "abandon", "ps")
}

// newSizeFlags starts the flags of a sizing question. check, shifts and sweep take the same flags,
// so that a question moves from one to another by its command alone.
func newSizeFlags(q *sizing.SizeQuestion) *sizeFlags {
	f := &sizeFlags{set: cmdline.NewFlags(true), question: q}
	s := f.set
	trafficFlags(s, &q.Traffic)
	f.curve.flags(s)
	s.Text("swf", &f.log, "FILE", "job log in the Standard Workload Format, plain or .gz; its load is fitted")
	f.window.flags(s)
	objectiveFlags(s, &q.Objectives)
	modelFlag(s, &q.Model)
	f.pool.flags(s)
	f.growth.flags(s)
	f.headroom.flags(s)
	cmdline.OneOf(s, "staffing", &q.Staffing, "`METHOD` for a load curve: sipp, lagged-sipp or mol (default mol)",
		nil, "sipp", "lagged-sipp", "mol")
	// The bound keeps the draws in memory.
	cmdline.Into[units.Count](s, "samples", &q.Samples, "N", "draws for an uncertain load (default 10000)",
		cmdline.Within(1, sizing.MaxSamples, "1 to 10000000 draws"))
	cmdline.Seed(s, &q.Seed, "seed of the draws")
	cmdline.Value(s, "server-cost",
		&f.cost, "COST", "cost of one server too many, such as 1, 10EUR/h or '$72/month'; with --shortfall-cost, "+
			"finds the fleet of least regret over the draws")
	cmdline.Value(s, "shortfall-cost", &f.penalty, "COST", "cost of one server too few, in the same currency; both "+
		"costs are per time, or neither is")
	f.simulation = newSimulateFlags(s)
	replayFlags(s, &q.Replay)
	return f
}

// read completes the question with the contents of files. Contradictions among flags are reported
// before any file is opened. Errors: *ask.InputError of a flag; *source.FileError of a file.
func (f *sizeFlags) read(ctx context.Context, s *cmdline.Streams) error {
	q := f.question
	q.Explain = f.set.Output.Explain
	q.ServerCost, q.ShortfallCost = ask.Value(f.cost), ask.Value(f.penalty)
	if q.Simulate = f.simulation.question(); q.Simulate != nil {
		q.Simulate.Seed = q.Seed
	}
	// Of a load that is known nothing is drawn, and the flag would be given in vain.
	if unused := drawFlag(f); unused != "" && !q.Uncertain() {
		return &ask.InputError{Field: unused, Reason: "only used with a load that is a range, such as --load 80..130"}
	}
	q.Growth, q.Headroom = f.growth.growth(), f.headroom.headroom()
	var err error
	if q.Pool, err = f.pool.pool(); err != nil {
		return err
	}
	if f.log == "" && (f.window.from != nil || f.window.to != nil || f.window.strict) {
		return &ask.InputError{Field: "swf", Reason: "--from, --to and --strict belong to a log, such as --swf FILE"}
	}
	if f.curve.path == "" && f.curve.live.Rate == "" && q.Staffing != "" {
		return ask.Inputf("staffing", "a staffing method is only used with --load-curve FILE.csv or --rate-query QUERY")
	}
	// What is quick to check has been checked when files are opened.
	if err := f.curve.read(ctx, s, &q.Traffic); err != nil {
		return err
	}
	if f.log != "" {
		// Only a replay needs the jobs themselves, which take memory; the closed forms need their
		// summary.
		each := func(joblog.Job) error { return nil }
		if q.Simulate != nil {
			each = keptJobs(&q.Replay)
		}
		a, _, err := scanLog(ctx, f.log, s, f.window.options(), each)
		if err != nil {
			return err
		}
		q.Log = a
	}
	return nil
}

// drawFlag names a flag of the draws that was given. A seed counts only where no simulation takes
// it.
func drawFlag(f *sizeFlags) string {
	switch {
	case f.set.Gave("samples"):
		return "samples"
	case f.set.Gave("seed") && !f.simulation.wanted:
		return "seed"
	}
	return ""
}

// scanLog reads a job log and hands each of its jobs on. The log is read as a stream: each may keep
// what it wants, and its first error ends the reading. Errors: *ask.InputError of the window;
// *source.FileError of the log.
func scanLog(ctx context.Context, path string, s *cmdline.Streams, o joblog.SWFOptions,
	each func(joblog.Job) error) (*joblog.Summary, *joblog.SWFLog, error) {
	// A window without an end has a To of 0.
	if o.To != 0 && !(o.To > o.From) {
		return nil, nil, ask.Inputf("to", "the window ends before it begins: want --to after --from")
	}
	if path == "" {
		return nil, nil, &cmdline.UsageError{Reason: "an empty name names no file, want a log such as log.swf or " +
			"log.swf.gz, or - for stdin"}
	}
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.In,
		Want: "a job log in the Standard Workload Format, plain, .gz or .xz", Wrap: s.Progress(path)})
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	return joblog.Summarize(ctx, src.Name, src, o, each)
}
