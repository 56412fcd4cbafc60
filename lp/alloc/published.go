package alloc

import (
	"math"
	"slices"
)

// corner is a corner of a job's concave demand-revenue curve.
type corner struct{ demand, revenue float64 }

// publishedCurve appends the corners of what one job earns in the rows as
// printed (eq. 5-7, 12-14): levels are mixed with weights that add up to at
// most 1, and only the mix must lie between the least demand and ceiling. So
// a job may mix "nothing" with a high level instead of taking its least one.
func (p *problem) publishedCurve(corners []corner, k int32, ceiling int64) []corner {
	start := len(corners)
	first, last := p.first[k], p.last[k]
	if p.skip {
		first++ // the printed rows do not know level 0
	}
	corners = append(corners, corner{0, 0})
	for l := first; l < last; l++ {
		c := corner{float64(p.dem[l]), float64(p.rev[l])}
		for n := len(corners); n > start; n-- {
			top := corners[n-1]
			if top.demand == c.demand { // only at demand 0
				corners = corners[:n-1]
				continue
			}
			if n-1 == start {
				break
			}
			below := corners[n-2]
			if (top.revenue-below.revenue)*(c.demand-top.demand) > (c.revenue-top.revenue)*(top.demand-below.demand) {
				break
			}
			corners = corners[:n-1]
		}
		if n := len(corners); n > start && c.revenue <= corners[n-1].revenue && first < l {
			continue
		}
		corners = append(corners, c)
	}
	floor := float64(p.dem[first])
	return clip(corners, start, floor, math.Max(floor, float64(ceiling)))
}

// clip cuts the curve that starts at index start to demands within lo..hi.
func clip(corners []corner, start int, lo, hi float64) []corner {
	curve := corners[start:]
	at := func(d float64) float64 {
		for i := 1; i < len(curve); i++ {
			a, b := curve[i-1], curve[i]
			if d <= b.demand {
				return a.revenue + (b.revenue-a.revenue)*(d-a.demand)/(b.demand-a.demand)
			}
		}
		return curve[len(curve)-1].revenue
	}
	end := math.Min(hi, curve[len(curve)-1].demand)
	low, high := corner{lo, at(lo)}, corner{end, at(end)}
	cut := append(corners[:start], low) // in place of the corner at 0, which goes
	for _, c := range curve {
		if c.demand > lo && c.demand < hi {
			cut = append(cut, c)
		}
	}
	if end > lo {
		cut = append(cut, high)
	}
	return cut
}

// published returns the bound of the printed rows over the summed capacity;
// ceiling holds the greatest demand allowed by job, nil for that of its last
// level. It is the dual at the best price,
//
//	min_λ λC + Σₖ max_d (fₖ(d) − λd),
//
// with Σ_j C_j·(λ − π_j)⁺ for λC where capacity has prices π,
//
// and ok is false when the least demands do not fit.
func (p *problem) published(capacity int64, ceiling []int64) (bound float64, ok bool) {
	top := func(k int32) int64 {
		if ceiling != nil {
			return ceiling[k]
		}
		return p.dem[p.last[k]-1]
	}
	var some [8]corner
	var few [16]segment
	buffer, segments := some[:0], few[:0]
	if n := p.levels(); n > len(few) {
		segments = make([]segment, 0, n)
	}
	residual := capacity
	for k := range p.first {
		buffer = p.publishedCurve(buffer[:0], int32(k), top(int32(k)))
		residual -= int64(buffer[0].demand)
		for i := 1; i < len(buffer); i++ {
			a, b := buffer[i-1], buffer[i]
			if slope := (b.revenue - a.revenue) / (b.demand - a.demand); slope > 0 {
				segments = append(segments, segment{slope: slope, extra: int64(b.demand - a.demand)})
			}
		}
	}
	if residual < 0 {
		return 0, false
	}
	dual := func(price float64) float64 {
		bound := price * float64(capacity)
		if p.price != nil {
			bound = 0
			for j, c := range p.cap {
				bound += math.Max(0, price-p.price[j]) * float64(c)
			}
		}
		for k := range p.first {
			buffer = p.publishedCurve(buffer[:0], int32(k), top(int32(k)))
			best := math.Inf(-1)
			for _, c := range buffer {
				best = math.Max(best, c.revenue-price*c.demand)
			}
			bound += best
		}
		return bound
	}
	if p.price == nil {
		return dual(breakOf(segments, residual).price), true
	}
	// Convex in the price, with corners at slopes and prices only.
	corners := slices.Clone(p.price)
	for _, s := range segments {
		corners = append(corners, s.slope)
	}
	slices.Sort(corners)
	corners = slices.Compact(corners)
	// From corner i to the next it rises by what is cheaper than both less what
	// is worth more than both.
	rises := func(i int) bool {
		spare := residual - capacity + sum(p.cap)
		for j, v := range p.price {
			if v > corners[i] {
				spare -= p.cap[j]
			}
		}
		for k := range segments {
			if segments[k].slope > corners[i] {
				spare -= segments[k].extra
			}
		}
		return spare >= 0
	}
	lo, hi := 0, len(corners)-1
	for lo < hi {
		if mid := (lo + hi) / 2; rises(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return dual(corners[lo]), true
}
