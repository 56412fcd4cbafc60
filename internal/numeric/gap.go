package numeric

import "math"

// GapSum accumulates start − Σ xᵢyᵢ in twice the working precision, so that
// what is left of a capacity keeps its accuracy when nearly all of it is used.
type GapSum struct{ hi, lo float64 }

// NewGapSum starts at v.
func NewGapSum(v float64) GapSum { return GapSum{hi: v} }

// Minus returns the sum less x·y (exact product by FMA, Knuth's two-sum).
func (g GapSum) Minus(x, y float64) GapSum {
	p := -x * y
	e := math.FMA(-x, y, -p)
	s := g.hi + p
	bb := s - g.hi
	err := (g.hi - (s - bb)) + (p - bb)
	lo := g.lo + err + e
	hi := s + lo
	return GapSum{hi, lo - (hi - s)}
}

// Value returns the sum rounded to a float64.
func (g GapSum) Value() float64 { return g.hi + g.lo }
