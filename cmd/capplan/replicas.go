package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// replicaFlags are the flags of replicas.
type replicaFlags struct {
	mttf, mttr, window *units.Duration
	target, beta       *units.Fraction
	needed, crews      *units.Count
	start              survival.WindowStart
	placement          []string
	trace              string
	pool               string
	threshold          *units.Count
	strict             bool
}

func replicasCommand() *command {
	s := newFlags(true)
	f := &replicaFlags{}
	value(s, "mttf", &f.mttf, "TIME", "mean time to failure of a replica, such as 5min")
	value(s, "mttr", &f.mttr, "TIME", "mean time to repair, such as 2min")
	value(s, "target", &f.target, "P", "availability asked for, such as 95%")
	value(s, "needed", &f.needed, "M", "replicas that have to be up (default 1)")
	value(s, "crews", &f.crews, "C", "repair crews (default: one per replica)")
	value(s, "window", &f.window, "TIME", "asks also for the chance that enough are up throughout a time this long")
	oneOf(s, "start", &f.start, "`STATE` at the start of the window: all-up, steady-up (steady state, enough being up) or steady (default all-up)", nil, "all-up", "steady-up", "steady")
	value(s, "beta", &f.beta, "B", "share of a replica's unavailability whose cause takes all down together")
	s.list = append(s.list, &cli.GenericFlag{Name: "placement", Usage: "`GROUP` that fails as a whole, such as name=rack1,unavailability=0.1%,capacity=4; repeat it", Value: &list{&f.placement, groupWant}})
	text(s, "trace", &f.trace, "FILE", "to take MTTF and MTTR from: events of the Failure Trace Archive, a 0/1 trace of spot instances, or samples of the load of machines, up in S1 and S2; plain, .gz or .xz")
	value(s, "threshold", &f.threshold, "N", "instances from which on a spot trace is up (default 1)")
	toggle(s, "strict", &f.strict, "make a malformed line of the trace an error instead of a warning")
	text(s, "pool", &f.pool, "FILE", "of machines that differ, .csv or .yaml with name, availability (or mttf and mttr) and cost: chooses the cheapest set")
	return &command{
		name: "replicas", usage: "how many replicas?", flags: s,
		description: `Replicas fail and are repaired; at least one (--needed) is to be up.

The machines of PCU section 4.6:

  $ capplan replicas --mttf 5min --mttr 2min --target 95%

Up throughout an hour, with two repair crews:

  $ capplan replicas --mttf 2h --mttr 10min --target 99.9% --window 1h --crews 2

A tenth of the outages takes all machines; or racks that fail as wholes:

  $ capplan replicas --mttf 30d --mttr 4h --target 99.9% --beta 10%
  $ capplan replicas --mttf 30d --mttr 4h --target 99.99% --placement name=r1,unavailability=0.1%,capacity=4 --placement name=r2,unavailability=0.2%,capacity=4

The cheapest set of machines that differ:

  $ capplan replicas --pool testdata/machines.csv --target 99.9%`,
		ask: func(ctx context.Context, st *streams, _ []string) (*result, error) {
			q, warnings, err := f.question(ctx, s, st)
			if err != nil {
				return nil, err
			}
			a, err := survival.Replicas(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: append(warnings, a.Warnings...),
				text: func(p *page) { showReplicas(p, a) },
				draw: func(ctx context.Context) (*drawing, error) { return drawReplicas(ctx, q, a) },
			}, nil
		},
	}
}

func (f *replicaFlags) question(ctx context.Context, s *flagSet, st *streams) (*survival.ReplicasQuestion, []string, error) {
	if f.target == nil {
		return nil, nil, &ask.InputError{Field: "target", Reason: "no target given, want an availability such as --target 95%"}
	}
	q := &survival.ReplicasQuestion{
		MTTF: float(f.mttf), MTTR: float(f.mttr), Target: float64(*f.target), Crews: whole(f.crews),
		Window: float(f.window), Start: f.start, Beta: float(f.beta), Explain: s.output.explain,
	}
	if f.needed != nil {
		if q.Needed = int64(*f.needed); q.Needed == 0 {
			return nil, nil, &ask.InputError{Field: "needed", Reason: "is 0, want at least 1 replica that must be up"}
		}
	}
	for _, g := range f.placement {
		group, err := parseGroup(g)
		if err != nil {
			return nil, nil, err
		}
		q.Groups = append(q.Groups, group)
	}
	if f.pool != "" {
		var err error
		if q.Pool, err = readMachines(ctx, f.pool, st); err != nil {
			return nil, nil, err
		}
	}
	if f.trace == "" {
		if f.threshold != nil || f.strict {
			return nil, nil, &ask.InputError{Field: "trace", Reason: "--threshold and --strict belong to a trace, such as --trace FILE"}
		}
		return q, nil, nil
	}
	in := records.Lifetimes{
		Threshold: whole(f.threshold),
		Strict:    f.strict,
		Open:      trace.OpenOptions{Stdin: st.in, Wrap: st.progress(f.trace)},
		Tally:     tally.NewUpDown(true),
	}
	if err := in.Read(ctx, f.trace); err != nil {
		return nil, nil, err
	}
	if in.Durations != nil {
		return nil, nil, &ask.InputError{Field: "trace", Reason: f.trace + " holds durations only; MTTF and MTTR take a trace of up and down intervals"}
	}
	q.Trace = in.Tally.Fleet()
	return q, in.Warnings, nil
}

const groupWant = "name=NAME,unavailability=0.1%,capacity=4"

var groupKeys = []string{"name", "unavailability", "capacity"}

// parseGroup reads one --placement.
func parseGroup(s string) (survival.RiskGroup, error) {
	bad := func(reason string) (survival.RiskGroup, error) {
		return survival.RiskGroup{}, &ask.InputError{Field: "placement", Reason: reason}
	}
	var name string
	var down *units.Fraction
	var room *units.Count
	seen := map[string]bool{}
	for _, part := range strings.Split(s, ",") {
		key, text, ok := strings.Cut(part, "=")
		key, text = strings.TrimSpace(key), strings.TrimSpace(text)
		if !ok || text == "" {
			return bad(quote(part) + " is no name=value, want " + groupWant)
		}
		if seen[key] {
			return bad(key + " is given twice in " + quote(s))
		}
		seen[key] = true
		var err error
		switch key {
		case "name":
			name = text
		case "unavailability":
			err = setNew(&down, text)
		case "capacity":
			err = setNew(&room, text)
		default:
			return bad("a group has no " + quote(key) + suggest(key, groupKeys) + "; want " + groupWant)
		}
		if err != nil {
			return bad(key + ": " + plainly(err))
		}
	}
	if down == nil || room == nil {
		return bad(quote(s) + " lacks unavailability or capacity, want " + groupWant)
	}
	return survival.RiskGroup{Name: name, Unavailability: float64(*down), Capacity: int64(*room)}, nil
}

func showReplicas(p *page, a *survival.ReplicasAnswer) {
	enough := "one is"
	if a.Needed > 1 {
		enough = count(a.Needed) + " are"
	}
	if a.Chosen != nil {
		p.headline("%s of the pool for %s: one is up %s of the time (target %s)", plural(a.Replicas, "machine", "machines"),
			units.FormatNumber(*a.Cost, 7), units.FormatFraction(a.AvailabilityAll, 4), units.FormatFraction(a.Target, 6))
	} else {
		p.headline("%s: at least %s up %s of the time (target %s)", plural(a.Replicas, "replica", "replicas"),
			enough, units.FormatFraction(a.AvailabilityAll, 4), units.FormatFraction(a.Target, 6))
	}
	p.row("fractional need", optionalNumber(a.ReplicasReal, 7))
	p.row("availability of one", optionalFraction(a.AvailabilityOne), meansRemark(a))
	p.row("unavailability", units.FormatFraction(a.Unavailability, 4))
	p.row("unavailability floor", optionalFraction(a.UnavailableFloor), "no number of replicas gets below")
	p.row("all down at once", units.FormatFraction(a.AllDown, 4), allDownRemark(a))
	if a.Needed > 1 && a.OutageRate != nil {
		p.row("fewer than needed", optionalRate(a.OutageRate), "for "+optionalTime(a.OutageTime)+" on average")
	}
	if a.Interval != nil {
		window := units.FormatDuration(*a.Window, 4)
		p.row("up throughout "+window, units.FormatFraction(*a.Interval, 6), "begun "+*a.Start)
		p.row("", units.FormatFraction(*a.IntervalSteady, 6), "begun in the steady state")
		p.row("mean time to outage", optionalTime(a.MeanToOutage))
		if a.WindowReplicas != nil {
			p.row("for the window", plural(*a.WindowReplicas, "replica", "replicas"), "meet the target throughout it")
		}
	}
	if a.Gap != nil && !*a.Exact {
		p.row("cost, lower bound", units.FormatNumber(*a.LowerBound, 7), "gap "+units.FormatFraction(*a.Gap, 3))
	}
	if len(a.Chosen) > 0 {
		rows := [][]string{{"machine", "availability", "cost"}}
		for _, m := range a.Chosen {
			rows = append(rows, []string{m.Name, units.FormatFraction(m.Availability, 6), units.FormatNumber(m.Cost, 7)})
		}
		p.table(rows)
	}
	if len(a.Groups) > 0 {
		rows := [][]string{{"group", "replicas"}}
		for _, g := range a.Groups {
			rows = append(rows, []string{g.Name, count(g.Replicas)})
		}
		p.table(rows)
	}
	if len(a.Alternatives) > 0 {
		showReplicaCandidates(p, a)
	}
	p.explain(a.Explanation)
}

// meansRemark says what the availability of one comes from.
func meansRemark(a *survival.ReplicasAnswer) string {
	if a.MTTF == nil || a.MTTR == nil {
		return ""
	}
	s := fmt.Sprintf("up %s, down %s on average", units.FormatDuration(*a.MTTF, 4), units.FormatDuration(*a.MTTR, 4))
	if a.Trace != nil {
		s += fmt.Sprintf(", by the trace of %s", plural(int64(a.Trace.Machines), "machine", "machines"))
	}
	return s
}

func allDownRemark(a *survival.ReplicasAnswer) string {
	if a.AllDownRate == nil || *a.AllDownRate == 0 {
		return ""
	}
	return fmt.Sprintf("every %s, for %s on average", units.FormatDuration(1 / *a.AllDownRate, 3), optionalTime(a.AllDownTime))
}

func showReplicaCandidates(p *page, a *survival.ReplicasAnswer) {
	rows := [][]string{{"replicas"}, {"meets the target"}, {"availability"}, {"unavailability"}}
	if a.Interval != nil {
		rows = append(rows, []string{"up throughout"})
	}
	for _, c := range a.Alternatives {
		rows[0] = append(rows[0], count(c.Replicas))
		rows[1] = append(rows[1], yesNo(c.Met))
		rows[2] = append(rows[2], units.FormatFraction(c.AvailabilityAll, 4))
		rows[3] = append(rows[3], units.FormatFraction(c.Unavailability, 4))
		if a.Interval != nil {
			rows[4] = append(rows[4], orDash(optionalFraction(c.Interval)))
		}
	}
	p.table(rows)
}

// drawReplicas draws availability against replicas; beyond 99 % the chance of
// too few on a logarithmic axis, where one can see it.
func drawReplicas(ctx context.Context, q *survival.ReplicasQuestion, a *survival.ReplicasAnswer) (*drawing, error) {
	v, err := q.Drawn(ctx, a)
	if err != nil {
		return nil, err
	}
	xlabel, subtitle := "replicas", meansRemark(a)
	if a.Chosen != nil {
		xlabel, subtitle = "machines of the chosen set, the best first", "cost "+units.FormatNumber(*a.Cost, 7)
	}
	k := float64(a.Replicas)
	first, last := v.Replicas[0]-0.5, v.Replicas[len(v.Replicas)-1]+0.5
	step := 0.0
	if last-first <= 12 {
		step = 1
	}
	if a.Target <= 0.99 {
		low, high := 0.0, 1.0
		c := chart.Chart{
			Title: "Availability against replicas", Subtitle: subtitle, XLabel: xlabel, YLabel: "probability", YMin: &low, YMax: &high, XMin: &first, XMax: &last, XStep: step,
			Series: []chart.Series{{Name: "enough are up", X: v.Replicas, Y: v.Availability, Style: chart.Points}},
			HLines: []chart.Rule{{Value: a.Target, Label: "target " + units.FormatFraction(a.Target, 6)}},
			Marks:  []chart.Mark{{X: k, Y: a.AvailabilityAll, Label: fmt.Sprintf("%s: %s", count(a.Replicas), units.FormatFraction(a.AvailabilityAll, 4))}},
		}
		if v.Interval != nil {
			c.Series = append(c.Series, chart.Series{Name: "up throughout " + units.FormatDuration(*a.Window, 4), X: v.Replicas, Y: v.Interval, Style: chart.Points})
		}
		return &drawing{bottom: c}, nil
	}
	c := chart.Chart{
		Title: "Unavailability against replicas", Subtitle: subtitle, XLabel: xlabel, YLabel: "probability", YLog: true, XMin: &first, XMax: &last, XStep: step,
		HLines: []chart.Rule{{Value: 1 - a.Target, Label: "target " + units.FormatFraction(a.Target, 6)}},
	}
	add := func(name string, y []float64) {
		s := chart.Series{Name: name, Style: chart.Points}
		for i, u := range y {
			if u > 1e-300 {
				s.X, s.Y = append(s.X, v.Replicas[i]), append(s.Y, u)
			}
		}
		if len(s.X) > 0 {
			c.Series = append(c.Series, s)
		}
	}
	add("too few are up", v.Unavailability)
	if v.Interval != nil {
		add("too few at some time within "+units.FormatDuration(*a.Window, 4), v.Failure)
	}
	if a.Unavailability > 1e-300 {
		c.Marks = []chart.Mark{{X: k, Y: a.Unavailability, Label: fmt.Sprintf("%s: %s", count(a.Replicas), units.FormatFraction(a.Unavailability, 4))}}
	}
	if len(c.Series) == 0 {
		return nil, &usageError{reason: "--plot: the unavailability is 0 for any number of replicas, there is nothing to draw"}
	}
	return &drawing{bottom: c}, nil
}
