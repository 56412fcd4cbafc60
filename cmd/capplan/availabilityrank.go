package main

import (
	"context"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

const rateWant = "a machine and its speed such as node3=1.5"

func rankCommand() *command {
	s := newFlags(true)
	in, day := &hostInput{many: true}, &dayInput{}
	var state string
	var task *units.Duration
	var rates []string
	day.flags(s)
	oneOf(s, "state", &state, "`STATE` at the window's beginning: S1 or S2 (default: the one in which more days begin)", nil, "S1", "S2")
	value(s, "task", &task, "TIME", "length of a task on a machine of speed 1: rank by its completion time with failures (default: by reliability)")
	s.list = append(s.list, &cli.GenericFlag{Name: "rate", Usage: "`NAME=X`, repeated: " + rateWant + " (default 1)", Value: &list{&rates, rateWant}})
	in.flags(s)
	return &command{
		name: "rank", usage: "which machine to take?", args: "TRACE...", maxArgs: 10000, flags: s,
		description: `TRACES are one file for each machine, or files with a host column.
Machines stand by their probability to be free throughout: at the start, as on
the days before, and from then on. With --state, which says how the window begins,
they stand by temporal reliability; with --task as iShare 8.4 has it. A machine
that was never free at the start has no prediction and stands last.

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4

For a task of one hour, on machines of which one is twice as fast:

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 6h --days 4 --task 1h --rate busy=2`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, errNoTrace()
			}
			q := &machines.RankQuestion{State: state, Task: float(task), Explain: s.output.explain}
			var err error
			if q.DayWindow, err = day.question(); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.labelling(ctx); err != nil {
				return nil, err
			}
			if q.Rates, err = machineRates(rates); err != nil {
				return nil, err
			}
			if err := in.read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Hosts = in.hosts
			a, err := machines.Rank(ctx, q)
			if err != nil {
				return nil, err
			}
			return answered(a, report.Rank(a), in.warnings...), nil
		},
	}
}

func machineRates(given []string) (map[string]float64, error) {
	rates := map[string]float64{}
	for _, g := range given {
		name, text, ok := strings.Cut(g, "=")
		v, err := units.Parse[units.Number](text)
		switch {
		case !ok || name == "" || err != nil || v <= 0:
			return nil, &ask.InputError{Field: "rate", Reason: quote(g) + ", want " + rateWant}
		case rates[name] > 0:
			return nil, &ask.InputError{Field: "rate", Reason: quote(name) + " is given twice"}
		}
		rates[name] = float64(v)
	}
	return rates, nil
}
