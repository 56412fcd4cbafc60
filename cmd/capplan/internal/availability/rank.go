package availability

import (
	"context"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// rateWant shows the form of a --rate.
const rateWant = "a machine and its speed such as node3=1.5"

// rankFlags are the flags of rank beside those of the machines' traces. rates are speeds relative
// to a machine of speed 1, NAME=X each.
type rankFlags struct {
	in    *HostInput
	day   *dayInput
	fleet *fleetInput
	asked machines.RankQuestion
	rates []string
	set   *cmdline.FlagSet
}

// flags binds the flags of the process, of the tasks and of the traces.
func (f *rankFlags) flags(s *cmdline.FlagSet) {
	f.in, f.day, f.fleet, f.set = &HostInput{Many: true}, &dayInput{}, &fleetInput{}, s
	f.day.flags(s)
	cmdline.OneOf(s, "state", &f.asked.State,
		"`STATE` at the beginning of the window: S1 or S2 (default: the state in which more days "+
			"begin)", nil, "S1", "S2")
	cmdline.Number[units.Duration](s, "task", &f.asked.Task, "TIME",
		"length of a task on a machine of speed 1; ranks by its completion time with failures (default: ranks by "+
			"reliability)")
	s.Repeated("rate", &f.rates, rateWant, "`NAME=X` of "+rateWant+"; may be repeated (default 1)")
	f.fleet.flags(s, backtest.ModelNames...)
	f.in.Flags(s)
}

// rankedByProcess are the flags that only the semi-Markov process knows: no other model has
// states, or says when a task of some length is done. The completion time of a task needs the law
// of failures up to its end, which the process gives.
var rankedByProcess = []string{"state", "task", "rate"}

// byFleet ranks by the hazard of the whole fleet, so that a machine with one good day
// does not come first.
func (f *rankFlags) byFleet(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	window, err := f.day.fleetWindow()
	if err != nil {
		return nil, err
	}
	q := &forecast.Question{DayWindow: window, Explain: f.set.Output.Explain}
	return f.fleet.foresee(ctx, f.in, st, args, q, true)
}

// byModel ranks by a model that is scored beside others; where that is the process it
// answers as it would alone. Machines are ranked by the chance to stay free through the window.
func (f *rankFlags) byModel(ctx context.Context, st *cmdline.Streams, args []string,
	model string) (r *cmdline.Result, err error) {
	q := &f.asked
	if q.DayWindow, err = f.day.fleetWindow(); err != nil {
		return nil, err
	}
	by := &forecast.ModelQuestion{DayWindow: q.DayWindow, Model: model, Explain: f.set.Output.Explain}
	process := func(hosts []machines.Trace, counts, censored bool, c *machines.Choice) (*cmdline.Result, error) {
		q.Hosts, q.Labelling, q.Counts, q.Censored = hosts, by.Labelling, counts, censored
		q.Explain = by.Explain
		a, err := machines.Rank(ctx, q)
		if err != nil {
			return nil, err
		}
		a.Chosen = c
		return cmdline.Answered(a, report.Rank(a), f.in.Warnings...), nil
	}
	return f.fleet.byModel(ctx, f.in, st, args, by, true, process)
}

// byProcess ranks by the semi-Markov process of each machine's own days. With a task the order is
// that of expected completion times, restarts included; without, of reliability.
func (f *rankFlags) byProcess(ctx context.Context, st *cmdline.Streams, args []string) (r *cmdline.Result,
	err error) {
	q := &f.asked
	q.Explain = f.set.Output.Explain
	// rank has no --estimator, and takes what the named model says.
	if q.Counts, q.Censored, err = f.fleet.process(toFailure); err != nil {
		return nil, err
	}
	if q.DayWindow, err = f.day.question(); err != nil {
		return nil, err
	}
	if q.Labelling, err = f.in.Labelling(ctx); err != nil {
		return nil, err
	}
	if q.Rates, err = machineRates(f.rates); err != nil {
		return nil, err
	}
	if err := f.in.Read(ctx, args, st); err != nil {
		return nil, err
	}
	q.Hosts = f.in.Hosts
	return cmdline.Ask(ctx, q, machines.Rank, report.Rank, f.in.Warnings...)
}

// rankCommand puts machines in an order, the one to take first. Its figures are those of predict
// for each machine, with the same window.
func rankCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &rankFlags{}
	f.flags(s)
	return &cmdline.Command{
		Name: "rank", Usage: "which machine to take?", Args: "TRACE...", MaxArgs: 10000, Flags: s,
		Description: `TRACES are one file for each machine, or files with a host column.
Machines are ordered by their chance to be free throughout the window: at its start, as on
the days before, and from then on. With --state, which gives the state at the start, they
are ordered by temporal reliability; with --task, as in iShare 8.4. A machine that was never
free at the start has no prediction and comes last.

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4

The machines that a Prometheus server watches:

  $ capplan availability rank --prometheus http://localhost:9090 --cpu-query '1-avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[5m]))' --day weekday --start 09:00 --window 4h --days 8

Without --days the record itself chooses the model, see predict --help:

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 4h

For a task of one hour, where one machine is twice as fast:

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 6h --days 4 --task 1h --rate busy=2

By the hazard of the whole fleet and each machine's own record, so that a machine does not
come first for one good day:

  $ capplan availability rank testdata/hosts-small.csv --model frailty --day weekday --start 09:00 --window 4h`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			return f.fleet.answer(ctx, f.in, st, args, rankedByProcess, f)
		},
	}
}

// machineRates reads the speeds of machines, each NAME=X. A machine that is not named has speed 1;
// whether a name is known is checked by the question. Errors: *ask.InputError of the field rate.
func machineRates(given []string) (map[string]float64, error) {
	rates := map[string]float64{}
	for _, g := range given {
		name, text, ok := strings.Cut(g, "=")
		v, err := units.Parse[units.Number](text)
		switch {
		case !ok || name == "" || err != nil || v <= 0:
			return nil, &ask.InputError{Field: "rate", Reason: spell.Quote(g) + ", want " + rateWant}
		// Speeds are above 0, so that one that is there says that the name was given before.
		case rates[name] > 0:
			return nil, &ask.InputError{Field: "rate", Reason: spell.Quote(name) + " is given twice"}
		}
		rates[name] = float64(v)
	}
	return rates, nil
}
