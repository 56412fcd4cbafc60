package routing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A fill is the problem min Σ Fⱼ(xⱼ) with Σ xⱼ = rate, xⱼ ≥ 0 and Fⱼ convex. A
// cluster has its marginal in closed[j], or in curves[j] where that is not nil;
// closed[j] then is like it at no load and at half ([likeness]).
type fill struct {
	closed []hyperbola
	curves []curve // nil where all are closed
	low    []point // per cluster: x at the multiplier base + lowS, below the root
	high   []point // and at base + highS, above it
	last   []point // at the multiplier summed last
	lowS   float64
	highS  float64
	base   float64 // least start
	size   float64 // Σ limit
}

// A point is a rate with its slack to the limit.
type point struct{ x, slack float64 }

// likeness is the hyperbola that starts where the curve does and meets it at
// half the limit.
func likeness(c curve) hyperbola {
	l := c.limit()
	start := c.marginal(0, l)
	return hyperbola{start: start, k: 3 / (c.marginal(l/2, l/2) - start), limit: l}
}

// prepare sums the limits and finds the least start.
func (f *fill) prepare() {
	f.base = math.Inf(1)
	var size numeric.Sum
	for j := range f.closed {
		h := &f.closed[j]
		size.Add(h.limit)
		f.base = min(f.base, h.start)
	}
	f.size = size.Value()
	if f.curves == nil {
		return
	}
	f.low = make([]point, len(f.closed))
	f.high = make([]point, len(f.closed))
	f.last = make([]point, len(f.closed))
	for j := range f.closed {
		f.low[j] = point{0, f.closed[j].limit}
		f.high[j] = point{f.closed[j].limit, 0}
	}
	f.lowS, f.highS = 0, math.Inf(1)
}

// solve returns z and leaves the rates to [fill.each]. rate is within
// 0 < rate < size.
//
// The unknown is s = z − base, so that nothing is lost where z is close to the
// least start. The root is sought on the scale
//
//	y = (size/(size − Σx))² − 1
//
// on which identical clusters give a straight line in s, whether nearly idle or
// nearly saturated: the secant through the ends of the bracket is then the
// root. Σx is summed where the rate is below half the size, Σ(limit − x) above.
func (f *fill) solve(rate float64) (s float64) {
	spare := rate > f.size/2
	share := rate / f.size
	free := (f.size - rate) / f.size
	target := share * (2 - share) / (free * free)
	if spare {
		target = 1/(free*free) - 1
	}
	excess := func(s float64) float64 {
		t := f.total(s, spare) / f.size
		y := t * (2 - t) / ((1 - t) * (1 - t))
		if spare {
			y = 1/(t*t) - 1
		}
		d := target - y
		if f.curves != nil {
			f.narrow(s, d >= 0)
		}
		return d
	}
	yes, fyes := 0.0, target
	// A scale beyond the range of numbers, as of an SCV of 1e308, is no end: halving it would never come down.
	no := min(max(target*f.scale(), math.SmallestNonzeroFloat64*16), math.MaxFloat64)
	fno := excess(no)
	for fno >= 0 && no < math.MaxFloat64/16 {
		yes, fyes = no, fno
		no *= 4
		fno = excess(no)
	}
	for yes == 0 && no > 0 {
		// A first guess far above the root: shrink before interpolating.
		m := no / 16
		fm := excess(m)
		if fm >= 0 {
			yes, fyes = m, fm
			break
		}
		no, fno = m, fm
	}
	yes, _ = numeric.Bracket(excess, yes, fyes, no, fno)
	return yes
}

// scale is about ds/dy: that of a cluster with the least start.
func (f *fill) scale() float64 {
	least := math.Inf(1)
	for j := range f.closed {
		if h := &f.closed[j]; h.start == f.base && h.k > 0 {
			least = min(least, 1/h.k)
		}
	}
	if least > 0 && !math.IsInf(least, 1) {
		return least
	}
	return f.base
}

// total is Σx, or Σ(limit − x) where spare, at the multiplier base + s. Blocks
// of 16 plain terms enter a compensated sum.
func (f *fill) total(s float64, spare bool) float64 {
	var all numeric.Sum
	if f.curves != nil {
		for j := range f.closed {
			p := f.at(j, s)
			f.last[j] = p
			if spare {
				all.Add(p.slack)
			} else {
				all.Add(p.x)
			}
		}
		return all.Value()
	}
	const block = 16
	for from := 0; from < len(f.closed); from += block {
		part := 0.0
		for j := from; j < min(from+block, len(f.closed)); j++ {
			h := &f.closed[j]
			d := s - (h.start - f.base)
			switch {
			case d <= 0:
				if spare {
					part += h.limit
				}
			case h.k*d < 1e100:
				q := h.k * d
				r := math.Sqrt(1 + q)
				if spare {
					part += h.limit / r
				} else {
					part += h.limit * (q / (r * (1 + r)))
				}
			default:
				x, slack := h.rate(d)
				if spare {
					part += slack
				} else {
					part += x
				}
			}
		}
		all.Add(part)
	}
	return all.Value()
}

// at is cluster j's rate at the multiplier base + s.
func (f *fill) at(j int, s float64) point {
	h := &f.closed[j]
	d := s - (h.start - f.base)
	if d <= 0 {
		return point{0, h.limit}
	}
	if f.curves == nil || f.curves[j] == nil {
		x, slack := h.rate(d)
		return point{x, slack}
	}
	return f.invert(j, d)
}

// invert finds F′(x) = start + d between the points known to lie below and
// above. The root is sought for 1/√F′, finite everywhere and nearly a straight
// line towards saturation, in x up to half the limit and in the slack above.
func (f *fill) invert(j int, d float64) point {
	h, c := &f.closed[j], f.curves[j]
	z := h.start + d
	goal := 1 / math.Sqrt(z)
	value := func(x, slack float64) float64 { return 1/math.Sqrt(c.marginal(x, slack)) - goal }
	lo, hi := f.low[j], f.high[j]
	known := func(p point, s float64) float64 {
		if p.x == 0 {
			return 1/math.Sqrt(h.start) - goal
		}
		return 1/math.Sqrt(f.base+s) - goal
	}
	flo, fhi := known(lo, f.lowS), known(hi, f.highS)
	half := h.limit / 2
	if lo.x < half && hi.x > half {
		if v := value(half, half); v >= 0 {
			lo, flo = point{half, half}, v
		} else {
			hi, fhi = point{half, half}, v
		}
	}
	if !(flo >= 0) {
		return lo
	}
	if !(fhi < 0) {
		return hi
	}
	if hi.x <= half {
		x, _ := numeric.Bracket(func(x float64) float64 { return value(x, h.limit-x) }, lo.x, flo, hi.x, fhi)
		return point{x, h.limit - x}
	}
	y, _ := numeric.Bracket(func(y float64) float64 { return value(h.limit-y, y) }, lo.slack, flo, hi.slack, fhi)
	return point{h.limit - y, y}
}

// narrow keeps the points summed last, at s, as the nearest known on their side.
func (f *fill) narrow(s float64, below bool) {
	switch {
	case below && s > f.lowS:
		f.low, f.last, f.lowS = f.last, f.low, s
	case !below && s < f.highS:
		f.high, f.last, f.highS = f.last, f.high, s
	}
}

// each calls use for every cluster with its point at s. Where marginals have no
// closed form they can be flat to the last digit (many servers, little load),
// and x(z) then jumps: every point between those next below and above the root
// has its marginal between theirs, and the one is taken that meets the sum.
func (f *fill) each(s, rate float64, use func(j int, p point)) {
	if f.curves == nil || math.IsInf(f.highS, 1) {
		for j := range f.closed {
			use(j, f.at(j, s))
		}
		return
	}
	spare := rate > f.size/2
	var at, step numeric.Sum
	for j := range f.low {
		lo, hi := f.low[j], f.high[j]
		if spare {
			at.Add(lo.slack)
			step.Add(lo.slack - hi.slack)
		} else {
			at.Add(lo.x)
			step.Add(hi.x - lo.x)
		}
	}
	missing := rate - at.Value()
	if spare {
		missing = at.Value() - (f.size - rate)
	}
	t := 0.0
	if d := step.Value(); d > 0 {
		t = max(0, min(1, missing/d))
	}
	for j := range f.low {
		lo, hi := f.low[j], f.high[j]
		use(j, point{lo.x + t*(hi.x-lo.x), lo.slack + t*(hi.slack-lo.slack)})
	}
}
