package alloc

import (
	"context"
	"testing"
)

// A countdown is a context that is done after so many looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever the search is stopped it has a complete packing within all
// capacities, and the longer it ran the better.
func TestSearchStopsAnywhere(t *testing.T) {
	for _, size := range [][2]int{{40, 5}, {2500, 20}} {
		s := generated(t, size[0], size[1], 0.6, 0.3, 2)
		p := s.deps[0].primaryProblem()
		e := Options{Effort: 0.2, Seed: 1}.effort(p, 0)
		last := int64(-1)
		looks := 0
		for n := 0; ; n = n*3/2 + 1 {
			ctx := &countdown{context.Background(), n}
			sol, waiting, _ := p.search(ctx, e, 1e15)
			if len(waiting) > 0 || sol.level == nil {
				t.Fatalf("%v after %d looks: %d jobs wait", size, n, len(waiting))
			}
			room, value := append([]int64(nil), p.cap...), int64(0)
			for k, l := range sol.level {
				if l < p.first[k] || l >= p.last[k] {
					t.Fatalf("%v after %d looks: job %d has level %d", size, n, k, l)
				}
				room[sol.bin[k]] -= p.dem[l]
				value += p.rev[l]
			}
			for j, r := range room {
				if r < 0 {
					t.Errorf("%v after %d looks: bin %d is over by %d", size, n, j, -r)
				}
			}
			if value != sol.value || value < last {
				t.Errorf("%v after %d looks: value %d, is %d, was %d before", size, n, sol.value, value, last)
			}
			last = value
			if looks++; ctx.left >= 0 {
				break
			}
		}
		if looks < 5 {
			t.Errorf("%v: the search looked at its context too rarely: %d", size, looks)
		}
	}
}

// The integer bound is left out when there is no time for it; the others hold.
func TestBoundsStop(t *testing.T) {
	s := generated(t, 200, 5, 0.6, 0.3, 2)
	whole, err := s.bounds(context.Background(), BoundOptions{})
	if err != nil {
		t.Fatal(err)
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	b, err := s.bounds(done, BoundOptions{})
	if err != nil || b.Integer != nil || whole.Integer == nil || b.LP != whole.LP || b.Eligible != whole.Eligible || *b.Published != *whole.Published {
		t.Errorf("%+v, want %+v but for the integer bound: %v", b, whole, err)
	}
	if _, err := s.Bounds(done, BoundOptions{}); err == nil {
		t.Error("Bounds took no notice")
	}
}
