package grid

import (
	"context"
	"slices"

	"github.com/capplan/capplan/cmd/capplan/internal/availability"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/units"
)

// fleetHosts are machines of a fitted fleet, as they are foreseen. A machine is foreseen
// by the hazard of its fleet and its own factor, hour by hour, and drawn from that.
type fleetHosts struct {
	// day and start say when it begins; empty, where the record ends.
	file, day, start string
	pool             bool // of simulate pool
}

// which says which of the machines are taken. The two commands take the same flag for different
// machines.
func (in *fleetHosts) which() string {
	if in.pool {
		return "all in place of the public ones, or as many like them as FILE has machines"
	}
	return "all of them, with --hosts LIST those named, with --machines N that many similar ones"
}

// flags binds the fleet and the moment of the start.
func (in *fleetHosts) flags(s *cmdline.FlagSet) {
	s.Text("fleet", &in.file, "FILE",
		"fleet written by availability fit --model frailty, whose machines are used as predicted: "+in.which())
	cmdline.OneOf(s, "day", &in.day,
		"`KIND` of day at the start, after the record of --fleet: weekday or weekend (default: the start is where "+
			"the record ends)",
		nil, "weekday", "weekend")
	s.Text("start", &in.start, "HH:MM", "time of day at the start, with --day")
	s.Needs("day", "fleet")
	s.Needs("start", "day")
}

// read makes the platform. of holds the flags about machines beside those of the fleet, and
// collects the warnings. Errors: *ask.InputError of a flag; *source.FileError of the fleet.
func (in *fleetHosts) read(ctx context.Context, st *cmdline.Streams, of *hostsInput) (*hosts.Platform, error) {
	// A fitted fleet knows how long machines stay. How long they are away it need not know,
	// so that --down may be given.
	switch {
	case of.Up != "":
		return nil, &ask.InputError{Field: "up", Reason: "--fleet says how long machines stay: leave one of the two " +
			"out"}
	case of.threshold != nil || of.bid != nil || of.budget != nil:
		return nil, &ask.InputError{Field: "fleet", Reason: "--threshold, --bid and --budget belong to a trace"}
	case of.Count != nil && (*of.Count < 1 || *of.Count > hosts.MostMachines):
		return nil, ask.Inputf("machines", "is %s, want 1 to 10,000,000", ask.Digits(float64(*of.Count)))
	}
	q := &forecast.PopulationQuestion{Day: in.day, Count: int(ask.Value(of.Count))}
	var err error
	// With --fleet the flag --hosts names machines of it, and no trace.
	if q.Hosts = cmdline.Listed(of.HostsName); slices.Contains(q.Hosts, "") {
		return nil, ask.Inputf("hosts", "has an empty name, want names such as node1,node2")
	}
	// Without a day the simulation begins where the record ends, each machine in the state in which
	// it was.
	if in.day != "" {
		t, err := units.ParseTimeOfDay(in.start)
		if err != nil {
			return nil, ask.Inputf("start", "%s, want a time of day 00:00 to 23:59", spell.Quote(in.start))
		}
		q.Start = float64(t)
	}
	if of.Down != "" {
		if q.Down, err = bags.FieldLaw("down", of.Down); err != nil {
			return nil, err
		}
	}
	// The file is read last, so that wrong flags are reported before.
	f, err := availability.ReadFleet(ctx, st, in.file)
	if err != nil {
		return nil, err
	}
	p, at, err := f.Population(q)
	if err != nil {
		return nil, err
	}
	of.warnings = append(append(of.warnings, f.Warnings...), f.Seldom()...)
	return &hosts.Platform{Name: f.Describe(in.file, q, at), Count: p.Size(), Population: p, Speed: bags.Desktop}, nil
}
