package joblog

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// An ExponentialFit is an exponential law with mean Mean, the baseline that a
// law with more parameters has to beat.
type ExponentialFit struct {
	Mean   float64 `json:"mean_s"`
	MeanSE float64 `json:"mean_se_s"` // standard error Mean/√n
	Goodness
}

// FitExponential returns the maximum likelihood fit of an exponential law:
//
//	mean = Σxᵢ/n,    log L = −n ln(mean) − n
//
// where xᵢ > 0 are at least two finite values in seconds (else ErrTooFew or a
// *DomainError). Equal values are no trouble. O(n log n), for the KS distance.
// Source: Johnson, chapter 19.
func FitExponential(x []float64) (*ExponentialFit, error) {
	if err := positiveSample("FitExponential", x); err != nil {
		return nil, err
	}
	n := float64(len(x))
	mean := stat.Mean(x, nil)
	if !finite(mean) {
		return nil, degenerate("FitExponential", "the mean overflows")
	}
	law := distuv.Exponential{Rate: 1 / mean}
	if !finite(law.Rate) {
		return nil, degenerate("FitExponential", "the rate overflows")
	}
	return &ExponentialFit{
		Mean: mean, MeanSE: mean / math.Sqrt(n),
		Goodness: goodness(len(x), 1, -n*math.Log(mean)-n, ksDistance(sortedCopy(x), law.CDF)),
	}, nil
}
