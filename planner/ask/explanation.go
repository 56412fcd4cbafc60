package ask

// An Explanation shows the mathematics behind an answer.
type Explanation struct {
	Model       string   `json:"model"`
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

// Step adds a formula.
func (e *Explanation) Step(name, formula, numbers, source string) {
	e.Steps = append(e.Steps, Step{name, formula, numbers, source})
}
