package pool

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/law"
)

// A Law is the law of a time or an amount that a run draws: those of package law
// that draw, and those of this package.
type Law interface {
	Mean() float64
	// Draw returns a value.
	Draw(*rand.Rand) float64
	// DrawCovering returns a value of the law of the interval that a moment picked
	// at random falls into, density x·f(x)/mean: what is left of it is that times
	// a uniform number.
	DrawCovering(*rand.Rand) float64
}

// Constant is always the same.
type Constant float64

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
func LogNormalOf(mean, cv float64) law.LogNormal {
	s2 := math.Log1p(cv * cv)
	return law.LogNormal{Mu: math.Log(mean) - s2/2, Sigma: math.Sqrt(s2)}
}

// checkLaw says what of a law lies outside its domain.
func checkLaw(fn, arg string, l Law) error {
	switch l := l.(type) {
	case nil:
		return &DomainError{fn, arg, 0, "a law"}
	case interface{ check(fn, arg string) error }:
		return l.check(fn, arg)
	case law.Weibull:
		if err := positive(fn, "shape of "+arg, l.Shape); err != nil {
			return err
		}
	case law.Gamma:
		if err := positive(fn, "shape of "+arg, l.Shape); err != nil {
			return err
		}
	case law.LogNormal:
		if !(l.Sigma >= 0) {
			return &DomainError{fn, "sigma of " + arg, l.Sigma, "sigma >= 0"}
		}
	}
	return positive(fn, "mean of "+arg, l.Mean())
}

func (l Constant) Mean() float64                   { return float64(l) }
func (l Constant) Draw(*rand.Rand) float64         { return float64(l) }
func (l Constant) DrawCovering(*rand.Rand) float64 { return float64(l) }
func (l Constant) check(fn, arg string) error      { return positive(fn, arg, float64(l)) }
func (l Empirical) Mean() float64 {
	sum := 0.0
	for _, v := range l {
		sum += v
	}
	return sum / float64(len(l))
}

// Draw returns one of the values, NaN where there is none.
func (l Empirical) Draw(r *rand.Rand) float64 {
	if r == nil || len(l) == 0 {
		return math.NaN()
	}
	return l[r.IntN(len(l))]
}

// DrawCovering draws by rejection, against the greatest value.
func (l Empirical) DrawCovering(r *rand.Rand) float64 {
	if r == nil || l.check("", "") != nil {
		return math.NaN()
	}
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
	if !m.whole() {
		return math.NaN()
	}
	sum := 0.0
	for _, b := range m {
		sum += b.Chance * b.Law.Mean()
	}
	return sum
}

// whole reports whether there are branches, each with a law.
func (m Mixture) whole() bool {
	return len(m) > 0 && !slices.ContainsFunc(m, func(b Branch) bool { return b.Law == nil })
}

// Draw returns a value of one of the branches, NaN where one has no law.
func (m Mixture) Draw(r *rand.Rand) float64 {
	if r == nil || !m.whole() {
		return math.NaN()
	}
	u := r.Float64()
	for _, b := range m[:len(m)-1] {
		if u -= b.Chance; u < 0 {
			return b.Law.Draw(r)
		}
	}
	return m[len(m)-1].Law.Draw(r)
}

// DrawCovering takes a branch by its share of the mean.
func (m Mixture) DrawCovering(r *rand.Rand) float64 {
	if r == nil || !m.whole() {
		return math.NaN()
	}
	u := r.Float64() * m.Mean()
	for _, b := range m[:len(m)-1] {
		if u -= b.Chance * b.Law.Mean(); u < 0 {
			return b.Law.DrawCovering(r)
		}
	}
	return m[len(m)-1].Law.DrawCovering(r)
}

func (m Mixture) check(fn, arg string) error {
	sum := 0.0
	for _, b := range m {
		if !(b.Chance >= 0) || b.Law == nil {
			return &DomainError{fn, "chance in " + arg, b.Chance, "chances >= 0, each of a law"}
		}
		if err := checkLaw(fn, arg, b.Law); err != nil {
			return err
		}
		sum += b.Chance
	}
	if !(math.Abs(sum-1) <= 1e-9) {
		return &DomainError{fn, "sum of the chances in " + arg, sum, "1"}
	}
	return nil
}
