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

const rateWant = "a machine and its speed such as node3=1.5"

func rankCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	in, day, fleet := &HostInput{Many: true}, &dayInput{}, &fleetInput{}
	var state string
	var task *units.Duration
	var rates []string
	day.flags(s)
	cmdline.OneOf(s, "state", &state,
		"`STATE` at the window's beginning: S1 or S2 (default: the one in which more days begin)", nil, "S1", "S2")
	cmdline.Value(s, "task", &task, "TIME",
		"length of a task on a machine of speed 1: rank by its completion time with failures (default: by reliability)")
	s.Repeated("rate", &rates, rateWant, "`NAME=X`, repeated: "+rateWant+" (default 1)")
	fleet.flags(s, backtest.ModelNames...)
	in.Flags(s)
	return &cmdline.Command{
		Name: "rank", Usage: "which machine to take?", Args: "TRACE...", MaxArgs: 10000, Flags: s,
		Description: `TRACES are one file for each machine, or files with a host column.
Machines stand by their probability to be free throughout: at the start, as on
the days before, and from then on. With --state, which says how the window begins,
they stand by temporal reliability; with --task as iShare 8.4 has it. A machine
that was never free at the start has no prediction and stands last.

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4

The machines that a Prometheus server watches:

  $ capplan availability rank --prometheus http://localhost:9090 --cpu-query '1-avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[5m]))' --day weekday --start 09:00 --window 4h --days 8

Without --days the model is chosen by the record itself, see predict --help:

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 4h

For a task of one hour, on machines of which one is twice as fast:

  $ capplan availability rank testdata/hosts-small.csv --day weekday --start 09:00 --window 6h --days 4 --task 1h --rate busy=2

By the hazard of the whole fleet and what each machine's own record says of it, so
that a machine with one good day does not come first:

  $ capplan availability rank testdata/hosts-small.csv --model frailty --day weekday --start 09:00 --window 4h`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			byFleet, err := fleet.frailty()
			if err != nil {
				return nil, err
			}
			if byFleet {
				if err := smpAlone(
					smpFlag{"state", state != ""},
					smpFlag{"task", task != nil},
					smpFlag{"rate", rates != nil},
				); err != nil {
					return nil, err
				}
				q := &forecast.Question{Explain: s.Output.Explain}
				if q.DayWindow, err = day.fleetWindow(); err != nil {
					return nil, err
				}
				return fleet.foresee(ctx, in, st, args, q, true)
			}
			q := &machines.RankQuestion{State: state, Task: cmdline.Float(task), Explain: s.Output.Explain}
			if err := in.given(args); err != nil {
				return nil, err
			}
			model, err := fleet.others(
				smpFlag{"days", day.days != nil},
				smpFlag{"state", state != ""},
				smpFlag{"task", task != nil},
				smpFlag{"rate", rates != nil},
			)
			if err != nil {
				return nil, err
			}
			if model != "" {
				if q.DayWindow, err = day.fleetWindow(); err != nil {
					return nil, err
				}
				by := &forecast.ModelQuestion{DayWindow: q.DayWindow, Model: model, Explain: q.Explain}
				process := func(hosts []machines.Trace, counts, censored bool,
					c *machines.Choice) (*cmdline.Result, error) {
					q.Hosts, q.Labelling, q.Counts, q.Censored = hosts, by.Labelling, counts, censored
					a, err := machines.Rank(ctx, q)
					if err != nil {
						return nil, err
					}
					a.Chosen = c
					return cmdline.Answered(a, report.Rank(a), in.Warnings...), nil
				}
				return fleet.byModel(ctx, in, st, args, by, true, process)
			}
			if q.Counts, q.Censored, err = fleet.process(toFailure); err != nil {
				return nil, err
			}
			if q.DayWindow, err = day.question(); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.Labelling(ctx); err != nil {
				return nil, err
			}
			if q.Rates, err = machineRates(rates); err != nil {
				return nil, err
			}
			if err := in.Read(ctx, args, st); err != nil {
				return nil, err
			}
			q.Hosts = in.Hosts
			a, err := machines.Rank(ctx, q)
			if err != nil {
				return nil, err
			}
			return cmdline.Answered(a, report.Rank(a), in.Warnings...), nil
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
			return nil, &ask.InputError{Field: "rate", Reason: spell.Quote(g) + ", want " + rateWant}
		case rates[name] > 0:
			return nil, &ask.InputError{Field: "rate", Reason: spell.Quote(name) + " is given twice"}
		}
		rates[name] = float64(v)
	}
	return rates, nil
}
