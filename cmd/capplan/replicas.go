package main

import (
	"context"
	"slices"
	"strings"

	"github.com/capplan/capplan/cmd/capplan/internal/availability"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// replicaFlags are the flags of replicas. They ask one of several questions: with mean times, with
// a trace that gives them, with groups, with a list of unlike machines, or with a fleet.
type replicaFlags struct {
	asked survival.ReplicasQuestion
	// window is the time in s to come through, and target the availability that is asked for.
	window    *units.Duration
	target    *units.Fraction
	start     string
	placement []string
	// Two files that stand for the times: a trace of ups and downs, and a list of machines.
	trace     string
	pool      string
	threshold *units.Count
	strict    bool
	fleet     availability.ReplicasInput
}

// windowStarts are the words of --start without a fleet; with one it is a time of day.
var windowStarts = []string{string(survival.StartAllUp), string(survival.StartSteadyUp), string(survival.StartSteady)}

// replicasCommand finds the number of copies by laws, by a trace, by groups that fail together, out of
// a list of machines, or on a fitted fleet.
func replicasCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &replicaFlags{}
	cmdline.Number[units.Duration](s, "mttf", &f.asked.MTTF, "TIME", "mean time to failure of a replica, such as 5min")
	cmdline.Number[units.Duration](s, "mttr", &f.asked.MTTR, "TIME", "mean time to repair, such as 2min")
	cmdline.Value(s, "target", &f.target, "P", "required availability, such as 95%")
	cmdline.Into[units.Count](s, "needed", &f.asked.Needed, "M", "replicas that have to be up (default 1)",
		cmdline.Above0("at least 1 replica that must be up"))
	cmdline.Number[units.Count](s, "crews", &f.asked.Crews, "C", "repair crews (default: one per replica)")
	cmdline.Value(s, "window",
		&f.window, "TIME", "time throughout which enough replicas are to be up; adds the chance of that")
	// The flag is a text and no choice of words, since with a fleet it holds a time of day.
	s.Text("start", &f.start, "STATE",
		"state at the start of the window: all-up, steady-up (steady state, given that enough are up) or steady "+
			"(default all-up); with --fleet the time of day HH:MM at which the window begins")
	s.Known("start", func() []string { return windowStarts })
	cmdline.Number[units.Fraction](s, "beta",
		&f.asked.Beta, "B", "share of a replica's unavailability whose cause takes all replicas down together")
	s.Repeated("placement", &f.placement, groupWant,
		"`GROUP` that fails as a whole, such as name=rack1,unavailability=0.1%,capacity=4; may be repeated")
	s.Text("trace", &f.trace, "FILE",
		"trace from which MTTF and MTTR are taken: events of the Failure Trace Archive, a 0/1 trace of spot "+
			"instances, or samples of the load of machines, which are up in S1 and S2; plain, .gz or .xz")
	cmdline.Value(s, "threshold", &f.threshold, "N", "least number of instances with which a spot trace counts as "+
		"up (default 1)")
	s.Toggle("strict", &f.strict, "treat a malformed line of the trace as an error instead of a warning")
	s.Text("pool", &f.pool, "FILE",
		"machines that differ, .csv or .yaml with name, availability (or mttf and mttr) and cost; chooses the "+
			"cheapest set")
	f.fleet.Flags(s)
	return &cmdline.Command{
		Name: "replicas", Usage: "how many replicas?", Flags: s,
		Description: `Replicas fail and are repaired; at least one of them, or --needed of them, has to be up.

The machines of PCU section 4.6:

  $ capplan replicas --mttf 5min --mttr 2min --target 95%

Up throughout an hour, with two repair crews:

  $ capplan replicas --mttf 2h --mttr 10min --target 99.9% --window 1h --crews 2

With a tenth of the outages common to all machines; with racks that fail as wholes:

  $ capplan replicas --mttf 30d --mttr 4h --target 99.9% --beta 10%
  $ capplan replicas --mttf 30d --mttr 4h --target 99.99% --placement name=r1,unavailability=0.1%,capacity=4 --placement name=r2,unavailability=0.2%,capacity=4

The cheapest set of unlike machines:

  $ capplan replicas --pool testdata/machines.csv --target 99.9%

The machines of a fitted fleet to choose, so that one of them stays up through the window:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fitted-copies.json
  $ capplan replicas --fleet fitted-copies.json --day weekday --start 09:00 --window 2h --target 90%

Machines of one group (fit --group) fail together more often than independent ones would,
so that copies are spread over groups.`,
		// A fleet goes its own way: its machines are predicted one by one, and no law of failures
		// is asked for.
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			if f.fleet.Given() {
				if err := f.fleetOnly(s); err != nil {
					return nil, err
				}
				// The start is a time of day there, and is read by the fleet.
				return f.fleet.Ask(ctx, st, f.start, f.window, float64(*f.target), s.Output.Explain)
			}
			q, warnings, err := f.question(ctx, s, st)
			if err != nil {
				return nil, err
			}
			return cmdline.Ask(ctx, q, survival.Replicas, report.Replicas, warnings...)
		},
	}
}

// fleetOnly refuses what does not go with a fitted fleet. Errors: *ask.InputError of the
// first flag that does not go with it, or of a target that is missing.
func (f *replicaFlags) fleetOnly(s *cmdline.FlagSet) error {
	err := s.Misplaced("cannot be combined with a fleet, whose machines are predicted: leave one of them out",
		"mttf", "mttr", "crews", "beta", "placement", "trace", "threshold", "strict", "pool")
	switch {
	case err != nil:
		return err
	// A needed of 1 says what holds anyway, and is let pass.
	case f.asked.Needed > 1:
		return ask.Inputf("needed",
			"of the machines of a fleet one copy must come through: leave needed out; availability joint --least "+
				"answers for more")
	case f.target == nil:
		return ask.Missing("target", "a chance such as 99%")
	}
	return nil
}

// windowStart is the state in which a window begins, by its flag.
func (f *replicaFlags) windowStart() (survival.WindowStart, error) {
	if f.start == "" || slices.Contains(windowStarts, f.start) {
		return survival.WindowStart(f.start), nil
	}
	return "", ask.Inputf("start", "%s is not one of %s%s; a time of day is only used with --fleet", spell.Quote(f.start),
		strings.Join(windowStarts, ", "), spell.Suggest(f.start, windowStarts))
}

// question makes a question of the flags and the files that they name. Errors: *ask.InputError of a
// flag; *source.FileError of a file.
func (f *replicaFlags) question(ctx context.Context, s *cmdline.FlagSet,
	st *cmdline.Streams) (*survival.ReplicasQuestion, []string, error) {
	if f.target == nil {
		return nil, nil, ask.Inputf("target", "no target given, want an availability such as --target 95%%")
	}
	q := &f.asked
	q.Target, q.Window, q.Explain = float64(*f.target), ask.Number(f.window), s.Output.Explain
	// The start is checked even without a window, where it says nothing: a misspelt word is never
	// passed over.
	var err error
	if q.Start, err = f.windowStart(); err != nil {
		return nil, nil, err
	}
	for _, g := range f.placement {
		group, err := parseGroup(g)
		if err != nil {
			return nil, nil, err
		}
		q.Groups = append(q.Groups, group)
	}
	// A file of machines is a list to choose from; MTTF and MTTR are then those of each.
	if f.pool != "" {
		if q.Pool, err = cmdline.Read(ctx, st, f.pool, poolForm, survival.ReadPool); err != nil {
			return nil, nil, err
		}
	}
	if f.trace == "" {
		if f.threshold != nil || f.strict {
			return nil, nil, ask.Inputf("trace", "--threshold and --strict belong to a trace, such as --trace FILE")
		}
		return q, nil, nil
	}
	// A trace of up and down gives both mean times at once, over all of its machines.
	in := records.Lifetimes{
		Threshold: ask.Whole(f.threshold),
		Strict:    f.strict,
		Open:      trace.OpenOptions{Stdin: st.In, Wrap: st.Progress(f.trace)},
		Tally:     tally.NewUpDown(true),
	}
	err = in.Read(ctx, f.trace)
	st.Hear(in.Warnings...)
	if err != nil {
		return nil, nil, err
	}
	// A list of durations has no times of repair, without which there is no availability.
	if in.Durations != nil {
		return nil, nil, &ask.InputError{Field: "trace",
			Reason: f.trace + " holds durations only; MTTF and MTTR need a trace of up and down intervals"}
	}
	q.Trace = in.Tally.Fleet()
	return q, in.Warnings, nil
}

// poolForm is what a file of machines that differ holds.
const poolForm = "machines in CSV with the columns name, availability (or mttf and mttr) and cost, " +
	"or in YAML or JSON with the same fields"

// groupWant shows the form of a --placement.
const groupWant = "name=NAME,unavailability=0.1%,capacity=4"

// parseGroup reads one --placement. The name may be left out; unavailability and capacity may not.
// Whether the numbers are in their domain is checked by the question. Errors: *ask.InputError of
// the field placement.
func parseGroup(s string) (survival.RiskGroup, error) {
	var g survival.RiskGroup
	var down *units.Fraction
	var room *units.Count
	if err := cmdline.ReadNamed("placement", "group", s, groupWant,
		cmdline.Word("name", &g.Name),
		cmdline.Fresh("unavailability", &down),
		cmdline.Fresh("capacity", &room),
	); err != nil {
		return g, err
	}
	if down == nil || room == nil {
		return g, &ask.InputError{Field: "placement",
			Reason: spell.Quote(s) + " lacks unavailability or capacity, want " + groupWant}
	}
	g.Unavailability, g.Capacity = float64(*down), int64(*room)
	return g, nil
}
