package bot

import (
	"math/rand/v2"
	"testing"
)

// The unit that a worker is given is that which a look at all of them finds, whatever became of
// them since they were put in.
func TestLongestRunning(t *testing.T) {
	const units = 12
	r := &run{units: make([]unit, units), turns: make([]int32, units)}
	random := rand.New(rand.NewPCG(3, 1))
	for i, turn := range random.Perm(units) {
		r.turns[i] = int32(turn)
	}
	scanned := func() int32 {
		best := none
		for i := range r.units {
			u := &r.units[i]
			if u.done || u.running == 0 {
				continue
			}
			if best == none || u.copies < r.units[best].copies ||
				u.copies == r.units[best].copies && r.turns[i] < r.turns[best] {
				best = int32(i)
			}
		}
		return best
	}
	given := 0
	for range 5000 {
		i := int32(random.IntN(units))
		u := &r.units[i]
		switch random.IntN(5) {
		case 0: // assigned once more
			u.running++
			r.copyable(i)
		case 1: // lost
			u.running = max(0, u.running-1)
		case 2: // done, and in its place a new one
			if u.done = random.IntN(10) == 0; u.done {
				continue
			}
			*u = unit{running: int16(random.IntN(2))}
			r.copyable(i)
		default:
			want := scanned()
			got, ok := r.longestRunning()
			if ok != (want != none) || ok && got != want {
				t.Fatalf("given unit %d, %t, want %d", got, ok, want)
			}
			if ok {
				r.units[got].copies++
				r.copyable(got)
				given++
			}
		}
	}
	if given < 1000 {
		t.Errorf("%d times given", given)
	}
}
