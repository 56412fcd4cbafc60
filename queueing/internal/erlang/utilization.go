package erlang

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// Utilization returns a(1 − B(n, a))/n, the busy share of a loss system of
// n > 0 servers. Far above n it is taken from the idle share, which has a
// fraction of its own: the product would come out above 1 by its rounding.
// Nearer than 3√n that share is at least some 1/(4√n), a thousand times the
// rounding of the product for the greatest n there is.
func Utilization(n, a float64) float64 {
	if a > 1.5 && a-n > 3*math.Sqrt(n) {
		return 1 - numeric.UpperIdle(n, a)
	}
	return a * Carried(n, a) / n
}

// Idle returns n − a(1 − B(n, a)), likewise.
func Idle(n, a float64) float64 {
	switch {
	case n == 0:
		return 0
	case a > 1.5 && a-n > 3*math.Sqrt(n):
		return n * numeric.UpperIdle(n, a)
	}
	return n - a*Carried(n, a)
}

// QueueUtilization is the busy share where customers wait: of the n servers all
// but in the states up to n customers, a share below of the time, and within
// those as in a loss system.
func QueueUtilization(n, a, below float64) float64 {
	return 1 - below*(1-Utilization(n, a))
}
