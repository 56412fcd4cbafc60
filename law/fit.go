package law

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
)

// A Parameter is an estimate with its standard error.
type Parameter struct {
	Name   string // field of the law: Scale, Shape, Mu, Sigma
	Value  float64
	StdErr float64 // from the observed information, in the unit of Value
}

// A Fit is a law fitted by maximum likelihood.
type Fit struct {
	Law          Law
	Params       []Parameter // in the order of the law's fields
	Correlation  float64     // of the two estimates; 0 for one parameter
	LogLik       float64     // log-likelihood at the maximum
	AIC          float64     // 2·(number of parameters) - 2·LogLik; less is better
	Observations int         // durations, censored ones included
	Events       int         // of which observed to the end
	Iterations   int         // of Newton's method, 0 for a closed form
}

// fit puts a Fit together; cov is the covariance of the values in the given
// units, in which it neither overflows nor underflows.
func (s *sample) fit(l Law, loglik float64, iterations int, names []string, values, units []float64,
	cov [][]float64) Fit {
	f := Fit{Law: l, LogLik: loglik, AIC: 2*float64(len(values)) - 2*loglik,
		Observations: s.n, Events: s.events, Iterations: iterations}
	for i, v := range values {
		f.Params = append(f.Params, Parameter{names[i], v, units[i] * math.Sqrt(cov[i][i])})
	}
	if len(values) == 2 {
		f.Correlation = cov[0][1] / math.Sqrt(cov[0][0]) / math.Sqrt(cov[1][1])
	}
	return f
}

// FitExponential fits an [Exponential] to right-censored durations:
//
//	Scale = Σ t / d,    standard error Scale/√d
//
// where the sum runs over all durations and d is the number observed to their
// end. No such duration returns ErrNoEvents; a sum of 0 ErrDegenerate.
func FitExponential(o Observations) (Fit, error) {
	const fn = "FitExponential"
	if err := o.check(fn); err != nil {
		return Fit{}, err
	}
	s := &sample{n: len(o.Durations)}
	top := 0.0
	for i, t := range o.Durations {
		if !o.censored(i) {
			s.events++
		}
		top = math.Max(top, t)
	}
	if s.events == 0 {
		return Fit{}, fault.New("law", fn, "", ErrNoEvents)
	}
	if top == 0 {
		return Fit{}, fault.New("law", fn, "", ErrDegenerate)
	}
	sum := 0.0
	for _, t := range o.Durations {
		sum += t / top
	}
	d := float64(s.events)
	scale := sum / d * top
	if math.IsInf(scale, 0) {
		return Fit{}, &DomainError{fn, "Durations", scale, "durations whose mean floats can hold"}
	}
	logScale := math.Log(sum/d) + math.Log(top)
	return s.fit(Exponential{scale}, -d*logScale-d, 0, []string{"Scale"},
		[]float64{scale}, []float64{scale}, [][]float64{{1 / d}}), nil
}

// A FitFailure is a law that could not be fitted and why.
type FitFailure struct {
	Law string
	Err error
}

// FitLaws fits all four laws; ctx stops it between two of them. Fits are ordered by AIC, the best first; a law
// with no maximum is among the failures. Bad durations, for which no law at
// all can be fitted, return the error of the exponential.
func FitLaws(ctx context.Context, o Observations) ([]Fit, []FitFailure, error) {
	ctx = given.Context(ctx)
	var fits []Fit
	var failures []FitFailure
	for _, law := range []struct {
		name string
		fit  func(Observations) (Fit, error)
	}{{"exponential", FitExponential}, {"weibull", FitWeibull}, {"lognormal", FitLogNormal}, {"gamma", FitGamma}} {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		f, err := law.fit(o)
		if err != nil {
			var domain *DomainError
			if len(fits) == 0 && len(failures) == 0 && (errors.As(err, &domain) || errors.Is(err, ErrNoEvents)) {
				return nil, nil, err
			}
			failures = append(failures, FitFailure{law.name, err})
			continue
		}
		fits = append(fits, f)
	}
	sort.SliceStable(fits, func(i, j int) bool { return cmp.Less(fits[i].AIC, fits[j].AIC) })
	return fits, failures, nil
}
