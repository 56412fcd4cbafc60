package law

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Law is a law of lifetimes on t >= 0. Times below 0 count as 0. The
// parameters of its concrete types are to be positive and finite (Mu: finite);
// of others the answers are NaN or a *DomainError.
type Law interface {
	// Name is "exponential", "weibull", "lognormal", "gamma" or "log-linear".
	Name() string
	// LogSurvival returns log P(X > t).
	LogSurvival(t float64) float64
	// LogDensity returns the logarithm of the density at t.
	LogDensity(t float64) float64
	// Mean returns E[X].
	Mean() float64
	// SCV returns the squared coefficient of variation Var X/E[X]².
	SCV() float64
	// Quantile returns the t with P(X <= t) = p, 0 <= p < 1; a p outside
	// returns a *DomainError.
	Quantile(p float64) (float64, error)
}

// Survival returns P(X > t), NaN without a law.
func Survival(l Law, t float64) float64 {
	if l == nil {
		return math.NaN()
	}
	if l, ok := l.(interface{ survival(float64) float64 }); ok {
		return l.survival(t)
	}
	return math.Exp(l.LogSurvival(t))
}

// Hazard returns the failure rate at t of a component alive at t, density over
// survival; it may be +Inf at t = 0. Without a law it is NaN.
func Hazard(l Law, t float64) float64 {
	if l == nil {
		return math.NaN()
	}
	if h, ok := l.(interface{ hazard(float64) float64 }); ok {
		return h.hazard(math.Max(0, t))
	}
	return math.Exp(l.LogDensity(t) - l.LogSurvival(t))
}

func quantileDomain(fn string, p float64) error {
	if !(p >= 0 && p < 1) {
		return &DomainError{fn, "p", p, "0 <= p < 1"}
	}
	return nil
}

// Exponential has survival e^(-t/Scale).
type Exponential struct {
	Scale float64 // mean, > 0
}

func (l Exponential) Name() string                  { return "exponential" }
func (l Exponential) LogSurvival(t float64) float64 { return -math.Max(0, t) / l.Scale }
func (l Exponential) LogDensity(t float64) float64 {
	return -math.Max(0, t)/l.Scale - math.Log(l.Scale)
}
func (l Exponential) Mean() float64          { return l.Scale }
func (l Exponential) SCV() float64           { return 1 }
func (l Exponential) hazard(float64) float64 { return 1 / l.Scale }
func (l Exponential) Quantile(p float64) (float64, error) {
	if err := quantileDomain("Exponential.Quantile", p); err != nil {
		return 0, err
	}
	return -l.Scale * math.Log1p(-p), nil
}

// Weibull has survival exp(-(t/Scale)^Shape).
type Weibull struct {
	Shape float64 // > 0; below 1 the hazard falls, above 1 it rises
	Scale float64 // > 0, the 63 % point
}

func (l Weibull) Name() string { return "weibull" }
func (l Weibull) LogSurvival(t float64) float64 {
	return -math.Pow(math.Max(0, t)/l.Scale, l.Shape)
}
func (l Weibull) LogDensity(t float64) float64 {
	s := l.LogSurvival(t)
	if math.IsInf(s, -1) {
		return s
	}
	return l.logHazard(math.Max(0, t)) + s
}
func (l Weibull) logHazard(t float64) float64 {
	h := math.Log(l.Shape) - math.Log(l.Scale)
	if l.Shape != 1 {
		h += (l.Shape - 1) * (math.Log(t) - math.Log(l.Scale))
	}
	return h
}
func (l Weibull) hazard(t float64) float64 { return math.Exp(l.logHazard(t)) }
func (l Weibull) Mean() float64 {
	lg, _ := math.Lgamma(1 + 1/l.Shape)
	return l.Scale * math.Exp(lg)
}

// SCV returns Γ(1 + 2/Shape)/Γ(1 + 1/Shape)² − 1.
func (l Weibull) SCV() float64 {
	second, _ := math.Lgamma(1 + 2/l.Shape)
	first, _ := math.Lgamma(1 + 1/l.Shape)
	return max(0, math.Expm1(second-2*first))
}
func (l Weibull) Quantile(p float64) (float64, error) {
	if err := quantileDomain("Weibull.Quantile", p); err != nil {
		return 0, err
	}
	return l.Scale * math.Pow(-math.Log1p(-p), 1/l.Shape), nil
}

// LogNormal is the law of e^N with N normal.
type LogNormal struct {
	Mu    float64 // mean of log t
	Sigma float64 // standard deviation of log t, > 0
}

func (l LogNormal) Name() string { return "lognormal" }
func (l LogNormal) z(t float64) float64 {
	return (math.Log(math.Max(0, t)) - l.Mu) / l.Sigma
}
func (l LogNormal) LogSurvival(t float64) float64 { return logNormalTail(l.z(t)) }
func (l LogNormal) LogDensity(t float64) float64 {
	if t <= 0 {
		return math.Inf(-1)
	}
	z := l.z(t)
	return -z*z/2 - math.Log(l.Sigma) - math.Log(t) - 0.5*math.Log(2*math.Pi)
}
func (l LogNormal) hazard(t float64) float64 {
	if t == 0 {
		return 0
	}
	return normalHazard(l.z(t)) / l.Sigma / t
}
func (l LogNormal) Mean() float64 { return math.Exp(l.Mu + l.Sigma*l.Sigma/2) }

// SCV returns e^(Sigma²) − 1.
func (l LogNormal) SCV() float64 { return math.Expm1(l.Sigma * l.Sigma) }
func (l LogNormal) Quantile(p float64) (float64, error) {
	if err := quantileDomain("LogNormal.Quantile", p); err != nil {
		return 0, err
	}
	return math.Exp(l.Mu + l.Sigma*distuv.UnitNormal.Quantile(p)), nil
}

// Gamma has density t^(Shape-1) e^(-t/Scale) / (Γ(Shape) Scale^Shape).
type Gamma struct {
	Shape float64 // > 0
	Scale float64 // > 0; the mean is Shape·Scale
}

// stands reports whether the parameters are those of a law. The special functions beneath panic or
// run on if they are not.
func (l Gamma) stands() bool {
	return l.Shape > 0 && l.Scale > 0 && !math.IsInf(l.Shape, 1) && !math.IsInf(l.Scale, 1)
}

func (l Gamma) Name() string { return "gamma" }
func (l Gamma) LogSurvival(t float64) float64 {
	if !l.stands() || math.IsNaN(t) {
		return math.NaN()
	}
	t = math.Max(0, t)
	return logGammaTail(l.Shape, t/l.Scale, math.Log(t)-math.Log(l.Scale))
}
func (l Gamma) LogDensity(t float64) float64 {
	if !l.stands() {
		return math.NaN()
	}
	if t <= 0 {
		switch {
		case l.Shape < 1:
			return math.Inf(1)
		case l.Shape > 1:
			return math.Inf(-1)
		}
		return -math.Log(l.Scale)
	}
	// With r = t/mean: k (log r - r + 1) + k log k - k - log Γ(k) - log t.
	k, logR := l.Shape, math.Log(t)-math.Log(l.Scale)-math.Log(l.Shape)
	if m := k * l.Scale; math.Abs(t-m) < 0.5*m {
		logR = math.Log1p((t - m) / m)
	}
	return gammaNormaliser(k) - k*expGap(logR) - math.Log(t)
}
func (l Gamma) hazard(t float64) float64 {
	if z := t / l.Scale; l.stands() && z > 2*l.Shape+20 { // z^(k-1) e^(-z)/Γ(k, z), without the exponents
		return 1 / (t * gammaFraction(l.Shape, z))
	}
	return math.Exp(l.LogDensity(t) - l.LogSurvival(t))
}
func (l Gamma) Mean() float64 { return l.Shape * l.Scale }
func (l Gamma) SCV() float64  { return 1 / l.Shape }
func (l Gamma) Quantile(p float64) (float64, error) {
	if err := quantileDomain("Gamma.Quantile", p); err != nil {
		return 0, err
	}
	if !l.stands() {
		return 0, &DomainError{"Gamma.Quantile", "shape or scale", math.Min(l.Shape, l.Scale), "positive and finite"}
	}
	if p == 0 {
		return 0, nil
	}
	if z, ok := l.nearby(p); ok {
		return l.Scale * z, nil
	}
	// P(k, z) <= z^k/Γ(k+1) bounds log z from below; bisection from there.
	lg, _ := math.Lgamma(l.Shape + 1)
	lo := (math.Log(p) + lg) / l.Shape
	width := 1.0
	if math.IsInf(lo, 0) {
		return 0, &DomainError{"Gamma.Quantile", "shape", l.Shape, "a shape whose quantiles are numbers"}
	}
	for !l.atLeast(lo+width, p) && width < math.MaxFloat64/2 {
		width *= 2
	}
	lo, width = l.narrow(lo, width, p)
	for range 200 {
		mid := lo + width/2
		if mid == lo || mid == lo+width {
			break
		}
		width /= 2
		if !l.atLeast(mid, p) {
			lo = mid
		}
	}
	return math.Exp(lo + width + math.Log(l.Scale)), nil
}

// narrow narrows what the bisection of Quantile begins with by steps of Newton, in log z
// of log P(k, z) or of log Q(k, z), whichever is the lesser chance; where these do not
// settle it is left as it is.
func (l Gamma) narrow(lo, width, p float64) (float64, float64) {
	lg, _ := math.Lgamma(l.Shape)
	x, settled := lo+width/2, false
	for range 12 {
		z := math.Exp(x)
		var at, want, sign float64
		if p < 0.5 {
			at, want, sign = math.Log(mathext.GammaIncReg(l.Shape, z)), math.Log(p), 1
		} else {
			at, want, sign = logGammaTail(l.Shape, z, x), math.Log1p(-p), -1
		}
		step := sign * (want - at) / math.Exp(l.Shape*x-z-lg-at)
		switch next := x + step; {
		case next <= lo:
			x = (x + lo) / 2
			continue
		case next >= lo+width:
			x = (x + lo + width) / 2
			continue
		default: // and NaN, which does not settle
			x = next
		}
		if math.Abs(step) < 1e-12*max(1, math.Abs(x)) {
			settled = true
			break
		}
	}
	near := 1e-14 * max(1, math.Abs(x))
	if settled && x-near > lo && x+near < lo+width && l.atLeast(x+near, p) && !l.atLeast(x-near, p) {
		return x - near, 2 * near
	}
	return lo, width
}

// atLeast reports whether P(X <= Scale·e^logZ) >= p.
func (l Gamma) atLeast(logZ, p float64) bool {
	z := math.Exp(logZ)
	if p < 0.5 && z > 1e-290 {
		return mathext.GammaIncReg(l.Shape, z) >= p
	}
	return logGammaTail(l.Shape, z, logZ) <= math.Log1p(-p)
}
