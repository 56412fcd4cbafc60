package main

import (
	"context"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/sweeps"
)

func sweepCommand() *command {
	return &command{
		name: "sweep", usage: "the same question over a range",
		description: `Takes a command with its flags, and one or two --over. A row is one point: the
swept flags and the scalar figures of the answer. A point whose question is
infeasible is a row that says so. Text shows what differs, in people's units;
--csv and --format json have all figures and digits.

  $ capplan sweep size --max-blocking 1% --over load=100:140:20 --csv
  $ capplan sweep capacity --max-blocking 1% --over servers=10,100,1000

Over two flags the drawing is a heat map (--as line: a line for each value of
the second), empty where there is no answer:

  $ capplan sweep queue erlang-c --over servers=10:20:1 --over load=6:15:1 --y wait_probability --plot waits.svg

--out writes the rows to a file as they are finished, in order. After Ctrl-C, or
a machine that went down, the same command line with --resume goes on where the
file ends; the result is the same to the byte. FILE.sweep beside it says what
the rows belong to and goes when all are there.

  $ capplan sweep size --max-blocking 1% --over load=1:100:1 --out sizes.csv`,
		children: []func() *command{
			func() *command { return sweepOf(sizeCommand) },
			func() *command { return sweepOf(capacityCommand) },
			func() *command { return sweepOf(checkCommand) },
			func() *command { return sweepOf(throughputCommand) },
			func() *command { return sweepGroup(queueCommand) },
			func() *command { return sweepOf(fitCommand) },
			func() *command { return sweepOf(replicasCommand) },
			func() *command { return sweepOf(epochCommand) },
			func() *command { return sweepOf(linkCommand) },
			func() *command { return sweepOf(checkpointCommand) },
			func() *command { return sweepOf(lifetimeCommand) },
			func() *command { return sweepOf(routeCommand) },
			sweepAvailability,
			func() *command { return sweepOf(allocateCommand) },
			func() *command { return sweepOf(lpCommand) },
			func() *command { return sweepGroup(simulateCommand) },
			// A new command with scalar figures is one more line here.
		},
	}
}

// sweepGroup makes the sweep of a command that has children.
func sweepGroup(make func() *command) *command {
	c := make()
	out := &command{name: c.name, usage: "sweep " + c.name, description: "Takes the flags of one of its commands, and --over. See capplan sweep --help."}
	for _, child := range c.children {
		out.children = append(out.children, func() *command { return sweepOf(child) })
	}
	return out
}

// sweepOf makes the sweep of one command: its flags are recorded as they were
// typed and given to each point anew.
func sweepOf(make func() *command) *command {
	inner := make()
	s := newFlags(true)
	r := &sweep{make: make, name: inner.name, axes: nil, flags: inner.flags}
	s.list = append(s.list,
		&cli.GenericFlag{Name: "over", Usage: "`FLAG=...` swept: " + sweeps.AxisWant + "; at most twice", Value: &list{&r.over, sweeps.AxisWant}},
	)
	toggle(s, "csv", &r.csv, "short for --format csv")
	text(s, "y", &r.y, "FIELD", "of the answer to plot (default: the first that varies)")
	s.needs("y", "plot")
	oneOf(s, "as", &r.as, "`KIND` of plot over two flags: heat (default where both have three values or more) or line", nil, "heat", "line")
	s.needs("as", "plot")
	text(s, "out", &r.out, "FILE", "to write the rows to, CSV, as they are finished")
	toggle(s, "resume", &r.resume, "go on with the unfinished --out of the same command line")
	s.needs("resume", "out")
	toggle(s, "force", &r.force, "replace an --out that is there")
	s.needs("force", "out")
	r.own = len(s.list)
	for _, f := range inner.flags.list {
		if s.has(f.Names()[0]) {
			continue // format, explain, plot and out are the sweep's own
		}
		s.list = append(s.list, r.record(f, s))
	}
	r.known = s
	return &command{
		name: inner.name, usage: "sweep " + inner.name, args: inner.args, maxArgs: inner.maxArgs, flags: s,
		description: "Takes the flags of " + inner.name + ", and --over. See capplan sweep --help.",
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if r.csv {
				s.output.format = "csv"
			}
			r.files = args
			return r.run(ctx, st)
		},
	}
}

// A sweep is one command at many points.
type sweep struct {
	make          func() *command
	name          string
	flags         *flagSet    // of a template, to check values and names
	fixed         [][2]string // name and text
	given         map[string]bool
	over          []string
	axes          []sweeps.Axis
	files         []string
	csv           bool
	y, as         string
	out           string
	resume, force bool
	own           int                      // flags of the sweep itself, the first of known
	known         *flagSet                 // all flags
	names         atomic.Pointer[[]string] // of the last row
	stdin         []byte                   // kept for all points, if any reads it
	heard         pointWarnings
}

// recorded checks a value by the flag it stands for and keeps its text.
type recorded struct {
	r     *sweep
	s     *flagSet
	name  string
	check cli.Generic // nil: anything goes
}

func (v *recorded) Set(s string) error {
	if v.check != nil {
		if err := v.check.Set(s); err != nil {
			v.s.failed = v.r.flags.failed
			return err
		}
	}
	v.r.keep(v.name, s)
	return nil
}

func (v *recorded) String() string { return "" }

// Want describes the value where the flag can.
func (v *recorded) Want() string {
	if w, ok := v.check.(interface{ Want() string }); ok {
		return w.Want()
	}
	return "a value"
}

// Repeatable says whether the flag it stands for may be given several times.
func (v *recorded) Repeatable() bool {
	r, ok := v.check.(interface{ Repeatable() bool })
	return ok && r.Repeatable()
}

func (r *sweep) keep(name, text string) {
	if r.given == nil {
		r.given = map[string]bool{}
	}
	r.given[name] = true
	r.fixed = append(r.fixed, [2]string{name, text})
}

// record returns a flag that stands for f.
func (r *sweep) record(f cli.Flag, s *flagSet) cli.Flag {
	switch f := f.(type) {
	case *cli.GenericFlag:
		return &cli.GenericFlag{Name: f.Name, Usage: f.Usage, Value: &recorded{r, s, f.Name, f.Value}}
	case *cli.StringFlag:
		return &cli.GenericFlag{Name: f.Name, Usage: f.Usage, Value: &recorded{r, s, f.Name, nil}}
	case *cli.BoolFlag:
		return &cli.BoolFlag{Name: f.Name, Usage: f.Usage, Action: func(_ *cli.Context, on bool) error {
			if on {
				r.keep(f.Name, "")
			}
			return nil
		}}
	}
	panic("capplan: a flag of a kind that sweep does not know")
}
