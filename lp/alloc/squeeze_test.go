package alloc

import (
	"context"
	"testing"
)

// Jobs that fit nowhere at the levels of the others look at a bounded number of bins in all, and still go in
// where there is a level to lower.
func TestSqueezeEnds(t *testing.T) {
	const bins, jobs = 20_000, 10_000 // 200 million pairs
	p := &problem{cap: make([]int64, bins)}
	for k := range bins + jobs {
		p.first = append(p.first, int32(len(p.dem)))
		p.dem, p.rev = append(p.dem, 1, 2), append(p.rev, 1, int64(3+k%7))
		p.last = append(p.last, int32(len(p.dem)))
	}
	for j := range p.cap {
		p.cap[j] = 2
	}
	a := newPacking(p)
	for k := range int32(bins) {
		a.put(k, k, p.first[k]+1)
	}
	waiting := make([]int32, jobs)
	for i := range waiting {
		waiting[i] = int32(bins + i)
	}
	if left := a.squeeze(context.Background(), waiting); len(left) != 0 {
		t.Errorf("%d of %d jobs found no place", len(left), jobs)
	}
	if most := squeezeLooks + squeezeFew*jobs; a.looks > most {
		t.Errorf("%d looks at bins, want at most %d", a.looks, most)
	}
	lost := int64(0)
	for k := range int32(bins) {
		if a.level[k] == p.first[k] {
			lost += p.rev[p.first[k]+1] - p.rev[p.first[k]]
		}
	}
	// The jobs that lose least are 10,000 of 20,000, whose losses are 2 to 8 in turn: 3.5 on average.
	if most := int64(3.6 * jobs); lost > most {
		t.Errorf("lowered levels lose %d, want at most %d", lost, most)
	}
}
