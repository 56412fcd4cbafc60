package numeric

import "math"

// LogAdd returns ln(eᵃ + eᵇ) without overflow.
func LogAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	return a + math.Log1p(math.Exp(b-a))
}
