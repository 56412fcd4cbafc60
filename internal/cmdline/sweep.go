package cmdline

import (
	"context"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/sweeps"
)

// Sweep makes the sweep of one command: its flags are recorded as they were typed and given to each
// point anew. columns returns the names of the scalar figures of the answer, for a sweep in which
// no point has one.
func Sweep(make func() *Command, columns func() []string) *Command {
	inner := make()
	s := NewFlags(true)
	r := &sweep{make: make, name: inner.Name, promised: columns, flags: inner.Flags}
	s.list = append(s.list,
		&cli.GenericFlag{Name: "over",
			Usage: "`FLAG=...` swept: " + sweeps.AxisWant + "; at most twice", Value: &list{&r.over, sweeps.AxisWant}},
	)
	s.Toggle("csv", &r.csv, "short for --format csv")
	s.Text("y", &r.y, "FIELD", "field of the answer to plot (default: the first that varies)")
	s.Needs("y", "plot")
	OneOf(s, "as", &r.as, "`KIND` of plot over two flags: heat (default if both have three values or more) or line",
		nil, "heat", "line")
	s.Needs("as", "plot")
	s.Text("out", &r.out, "FILE", "CSV file to write the rows to, as they are finished")
	s.Toggle("resume", &r.resume, "continue the unfinished --out of the same command line")
	s.Needs("resume", "out")
	s.Toggle("force", &r.force, "replace an existing --out")
	s.Needs("force", "out")
	s.Sharded()
	// The flags from here on are those of the command, and may be swept.
	r.own = len(s.list)
	for _, f := range inner.Flags.list {
		if s.Has(namesOf(f)[0]) {
			continue // format, explain, plot and out are the sweep's own
		}
		s.list = append(s.list, r.record(f, s))
		if one, ok := valueOf(f).(*choice); ok {
			s.Known(namesOf(f)[0], func() []string { return one.allowed })
		}
	}
	r.known = s
	// Words of choices complete in a sweep as they do in the command.
	for name, words := range inner.Flags.words {
		s.Known(name, words)
	}
	s.Known("over", func() []string {
		var names []string
		for _, f := range inner.Flags.list {
			// A switch has no values to go over, and how an answer is written is no part of the
			// question.
			if !isToggle(f) && namesOf(f)[0] != "format" && namesOf(f)[0] != "plot" {
				names = append(names, namesOf(f)[0]+"=")
			}
		}
		return names
	})
	return &Command{
		Name: inner.Name, Usage: inner.Usage, Args: inner.Args, MaxArgs: inner.MaxArgs, Flags: s,
		Description: "Takes the flags of " + inner.Name + ", and --over. See capplan sweep --help.",
		Ask: func(ctx context.Context, st *Streams, args []string) (*Result, error) {
			// The short form is kept beside the long one, and may repeat it but not contradict it.
			if r.csv {
				if s.given("format") && s.Output.Format != "csv" {
					return nil, &UsageError{Reason: "--csv and --format " + s.Output.Format +
						" are given: want one of them"}
				}
				s.Output.Format = "csv"
			}
			r.files = args
			return r.run(ctx, st)
		},
	}
}

// A sweep is one command at many points. Its flags are two groups: the sweep's own, and those of
// the command, recorded as text.
type sweep struct {
	make          func() *Command
	name          string
	promised      func() []string // names of the scalar figures
	flags         *FlagSet        // of a template, to check values and names
	fixed         [][2]string     // name and text
	given         map[string]bool
	over          []string
	axes          []sweeps.Axis
	files         []string
	csv           bool
	y, as         string
	out           string
	resume, force bool
	own           int                      // flags of the sweep itself, the first of known
	known         *FlagSet                 // all flags
	names         atomic.Pointer[[]string] // of the last row
	stdin         []byte                   // kept for all points, if any reads it
	heard         sweeps.Warnings
}

// recorded checks a value by the flag it stands for and keeps its text. A fault is thus told once,
// at the beginning, and not at each point.
type recorded struct {
	r     *sweep
	s     *FlagSet
	name  string
	check cli.Generic
}

// Set checks the text by the flag it stands for, which knows its type, and keeps the text itself: each
// point reads it into a question of its own.
func (v *recorded) Set(s string) error {
	if err := v.check.Set(s); err != nil {
		// The flag is reported as the sweep's, which is what was typed.
		failed := *v.r.flags.failed
		failed.command = v.s.command
		v.s.failed = &failed
		return err
	}
	// A switch has no text; that it is on is recorded as an empty one.
	if v.IsBoolFlag() {
		s = ""
	}
	v.r.keep(v.name, s)
	return nil
}

// IsBoolFlag tells the parser whether the flag it stands for takes no value.
func (v *recorded) IsBoolFlag() bool {
	_, ok := v.check.(*toggle)
	return ok
}

func (v *recorded) String() string { return "" }

// Want describes the value where the flag can.
func (v *recorded) Want() string {
	if w, ok := v.check.(interface{ Want() string }); ok {
		return w.Want()
	}
	return "a value"
}

// Repeatable reports whether the flag it stands for may be given several times.
func (v *recorded) Repeatable() bool {
	r, ok := v.check.(interface{ Repeatable() bool })
	return ok && r.Repeatable()
}

// keep records one flag as it was typed. The order is that of the command line, which matters to
// repeated flags.
func (r *sweep) keep(name, text string) {
	if r.given == nil {
		r.given = map[string]bool{}
	}
	r.given[name] = true
	r.fixed = append(r.fixed, [2]string{name, text})
}

// record returns a flag that stands for f: it has its name, usage and check, and another place to
// put the value.
func (r *sweep) record(f cli.Flag, s *FlagSet) cli.Flag {
	g := f.(*cli.GenericFlag)
	return &cli.GenericFlag{Name: g.Name, Usage: g.Usage, Value: &recorded{r, s, g.Name, g.Value}}
}
