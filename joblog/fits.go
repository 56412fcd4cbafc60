package joblog

import (
	"errors"
	"math"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/law"
)

// A WeibullFit is a fitted Weibull law, P(X > x) = exp(−(x/α)^β). InterGrid
// writes α for the scale and β for the shape.
type WeibullFit struct {
	Scale   float64 `json:"scale_s"`    // α > 0
	Shape   float64 `json:"shape"`      // β > 0; 1 is exponential, below 1 bursty
	ScaleSE float64 `json:"scale_se_s"` // standard errors from the observed information
	ShapeSE float64 `json:"shape_se"`
	LawMean float64 `json:"mean_s"`
	LawSCV  float64 `json:"scv"`
	Goodness
}

// A LogNormalFit is a fitted lognormal law: the logarithm is normal with mean A
// and standard deviation B. InterGrid writes a and b.
type LogNormalFit struct {
	A       float64 `json:"a"`    // mean of ln(S / 1 s)
	B       float64 `json:"b"`    // sd of ln(S / 1 s)
	ASE     float64 `json:"a_se"` // standard error b/√n
	BSE     float64 `json:"b_se"` // standard error b/√(2n)
	LawMean float64 `json:"mean_s"`
	LawSCV  float64 `json:"scv"`
	Goodness
}

// An ExponentialFit is an exponential law with mean Mean, the baseline that a
// law with more parameters has to beat.
type ExponentialFit struct {
	Mean   float64 `json:"mean_s"`
	MeanSE float64 `json:"mean_se_s"` // standard error Mean/√n
	Goodness
}

// FitWeibull returns the maximum likelihood fit of a Weibull law to at least two
// finite values > 0 in seconds (else ErrTooFew or a *DomainError) that are not
// all equal (ErrDegenerate: β would be infinite). Zeros are not taken; see
// [FitLaws]. The fit is that of [law.FitWeibull]; O(n log n), for the KS distance.
func FitWeibull(x []float64) (*WeibullFit, error) {
	fitted, good, err := fit("FitWeibull", x, law.FitWeibull)
	if err != nil {
		return nil, err
	}
	l := fitted.Law.(law.Weibull)
	f := &WeibullFit{
		Scale: l.Scale, Shape: l.Shape,
		ScaleSE: fitted.Params[1].StdErr, ShapeSE: fitted.Params[0].StdErr,
		LawMean: l.Mean(), LawSCV: l.SCV(), Goodness: good,
	}
	if !finite(f.Scale, f.LawMean, f.LawSCV, f.ScaleSE, f.ShapeSE, f.LogLikelihood) || f.Scale <= 0 {
		return nil, degenerate("FitWeibull", "values spread so widely that the law's moments overflow")
	}
	return f, nil
}

// FitLogNormal returns the maximum likelihood fit of a lognormal law; values and
// errors are as those of [FitWeibull]. Note that b has n, not n − 1. The mean of
// the law is not the mean of the sample; a heavy tail can put them far apart.
func FitLogNormal(x []float64) (*LogNormalFit, error) {
	fitted, good, err := fit("FitLogNormal", x, law.FitLogNormal)
	if err != nil {
		return nil, err
	}
	l := fitted.Law.(law.LogNormal)
	f := &LogNormalFit{
		A: l.Mu, B: l.Sigma,
		ASE: fitted.Params[0].StdErr, BSE: fitted.Params[1].StdErr,
		LawMean: l.Mean(), LawSCV: l.SCV(), Goodness: good,
	}
	if !finite(f.LawMean, f.LawSCV) {
		return nil, degenerate("FitLogNormal", "the law's mean or variance overflows")
	}
	return f, nil
}

// FitExponential returns the maximum likelihood fit of an exponential law; values
// and errors are as those of [FitWeibull], but equal values are no trouble.
func FitExponential(x []float64) (*ExponentialFit, error) {
	fitted, good, err := fit("FitExponential", x, law.FitExponential)
	if err != nil {
		return nil, err
	}
	mean := fitted.Law.Mean()
	if !finite(mean, 1/mean) {
		return nil, degenerate("FitExponential", "the mean or the rate overflows")
	}
	return &ExponentialFit{Mean: mean, MeanSE: fitted.Params[0].StdErr, Goodness: good}, nil
}

// fit checks a sample, fits a law by the given method and measures the fit.
func fit(fn string, x []float64, method func(law.Observations) (law.Fit, error)) (law.Fit, Goodness, error) {
	if err := positiveSample(fn, x); err != nil {
		return law.Fit{}, Goodness{}, err
	}
	fitted, err := method(law.Observations{Durations: x})
	var domain *law.DomainError
	switch {
	case errors.As(err, &domain):
		return law.Fit{}, Goodness{}, source.Outside(fn, domain.Arg, domain.Value, domain.Want)
	case errors.Is(err, law.ErrDegenerate):
		return law.Fit{}, Goodness{}, degenerate(fn, "all values are equal")
	case err != nil:
		return law.Fit{}, Goodness{}, degenerate(fn, "values spread so widely that no law is found")
	}
	cdf := func(t float64) float64 { return -math.Expm1(fitted.Law.LogSurvival(t)) }
	ks := ksDistance(sortedCopy(x), cdf)
	return fitted, goodness(len(x), len(fitted.Params), fitted.LogLik, ks), nil
}
