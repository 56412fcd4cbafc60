package noneleft

import "math"

// With a mean of Most tasks left the probability that none is left is taken to be 0 (it is
// 1e-11), and with a mean of fewest it is taken to be 1.
const (
	Most   = 25
	fewest = 1e-17
)

// Chance returns (1 − u/n)^n, the probability that none of n tasks is left if u are left on average.
func Chance(n, u float64) float64 {
	switch x := u / n; {
	case u > Most || x >= 1:
		return 0
	case u < fewest:
		return 1
	case x < 1e-4: // the next term is below 1e-17 u
		y := u * (1 + x*(1./2+x*(1./3+x/4)))
		if y < 1e-3 { // and so is the next term of the exponential
			return 1 - y*(1-y*(1./2-y*(1./6-y/24)))
		}
		return math.Exp(-y)
	case x < 0.02: // to 1e-15
		return math.Exp(-u * (1 + x*(1./2+x*(1./3+x*(1./4+x*(1./5+x*(1./6+x*(1./7+x*(1./8+x/9)))))))))
	default:
		return math.Exp(n * math.Log1p(-x))
	}
}
