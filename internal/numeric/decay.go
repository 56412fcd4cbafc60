package numeric

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// Decay holds the integrals over w from w0 to ∞ of exp(E(w)) with
//
//	E(w) = y(1 − e^(−w)) − bw,   y ≥ 0, b > 0,
//
// alone and weighted. They are what an M/M/n+M queue is made of; the first is
// e^y y^(−b) γ(b, y) for w0 = 0.
type Decay struct {
	Log    float64 // ln ∫ exp(E)
	Spent  float64 // ∫ (1 − e^(−w)) exp(E) / ∫ exp(E)
	Left   float64 // ∫ e^(−w) exp(E) / ∫ exp(E)
	WLeft  float64 // ∫ w e^(−w) exp(E) / ∫ exp(E)
	MeanW  float64 // ∫ w exp(E) / ∫ exp(E)
	anchor float64
	sum    [5]float64
}

const (
	decayDrop = 42.0 // exp(-42) ≈ 6e-19: where the integrand ends
	saturated = 40.0 // from here on e^(-w) no longer counts beside 1
)

var legendre = sync.OnceValues(func() (x, w []float64) {
	x, w = make([]float64, 32), make([]float64, 32)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	return x, w
})

// DecayIntegrals evaluates [Decay] to about 1e-14 relative, whatever the size
// of b and y: E is concave, so the integral is taken from its peak outwards to
// where the integrand has fallen by exp(-42), by Gauss-Legendre panels whose
// widths follow the scale of E. A b below 1e-307 counts as that: 1/b, all that it brings,
// would leave the range of floats.
func DecayIntegrals(b, y, w0 float64) Decay {
	b = max(b, 1e-307)
	// The peak of E lies at ln(y/b) or at the left end.
	d := Decay{anchor: w0}
	if y > b {
		d.anchor = math.Max(w0, logRatio(y, b))
	}
	local := y * math.Exp(-d.anchor) // slope of E at the anchor is local − b
	if d.anchor > w0 {
		local = b
	}
	slope := b - local
	d.side(+1, math.Inf(1), b, slope, local)
	if d.anchor > w0 {
		d.side(-1, d.anchor-w0, b, 0, local)
	}
	total := d.sum[0]
	d.Log = y*-math.Expm1(-d.anchor) - b*d.anchor + math.Log(total)
	d.Spent, d.Left, d.WLeft, d.MeanW = d.sum[1]/total, d.sum[2]/total, d.sum[3]/total, d.sum[4]/total
	return d
}

// logRatio returns ln(y/b), also where y/b leaves the range of floats.
func logRatio(y, b float64) float64 {
	if r := y / b; !math.IsInf(r, 1) {
		return math.Log(r)
	}
	return math.Log(y) - math.Log(b)
}

// Density returns exp(E(w)) / ∫ exp(E) for w ≥ w0 and the b and y of the
// integrals: from the anchor, so that it keeps its digits where E is great.
func (d Decay) Density(b, y, w float64) float64 {
	local := y * math.Exp(-d.anchor)
	if y > b && d.anchor == logRatio(y, b) {
		local = b
	}
	s := w - d.anchor
	return math.Exp(-((b-local)*s + local*Expm1mx(-s))) / d.sum[0]
}

// side adds the part at anchor ± s, 0 ≤ s ≤ limit, where the exponent has fallen by
// slope·s + local·(e^(∓s) − 1 ± s).
func (d *Decay) side(sign, limit, b, slope, local float64) {
	drop, reach := exponentialFall(-sign, slope, local, limit)
	x, wt := legendre()
	from, width := 0.0, 2.0
	for from < reach {
		if sign > 0 && from >= saturated {
			// E is a straight line from here on: closed form.
			f := math.Exp(-drop(from)) / b
			w := d.anchor + from
			d.sum[0] += f
			d.sum[1] += f
			d.sum[4] += f * (w + 1/b)
			return
		}
		to := math.Min(from+width, reach)
		if sign > 0 && to > saturated {
			to = math.Max(saturated, from+1e-9)
		}
		for i, xi := range x {
			s := from + (to-from)*xi
			f := wt[i] * (to - from) * math.Exp(-drop(s))
			w := d.anchor + sign*s
			left := math.Exp(-w)
			d.sum[0] += f
			if w > 0.5 {
				d.sum[1] += f * (1 - left)
			} else {
				d.sum[1] += f * -math.Expm1(-w)
			}
			d.sum[2] += f * left
			d.sum[3] += f * w * left
			d.sum[4] += f * w
		}
		from, width = to, width*2
	}
}

// reachOf returns where the integrand ends: the s ≤ limit at which drop, convex and
// increasing from 0, has reached decayDrop to a twentieth more. Newton's steps with its
// derivative steepness, once beyond the end, come back to it without passing it.
func reachOf(drop, steepness func(float64) float64, guess, limit float64) float64 {
	if !math.IsInf(limit, 1) && drop(limit) <= decayDrop {
		return limit
	}
	s := min(guess, limit)
	if !(s > 0) { // a bend beyond the range of floats
		s = min(limit, math.MaxFloat64)
	}
	for range 100 {
		over := drop(s) - decayDrop
		if over >= 0 && over <= 0.05*decayDrop {
			break
		}
		s = min(s-over/steepness(s), limit, math.MaxFloat64)
	}
	return s
}

// exponentialFall returns how far an exponent slope·s + bend·(e^(±s) − 1 ∓ s) has fallen at s, and
// the s ≤ limit at which the integrand ends.
func exponentialFall(sign, slope, bend, limit float64) (drop func(s float64) float64, reach float64) {
	drop = func(s float64) float64 { return slope*s + bend*Expm1mx(sign*s) }
	steepness := func(s float64) float64 { return slope + sign*bend*math.Expm1(sign*s) }
	guess := parabolaEnd(slope, bend)
	if sign > 0 {
		guess = min(guess, exponentialEnd(bend))
		if bend < 1e-280 { // beside which eˢ may leave the range of floats
			log := math.Log(bend)
			drop = func(s float64) float64 { return slope*s + math.Exp(s+log) - bend*(1+s) }
			steepness = func(s float64) float64 { return slope + math.Exp(s+log) - bend }
		}
	}
	return drop, reachOf(drop, steepness, guess, limit)
}

// parabolaEnd returns where slope·s + bend·s²/2 reaches decayDrop.
func parabolaEnd(slope, bend float64) float64 {
	return 2 * decayDrop / (slope + math.Sqrt(slope*slope+2*decayDrop*bend))
}

// exponentialEnd returns an s, no less and not much greater than that at which
// bend·(eˢ − 1 − s) reaches decayDrop.
func exponentialEnd(bend float64) float64 {
	return min(parabolaEnd(0, bend), math.Log(3*bend+2*decayDrop)-math.Log(bend))
}
