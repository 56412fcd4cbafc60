package cmdline

import (
	"slices"
	"strings"

	"github.com/capplan/capplan/planner/ask"
)

// A need is a flag that says nothing without another. A flag may need any one of several.
type need struct {
	flag string
	with []string // one of them: a flag, or format=csv
}

// Needs declares, beside the flag, that it only matters with one of others.
func (s *FlagSet) Needs(flag string, with ...string) { s.need = append(s.need, need{flag, with}) }

// Gave reports whether a flag was given, by a command line or by a sweep, with a value other than
// the default, which says nothing.
func (s *FlagSet) Gave(flag string) bool {
	v, ok := valueOf(s.named(flag)).(interface{ given() bool })
	return ok && v.given()
}

// Misplaced refuses flags that are given where nothing reads them. Errors: *ask.InputError of the first
// one that is given.
func (s *FlagSet) Misplaced(reason string, flags ...string) error {
	for _, f := range flags {
		if s.Gave(f) {
			return &ask.InputError{Field: f, Reason: reason}
		}
	}
	return nil
}

// unused finds a flag that was given and that the answer could not depend on:
// its user means something that will not happen. Errors: *UsageError of the first one.
func (s *FlagSet) unused(given func(flag string) bool) error {
	for _, n := range s.need {
		if !given(n.flag) {
			continue
		}
		met := false
		var want []string
		for _, w := range n.with {
			// format=csv is met by the value of --format, and not by the flag alone.
			flag, value, valued := strings.Cut(w, "=")
			if valued {
				met = met || s.Output.Format == value
				want = append(want, "--"+flag+" "+value)
				continue
			}
			met = met || given(flag)
			want = append(want, "--"+flag)
		}
		if !met {
			return &UsageError{s.command, "--" + n.flag + " has no effect without " + strings.Join(want, " or ") +
				": add it, or leave out --" + n.flag}
		}
	}
	return nil
}

// Beside returns an error where a flag was given that has no meaning in place of
// what is named, such as "a scenario", whose file says all but a few flags. Errors: *UsageError of
// the first flag that is given and not among the few.
func (s *FlagSet) Beside(what string, few ...string) error {
	// Nothing was parsed: the question is asked by a sweep, which sets fields without a command line.
	if s.given == nil {
		return nil
	}
	for _, f := range s.list {
		name := namesOf(f)[0]
		if s.given(name) && !slices.Contains(few, name) {
			return &UsageError{s.command, "--" + name + " does not go with " + what + ", which says it: leave it out"}
		}
	}
	return nil
}
