package lease

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The queue in blocks holds what a sorted list holds, and its blocks know their
// leases.
func TestQueueAgainstSortedList(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var l leases
	q := queue{leases: &l}
	var want []int32
	order := func(a, b int32) int {
		x, y := &l.all[a], &l.all[b]
		if x.start < y.start || x.start == y.start && x.seq < y.seq {
			return -1
		}
		return 1
	}
	for step := range 5000 {
		if len(want) > 0 && rng.IntN(9) < 4 {
			i := rng.IntN(len(want))
			id := want[i]
			want = slices.Delete(want, i, i+1)
			q.remove(id)
			l.give(id)
		} else {
			id := l.take()
			x := &l.all[id]
			x.start, x.long, x.nodes = float64(rng.IntN(300)), float64(1+rng.IntN(50)), 1+rng.Int32N(70)
			x.end = x.start + x.long
			q.insert(id)
			want = append(want, id)
			slices.SortFunc(want, order)
		}
		var got []int32
		for _, k := range q.blocks {
			again := *k
			q.recount(&again)
			if again.lastEnd != k.lastEnd || again.shortest != k.shortest || len(k.ids) > blockSize {
				t.Fatalf("step %d: a block does not know its leases", step)
			}
			got = append(got, k.ids...)
		}
		if !slices.Equal(got, want) || q.n != len(want) {
			t.Fatalf("step %d: the queue is %v, want %v", step, got, want)
		}
		at := float64(rng.IntN(350))
		var across, expect []int32
		q.across(at, func(id int32) { across = append(across, id) })
		for _, id := range want {
			if x := &l.all[id]; x.start <= at && at < x.end {
				expect = append(expect, id)
			}
		}
		if !slices.Equal(across, expect) {
			t.Fatalf("step %d: across %v are %v, want %v", step, at, across, expect)
		}
	}
	if len(q.blocks) < 3 {
		t.Errorf("%d blocks: nothing was tried across", len(q.blocks))
	}
}

func TestClassesCoverWidths(t *testing.T) {
	for nodes := int32(1); nodes < 5000; nodes++ {
		k := class(nodes)
		if narrowest(k) > nodes || k+1 < classes && narrowest(k+1) <= nodes {
			t.Fatalf("%d nodes are of class %d, from %d", nodes, k, narrowest(k))
		}
	}
}
