package cover

import (
	"math"
	"slices"
	"sort"
)

// slack is the tolerance with which a need counts as met. Without it a need that is met to the last
// digit would count as missed.
const slack = 1e-12 // of the need that rounding may cost

// Solve returns the cheapest choice. Errors: *DomainError, and
// *InfeasibleError where even all machines are worth too little.
func Solve(p *Problem) (*Solution, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	s := &search{
		p:      p,
		need:   p.Need * (1 - slack),
		best:   math.Inf(1),
		nodes:  p.MaxNodes,
		room:   math.MaxInt64,
		counts: make([]int64, len(p.Items)),
	}
	if s.nodes <= 0 {
		s.nodes = MaxNodes
	}
	counted := 0
	if p.MostCounted >= 0 {
		s.room = p.MostCounted
	}
	// The least counts are bought before the search begins.
	base, rest := 0.0, s.need
	for i, it := range p.Items {
		s.counts[i] = it.Least
		base += it.Price * float64(it.Least)
		rest -= it.Worth * float64(it.Least)
		if it.Counted && p.MostCounted >= 0 {
			s.room -= it.Least
		}
		if it.Worth > 0 && it.Most > it.Least {
			s.kinds = append(s.kinds, kind{at: i, Item: it, most: it.Most - it.Least})
			if it.Counted {
				counted++
			}
		}
	}
	if s.room < 0 {
		// The least counts alone are more than may be counted.
		return nil, &InfeasibleError{Need: p.Need, Reach: 0}
	}
	// Of one counted kind the room is its own limit, and needs no multiplier.
	s.capped = p.MostCounted >= 0 && counted > 1
	for i := range s.kinds {
		if k := &s.kinds[i]; k.Counted && k.most > s.room {
			k.most = s.room
		}
	}
	s.grain = grainOf(p.Items)
	if p.Shortfall > 0 {
		// A shortfall costs any sum, so that bounds cannot be rounded up.
		s.grain = 0
	} else if reach := s.reach(0, s.room); reach < rest {
		return nil, &InfeasibleError{Need: p.Need, Reach: reach + p.Need - rest}
	}
	s.order(rest)
	// The relaxation at the root is the bound that is reported where the search is cut.
	root := s.grain.round(s.bound(0, base, rest, s.room))
	// The least counts may be enough.
	s.stop(base, rest)
	s.branch(0, base, rest, s.room)
	// The search proves its answer where it ends before its nodes do.
	out := &Solution{Counts: s.found, Cost: s.best, Bound: math.Min(root, s.best), Proven: s.nodes > 0}
	for i, n := range s.found {
		// Sums are made anew of the counts: those along the branch carry rounding.
		out.Worth += p.Items[i].Worth * float64(n)
		out.Price += p.Items[i].Price * float64(n)
	}
	if p.Shortfall > 0 {
		out.Short = math.Max(p.Need-out.Worth, 0)
		if out.Short <= slack*p.Need {
			out.Short = 0
		}
	}
	out.Cost = out.Price + p.Shortfall*out.Short
	if out.Proven {
		out.Bound = out.Cost
	}
	return out, nil
}

// A kind is an item that there is a choice about. ratio is the price per worth at the multiplier of
// the room.
type kind struct {
	Item
	at    int
	most  int64 // beyond Least
	ratio float64
}

// A search is the state of the branch and bound. counts are those of the branch at hand, found
// those of the best.
type search struct {
	p      *Problem
	need   float64
	kinds  []kind // by price per worth, the multiplier included
	room   int64  // of counted items
	capped bool   // the room binds several kinds together
	mu     float64
	grain  grain
	counts []int64
	best   float64
	found  []int64
	nodes  int
}

// order finds the multiplier of the room and sorts the kinds. rest is the need that the least
// counts leave.
func (s *search) order(rest float64) {
	if s.capped {
		// The bound is concave and piecewise linear in the multiplier, with
		// its corners where two kinds, or a kind and the shortfall, cost the same.
		corners := []float64{0}
		for i, k := range s.kinds {
			if !k.Counted {
				continue
			}
			corners = append(corners, s.p.Shortfall*k.Worth-k.Price)
			for j, other := range s.kinds {
				switch slope := 1/k.Worth - 1/other.Worth; {
				case i == j:
				case !other.Counted:
					corners = append(corners, other.Price/other.Worth*k.Worth-k.Price)
				case slope != 0:
					corners = append(corners, (other.Price/other.Worth-k.Price/k.Worth)/slope)
				}
			}
		}
		// A multiplier below 0 would pay for what fills the room.
		best, at := math.Inf(-1), 0.0
		for _, mu := range corners {
			if mu < 0 {
				continue
			}
			s.sort(mu)
			if v := s.bound(0, 0, rest, s.room); v > best {
				best, at = v, mu
			}
		}
		s.sort(at)
		return
	}
	s.sort(0)
}

// sort orders the kinds by what a unit of capacity costs them. Kinds of equal ratio go by their own
// price, then the larger first, so that few machines are enough.
func (s *search) sort(mu float64) {
	s.mu = mu
	for i := range s.kinds {
		k := &s.kinds[i]
		k.ratio = k.price(mu) / k.Worth
	}
	sort.SliceStable(s.kinds, func(i, j int) bool {
		a, b := &s.kinds[i], &s.kinds[j]
		if math.Abs(a.ratio-b.ratio) > 1e-12*b.ratio {
			return a.ratio < b.ratio
		}
		if x, y := a.Price/a.Worth, b.Price/b.Worth; math.Abs(x-y) > 1e-12*y {
			return x < y
		}
		if a.Worth != b.Worth {
			return a.Worth > b.Worth
		}
		return a.at < b.at
	})
}

// price is the cost of a machine with the price of the room that it fills. mu is what a place in
// the room costs.
func (k *kind) price(mu float64) float64 {
	if k.Counted {
		return k.Price + mu
	}
	return k.Price
}

// bound returns a lower bound on the cost of covering rest with the kinds from
// i on, where cost is spent already: the relaxation, with the room priced. It is infinite where the
// rest is out of reach and nothing may be missing.
func (s *search) bound(i int, cost, rest float64, room int64) float64 {
	if s.capped {
		cost -= s.mu * float64(room)
	}
	for ; i < len(s.kinds) && rest > 0; i++ {
		k := &s.kinds[i]
		// From here on it is cheaper to miss what a machine would do than to buy it.
		if s.p.Shortfall > 0 && k.ratio >= s.p.Shortfall {
			break
		}
		n := math.Min(rest/k.Worth, float64(k.most))
		cost += k.ratio * k.Worth * n
		rest -= k.Worth * n
	}
	if rest <= slack*s.need {
		return cost
	}
	if s.p.Shortfall > 0 {
		return cost + s.p.Shortfall*rest
	}
	return math.Inf(1)
}

// stop offers the choice so far as a solution. A choice that is equal to within 1e-10 does not
// replace the one that was found first.
func (s *search) stop(cost, rest float64) {
	switch {
	case rest <= 0:
	case s.p.Shortfall > 0:
		cost += s.p.Shortfall * rest
	default:
		return
	}
	if cost < s.best-1e-10*math.Abs(s.best) || s.found == nil {
		s.best, s.found = cost, slices.Clone(s.counts)
	}
}

// branch chooses the number of kind i, from the most that is of use downwards:
// the bound rises on the way, so that the first one too high ends it.
func (s *search) branch(i int, cost, rest float64, room int64) {
	if rest <= 0 || i == len(s.kinds) {
		return
	}
	k := &s.kinds[i]
	if s.p.Shortfall > 0 && k.Price >= s.p.Shortfall*k.Worth { // of no use, however little is missing
		s.branch(i+1, cost, rest, room)
		return
	}
	most := k.most
	if k.Counted {
		most = min(most, room)
	}
	if enough := math.Ceil(rest / k.Worth); enough < float64(most) {
		most = int64(enough)
	}
	if s.capped && k.Counted && s.p.Shortfall == 0 {
		most = s.highest(i, rest, room, most)
	}
	// The most comes first, since the relaxation would take it.
	for n := most; n >= 0; n-- {
		if s.nodes--; s.nodes <= 0 {
			break
		}
		left := room
		if k.Counted {
			left -= n
		}
		spent, missing := cost+k.Price*float64(n), rest-k.Worth*float64(n)
		// What rounding alone leaves missing counts as covered.
		if n > 0 && missing <= slack*s.need {
			missing = math.Min(missing, 0)
		}
		if limit := s.grain.round(s.bound(i+1, spent, missing, left)); limit >= s.best-1e-10*math.Abs(s.best) {
			if missing < 0 { // more than enough: one fewer may cost less
				continue
			}
			break
		}
		s.counts[k.at] = k.Least + n
		s.stop(spent, missing)
		s.branch(i+1, spent, missing, left)
	}
	s.counts[k.at] = k.Least
}

// reach returns the most that the kinds from i on can be worth in a room. Counted kinds go in by
// worth, which fills a room of machines best.
func (s *search) reach(i int, room int64) float64 {
	counted := []*kind{}
	total := 0.0
	for j := i; j < len(s.kinds); j++ {
		if k := &s.kinds[j]; k.Counted {
			counted = append(counted, k)
		} else {
			total += k.Worth * float64(k.most)
		}
	}
	sort.SliceStable(counted, func(a, b int) bool { return counted[a].Worth > counted[b].Worth })
	for _, k := range counted {
		n := min(k.most, room)
		total += k.Worth * float64(n)
		room -= n
	}
	return total
}

// highest returns the greatest number of kind i that leaves enough room for
// the rest to be covered; -1 where there is none. What the whole reaches is
// concave in the number. Two searches by halving: for the top of the hill, and for where it falls
// below 0.
func (s *search) highest(i int, rest float64, room, most int64) int64 {
	w := s.kinds[i].Worth
	enough := func(n int64) float64 { return w*float64(n) + s.reach(i+1, room-n) - rest }
	low, high := int64(0), most
	for low < high { // the top of the hill
		mid := low + (high-low)/2
		if enough(mid+1) >= enough(mid) {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if enough(low) < 0 {
		return -1
	}
	top := low
	low, high = top, most
	for low < high {
		mid := low + (high-low+1)/2
		if enough(mid) >= 0 {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low
}
