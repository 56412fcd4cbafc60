package ask

import "fmt"

// An Explanation shows the mathematics behind an answer.
type Explanation struct {
	Model string `json:"model"`
	// Of is the case whose numbers are put in, where an answer holds several; empty where it holds one.
	Of          string   `json:"of,omitempty"`
	Steps       []Step   `json:"steps"`
	Assumptions []string `json:"assumptions"`
}

// A Step is one formula with its numbers.
type Step struct {
	Name    string `json:"name"`
	Formula string `json:"formula"`
	Numbers string `json:"numbers"` // the formula with the numbers put in, and the result
	Source  string `json:"source"`
}

// Assume adds what the formulas take for granted.
func (e *Explanation) Assume(texts ...string) { e.Assumptions = append(e.Assumptions, texts...) }

// Step adds a formula.
func (e *Explanation) Step(name, formula, numbers, source string) {
	e.Steps = append(e.Steps, Step{name, formula, numbers, source})
}

// Warn adds a warning, written as by fmt.Sprintf, to those of an answer; nil takes none.
func Warn(to *[]string, format string, args ...any) {
	if to != nil {
		*to = append(*to, fmt.Sprintf(format, args...))
	}
}
