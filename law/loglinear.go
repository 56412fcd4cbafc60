package law

import (
	"math"
	"sort"
)

// LogLinear is the law whose quantile function is log-linear between knots: it
// passes through given quantiles and spreads the mass between two of them
// evenly in ln t,
//
//	t(p) = T[i] (T[i+1]/T[i])^((p − P[i])/(P[i+1] − P[i])),  P[i] <= p <= P[i+1]
//
// so that all its moments are sums of closed forms, with Δ = P[i+1] − P[i]:
//
//	E[Xᵏ] = Σ Δ (T[i+1]ᵏ − T[i]ᵏ)/(k ln(T[i+1]/T[i]))
//
// It is bounded by its last knot. It is made for published quartiles, through
// which a law of two parameters that is fitted to all of them need not pass.
type LogLinear struct {
	P []float64 // 0 at first, growing, 1 at last
	T []float64 // > 0, not falling; one for each of P

	mean   float64   // E[X], by NewLogLinear; 0: not known
	shares []float64 // of the segments in it
	spans  []float64 // ln(T[i+1]/T[i])
}

// NewLogLinear checks the knots. Errors: a *DomainError for fewer than two, for
// chances that do not grow from 0 to 1, and for times that fall or are not
// positive and finite.
func NewLogLinear(p, t []float64) (LogLinear, error) {
	const fn = "NewLogLinear"
	if len(p) < 2 || len(p) != len(t) {
		return LogLinear{}, &DomainError{fn, "number of knots",
			float64(len(t)), "as many times as chances, at least two"}
	}
	if p[0] != 0 || p[len(p)-1] != 1 {
		return LogLinear{}, &DomainError{fn, "first or last chance", p[0], "0 at first and 1 at last"}
	}
	for i := range p {
		if err := positive(fn, "time", t[i]); err != nil {
			return LogLinear{}, err
		}
		if i > 0 && !(p[i] > p[i-1]) {
			return LogLinear{}, &DomainError{fn, "chance", p[i], "more than the one before it"}
		}
		if i > 0 && t[i] < t[i-1] {
			return LogLinear{}, &DomainError{fn, "time", t[i], "no less than the one before it"}
		}
	}
	l := LogLinear{P: append([]float64(nil), p...), T: append([]float64(nil), t...)}
	l.shares, l.spans = make([]float64, len(p)-1), make([]float64, len(p)-1)
	for i := range l.shares {
		l.shares[i], l.spans[i] = l.share(i), math.Log(l.T[i+1]/l.T[i])
	}
	l.mean = l.moment(1)
	return l, nil
}

// share is the part of a segment in the mean.
func (l LogLinear) share(i int) float64 {
	return (l.P[i+1] - l.P[i]) * l.T[i] * expm1Over(math.Log(l.T[i+1]/l.T[i]))
}

// stands reports whether there is a law to speak of.
func (l LogLinear) stands() bool { return len(l.P) >= 2 && len(l.P) == len(l.T) }

// Name is "log-linear".
func (l LogLinear) Name() string { return "log-linear" }

// segment returns the i with T[i] <= t < T[i+1].
func (l LogLinear) segment(t float64) int {
	return sort.Search(len(l.T), func(i int) bool { return l.T[i] > t }) - 1
}

// LogSurvival returns log P(X > t), −Inf from the last knot on.
func (l LogLinear) LogSurvival(t float64) float64 {
	if !l.stands() || math.IsNaN(t) {
		return math.NaN()
	}
	i := l.segment(t)
	switch {
	case i < 0:
		return 0
	case i >= len(l.T)-1:
		return math.Inf(-1)
	}
	return math.Log(l.above(i, t))
}

// above is the survival at a t of segment i.
func (l LogLinear) above(i int, t float64) float64 {
	left := math.Log(l.T[i+1]/t) / l.span(i) // share of the segment above t
	return 1 - l.P[i+1] + (l.P[i+1]-l.P[i])*left
}

// span is ln(T[i+1]/T[i]).
func (l LogLinear) span(i int) float64 {
	if l.spans != nil {
		return l.spans[i]
	}
	return math.Log(l.T[i+1] / l.T[i])
}

// survival is what [Survival] returns, without a logarithm and back.
func (l LogLinear) survival(t float64) float64 {
	if !l.stands() || math.IsNaN(t) {
		return math.NaN()
	}
	switch i := l.segment(t); {
	case i < 0:
		return 1
	case i >= len(l.T)-1:
		return 0
	default:
		return l.above(i, t)
	}
}

// LogDensity returns the logarithm of Δ/(t ln(T[i+1]/T[i])), −Inf outside the knots.
func (l LogLinear) LogDensity(t float64) float64 {
	if !l.stands() || math.IsNaN(t) {
		return math.NaN()
	}
	i := l.segment(t)
	if i < 0 || i >= len(l.T)-1 {
		return math.Inf(-1)
	}
	return math.Log((l.P[i+1] - l.P[i]) / (t * math.Log(l.T[i+1]/l.T[i])))
}

// Mean returns E[X].
func (l LogLinear) Mean() float64 {
	if l.mean != 0 {
		return l.mean
	}
	return l.moment(1)
}

// SCV returns the squared coefficient of variation.
func (l LogLinear) SCV() float64 {
	m := l.Mean()
	return max(0, l.moment(2)/(m*m)-1)
}

func (l LogLinear) moment(k float64) float64 {
	if !l.stands() {
		return math.NaN()
	}
	sum := 0.0
	for i := range len(l.P) - 1 {
		sum += (l.P[i+1] - l.P[i]) * math.Pow(l.T[i], k) * expm1Over(k*math.Log(l.T[i+1]/l.T[i]))
	}
	return sum
}

// expm1Over is (eˣ − 1)/x, 1 at 0: the mean of a log-uniform time over its least.
func expm1Over(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Expm1(x) / x
}

// Quantile returns the t with P(X <= t) = p, 0 <= p < 1.
func (l LogLinear) Quantile(p float64) (float64, error) {
	if err := quantileDomain("LogLinear.Quantile", p); err != nil {
		return 0, err
	}
	if !l.stands() {
		return 0, &DomainError{"LogLinear.Quantile", "number of knots",
			float64(len(l.T)), "as many times as chances, at least two"}
	}
	i := max(0, sort.Search(len(l.P), func(i int) bool { return l.P[i] > p })-1)
	i = min(i, len(l.P)-2)
	return min(l.T[i]*math.Exp(l.span(i)*((p-l.P[i])/(l.P[i+1]-l.P[i]))), l.T[i+1]), nil
}

// lengthBiased is the p-quantile of the law with density t f(t)/E[X], which is
// uniform in t between two knots.
func (l LogLinear) lengthBiased(p float64) float64 {
	left := p * l.Mean()
	for i := range len(l.P) - 1 {
		var share float64
		if l.shares != nil {
			share = l.shares[i]
		} else {
			share = l.share(i)
		}
		if left < share || i == len(l.P)-2 {
			return l.T[i] + min(1, left/share)*(l.T[i+1]-l.T[i])
		}
		left -= share
	}
	return math.NaN()
}

// meanBelow returns E[min(X, t)], the integral of the survival up to t.
func (l LogLinear) meanBelow(t float64) float64 {
	sum := 0.0
	for i := range len(l.P) - 1 {
		a, b, share := l.T[i], l.T[i+1], l.P[i+1]-l.P[i]
		switch {
		case t <= a:
			sum += share * t
		case t < b:
			sum += share * (t - a + t*math.Log(b/t)) / l.span(i)
		case l.shares != nil:
			sum += l.shares[i]
		default:
			sum += l.share(i)
		}
	}
	return sum
}
