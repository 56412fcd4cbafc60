package numeric

import (
	"math"
	"math/bits"
)

// An Exact adds numbers of 0 to 2⁶³ as multiples of 2⁻¹²⁸, so that the sum is the same
// in whatever order they come, and whoever adds them: what lies below is cut off
// each of them. A number out of that range, or that is none, makes the sum NaN.
//
// The zero value is 0. Unlike [Sum] it cannot take back what it was given.
type Exact struct {
	whole, high, low uint64 // of 2⁰, 2⁻⁶⁴ and 2⁻¹²⁸
	none             bool
}

// Add adds x.
func (e *Exact) Add(x float64) {
	if !(x >= 0 && x < 1<<63) {
		e.none = true
		return
	}
	whole, part := math.Modf(x)
	high, rest := math.Modf(math.Ldexp(part, 64))
	e.merge(uint64(whole), uint64(high), uint64(math.Ldexp(rest, 64)))
}

// Merge adds another sum.
func (e *Exact) Merge(o *Exact) {
	e.none = e.none || o.none
	e.merge(o.whole, o.high, o.low)
}

func (e *Exact) merge(whole, high, low uint64) {
	var carry uint64
	e.low, carry = bits.Add64(e.low, low, 0)
	e.high, carry = bits.Add64(e.high, high, carry)
	if e.whole, carry = bits.Add64(e.whole, whole, carry); carry != 0 {
		e.none = true
	}
}

// Value is the sum so far, to rounding.
func (e *Exact) Value() float64 {
	if e.none {
		return math.NaN()
	}
	return float64(e.whole) + (math.Ldexp(float64(e.high), -64) + math.Ldexp(float64(e.low), -128))
}
