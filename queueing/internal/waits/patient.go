package waits

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// MostPatient bounds λ/θ and nμ/θ.
const MostPatient = 1e18

// Patient is the law of the actual wait in M/M/n+M.
type Patient struct {
	Y, B, Patience float64
	Wait, Idle     float64 // P(V > 0) and P(V = 0)
	Whole          numeric.Decay
	Decay          Decaying
}

// Tail: P(W > t) = e^(−θt) P(V > t).
func (l *Patient) Tail(t float64) float64 {
	w := t / l.Patience
	late := l.Decay(l.B, l.Y, w)
	return l.Wait * math.Exp(late.Log-l.Whole.Log-w)
}

func (l *Patient) ServedAtOnce() float64 { return l.Idle }

// ServedDensity is that of V, of those whom it does not drive away: e^(−θt)·v(t).
func (l *Patient) ServedDensity(t float64) float64 {
	w := t / l.Patience
	return l.Wait / l.Patience * l.Whole.Density(l.B, l.Y, w) * math.Exp(-w)
}

func (l *Patient) ServedPeak() (at, width float64) {
	width = l.Patience / (1 + math.Max(math.Abs(l.B-l.Y), math.Sqrt(l.B)))
	if l.Y > l.B {
		at = l.Patience * math.Log(l.Y/l.B)
		width = l.Patience / math.Sqrt(1+l.B)
	}
	return at, width
}

func (l *Patient) Quantile(p float64) float64 {
	if 1-p >= l.Wait {
		return 0
	}
	limit := math.Log1p(-p)
	over := func(t float64) float64 { return math.Log(l.Tail(t)) - limit }
	// The wait is below the patience law's own percentile.
	hi := -limit * l.Patience
	fhi := over(hi)
	if fhi >= 0 {
		return hi
	}
	t, _ := numeric.Bracket(over, 0, math.Log(l.Wait)-limit, hi, fhi)
	return t
}

// ServedLate: P(served, W > t) = P(V > 0)·∫ₜ^∞ e^(−θx) dP(V ≤ x | V > 0).
func (l *Patient) ServedLate(t float64) float64 {
	late := l.Decay(l.B, l.Y, t/l.Patience)
	return l.Wait * math.Exp(late.Log-l.Whole.Log) * late.Left
}

// Decaying gives the integrals of those who wait and may give up.
type Decaying func(b, y, w0 float64) numeric.Decay
