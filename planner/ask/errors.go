package ask

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capplan/capplan/units"
)

// An InputError says that a question is not well put: something is missing,
// outside its domain, or contradicts something else.
type InputError struct {
	// Field is the path of the field in the question, by the names of its JSON
	// without the units: "service_time", and in a plan "replicas.mttr"; empty
	// where several are concerned.
	Field  string
	With   string // the field that it contradicts; empty: none
	Reason string
	Want   string // the form that is wanted, where the reason does not say it

	marked string // the reason with its fields between marks; empty: it names none
}

// A FieldName among the arguments of [Inputf] is a field of the question that the
// reason speaks of, as is a name in braces in its format: a reader is told it by the
// name that he gives it, see [InputError.Named].
type FieldName string

// mark stands before and behind a field in a reason. It is a code point that no text has.
const mark = "\uFDD0"

var (
	inBraces = regexp.MustCompile(`\{([a-z]+(?:_[a-z]+)*)\}`)
	inMarks  = regexp.MustCompile(mark + "([^" + mark + "]*)" + mark)
)

// Error names the field, but where two contradict each other: there the problem
// names both.
func (e *InputError) Error() string {
	text := e.Problem()
	if e.Field != "" && e.With == "" {
		text = e.Field + ": " + text
	}
	if e.Want != "" {
		text += ", want " + e.Want
	}
	return text
}

// Problem is what was found: the error without the field that it is of and
// without the form that is wanted.
func (e *InputError) Problem() string {
	if e.With != "" {
		return e.With + " and " + e.Field + " contradict each other: " + e.Reason
	}
	return e.Reason
}

// Named returns the error with every field, also those in its reason, by the name that
// the asker gives it: a command line calls max_wait --max-wait. A nil name changes none.
func (e *InputError) Named(name func(field string) string) *InputError {
	out := *e
	if name == nil {
		return &out
	}
	if e.Field != "" {
		out.Field = name(e.Field)
	}
	if e.With != "" {
		out.With = name(e.With)
	}
	if e.marked != "" {
		out.marked = inMarks.ReplaceAllStringFunc(e.marked, func(s string) string {
			return mark + name(strings.Trim(s, mark)) + mark
		})
		out.Reason = strings.ReplaceAll(out.marked, mark, "")
	}
	return &out
}

// In puts the part of a question that an *InputError is of before its fields: a
// question that asks others hands on their errors so. Any other error comes back
// as it is.
func In(part string, err error) error {
	var input *InputError
	if !errors.As(err, &input) {
		return err
	}
	out := input.Named(func(field string) string { return join(part, field) })
	out.Field = join(part, input.Field)
	return out
}

// Renamed gives the field of an *InputError the name that it has where the question is asked from;
// names holds those that differ. Any other error comes back as it is.
func Renamed(err error, names map[string]string) error {
	var input *InputError
	if !errors.As(err, &input) {
		return err
	}
	name, ok := names[input.Field]
	if !ok {
		return err
	}
	out := *input
	out.Field = name
	return &out
}

// join puts a part before a field; an index follows without a dot.
func join(part, field string) string {
	if part == "" || field == "" || field[0] == '[' {
		return part + field
	}
	return part + "." + field
}

// ErrInfeasible is what every *InfeasibleError is.
var ErrInfeasible = errors.New("infeasible")

// An InfeasibleError says that a question is well put but has no answer.
type InfeasibleError struct {
	Constraint string  // what binds, for example "max_blocking"
	Limit      float64 // what was asked for
	Infimum    float64 // what cannot be reached or undercut
	Reason     string
}

// Infeasiblef returns the error of a constraint: what was asked for, what cannot be
// reached or undercut, and the reason, written as by fmt.Sprintf.
func Infeasiblef(constraint string, limit, infimum float64, format string, args ...any) *InfeasibleError {
	return &InfeasibleError{constraint, limit, infimum, fmt.Sprintf(format, args...)}
}

func (e *InfeasibleError) Error() string { return "infeasible: " + e.Reason }

// Is reports whether target is [ErrInfeasible].
func (e *InfeasibleError) Is(target error) bool { return target == ErrInfeasible }

// Inputf returns the error of a field, its reason written as by fmt.Sprintf; other
// fields in it stand in braces, as {max_wait}, or are arguments of type [FieldName].
func Inputf(field, format string, args ...any) *InputError {
	args = slices.Clone(args)
	for i, a := range args {
		if f, ok := a.(FieldName); ok {
			args[i] = mark + f + mark
		}
	}
	e := &InputError{Field: field}
	e.Reason = fmt.Sprintf(inBraces.ReplaceAllString(format, mark+"$1"+mark), args...)
	if strings.Contains(e.Reason, mark) {
		e.marked, e.Reason = e.Reason, strings.ReplaceAll(e.Reason, mark, "")
	}
	return e
}

// NoQuestion says that no question is asked: it is nil.
func NoQuestion() error { return &InputError{Reason: "no question is asked: it is nil"} }

// Clash says that the costs of two fields cannot be compared.
func Clash(first, second string, c units.CostClash) *InputError {
	return &InputError{Field: second, With: first, Reason: c.Reason(), Want: units.ComparableCosts}
}

// Missing says that a field of the question has not been given.
func Missing(field, want string) error {
	return &InputError{Field: field, Reason: "not given, want " + want}
}

// Positive checks what has to be above 0.
func Positive(field string, v float64, want string) error {
	if !(v > 0) {
		return Inputf(field, "is %s, want %s", Digits(v), want)
	}
	return nil
}
