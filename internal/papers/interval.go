package papers

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A meanInterval is a mean with its 95 % interval: mean, low, high.
type meanInterval [3]float64

// interval returns the mean of values with its t interval, those that are NaN left
// out: of one value without ends, NaN; ok is false for none.
func interval(values []float64) (_ meanInterval, ok bool) {
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
		return meanInterval{mean, math.NaN(), math.NaN()}, n == 1
	}
	half := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(ss/(n-1)/n)
	return meanInterval{mean, mean - half, mean + half}, true
}
