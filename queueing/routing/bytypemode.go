package routing

import "math"

// A mode is a way in which one cluster can be at its least priced cost: a share
// y of one type, and of a second one where that keeps the ratio W/R at an end of
// its span.
type mode struct {
	i, k  int     // types; k = −1 for one type alone, i = −1 for none
	y, v  float64 // shares of i and k
	h     float64 // priced cost
	slope float64 // dv/dz of k, or dy/dz of i where it is alone
	tilt  float64 // dy/dv
}

// modes appends to list all that can be the least of
//
//	Σᵢ (cᵢ − zᵢ)yᵢ + W·R/F   over y ≥ 0, F > 0, l·R ≤ W ≤ u·R
//
// for cluster j, with its span [l, u]. With u = y/F the priced cost is below −κ
// where
//
//	κ + Σᵢ eᵢuᵢ + (Σ wᵢuᵢ)(Σ vᵢuᵢ) < 0,   eᵢ = cᵢ − zᵢ + wᵢr + κaᵢ, vᵢ = bᵢ + r·aᵢ
//
// and with Σ wᵢuᵢ held this is linear in u, as are l·R/F ≤ W/F ≤ u·R/F: one
// type has all, or two have it and the ratio is at an end. So the least is found
// among closed forms.
func (q *shareForm) modes(j int, s span, z []float64, list []mode) []mode {
	n, r := q.types, q.r[j]
	if r == 0 || s.low == 0 {
		list = append(list, mode{i: -1, k: -1})
	}
	for i := range n {
		if m, ok := q.alone(i, j, s, z[i]); ok {
			list = append(list, m)
		}
	}
	for _, t := range [2]float64{s.low, s.high} {
		if t == 0 || math.IsInf(t, 1) {
			continue
		}
		for i := range n {
			over := q.w[i] - t*q.b[j*n+i]
			if !(over > 0) {
				continue
			}
			for k := range n {
				// Of two that are over, each pair once; without r there is none.
				under := t*q.b[j*n+k] - q.w[k]
				if !(under > 0 || under < 0 && k < i && r > 0) {
					continue
				}
				if m, ok := q.pair(i, k, j, t, over, under, z); ok {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// alone is the mode of one type, not ok where there is none. A share of 0, as at
// low prices, is a mode too: if it came in only with the price at which it grows,
// the smooth bound of [prices] would fall there by a jump that no climb gets
// over. With x = 1 − ay its priced cost is
//
//	(c − z)(1 − x)/a + (w/a)((r + b/a)/x − r − 2b/a + xb/a)
//
// which is convex and least where x² = w(r + b/a)/(wb/a − c + z).
func (q *shareForm) alone(i, j int, s span, z float64) (mode, bool) {
	k := j*q.types + i
	a, b, d, w, r := q.a[k], q.b[k], q.c[k]-z, q.w[i], q.r[j]
	low, high := 0.0, 1/a
	switch {
	case r > 0 && s.low > 0:
		if !(w > s.low*b) {
			return mode{}, false
		}
		low = s.low * r / (w - s.low*b)
	case r == 0 && (w < s.low*b || w > s.high*b):
		return mode{}, false
	}
	if r > 0 && w > s.high*b {
		high = min(high, s.high*r/(w-s.high*b))
	}
	if !(low*a < 1) {
		return mode{}, false
	}
	m := mode{i: i, k: -1}
	if top, under := w*(r+b/a), w*b/a-d; under > top {
		x := math.Sqrt(top / under)
		m.y, m.slope = (1-x)/a, x/(2*a*under)
	}
	if m.y <= low {
		m.y, m.slope = low, 0
	} else if m.y >= high {
		m.y, m.slope = high, 0
	}
	m.h = m.y * (d + w*(r+b*m.y)/(1-a*m.y))
	return m, true
}

// pair is the mode of types i and k with W = tR, where over = wᵢ − tbᵢ > 0 and
// under = tb_k − w_k. Then y = (tr + under·v)/over, and in v the priced cost is
//
//	(cᵢ − zᵢ)y + (c_k − z_k)v + tR²/F,   R = R₀ + R₁v, F = f₀ − f₁v
//
// which is convex. With R = ρ − σF it is least where F² = tρ²/(tσ² − D/f₁), D
// being the slope of the first two terms. Not ok where that leaves one of the
// two out: then the other is alone.
func (q *shareForm) pair(i, k, j int, t, over, under float64, z []float64) (mode, bool) {
	p, o := j*q.types+i, j*q.types+k
	start, tilt := t*q.r[j]/over, under/over
	f0, f1 := 1-q.a[p]*start, q.a[p]*tilt+q.a[o]
	r0, r1 := q.r[j]+q.b[p]*start, q.b[p]*tilt+q.b[o]
	di, dk := q.c[p]-z[i], q.c[o]-z[k]
	slant := di*tilt + dk
	m := mode{i: i, k: k, tilt: tilt}
	if math.Abs(f1) < 1e-7*q.a[o] { // F does not change
		if !(f0 > 0 && r1 != 0) {
			return mode{}, false
		}
		m.v = -(r0 + slant*f0/(2*t*r1)) / r1
		m.slope = f0 / (2 * t * r1 * r1)
	} else {
		sigma := r1 / f1
		rho := r0 + sigma*f0
		bend := t*sigma*sigma - slant/f1
		if !(bend > 0) {
			return mode{}, false
		}
		f := math.Sqrt(t/bend) * math.Abs(rho)
		m.v = (f0 - f) / f1
		m.slope = f / (2 * f1 * f1 * bend)
	}
	m.y = start + tilt*m.v
	f, r := f0-f1*m.v, r0+r1*m.v
	if !(m.v > 0 && m.y > 0 && f > 0) {
		return mode{}, false
	}
	m.h = di*m.y + dk*m.v + t*r*r/f
	return m, true
}
