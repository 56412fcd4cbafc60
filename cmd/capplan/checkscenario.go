package main

import (
	"context"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// A fleetFlags is a fleet that is held to a scenario.
type fleetFlags struct {
	set  *cmdline.FlagSet
	live *scenarioLive // in the place of the scenario's load
	// machines is the fleet, as name=count,...; chance the share of draws in which it has to do.
	machines string
	chance   *units.Fraction
}

// flags binds a fleet by its types, which belongs to a scenario alone.
func (f *fleetFlags) flags(s *cmdline.FlagSet) {
	f.set = s
	s.Text("machines", &f.machines, "LIST",
		"with SCENARIO.yaml: the number of machines of each type, such as rack=61,spot=199; a type that is not "+
			"listed has none")
	cmdline.Value(s, "chance", &f.chance, "P",
		"with SCENARIO.yaml: the chance, over the ranges, with which the fleet must meet the objectives, such as 95%")
	s.Needs("chance", "machines")
}

// counts reads the list; names may hold spaces. It returns the number of machines by type; a type
// that is left out has none. Errors: *ask.InputError of the field machines.
func (f *fleetFlags) counts() (map[string]int64, error) {
	out := map[string]int64{}
	for _, part := range strings.Split(f.machines, ",") {
		// The last one: a name may hold the sign, a number cannot.
		at := strings.LastIndex(part, "=")
		if at < 0 {
			return nil, &ask.InputError{Field: "machines",
				Reason: spell.Quote(part) + " is not a number of machines, want a list such as rack=61,spot=199"}
		}
		name := strings.TrimSpace(part[:at])
		var n units.Count
		if err := n.Set(strings.TrimSpace(part[at+1:])); err != nil {
			return nil, &ask.InputError{Field: "machines", Reason: name + ": " + cmdline.Plainly(err)}
		}
		// The second of two would win in silence, and the fleet would be another than was meant.
		if _, twice := out[name]; twice {
			return nil, &ask.InputError{Field: "machines", Reason: spell.Quote(name) + " is named twice"}
		}
		out[name] = int64(n)
	}
	return out, nil
}

// check holds a fleet to a scenario: of its machines, or of servers where it
// has none. Exactly one of the list of machines and servers is given. The exit code is 3 where an
// objective is not met.
func (f *fleetFlags) check(ctx context.Context, s *cmdline.Streams, path string,
	servers *units.Count) (*cmdline.Result, error) {
	// The scenario holds load and objectives; a flag that says the same would be ignored
	// in silence. These flags say what the fleet is or how the answer looks, and are all that may
	// stand beside a scenario.
	beside := append([]string{"machines", "chance", "servers", "format", "explain", "csv-safe", "all", "plot"},
		f.live.names()...)
	if err := f.set.Beside("a scenario", beside...); err != nil {
		return nil, err
	}
	if (f.machines == "") == (servers == nil) {
		return nil, &ask.InputError{Field: "machines",
			Reason: "want the fleet, as --machines rack=61,spot=199, or as --servers 138 for a scenario " +
				"without machines"}
	}
	var counts map[string]int64
	if f.machines != "" {
		var err error
		if counts, err = f.counts(); err != nil {
			return nil, err
		}
	}
	in, err := readScenario(ctx, path, f.live, s)
	if err != nil {
		return nil, err
	}
	// A scenario with machines is checked by their types; one without is the question of size, and
	// takes a plain number of servers. Both branches end in the same verdict, so that a script
	// gates on one exit code.
	var r *cmdline.Result
	met := false
	if servers != nil {
		if len(in.question.Machines) > 0 {
			return nil, ask.Inputf("servers", "the scenario has its own machines: give the fleet as --machines %s=%s",
				in.question.Machines[0].Name, servers)
		}
		in.question.Explain = f.set.Output.Explain
		// The scenario as a question of size keeps its load, objectives and pool, and drops what
		// asks for a mix.
		a, err := sizing.Check(ctx,
			&sizing.CheckQuestion{SizeQuestion: *in.question.SizeQuestion(), Servers: int64(*servers)})
		if err != nil {
			return nil, err
		}
		r, met = cmdline.Answered(a, report.Check(a), append(in.warnings, in.question.Idle()...)...), a.Met
	} else {
		// A chance of 0 means that the most likely load alone decides.
		q := &planner.FleetQuestion{Scenario: in.question, Machines: counts, Chance: float64(ask.Value(f.chance))}
		a, err := planner.CheckFleet(ctx, q)
		if err != nil {
			return nil, err
		}
		r, met = cmdline.Answered(a, report.FleetCheck(a), in.warnings...), a.Met
	}
	if !met {
		r.Exit = cmdline.ErrNotMet
	}
	return r, nil
}
