package lp

import (
	"fmt"
	"math"
)

// tightened moves the sides of rows whose variables are all integer inwards, to what sums
// of whole numbers can be: multiples of the greatest common divisor g of the coefficients,
//
//	L ≤ Σ a_j·x_j ≤ U   ⇒   g·⌈L/g⌉ ≤ Σ a_j·x_j ≤ g·⌊U/g⌋.
//
// Branch and bound alone does not see it: on 2x − 2y = 1 it goes through all x. A side
// that is within slack·(1 + |side|) of a multiple stays. It returns a row to which no
// multiple keeps, in words, else "". The model's rows are not changed, but copied.
func (m *Model) tightened(slack float64) string {
	rows := append([]Row(nil), m.Rows...)
	for i := range rows {
		r := &rows[i]
		g, scale := m.divisor(r)
		if g == 0 {
			continue
		}
		// multiple returns the last multiple that is not above a side, and the side moved there.
		multiple := func(side float64) (float64, float64) {
			b, less := side*scale, slack*(scale+math.Abs(side*scale))
			if !(math.Abs(b) < mostWhole) {
				return b, side
			}
			last := g * math.Floor((b+less)/g)
			if b-last > less {
				return last, last / scale
			}
			return last, side
		}
		upper, u := multiple(r.Upper)
		lower, l := multiple(-r.Lower)
		if r.Lower, r.Upper = -l, u; -lower > upper {
			return fmt.Sprintf("no whole numbers keep to row %s, whose coefficients are multiples of %g", r.Name, g/scale)
		}
	}
	m.Rows = rows
	return ""
}

// mostWhole is a number whose 15 digits a float64 tells from all others, in any decimal place.
const mostWhole = 1e15

// divisor returns the greatest common divisor of a row's coefficients as decimals of at most
// six places, times a power of ten; 0 where there is none or a variable may be other than whole.
func (m *Model) divisor(r *Row) (g, scale float64) {
	for scale = 1; scale <= 1e6; scale *= 10 {
		g = 0
		for _, t := range r.Terms {
			a := math.Abs(math.Round(t.Coefficient * scale))
			if !m.Variables[t.Variable].Integer || !(a < mostWhole) || a/scale != math.Abs(t.Coefficient) {
				g = 0
				break
			}
			for a > 0 {
				g, a = a, math.Mod(g, a)
			}
		}
		if g > 0 {
			return g, scale
		}
	}
	return 0, 1
}
