package joblog

import (
	"math"

	"github.com/capplan/capplan/internal/source"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// LogNormal is the law of S > 0 whose logarithm is normal with mean A and
// standard deviation B > 0, S in seconds. InterGrid writes a and b.
type LogNormal struct {
	A float64 `json:"a"` // mean of ln(S / 1 s)
	B float64 `json:"b"` // sd of ln(S / 1 s)
}

// Mean returns e^(a + b²/2), in seconds (InterGrid eq. 30).
func (l LogNormal) Mean() float64 { return math.Exp(l.A + l.B*l.B/2) }

// SCV returns e^(b²) − 1.
func (l LogNormal) SCV() float64 { return math.Expm1(l.B * l.B) }

func (l LogNormal) check(fn, arg string) error {
	if !finite(l.A, l.B, l.Mean()) || l.B <= 0 {
		return &source.DomainError{
			Func:  fn,
			Arg:   arg,
			Value: l,
			Want:  "finite a, b > 0 and a finite mean",
		}
	}
	return nil
}

// A LogNormalFit is a fitted lognormal law.
type LogNormalFit struct {
	LogNormal
	ASE     float64 `json:"a_se"` // standard error b/√n
	BSE     float64 `json:"b_se"` // standard error b/√(2n)
	LawMean float64 `json:"mean_s"`
	LawSCV  float64 `json:"scv"`
	Goodness
}

// FitLogNormal returns the maximum likelihood fit of a lognormal law:
//
//	a = Σ ln xᵢ / n,    b² = Σ (ln xᵢ − a)² / n
//	log L = −n ln b − (n/2) ln 2π − n/2 − Σ ln xᵢ
//
// where xᵢ > 0 are at least two finite values in seconds (else ErrTooFew or a
// *DomainError), not all equal (ErrDegenerate). Note b has n, not n − 1. The
// mean of the law is not the mean of the sample; a heavy tail can put them far
// apart. O(n log n), for the KS distance. Source: Johnson, chapter 14.
func FitLogNormal(x []float64) (*LogNormalFit, error) {
	const fn = "FitLogNormal"
	if err := positiveSample(fn, x); err != nil {
		return nil, err
	}
	n := float64(len(x))
	logs := make([]float64, len(x))
	for i, v := range x {
		logs[i] = math.Log(v)
	}
	mean, sd := stat.PopMeanStdDev(logs, nil)
	if sd < minLogSpread {
		return nil, degenerate(fn, "all values are equal")
	}
	f := &LogNormalFit{
		LogNormal: LogNormal{A: mean, B: sd},
		ASE:       sd / math.Sqrt(n), BSE: sd / math.Sqrt(2*n),
	}
	f.LawMean, f.LawSCV = f.Mean(), f.SCV()
	if !finite(f.LawMean, f.LawSCV) {
		return nil, degenerate(fn, "the law's mean or variance overflows")
	}
	logL := -n*math.Log(sd) - n/2*math.Log(2*math.Pi) - n/2 - n*mean
	law := distuv.LogNormal{Mu: mean, Sigma: sd}
	f.Goodness = goodness(len(x), 2, logL, ksDistance(sortedCopy(x), law.CDF))
	return f, nil
}

// minLogSpread is the standard deviation of logarithms below which values
// count as equal: a few hundred roundings of a double near ln x = 10.
const minLogSpread = 1e-12
