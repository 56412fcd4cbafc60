package sim

import (
	"maps"
	"math"
	"slices"
)

// A histogram counts values in bins whose edges are the float64 numbers of ten
// bits of mantissa, 0.1 % wide at the most over the whole range of numbers. So
// the counts of different runs add up exactly, in whatever order, and the memory
// does not grow with the number of values.
type histogram struct {
	pages map[int]*page // by sign and exponent
	last  *page         // of the value before: the next is often near it
	at    int           // where last stands
	n     uint64
}

type page [1 << mantissa]uint64

const mantissa = 10

// bin numbers the bins in the order of their values.
func bin(x float64) int {
	u := math.Float64bits(x + 0) // -0 + 0 is 0
	if u>>63 != 0 {
		u = ^u
	} else {
		u |= 1 << 63
	}
	return int(u >> (52 - mantissa))
}

// edge is the least value of a bin.
func edge(bin int) float64 {
	u := uint64(bin) << (52 - mantissa)
	if u>>63 != 0 {
		return math.Float64frombits(u &^ (1 << 63))
	}
	return math.Float64frombits(^u)
}

func (h *histogram) page(at int) *page {
	if h.last != nil && h.at == at {
		return h.last
	}
	p := h.pages[at]
	if p == nil {
		if h.pages == nil {
			h.pages = map[int]*page{}
		}
		p = new(page)
		h.pages[at] = p
	}
	h.last, h.at = p, at
	return p
}

func (h *histogram) add(x float64) {
	b := bin(x)
	h.page(b >> mantissa)[b&(1<<mantissa-1)]++
	h.n++
}

// upTo returns how many values lie in the bins before b, with the given share of
// those in b.
func (h *histogram) upTo(b int, share float64) float64 {
	var before uint64
	at, i := b>>mantissa, b&(1<<mantissa-1)
	for k, p := range h.pages {
		if k < at {
			for _, c := range p {
				before += c
			}
		}
	}
	p := h.pages[at]
	if p == nil {
		return float64(before)
	}
	for _, c := range p[:i] {
		before += c
	}
	return float64(before) + share*float64(p[i])
}

// rank returns the bin that holds the value of rank k, 0 ≤ k ≤ n, and the share
// of the bin's values that stand up to it.
func (h *histogram) rank(k float64) (b int, share float64) {
	before, held := 0.0, 0
	for _, at := range slices.Sorted(maps.Keys(h.pages)) {
		for i, c := range h.pages[at] {
			if c == 0 {
				continue
			}
			held = at<<mantissa | i
			if before+float64(c) >= k {
				return held, max(0, k-before) / float64(c)
			}
			before += float64(c)
		}
	}
	return held, 1
}

// value is what stands at a share of a bin.
func value(b int, share float64) float64 {
	low, high := edge(b), edge(b+1)
	if low == 0 {
		return 0
	}
	return low + share*(high-low)
}

// quantile returns the p-quantile of the values counted, there must be one.
func (h *histogram) quantile(p float64) float64 { return value(h.rank(p * float64(h.n))) }
