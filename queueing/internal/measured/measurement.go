package measured

import "fmt"

// A Measurement is what was found of an approximation against a truth.
type Measurement struct {
	Range
	Regime, Source string
}

// A Range is what was measured of the relative error, estimate over truth less 1.
type Range struct {
	Low, High float64 // the least and the greatest
	Most      float64 // nine of ten are within ± Most
}

// Span is the range in words.
func (m *Measurement) Span() string {
	return fmt.Sprintf("%+.0f to %+.0f%%", 100*m.Low, 100*m.High)
}
