package ask

import (
	"errors"
	"fmt"
)

// An InputError says that a question is not well put: something is missing,
// outside its domain, or contradicts something else.
type InputError struct {
	Part   string // of a plan whose question it is, such as "replicas"; empty outside a plan
	Field  string // as in the JSON of the question: "service_time"; empty where several are concerned
	Reason string
}

func (e *InputError) Error() string {
	if e.Field == "" {
		return e.Reason
	}
	return e.Field + ": " + e.Reason
}

// In says of which part of a plan an *InputError is; it returns any other error
// as it is. Two parts have fields of one name: the repair time of replicas is not
// that of checkpoints.
func In(part string, err error) error {
	var input *InputError
	if !errors.As(err, &input) || input.Part != "" {
		return err
	}
	return &InputError{Part: part, Field: input.Field, Reason: input.Reason}
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

func (e *InfeasibleError) Error() string { return "infeasible: " + e.Reason }

// Is reports whether target is [ErrInfeasible].
func (e *InfeasibleError) Is(target error) bool { return target == ErrInfeasible }

// Inputf returns the error of a field, its reason written as by fmt.Sprintf.
func Inputf(field, format string, args ...any) *InputError {
	return &InputError{Field: field, Reason: fmt.Sprintf(format, args...)}
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
