package units

import (
	"fmt"
	"strings"
)

// A ParseError reports a text, or a value to be written, that is not the
// quantity wanted.
type ParseError struct {
	Input  string // the text as given
	Want   string // the form wanted: "a duration such as 90s, 1.5h or 250ms"
	Reason string // what is wrong with the input: `unknown unit "parsecs"`
}

// Error returns one line that shows the input, the reason and the form wanted.
func (e *ParseError) Error() string {
	return "units: " + e.Problem()
}

// Problem is the error without the name of the package.
func (e *ParseError) Problem() string {
	name, _, _ := strings.Cut(e.Want, " such as ")
	return fmt.Sprintf("%s is not %s: %s, want %s", quote(e.Input), name, e.Reason, e.Want)
}

// quote returns s in quotes, shortened when it is long.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "..."
	}
	return fmt.Sprintf("%q", s)
}
