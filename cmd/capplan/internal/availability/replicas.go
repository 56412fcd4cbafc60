package availability

import (
	"context"
	"slices"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/report/forecasts"
	"github.com/capplan/capplan/units"
)

// A ReplicasInput is a fleet on whose machines copies are put. The command replicas takes it in
// place of mean times to failure and repair.
type ReplicasInput struct {
	// A file of a fleet, the machines of it that may be taken, and the kind of day.
	fleet, hosts, day string
	// elapsed is the time in s for which they have been free.
	elapsed *units.Duration
}

// Flags binds the flags; those of start and window are the command's own.
func (in *ReplicasInput) Flags(s *cmdline.FlagSet) {
	s.Text("fleet", &in.fleet, "FILE",
		"fleet written by availability fit --model frailty; answers which of its machines to take, instead of using "+
			"mean times")
	s.Text("hosts", &in.hosts, "LIST", "list of machines of the fleet that may be taken, such as node1,node2 "+
		"(default: all)")
	cmdline.OneOf(s, "day", &in.day, "`KIND` of day: weekday or weekend", nil, "weekday", "weekend")
	cmdline.Value(s, "elapsed", &in.elapsed, "TIME", "time that they have already been free at that moment "+
		"(default: not known)")
	for _, name := range []string{"hosts", "day", "elapsed"} {
		s.Needs(name, "fleet")
	}
}

// Given reports whether a fleet is given. No other flag of it says anything without a fleet.
func (in *ReplicasInput) Given() bool { return in.fleet != "" }

// Ask answers for a window from a time of day on. target is the chance that one copy at least comes
// through. Errors: *ask.InputError; *source.FileError of the fleet; *ask.InfeasibleError where all
// machines together miss the target.
func (in *ReplicasInput) Ask(ctx context.Context, st *cmdline.Streams, start string, window *units.Duration,
	target float64, explain bool) (*cmdline.Result, error) {
	q := &forecast.ReplicasQuestion{Target: target, Hosts: cmdline.Listed(in.hosts), Elapsed: ask.Number(in.elapsed),
		Explain: explain}
	if slices.Contains(q.Hosts, "") {
		return nil, ask.Inputf("hosts", "has an empty name, want names such as node1,node2")
	}
	var err error
	// start comes from the command, where the same flag names a state of a window when there is no
	// fleet.
	if q.DayWindow, err = (&dayInput{day: in.day, start: start, window: window}).fleetWindow(); err != nil {
		return nil, err
	}
	if q.Fleet, err = ReadFleet(ctx, st, in.fleet); err != nil {
		return nil, err
	}
	return cmdline.Ask(ctx, q, forecast.Replicas, forecasts.Replicas)
}
