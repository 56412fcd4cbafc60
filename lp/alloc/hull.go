package alloc

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// segment is one step along the upper concave hull of a job's levels: more
// demand for more revenue, steps of a job in falling order of slope.
type segment struct {
	slope    float64 // more / extra
	extra    int64   // demand, > 0
	more     int64   // revenue, > 0
	job      int32
	from, to int32 // levels
}

// hull appends the segments of one job's hull from its least level on. Levels
// below the hull are left out, and so is everything beyond the last level that
// adds revenue. Source: Sinha, Zoltners, The multiple-choice knapsack problem,
// Oper. Res. 27, 1979.
func (p *problem) hull(segments []segment, k int32) []segment { return p.hullAt(segments, k, 0) }

// hullAt is hull with a price charged for each unit of demand.
func (p *problem) hullAt(segments []segment, k int32, price int64) []segment {
	start := len(segments)
	at := p.first[k]
	for l := at + 1; l < p.last[k]; l++ {
		if p.rev[l]-p.rev[at] <= price*(p.dem[l]-p.dem[at]) {
			continue
		}
		s := p.step(k, at, l, price)
		for len(segments) > start && segments[len(segments)-1].slope <= s.slope {
			s = p.step(k, segments[len(segments)-1].from, l, price)
			segments = segments[:len(segments)-1]
		}
		segments = append(segments, s)
		at = l
	}
	return segments
}

func (p *problem) step(k, from, to int32, price int64) segment {
	extra := p.dem[to] - p.dem[from]
	more := p.rev[to] - p.rev[from] - price*extra
	return segment{float64(more) / float64(extra), extra, more, k, from, to}
}

// hulls returns the segments of all jobs, built on all cores; of few jobs in a room that is given, if they fit.
func (p *problem) hulls(segments []segment) []segment {
	n := p.jobs()
	const grain = 1 << 15
	if n <= grain {
		if cap(segments) < 3*n {
			segments = make([]segment, 0, 3*n)
		}
		for k := range n {
			segments = p.hull(segments, int32(k))
		}
		return segments
	}
	workers := min(runtime.GOMAXPROCS(0), (n+grain-1)/grain)
	// A job has fewer segments than levels.
	all := make([]segment, len(p.dem)-n)
	parts := make([][]segment, workers)
	_ = parallel.Each(context.Background(), workers, workers, func(w int) error {
		from, to := n*w/workers, n*(w+1)/workers
		at := int(p.first[from]) - from
		part := all[at : at : int(p.last[to-1])-to]
		for k := from; k < to; k++ {
			part = p.hull(part, int32(k))
		}
		parts[w] = part
		return nil
	})
	length := 0
	for _, part := range parts {
		length += copy(all[length:], part)
	}
	return all[:length]
}

// relaxation is the optimum of a linear multiple-choice knapsack: every job
// takes a mix of its levels, demands fit one capacity.
type relaxation struct {
	bound float64 // revenue
	// revenue that one more unit of capacity would bring, itself at no price; 0 when every job has
	// its greatest useful level
	price float64
}

// relax solves the multiple-choice knapsack's linear relaxation over the
// summed capacity. Base demands must fit. Linear time: the break is found by
// selection, not by sorting. Source: Zemel, An O(n) algorithm for the linear
// multiple choice knapsack problem, Inf. Proc. Lett. 18, 1984; Dyer, Math.
// Programming 29, 1984.
func (p *problem) relax(capacity int64) relaxation {
	if p.price != nil {
		return p.relaxPriced(capacity)
	}
	residual := capacity
	var base int64
	for _, l := range p.first {
		residual -= p.dem[l]
		base += p.rev[l]
	}
	b, ok := breakPoint{}, false
	if p.jobs() >= 1<<15 {
		b, ok = p.sampledBreak(residual)
	}
	if !ok {
		var few [24]segment
		b = breakOf(p.hulls(few[:0]), residual)
	}
	return relaxation{
		bound: float64(base+b.revenue) + b.price*float64(b.residual),
		price: b.price,
	}
}

// breakPoint is where the segments taken in falling order of slope use up a
// capacity.
type breakPoint struct {
	revenue  int64   // of the whole segments taken
	residual int64   // capacity left for part of a segment of slope price
	price    float64 // 0 when all segments fit
}

// breakOf reorders segments and finds where they exceed the residual
// capacity, in expected linear time.
func breakOf(segments []segment, residual int64) breakPoint {
	b := breakPoint{residual: residual}
	for len(segments) > 0 {
		pivot := pivotOf(segments)
		// Three ways: steeper than the pivot, as steep, flatter.
		steep, flat := 0, len(segments)
		var extra, more, tieExtra, tieMore int64
		for i := 0; i < flat; {
			switch s := &segments[i]; {
			case s.slope > pivot:
				extra += s.extra
				more += s.more
				segments[steep], segments[i] = segments[i], segments[steep]
				steep++
				i++
			case s.slope < pivot:
				flat--
				segments[i], segments[flat] = segments[flat], segments[i]
			default:
				tieExtra += s.extra
				tieMore += s.more
				i++
			}
		}
		if extra > b.residual {
			segments = segments[:steep]
			continue
		}
		b.residual -= extra
		b.revenue += more
		if tieExtra > b.residual {
			b.price = pivot
			return b
		}
		b.residual -= tieExtra
		b.revenue += tieMore
		segments = segments[flat:]
	}
	b.residual = 0
	return b
}

// sampledBreak finds the break without laying out all segments: a sample of
// the jobs says between which two slopes it must lie, one pass over all jobs
// sums up what is steeper and keeps only what lies between. ok is false when
// the sample misled.
func (p *problem) sampledBreak(residual int64) (b breakPoint, ok bool) {
	n := p.jobs()
	stride := max(1, n/8192)
	var sample []segment
	for k := 0; k < n; k += stride {
		sample = p.hull(sample, int32(k))
	}
	share := float64((n+stride-1)/stride) / float64(n) * float64(residual)
	const margin = 0.06 // of the capacity; the sum over the sample has a relative error of about 0.01
	high := breakOf(sample, int64(share*(1-margin))).price
	low := breakOf(sample, int64(share*(1+margin))).price
	if high == 0 {
		return b, false
	}
	workers := runtime.GOMAXPROCS(0)
	type part struct {
		extra, more int64
		between     []segment
	}
	parts := make([]part, workers)
	_ = parallel.Each(context.Background(), workers, workers, func(w int) error {
		var s part
		var buffer []segment
		for k := n * w / workers; k < n*(w+1)/workers; k++ {
			buffer = p.hull(buffer[:0], int32(k))
			for _, g := range buffer {
				if g.slope > high {
					s.extra += g.extra
					s.more += g.more
				} else if g.slope >= low {
					s.between = append(s.between, g)
				}
			}
		}
		parts[w] = s
		return nil
	})
	var between []segment
	var extra, more, inside int64
	for _, s := range parts {
		extra += s.extra
		more += s.more
		between = append(between, s.between...)
	}
	for _, g := range between {
		inside += g.extra
	}
	if extra > residual || (extra+inside <= residual && low > 0) {
		return b, false
	}
	b = breakOf(between, residual-extra)
	b.revenue += more
	return b, true
}

// pivotOf returns the median slope of nine segments spread over the slice.
func pivotOf(segments []segment) float64 {
	var nine [9]float64
	for i := range nine {
		nine[i] = segments[i*(len(segments)-1)/8].slope
	}
	slices.Sort(nine[:])
	return nine[4]
}

// levelsAt returns the levels at which every job takes the segments steeper
// than the price, and those as steep as far as the capacity goes; and the
// demand they add up to.
func (p *problem) levelsAt(price float64, capacity int64) ([]int32, int64) {
	level := slices.Clone(p.first)
	var used int64
	var buffer []segment
	for k := range level {
		buffer = p.hull(buffer[:0], int32(k))
		for _, s := range buffer {
			if !(s.slope > price) {
				break
			}
			level[k] = s.to
		}
		used += p.dem[level[k]]
	}
	if math.IsInf(price, 1) || price <= 0 {
		return level, used
	}
	for k := range level {
		buffer = p.hull(buffer[:0], int32(k))
		for _, s := range buffer {
			if s.slope == price && s.from == level[k] && used+s.extra <= capacity {
				level[k] = s.to
				used += s.extra
			}
		}
	}
	return level, used
}

func steepestFirst(a, b segment) int {
	if a.slope != b.slope { // numbers
		if a.slope > b.slope {
			return -1
		}
		return 1
	}
	if c := cmp.Compare(a.job, b.job); c != 0 {
		return c
	}
	return cmp.Compare(a.from, b.from)
}
