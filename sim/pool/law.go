package pool

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// A Law is the law of a time or an amount that a run draws.
type Law interface {
	Mean() float64
	// Draw returns a value.
	Draw(*rand.Rand) float64
	// Biased returns a value of the law of the interval that a moment picked at
	// random falls into, density x·f(x)/mean: what is left of it is that times
	// a uniform number.
	Biased(*rand.Rand) float64
	check(fn, arg string) error
}

// Constant is always the same.
type Constant float64

// Exponential is the exponential law, by its mean.
type Exponential float64

// Weibull is the Weibull law, P(X > t) = exp(−(t/Scale)^Shape).
type Weibull struct{ Shape, Scale float64 }

// LogNormal is the law of exp(Mu + Sigma·Z), Z standard normal.
type LogNormal struct{ Mu, Sigma float64 }

// Gamma is the gamma law.
type Gamma struct{ Shape, Scale float64 }

// Empirical takes each of the values as likely as the others.
type Empirical []float64

// A Branch is one law of a [Mixture], with the chance that it is the one.
type Branch struct {
	Chance float64
	Law    Law
}

// Mixture draws a branch, then its law; hyperexponential where these are
// exponential. The chances add up to 1.
type Mixture []Branch

// LogNormalOf returns the lognormal law of a mean and a coefficient of variation.
func LogNormalOf(mean, cv float64) LogNormal {
	s2 := math.Log1p(cv * cv)
	return LogNormal{math.Log(mean) - s2/2, math.Sqrt(s2)}
}

func (l Constant) Mean() float64                { return float64(l) }
func (l Constant) Draw(*rand.Rand) float64      { return float64(l) }
func (l Constant) Biased(*rand.Rand) float64    { return float64(l) }
func (l Constant) check(fn, arg string) error   { return positive(fn, arg, float64(l)) }
func (l Exponential) Mean() float64             { return float64(l) }
func (l Exponential) Draw(r *rand.Rand) float64 { return r.ExpFloat64() * float64(l) }
func (l Exponential) check(fn, arg string) error {
	return positive(fn, "mean of "+arg, float64(l))
}

// Biased: x·e^(−x) is a gamma law of shape 2.
func (l Exponential) Biased(r *rand.Rand) float64 {
	return (r.ExpFloat64() + r.ExpFloat64()) * float64(l)
}

func (l Weibull) Mean() float64 { return l.Scale * math.Gamma(1+1/l.Shape) }
func (l Weibull) Draw(r *rand.Rand) float64 {
	return l.Scale * math.Pow(r.ExpFloat64(), 1/l.Shape)
}

// Biased: (X/Scale)^Shape has then a gamma law of shape 1 + 1/Shape.
func (l Weibull) Biased(r *rand.Rand) float64 {
	return l.Scale * math.Pow(drawGamma(r, 1+1/l.Shape), 1/l.Shape)
}
func (l Weibull) check(fn, arg string) error {
	if err := positive(fn, "shape of "+arg, l.Shape); err != nil {
		return err
	}
	return positive(fn, "mean of "+arg, l.Mean())
}

func (l LogNormal) Mean() float64             { return math.Exp(l.Mu + l.Sigma*l.Sigma/2) }
func (l LogNormal) Draw(r *rand.Rand) float64 { return math.Exp(l.Mu + l.Sigma*r.NormFloat64()) }
func (l LogNormal) check(fn, arg string) error {
	if !(l.Sigma >= 0) {
		return &DomainError{fn, "sigma of " + arg, l.Sigma, "sigma >= 0"}
	}
	return positive(fn, "mean of "+arg, l.Mean())
}

// Biased: mu grows by sigma².
func (l LogNormal) Biased(r *rand.Rand) float64 {
	return math.Exp(l.Mu + l.Sigma*(l.Sigma+r.NormFloat64()))
}

func (l Gamma) Mean() float64               { return l.Shape * l.Scale }
func (l Gamma) Draw(r *rand.Rand) float64   { return l.Scale * drawGamma(r, l.Shape) }
func (l Gamma) Biased(r *rand.Rand) float64 { return l.Scale * drawGamma(r, l.Shape+1) }
func (l Gamma) check(fn, arg string) error {
	if err := positive(fn, "shape of "+arg, l.Shape); err != nil {
		return err
	}
	return positive(fn, "mean of "+arg, l.Mean())
}

func (l Empirical) Mean() float64 {
	sum := 0.0
	for _, v := range l {
		sum += v
	}
	return sum / float64(len(l))
}
func (l Empirical) Draw(r *rand.Rand) float64 { return l[r.IntN(len(l))] }

// Biased draws by rejection, against the greatest value.
func (l Empirical) Biased(r *rand.Rand) float64 {
	most := slices.Max(l)
	for {
		if v := l.Draw(r); r.Float64()*most <= v {
			return v
		}
	}
}
func (l Empirical) check(fn, arg string) error {
	if len(l) == 0 {
		return &DomainError{fn, "values of " + arg, 0, "at least one"}
	}
	for i, v := range l {
		if !(v >= 0) || math.IsInf(v, 1) {
			return &DomainError{fn, fmt.Sprintf("value %d of %s", i+1, arg), v, "finite values >= 0"}
		}
	}
	return positive(fn, "mean of "+arg, l.Mean())
}

func (m Mixture) Mean() float64 {
	sum := 0.0
	for _, b := range m {
		sum += b.Chance * b.Law.Mean()
	}
	return sum
}

func (m Mixture) Draw(r *rand.Rand) float64 {
	u := r.Float64()
	for _, b := range m[:len(m)-1] {
		if u -= b.Chance; u < 0 {
			return b.Law.Draw(r)
		}
	}
	return m[len(m)-1].Law.Draw(r)
}

// Biased takes a branch by its share of the mean.
func (m Mixture) Biased(r *rand.Rand) float64 {
	u := r.Float64() * m.Mean()
	for _, b := range m[:len(m)-1] {
		if u -= b.Chance * b.Law.Mean(); u < 0 {
			return b.Law.Biased(r)
		}
	}
	return m[len(m)-1].Law.Biased(r)
}

func (m Mixture) check(fn, arg string) error {
	sum := 0.0
	for _, b := range m {
		if !(b.Chance >= 0) || b.Law == nil {
			return &DomainError{fn, "chance in " + arg, b.Chance, "chances >= 0, each of a law"}
		}
		if err := b.Law.check(fn, arg); err != nil {
			return err
		}
		sum += b.Chance
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return &DomainError{fn, "sum of the chances in " + arg, sum, "1"}
	}
	return nil
}

// drawGamma draws from the gamma law of a shape and scale 1. Source: Marsaglia &
// Tsang, A simple method for generating gamma variables, ACM TOMS 26, 2000.
func drawGamma(r *rand.Rand, shape float64) float64 {
	if shape < 1 {
		return drawGamma(r, shape+1) * math.Pow(1-r.Float64(), 1/shape)
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-r.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}
