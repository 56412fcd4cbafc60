package sizing

import (
	"iter"
	"math"
	"slices"
)

// MostLosses bounds the ways in which the spare machines of a mix may be lost.
const MostLosses = 5000

// Ways returns how many ways there are to lose the spare machines among this many kinds, C(k + T −
// 1, T − 1); some number above 1e15 if there are more than that.
func (h *Headroom) Ways(kinds int) float64 {
	ways := 1.0
	if h == nil || h.Spare <= 0 {
		return ways
	}
	// C(k + T − 1, min(k, T − 1)): each factor is at least 2, so that few of them reach 1e15.
	few, many := float64(h.Spare), float64(kinds)-1
	if many < few {
		few, many = many, few
	}
	for i := 1.0; i <= few && ways < 1e15; i++ {
		ways *= (many + i) / i
	}
	return ways
}

// ZonesLeft returns how many machines of each kind are left where the zones are
// lost. Each kind stands in the zones as evenly as it can, and its fullest zones
// are taken to be those that go: no choice of zones takes more.
func (h *Headroom) ZonesLeft(counts []int64) []int64 {
	left := slices.Clone(counts)
	if h == nil || h.Zones <= 0 {
		return left
	}
	zones := Headroom{Zones: h.Zones, Survive: h.Survive}
	for i, n := range counts {
		left[i] = int64(zones.Left(float64(n)))
	}
	return left
}

// Losses yields what is left of machines of several kinds after every loss that
// they have to survive: the zones, and then any Spare of those left, of whichever
// kinds. What it yields is valid until the next. Fewer machines than Spare are all
// lost, and so are all where [Headroom.Check] refuses the headroom or there are more
// than [MostLosses] ways.
func (h *Headroom) Losses(counts []int64) iter.Seq[[]int64] {
	return func(each func(left []int64) bool) {
		switch {
		case h == nil:
			each(slices.Clone(counts))
		case h.Check() != nil || h.Ways(len(counts)) > MostLosses:
			each(make([]int64, len(counts)))
		default:
			left := h.ZonesLeft(counts)
			total := int64(0)
			for _, n := range left {
				total = min(total+n, math.MaxInt64/4)
			}
			lose(left, 0, min(h.Spare, total), each)
		}
	}
}

// lose takes spare machines away from the kinds from the i-th on, in every way, and calls each; the
// kinds have at least that many. It returns false if a call did.
func lose(left []int64, i int, spare int64, each func(left []int64) bool) bool {
	if i == len(left) {
		return each(left)
	}
	after := int64(0) // that the kinds after this one can lose
	for _, n := range left[i+1:] {
		after = min(after+n, math.MaxInt64/4)
	}
	had := left[i]
	defer func() { left[i] = had }()
	for gone := max(0, spare-after); gone <= min(spare, had); gone++ {
		left[i] = had - gone
		if !lose(left, i+1, spare-gone, each) {
			return false
		}
	}
	return true
}
