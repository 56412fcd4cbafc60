package cmdline

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
)

// A Named is a value within the text of a flag that has several, such as rate of
// name=a,rate=2/min.
type Named struct {
	Name string
	Set  func(text string) error
}

// Word is a name or another plain word.
func Word(name string, into *string) Named {
	return Named{name, func(text string) error { *into = text; return nil }}
}

// Fresh reads a quantity into a fresh value. The target stays as it is where the text is refused.
func Fresh[T any, P quantity[T]](name string, into **T) Named {
	return Named{name, func(text string) error {
		v := new(T)
		err := P(v).Set(text)
		if err == nil {
			*into = v
		}
		return err
	}}
}

// ReadNamed reads the values of a text such as name=a,rate=2/min, in any order, each of them once. what
// is the thing that has them, such as a class, and want the form of its text. No value holds a comma.
// Errors: *ask.InputError of the field.
func ReadNamed(field, what, text, want string, values ...Named) error {
	set, names := map[string]func(string) error{}, make([]string, len(values))
	for i, v := range values {
		names[i], set[v.Name] = v.Name, v.Set
	}
	bad := func(format string, args ...any) error {
		return &ask.InputError{Field: field, Reason: fmt.Sprintf(format, args...)}
	}
	seen := map[string]bool{}
	for _, part := range strings.Split(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok || value == "":
			return bad("%s is not name=value, want %s", spell.Quote(part), want)
		// The last of two would win in silence.
		case seen[name]:
			return bad("%s is given twice in %s", name, spell.Quote(text))
		case set[name] == nil:
			return bad("a %s has no %s%s; want %s", what, spell.Quote(name), spell.Suggest(name, names), want)
		}
		seen[name] = true
		if err := set[name](value); err != nil {
			return bad("%s: %s", name, Plainly(err))
		}
	}
	return nil
}

// Listed splits a list at its commas; nil for an empty one. An empty item stays, so that the reader of
// the list can refuse it.
func Listed(text string) []string {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	list := strings.Split(text, ",")
	for i, part := range list {
		list[i] = strings.TrimSpace(part)
	}
	return list
}
