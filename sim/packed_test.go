package sim

import (
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// Nothing is lost by packing, whatever the counts are.
func TestPackedHoldsAll(t *testing.T) {
	r := Stream(3, 0)
	h := new(histogram)
	for range 5000 {
		h.add(r.NormFloat64() * math.Exp(5*r.NormFloat64()))
	}
	for i, c := range []uint64{255, 256, 65535, 65536, 1<<32 - 1, 1 << 32, 1 << 60} {
		b := bin(math.Ldexp(1.5, 40+i))
		h.page(b >> mantissa)[b&(1<<mantissa-1)] = c
		h.n += c
	}
	back := h.pack().histogram()
	if back.n != h.n || !slices.Equal(slices.Sorted(maps.Keys(back.pages)), slices.Sorted(maps.Keys(h.pages))) {
		t.Fatalf("%d values on %d pages, want %d on %d", back.n, len(back.pages), h.n, len(h.pages))
	}
	for at, page := range h.pages {
		if *back.pages[at] != *page {
			t.Errorf("page %d differs", at)
		}
	}
	if empty := new(histogram).pack(); empty.n != 0 || empty.histogram().n != 0 {
		t.Error("an empty histogram is not")
	}
}

// 64 sections of a few hundred waits each take less than the run is said to keep.
func TestSectionsAreSmall(t *testing.T) {
	r := Stream(4, 0)
	var s sections
	for range longtest.Of(2000, 5000) {
		h := new(histogram)
		for range 300 {
			h.add(r.ExpFloat64())
		}
		s.push(h.pack())
	}
	bytes := 0
	for _, p := range s.closed {
		for _, g := range p.pages {
			bytes += cap(g.data) + 64
		}
	}
	if most := mostSections * quantilePages * packedPageBytes; bytes > most {
		t.Errorf("%d sections take %d bytes, said to be %d at most", len(s.closed), bytes, most)
	}
	if per := bytes / len(s.closed); per > 24_000 {
		t.Errorf("a section takes %d bytes", per)
	}
}
