package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// checkCommand holds a fleet to objectives. Its exit code is 0 where they are met and 3 where they are
// not, so that a script can gate on it.
func checkCommand() *cmdline.Command {
	// A check is the question of size with a number of servers, so that all of size's flags are
	// taken.
	q := &sizing.CheckQuestion{}
	f := newSizeFlags(&q.SizeQuestion)
	var servers *units.Count
	cmdline.Value(f.set, "servers", &servers, "N", "servers in the fleet; with --public, the dedicated ones")
	// The flags of a live load serve both forms: with flags it is the load itself, with a scenario
	// it replaces the one in the file.
	fleet := fleetFlags{live: liveOf(&f.curve)}
	fleet.flags(f.set)
	return &cmdline.Command{
		Name: "check", Usage: "does this fleet meet the objectives? Exit code 0 met, 3 not met",
		Args: "[SCENARIO.yaml]", MaxArgs: 1, Flags: f.set,
		Description: `Takes the flags of size with --servers, or a scenario of capplan plan with --machines.
The exit code is 0 if the fleet meets the objectives and 3 if it does not.

A gate for scripts:

  $ capplan check --servers 138 --load 120 --max-blocking 1%
  $ capplan check testdata/mix.yaml --machines rack=61,spot=199
  $ capplan check testdata/scenario.yaml --machines rack=95,spot=199 --chance 95%`,
		// A scenario holds both load and objectives, so that it is another question than that of the
		// flags.
		Ask: func(ctx context.Context, s *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if len(args) > 0 {
				return fleet.check(ctx, s, args[0], servers)
			}
			// Without a scenario nobody says what a machine of that name is.
			if fleet.machines != "" {
				return nil, &ask.InputError{Field: "machines",
					Reason: "names machines of a scenario, but no scenario is given: want capplan check " +
						"SCENARIO.yaml --machines " + fleet.machines}
			}
			if servers == nil {
				return nil, ask.Inputf("servers", "no fleet given, want a number of servers such as --servers 138")
			}
			q.Servers = int64(*servers)
			if err := f.read(ctx, s); err != nil {
				return nil, err
			}
			// The bar has to be gone before the answer is printed; the deferred call runs at the
			// return from Ask.
			defer watched(s, q.Simulate)()
			a, err := sizing.Check(ctx, q)
			if err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, report.Check(a))
			// An interrupted simulation has judged too little: its own code goes before that of the
			// verdict.
			if r.Exit = interruptedBy(ctx, a.Simulation); r.Exit == nil && !a.Met {
				r.Exit = cmdline.ErrNotMet
			}
			return r, nil
		},
	}
}
