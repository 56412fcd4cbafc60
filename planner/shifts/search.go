package shifts

import (
	"context"
	"maps"
	"math"
	"slices"
)

// A search looks for the cheapest whole cover. It is branch and bound: each
// branch is relaxed for a bound, and dived from for a cover.
type search struct {
	shifts []shift
	need   []int64
	unit   float64 // all costs are multiples of it; 0: of none
	gap    float64

	work  float64
	best  []int64 // people by shift; nil: none yet
	cost  float64
	bound float64
}

// A branch is a part of all covers: some shifts with more people, some with fewer.
type branch struct {
	least map[int]int64
	caps  []capped
	bound float64
}

// The search ends after this many branches, or this many multiplications, which is a few seconds.
// It counts work and not time, so that the answer is the same everywhere.
const (
	mostBranches = 4000
	mostWork     = 1e10
)

// run searches until the gap is closed or its work is spent. It reports false
// where no shift covers a slot in which people are needed.
func (s *search) run(ctx context.Context) (bool, error) {
	covered := make([]bool, len(s.need))
	for _, one := range s.shifts {
		for t := range one.slots() {
			covered[t] = true
		}
	}
	for t, n := range s.need {
		if n > 0 && !covered[t] {
			return false, nil
		}
	}
	s.cost = math.Inf(1)
	open := []*branch{{}}
	for left := mostBranches; len(open) > 0 && left > 0 && s.work < mostWork; left-- {
		// The branch of least bound, so that the bound of all rises.
		at := 0
		for i, b := range open {
			if b.bound < open[at].bound {
				at = i
			}
		}
		b := open[at]
		if s.closed(b.bound) {
			break
		}
		more, err := s.expand(ctx, b)
		if err != nil {
			return false, err
		}
		open = append(slices.Delete(open, at, at+1), more...)
	}
	s.bound = s.cost
	for _, b := range open {
		s.bound = math.Min(s.bound, s.rounded(b.bound))
	}
	return true, nil
}

// closed reports whether a bound proves the best good enough. Within the gap is
// good enough.
func (s *search) closed(bound float64) bool {
	return s.best != nil && s.rounded(bound)*(1+s.gap) >= s.cost-1e-9
}

// rounded is the least cost that is possible at a bound.
func (s *search) rounded(bound float64) float64 {
	if s.unit > 0 {
		return math.Ceil(bound/s.unit-1e-6) * s.unit
	}
	return bound
}

// expand solves the relaxation of a branch, dives for a cover, and parts it. The
// shift whose number is farthest from whole parts the branch: below with a cap on
// it, above with more people fixed.
func (s *search) expand(ctx context.Context, b *branch) ([]*branch, error) {
	counts := make([]int64, len(s.shifts))
	base := 0.0
	for j, n := range b.least {
		counts[j] = n
		base += float64(n) * s.shifts[j].cost
	}
	need := s.missing(counts)
	r := newRelaxation(s.shifts, need, b.caps)
	ok, err := r.solve(ctx)
	if err != nil {
		return nil, err
	}
	// The bound of a part is at least that of the whole it was cut from.
	bound := math.Max(b.bound, base+r.bound(need))
	if !ok && len(b.caps) > 0 {
		return nil, nil // more than the caps allow is needed
	}
	x := r.solution()
	part, far := -1, 1e-6
	for _, j := range keys(x) {
		if f := math.Abs(x[j] - math.Round(x[j])); f > far {
			part, far = j, f
		}
	}
	if err := s.dive(ctx, r, slices.Clone(counts)); err != nil {
		return nil, err
	}
	// Work is counted in multiplications: each step of the simplex takes the
	// square of the basis.
	s.work += float64(r.steps) * float64(len(r.basis)) * float64(len(r.basis))
	if part < 0 || s.closed(bound) {
		if part >= 0 { // good enough is not the best
			return []*branch{{b.least, b.caps, bound}}, nil
		}
		return nil, nil
	}
	low := math.Floor(x[part])
	up := &branch{least: map[int]int64{}, bound: bound}
	maps.Copy(up.least, b.least)
	up.least[part] += int64(low) + 1
	for _, c := range b.caps {
		if c.shift == part {
			c.most -= low + 1
		}
		up.caps = append(up.caps, c)
	}
	down := &branch{b.least, append(slices.Clone(b.caps), capped{part, low}), bound}
	return []*branch{down, up}, nil
}

// missing is what is needed beside the people there are. A slot with more people
// than are needed lacks less than 0.
func (s *search) missing(counts []int64) []float64 {
	out := make([]float64, len(s.need))
	for t, n := range s.need {
		out[t] = float64(n)
	}
	for j, n := range counts {
		if n == 0 {
			continue
		}
		for t := range s.shifts[j].slots() {
			out[t] -= float64(n)
		}
	}
	return out
}

// dive fixes the whole part of the relaxation, then the shifts nearest to the
// next person, and solves what is left, until all is covered.
func (s *search) dive(ctx context.Context, r *relaxation, counts []int64) error {
	for range 4 * len(s.need) {
		x := r.solution()
		if len(x) == 0 {
			break
		}
		whole := false
		top, most := -1, 0.0
		for _, j := range keys(x) {
			if n := math.Floor(x[j] + 1e-6); n > 0 {
				counts[j] += int64(n)
				r.take(j, n)
				whole = true
			} else if x[j] > most {
				top, most = j, x[j]
			}
		}
		// Nothing rounds down to a person: the shift nearest to one, and all that
		// are nearly whole, get one more.
		if !whole && top >= 0 {
			for _, j := range keys(x) {
				if j == top || x[j] > 0.9 {
					counts[j]++
					r.take(j, 1)
				}
			}
		}
		if ok, err := r.solve(ctx); err != nil {
			return err
		} else if !ok {
			break
		}
	}
	return s.finish(ctx, counts)
}

// finish covers what is missing, greedily, and improves the cover. The shift that
// fills the most slots for its cost comes next.
func (s *search) finish(ctx context.Context, counts []int64) error {
	left := s.missing(counts)
	for {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		best, most := -1, 0.0
		for j, one := range s.shifts {
			gain := 0.0
			for t := range one.slots() {
				if left[t] > 0 {
					gain++
				}
			}
			if gain/one.cost > most {
				best, most = j, gain/one.cost
			}
		}
		if best < 0 {
			break
		}
		// As many as all of the slots lack that it helps.
		people := math.Inf(1)
		for t := range s.shifts[best].slots() {
			if left[t] > 0 {
				people = math.Min(people, left[t])
			}
		}
		s.add(left, best, -people)
		counts[best] += int64(people)
	}
	for range mostExchanges {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if !s.better(counts, left) {
			break
		}
	}
	cost := 0.0
	for j, n := range counts {
		cost += float64(n) * s.shifts[j].cost
	}
	if cost < s.cost-1e-9 {
		s.best, s.cost = slices.Clone(counts), cost
	}
	return nil
}

// mostExchanges bounds how long a cover is improved one by one.
const mostExchanges = 10_000

// add adds people to what is missing in the slots of a shift.
func (s *search) add(left []float64, j int, people float64) {
	for t := range s.shifts[j].slots() {
		left[t] += people
	}
}

// better takes away what nobody misses of a shift, or puts a cheaper one in the place
// of one.
func (s *search) better(counts []int64, left []float64) bool {
	for j, n := range counts {
		if n == 0 {
			continue
		}
		// As many as every slot of the shift can spare go at once.
		spare := float64(n)
		for t := range s.shifts[j].slots() {
			spare = math.Min(spare, -left[t])
		}
		if spare >= 1 {
			s.add(left, j, spare)
			counts[j] -= int64(spare)
			return true
		}
		// Without one of them some slots are short; a cheaper shift that covers
		// just these takes its place.
		s.add(left, j, 1)
		var short []int
		for t, v := range left {
			if v > 0 {
				short = append(short, t)
			}
		}
		for k, other := range s.shifts {
			if other.cost < s.shifts[j].cost-1e-9 && other.covers(short) {
				s.add(left, k, -1)
				counts[j]--
				counts[k]++
				return true
			}
		}
		s.add(left, j, -1)
	}
	return false
}

// covers reports whether a shift covers all of some slots.
func (s *shift) covers(slots []int) bool {
	for _, t := range slots {
		if !slices.ContainsFunc(s.spans, func(p [2]int) bool { return p[0] <= t && t < p[1] }) {
			return false
		}
	}
	return true
}

// keys are the shifts of a solution in order. The order makes the search the same
// every time, which that of a map is not.
func keys(x map[int]float64) []int { return slices.Sorted(maps.Keys(x)) }
