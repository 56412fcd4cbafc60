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
// widths follow the scale of E.
func DecayIntegrals(b, y, w0 float64) Decay {
	// The peak of E lies at ln(y/b) or at the left end.
	d := Decay{anchor: w0}
	if y > b {
		d.anchor = math.Max(w0, math.Log(y/b))
	}
	local := y * math.Exp(-d.anchor) // slope of E at the anchor is local − b
	if d.anchor > w0 {
		local = b
	}
	slope := b - local
	d.side(+1, math.Inf(1), b, func(s float64) float64 { return slope*s + local*Expm1mx(-s) })
	if d.anchor > w0 {
		d.side(-1, d.anchor-w0, b, func(s float64) float64 { return local * Expm1mx(s) })
	}
	total := d.sum[0]
	d.Log = y*-math.Expm1(-d.anchor) - b*d.anchor + math.Log(total)
	d.Spent, d.Left, d.WLeft, d.MeanW = d.sum[1]/total, d.sum[2]/total, d.sum[3]/total, d.sum[4]/total
	return d
}

// Density returns exp(E(w)) / ∫ exp(E) for w ≥ w0 and the b and y of the
// integrals: from the anchor, so that it keeps its digits where E is great.
func (d Decay) Density(b, y, w float64) float64 {
	local := y * math.Exp(-d.anchor)
	if y > b && d.anchor == math.Log(y/b) {
		local = b
	}
	s := w - d.anchor
	return math.Exp(-((b-local)*s + local*Expm1mx(-s))) / d.sum[0]
}

// side adds the part at anchor ± s, 0 ≤ s ≤ limit, where the exponent has
// fallen by drop(s).
func (d *Decay) side(sign, limit, b float64, drop func(float64) float64) {
	reach := reachOf(drop, 1e-3/(1+b), limit)
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
			d.sum[1] += f * -math.Expm1(-w)
			d.sum[2] += f * left
			d.sum[3] += f * w * left
			d.sum[4] += f * w
		}
		from, width = to, width*2
	}
}

// reachOf returns where the integrand ends: the s ≤ limit at which drop, convex
// and increasing from 0, has reached decayDrop, to about 3 %. start is below it.
func reachOf(drop func(float64) float64, start, limit float64) float64 {
	reach := start
	for reach < limit && drop(reach) < decayDrop {
		reach *= 2
	}
	if reach >= limit {
		return limit
	}
	lo := reach / 2
	for range 5 {
		if mid := (lo + reach) / 2; drop(mid) < decayDrop {
			lo = mid
		} else {
			reach = mid
		}
	}
	return reach
}
