package main

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/units"
)

// simulationFlags say how long to simulate.
type simulationFlags struct {
	seed, replications *units.Count
	precision          *units.Fraction
}

func (f *simulationFlags) flags(s *flagSet, replications string) {
	value(s, "seed", &f.seed, "N", "of the random numbers (default 1)")
	value(s, "replications", &f.replications, "N", "independent runs (default "+replications+")")
}

// seeded returns the seed, 1 where none was given.
func (f *simulationFlags) seeded() uint64 {
	if f.seed == nil {
		return 1
	}
	return uint64(*f.seed)
}

// runs returns the number of replications, 0 where none was given.
func (f *simulationFlags) runs() (int, error) {
	if f.replications == nil {
		return 0, nil
	}
	if *f.replications < 1 || *f.replications > 1000000 {
		return 0, &ask.InputError{Field: "replications", Reason: "want 1 to 1,000,000 runs"}
	}
	return int(*f.replications), nil
}

func simulateBotCommand() *command {
	s := newFlags(false)
	var machines hostsInput
	var bag bagInput
	var run simulationFlags
	q := &bags.SimulateQuestion{}
	var credits *units.Number
	var boot, horizon *units.Duration
	bag.flags(s)
	machines.flags(s)
	oneOf(s, "server", &q.Server, "`SERVER` that hands out tasks: xwhep, boinc or checkpoint (default xwhep)", nil, bags.ServerNames()...)
	text(s, "strategy", &q.Strategy, "NAME", "of help by cloud workers: when (9C nine tenths completed, 9A assigned, D variance doubled), how many (G greedy, C conservative, or a number), how (F flat, R reschedule, D duplicate), such as 9C-C-R; none (default none)")
	value(s, "credits", &credits, "X", "that help may spend, 15 an hour of a worker (default: a tenth of the bag)")
	toggle(s, "hourly", &q.Hourly, "pay each hour of a worker that is begun")
	value(s, "boot", &boot, "TIME", "of a cloud worker (default 2min)")
	value(s, "horizon", &horizon, "TIME", "after which a bag is given up (default 100d)")
	run.flags(s, "100")
	value(s, "precision", &run.precision, "P", "run until the interval of the mean time is within so much of it")
	return &command{
		name: "bot", usage: "how long does a bag of tasks take on machines that leave?", flags: s,
		description: `Tasks are handed out by XWHEP (a lost task is given out again after 15 min), BOINC
(three results, two make a task; a machine that leaves keeps its task) or a server
that keeps checkpoints. SpeQuloS starts cloud workers for the tail; the same runs
without them are beside.

  $ capplan simulate bot --bag big --hosts spot10 --strategy 9C-C-R --replications 20
  $ capplan simulate bot --tasks 200 --task-time 30min --machines 50 --up weibull:0.6,4h --down 1h --server checkpoint --replications 20`,
		ask: func(ctx context.Context, st *streams, _ []string) (*result, error) {
			var err error
			if q.Hosts, err = machines.read(ctx, st); err != nil {
				return nil, err
			}
			if q.Bag, err = bag.read(ctx, st, q.Hosts); err != nil {
				return nil, err
			}
			q.Credits, q.Boot, q.Horizon = float(credits), float(boot), float(horizon)
			q.Seed, q.Explain = run.seeded(), s.output.explain
			if q.Replications, err = run.runs(); err != nil {
				return nil, err
			}
			if run.precision != nil {
				if q.Precision = float64(*run.precision); q.Precision == 0 {
					return nil, &ask.InputError{Field: "precision", Reason: "is 0, want a share such as 2%"}
				}
			}
			var done func()
			q.Progress, done = st.runs()
			a, err := bags.Simulate(ctx, q)
			done()
			if err != nil {
				return nil, err
			}
			a.Warnings = append(machines.warnings, a.Warnings...)
			return &result{
				value: a, warnings: a.Warnings,
				text:      func(p *page) { showSimulateBot(p, a) },
				rows:      func() [][]string { return simulateBotRows(a) },
				stoppable: true,
			}, nil
		},
	}
}

// runs shows a bar of replications done, of which there may come to be more.
func (s *streams) runs() (progress func(done, of int), end func()) {
	add, finish := func(int) {}, func() {}
	last := -1
	progress = func(done, of int) {
		if last < 0 {
			add, finish = s.steps(of, "runs")
			last = 0
		}
		add(done - last)
		last = done
	}
	return progress, func() { finish() }
}

// intervalTime writes a time with its interval.
func intervalTime(v bags.Interval) []string {
	return []string{orDash(optionalTime(v.Mean)), orDash(optionalTime(v.Low)), orDash(optionalTime(v.High))}
}

func intervalNumber(v bags.Interval) []string {
	return []string{orDash(optionalNumber(v.Mean, 4)), orDash(optionalNumber(v.Low, 4)), orDash(optionalNumber(v.High, 4))}
}

func intervalShare(v bags.Interval) []string {
	return []string{orDash(optionalFraction(v.Mean)), orDash(optionalFraction(v.Low)), orDash(optionalFraction(v.High))}
}

// A botFigure is a row of figures.
type botFigure struct {
	label, unit string
	value       bags.Interval
	cells       func(bags.Interval) []string
}

func bagRows(f *bags.BagFigures) []botFigure {
	return []botFigure{
		{"mean time", "s", f.Finish.Mean, intervalTime},
		{"5 % done by", "s", f.Finish.P5, intervalTime},
		{"50 % done by", "s", f.Finish.P50, intervalTime},
		{"95 % done by", "s", f.Finish.P95, intervalTime},
		{"99 % done by", "s", f.Finish.P99, intervalTime},
		{"ideal", "s", f.Ideal, intervalTime},
		{"tail slowdown", "", f.TailSlowdown, intervalNumber},
		{"tasks in the tail", "", f.TailTasks, intervalShare},
		{"time in the tail", "", f.TailTime, intervalShare},
		{"work lost", "s", f.Lost, intervalTime},
	}
}

func helpRows(h *bags.HelpFigures) []botFigure {
	return []botFigure{
		{"sooner by", "s", h.Saving, intervalTime},
		{"tail removed", "", h.TailRemoval, intervalShare},
		{"credits spent", "", h.Spent, intervalNumber},
		{"of those ordered", "", h.SpentShare, intervalShare},
		{"cloud workers", "", h.Workers, intervalNumber},
		{"their time", "s", h.CloudTime, intervalTime},
		{"tasks done by them", "", h.CloudTasks, intervalShare},
	}
}

func showSimulateBot(p *page, a *bags.SimulateAnswer) {
	done := "not one of the runs was done"
	if a.Finish.P50.Mean != nil {
		done = fmt.Sprintf("half of the runs are done by %s, 95 %% by %s", optionalTime(a.Finish.P50.Mean), orDash(optionalTime(a.Finish.P95.Mean)))
	}
	p.headline("%s", done)
	p.row("bag", a.Bag, count(int64(a.Tasks))+" tasks")
	p.row("machines", count(int64(a.Machines)), a.Hosts+", available "+units.FormatFraction(a.Availability, 3))
	p.row("server", a.Server, "strategy "+a.Strategy)
	p.row("runs", count(int64(a.Replications)), fmt.Sprintf("seed %d, %s events a second", a.Seed, units.FormatNumber(a.EventsPerSecond, 2)))
	p.table(figureTable(bagRows(&a.BagFigures)))
	if a.Alpha != nil {
		p.row("predicted at half", optionalFraction(a.Predicted), fmt.Sprintf("of the runs within 20 %%, α = %s", optionalNumber(a.Alpha, 4)))
	}
	if h := a.Help; h != nil {
		p.table(figureTable(append(helpRows(h), prefixed("without: ", bagRows(&h.Without))...)))
	}
	p.explain(a.Explanation)
}

func prefixed(prefix string, rows []botFigure) []botFigure {
	for i := range rows {
		rows[i].label = prefix + rows[i].label
	}
	return rows
}

func figureTable(rows []botFigure) [][]string {
	out := [][]string{{"figure", "mean", "from", "to"}}
	for _, r := range rows {
		if r.value.Mean != nil {
			out = append(out, append([]string{r.label}, r.cells(r.value)...))
		}
	}
	return out
}

// simulateBotRows are the figures, a row each.
func simulateBotRows(a *bags.SimulateAnswer) [][]string {
	rows := bagRows(&a.BagFigures)
	if h := a.Help; h != nil {
		rows = append(append(rows, helpRows(h)...), prefixed("without: ", bagRows(&h.Without))...)
	}
	out := [][]string{{"figure", "unit", "mean", "low", "high"}}
	for _, r := range rows {
		number := func(v *float64) string {
			if v == nil {
				return ""
			}
			return ask.Digits(*v)
		}
		out = append(out, []string{r.label, r.unit, number(r.value.Mean), number(r.value.Low), number(r.value.High)})
	}
	return out
}
