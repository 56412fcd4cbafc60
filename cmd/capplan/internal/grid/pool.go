package grid

import (
	"cmp"
	"context"
	"path/filepath"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/sim/pool"
	"github.com/capplan/capplan/units"
)

// poolSimulation is a question, and the flags that go before what the file says. A nil or empty
// field leaves what the file says.
type poolSimulation struct {
	q      pools.Question
	run    runFlags
	policy string
	// dedicated machines, and replicas of a job on public ones.
	dedicated, replicas *units.Count
	// epoch is the time between two runs of the scheduler, in s.
	epoch *units.Duration
	// speedCV is the coefficient of variation of the public speeds, 0 or more.
	speedCV *units.Number
	// precopy is the part of the footprint that is left to move while a job stands still.
	precopy *units.Fraction
	rate    *units.Rate
	fleet   fleetHosts
}

// flags binds the fields of a pool that a command line may replace. Those that are swept most have
// flags; all else stands in the file.
func (f *poolSimulation) flags(s *cmdline.FlagSet) {
	cmdline.OneOf(s, "policy", &f.policy,
		"`POLICY` of the scheduler: preemptive (PCU algorithm 1) or static (its baseline) (default: from FILE)",
		nil, "preemptive", "static")
	cmdline.Value(s, "dedicated", &f.dedicated, "N", "dedicated machines (default: from FILE)")
	cmdline.Value(s, "replicas", &f.replicas, "K", "number of copies of a job on public machines (default: from FILE)")
	cmdline.Value(s, "epoch", &f.epoch, "TIME", "time between two runs of the scheduler (default: from FILE)")
	cmdline.Value(s, "rate", &f.rate, "RATE", "arrival rate of jobs (default: from FILE)")
	f.fleet.flags(s)
	cmdline.Value(s, "speed-cv",
		&f.speedCV, "CV", "coefficient of variation of the lognormal public speeds (default: from FILE)")
	cmdline.Value(s, "precopy", &f.precopy, "SHARE",
		"share of the footprint still to be moved when a job stops, such as 10%; the rest was copied while it ran "+
			"(default: from FILE, else a job stands still while all of it moves)")
}

// over puts what was given into the file. The file is changed in place, as if it had been written
// so.
func (f *poolSimulation) over(file *pools.File) {
	file.Policy, file.Dedicated = cmp.Or(f.policy, file.Policy), ask.Or(f.dedicated, file.Dedicated)
	file.Replicas, file.Epoch = cmp.Or(f.replicas, file.Replicas), cmp.Or(f.epoch, file.Epoch)
	file.Jobs.Rate, file.Precopy = cmp.Or(f.rate, file.Jobs.Rate), cmp.Or(f.precopy, file.Precopy)
	if f.speedCV != nil {
		// A file without public machines gets them as the paper has them, but for the spread.
		file.Public = cmp.Or(file.Public, &pools.Public{})
		file.Public.SpeedCV = f.speedCV
	}
	for field, given := range map[string]bool{"dedicated": f.dedicated != nil, "replicas": f.replicas != nil,
		"epoch": f.epoch != nil, "rate": f.rate != nil, "speed_cv": f.speedCV != nil, "precopy": f.precopy != nil} {
		if given {
			file.Over(field)
		}
	}
}

// foreseen puts machines of a fitted fleet in place of the public ones, however
// FILE lets those come and go: all of it, or as many like them as FILE has. The strings are
// warnings. Errors: *ask.InputError, *source.FileError.
func (f *poolSimulation) foreseen(ctx context.Context, st *cmdline.Streams, file *pools.File,
	p *pool.Public) ([]string, error) {
	// The machines of the file say only how many are wanted.
	of := &hostsInput{}
	if file.Public != nil {
		of.Count = file.Public.Machines
	}
	platform, err := f.fleet.read(ctx, st, of)
	if err != nil {
		return nil, err
	}
	p.Coming, p.Machines = pool.Coming{Population: platform.Population}, platform.Machines()
	return of.warnings, nil
}

// Pool simulates dedicated machines beside public ones. The model is that of PCU chapter 5:
// machines of speed 1, public ones that are slower and leave, a link between the two, and epochs of
// scheduling.
func Pool() *cmdline.Command {
	s := cmdline.NewFlags(false)
	f := &poolSimulation{fleet: fleetHosts{pool: true}}
	q := &f.q
	f.run = runFlags{
		seed: &q.Seed, replications: &q.Replications, horizon: &q.Horizon, precision: &q.Precision,
		drawn: "the random numbers", figures: "elongation and goodput",
		long: "24h", unless: ", or 17 times the mean work of jobs if that is longer; for a log two days beyond its end",
	}
	f.run.flags(s)
	// A log begins at its first job, and nothing of it is thrown away.
	cmdline.Number[units.Duration](s, "warm-up",
		&f.q.WarmUp, "TIME", "time at the start of each run that is not counted (default a quarter of the horizon, "+
			"for a log 0s)")
	f.flags(s)
	s.Sharded()
	return &cmdline.Command{
		Name: "pool", Usage: "dedicated machines beside public ones, with jobs that migrate", Args: "FILE", MaxArgs: 1,
		Flags:  s,
		NoArgs: `no pool given, want a file such as "{dedicated: 100, jobs: {rate: 0.1/s}}", - for stdin`,
		Description: `The system of PCU: jobs run on dedicated machines, or in replicas on public ones that come
and go; each epoch those of highest priority migrate to the dedicated machines over a shared
link. FILE is YAML or JSON, see capplan schema pool; fields left out are as in the paper.

  $ capplan simulate pool testdata/pool.yaml --replications 3

Without migrations, each job stays where it began. With the same seed the same jobs arrive
and the same machines leave, so that any difference comes from the policies:

  $ capplan simulate pool testdata/pool.yaml --replications 3 --policy static

For as long as it takes to know elongation and goodput to 5%:

  $ capplan simulate pool testdata/pool.yaml --precision 5%

With public machines as predicted from a fitted fleet:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fitted-pool.json
  $ capplan simulate pool testdata/pool.yaml --fleet fitted-pool.json --replications 2

Over the number of dedicated machines:

  $ capplan sweep simulate pool testdata/pool.yaml --replications 2 --over dedicated=5,10,20`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			f.q.Explain = s.Output.Explain
			return f.ask(ctx, st, args[0])
		},
	}
}

// ask reads the pool of a file and simulates it.
func (f *poolSimulation) ask(ctx context.Context, st *cmdline.Streams, path string) (*cmdline.Result, error) {
	q := &f.q
	open := source.OpenOptions{Stdin: st.In, Want: "a pool, YAML or JSON", Wrap: st.Progress(path)}
	file, err := cmdline.Read(ctx, st, path, open.Want, pools.Read)
	if err != nil {
		return nil, err
	}
	f.over(file)
	// The flags are part of the pool that is checked: what they say may not fit the file.
	if err := file.Check(); err != nil {
		return nil, err
	}
	var warnings []string
	// A trace that the file names is looked for beside the file, not where one stands.
	if q.Pool, warnings, err = file.Pool(ctx, filepath.Dir(path), open); err != nil {
		return nil, err
	}
	if f.fleet.file != "" {
		says, err := f.foreseen(ctx, st, file, &q.Pool.Public)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, says...)
	}
	if err := f.run.check(); err != nil {
		return nil, err
	}
	a, err := cmdline.Counting(ctx, st, "replications", &q.Progress, q, pools.Ask)
	if err != nil {
		return nil, err
	}
	a.Warnings = append(warnings, a.Warnings...)
	r := cmdline.Answered(a, report.Pool(a))
	// The replications that are done are shown, with the exit code of an interruption.
	if a.Interrupted {
		r.Exit = context.Canceled
	}
	return r, nil
}
