package cmdline

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strconv"
)

// A Flag is one flag of a command.
type Flag struct {
	Name    string
	Aliases []string // as o, for -o
	Usage   string   // a sentence, with the kind of the value between backquotes
	Value   flag.Value
	Toggle  bool // it is on or off, and no value follows it

	on func() // of a toggle, when the whole line is read and it is on; may be nil
}

// Names are all words that the flag is given by, its own first.
func (f *Flag) Names() []string { return append([]string{f.Name}, f.Aliases...) }

// Flags are those of the set, in the order of the help.
func (s *FlagSet) Flags() []*Flag {
	if s == nil {
		return nil
	}
	return s.list
}

// named returns a flag by any of its names, nil where it has none.
func (s *FlagSet) named(name string) *Flag {
	for _, f := range s.Flags() {
		if f.Name == name || slices.Contains(f.Aliases, name) {
			return f
		}
	}
	return nil
}

// read sets the flags from a line that [Arrange] has put in order, and returns the
// words behind them. A flag of a text or a toggle is empty from here on unless it
// is given: its target keeps nothing from before.
func (s *FlagSet) read(line []string) (files []string, err error) {
	set := flag.NewFlagSet(s.command, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	for _, f := range s.list {
		if r, ok := f.Value.(interface{ reset() }); ok {
			r.reset()
		}
		for _, name := range f.Names() {
			set.Var(f.Value, name, "")
		}
	}
	if err := set.Parse(line); err != nil {
		return nil, s.usageError(s.command, err)
	}
	given := map[*Flag]bool{}
	set.Visit(func(one *flag.Flag) { given[s.named(one.Name)] = true })
	s.given = func(name string) bool { return given[s.named(name)] }
	for _, f := range s.list {
		if given[f] && f.on != nil && f.Value.String() == "true" {
			f.on()
		}
	}
	return set.Args(), nil
}

// plain is a flag whose value is its text.
type plain struct{ into *string }

func (p *plain) Set(s string) error {
	*p.into = s
	return nil
}

func (p *plain) String() string {
	if p == nil || p.into == nil {
		return ""
	}
	return *p.into
}

func (p *plain) reset() { *p.into = "" }

// toggle is a flag that is on or off.
type toggle struct{ into *bool }

func (t *toggle) Set(s string) error {
	on, err := strconv.ParseBool(s)
	if err != nil {
		return errors.New("parse error")
	}
	*t.into = on
	return nil
}

func (t *toggle) String() string { return strconv.FormatBool(t != nil && t.into != nil && *t.into) }

// IsBoolFlag tells package flag that no value follows.
func (t *toggle) IsBoolFlag() bool { return true }

func (t *toggle) reset() { *t.into = false }
