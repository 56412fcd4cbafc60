package availability

import (
	"context"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// rateWant shows the form of a --rate.
const rateWant = "a machine and its speed such as node3=1.5"

// rankCommand puts machines in an order, the one to take first. Its figures are those of predict
// for each machine, with the same window. The completion time of a task needs the law of failures up
// to its end, which the semi-Markov process alone gives.
func rankCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	q := &machines.RankQuestion{}
	f := &windowFlags{set: s, ranked: true, own: []string{"state", "task", "rate"}, estimator: toFailure}
	f.in.Many = true
	f.day.flags(s)
	stateFlag(s, &q.State)
	cmdline.Number[units.Duration](s, "task", &q.Task, "TIME",
		"length of a task on a machine of speed 1; ranks by its completion time with failures (default: ranks by "+
			"reliability)")
	s.Repeated("rate", &f.rates, rateWant, "`NAME=X` of "+rateWant+"; may be repeated (default 1)")
	f.fleet.flags(s, backtest.ModelNames...)
	f.in.Flags(s)
	f.process = func(ctx context.Context, p *processQuestion) (*cmdline.Result, error) {
		q.Hosts, q.Labelling, q.DayWindow, q.Rates = p.hosts, p.labelling, p.window, p.rates
		q.Counts, q.Censored, q.Explain = p.counts, p.censored, s.Output.Explain
		a, err := machines.Rank(ctx, q)
		if err != nil {
			return nil, err
		}
		a.Chosen = p.chosen
		return cmdline.Answered(a, report.Rank(a), f.in.Warnings...), nil
	}
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
		Ask: f.ask,
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
