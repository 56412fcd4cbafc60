// Package means holds means over the seeds of a study, with their intervals.
//
// An interval is of the mean, by Student's t, and wants independent seeds. It says how sure the
// mean is, and not how far single runs are apart.
package means

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// An Interval is a mean with its 95 % interval: mean, low, high.
type Interval [3]float64

// Of returns the mean of values with its t interval, mean ± t(0.975, n−1) s/√n,
// those that are NaN left out. Of one value the ends are NaN; ok is false for none.
func Of(values []float64) (_ Interval, ok bool) {
	n, mean, ss := 0.0, 0.0, 0.0
	for _, v := range values {
		if math.IsNaN(v) {
			continue
		}
		n++
		d := v - mean
		mean += d / n
		ss += d * (v - mean)
	}
	if n < 2 {
		return Interval{mean, math.NaN(), math.NaN()}, n == 1
	}
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(ss/(n-1)/n)
	return Interval{mean, mean - half, mean + half}, true
}
