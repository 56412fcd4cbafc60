package sim

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Whatever is scheduled and taken in between: events come in the order of a
// stable sort by time.
func TestAgendaIsAStableSort(t *testing.T) {
	type event struct {
		at  float64
		seq int
	}
	rapid.Check(t, func(t *rapid.T) {
		var a Agenda[int]
		var held []event
		take := func() {
			at, seq, ok := a.Next()
			if ok != (len(held) > 0) {
				t.Fatalf("Next says %v with %d events held", ok, len(held))
			}
			if !ok {
				return
			}
			slices.SortStableFunc(held, func(x, y event) int { return cmp.Compare(x.at, y.at) })
			if want := held[0]; at != want.at || seq != want.seq {
				t.Fatalf("Next is %v at %v, want %v at %v", seq, at, want.seq, want.at)
			}
			held = held[1:]
		}
		for i := range rapid.IntRange(0, 200).Draw(t, "steps") {
			if rapid.IntRange(0, 2).Draw(t, "take") == 0 {
				take()
				continue
			}
			at := rapid.SampledFrom([]float64{-1, 0, 1, 2, 3, 5, math.Inf(1), math.NaN()}).Draw(t, "at")
			a.Schedule(at, i)
			if math.IsNaN(at) {
				at = math.Inf(1)
			}
			held = append(held, event{at, i})
		}
		for len(held) > 0 {
			take()
		}
		take()
	})
}

func TestAgendaAllocatesNothingOnceLarge(t *testing.T) {
	var a Agenda[[2]int]
	for i := range 1000 {
		a.Schedule(float64(i*7919%1000), [2]int{i})
	}
	if n := testing.AllocsPerRun(1000, func() {
		at, e, _ := a.Next()
		a.Schedule(at+float64(e[0]%17), e)
	}); n != 0 {
		t.Errorf("%v allocations an event", n)
	}
	if a.Clear(); a.Len() != 0 || !math.IsInf(a.Until(), 1) {
		t.Errorf("after Clear: %d events, the next at %v", a.Len(), a.Until())
	}
}

// Streams of different keys are unrelated: their first draws fill the unit square
// as uniform ones do, in each pair of neighbours among seeds, replications and
// entities.
func TestStreams(t *testing.T) {
	const n, cells = 20000, 10
	for _, how := range []struct {
		name string
		of   func(i uint64) (uint64, int, []uint64)
	}{
		{"seeds", func(i uint64) (uint64, int, []uint64) { return i, 0, nil }},
		{"replications", func(i uint64) (uint64, int, []uint64) { return 1, int(i), nil }},
		{"entities", func(i uint64) (uint64, int, []uint64) { return 1, 0, []uint64{i} }},
		{"second words", func(i uint64) (uint64, int, []uint64) { return 1, 0, []uint64{3, i} }},
	} {
		draw := func(i uint64) float64 {
			seed, r, e := how.of(i)
			return Stream(seed, r, e...).Float64()
		}
		var count [cells][cells]float64
		for i := range uint64(n) {
			count[int(cells*draw(i))][int(cells*draw(i+1))]++
		}
		chi := 0.0
		for _, row := range count {
			for _, c := range row {
				d := c - n/cells/cells
				chi += d * d / (n / cells / cells)
			}
		}
		// χ² of 99 degrees has mean 99 and standard deviation 14.
		if math.Abs(chi-99) > 5*14 {
			t.Errorf("%s: χ² = %.1f, want 99 ± 70", how.name, chi)
		}
	}
	if Stream(1, 2, 3).Uint64() != Stream(1, 2, 3).Uint64() {
		t.Error("one key, two streams")
	}
	if Stream(1, 2).Uint64() == Stream(1, 2, 0).Uint64() || Stream(1, 2, 3).Uint64() == Stream(1, 3, 2).Uint64() {
		t.Error("two keys, one stream")
	}
}

// Events that are queued come in their turn among those that are scheduled, whether they come
// in order or not, and so again once all are cleared.
func TestAgendaQueue(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var queued, plain Agenda[int]
	for round := range 3 {
		queued.Grow(100, 100)
		now := 0.0
		for i := range 2000 {
			at := now + float64(r.IntN(20))
			switch {
			case i%3 == 0:
				queued.Queue(now+10, i)
				plain.Schedule(now+10, i)
			case i%50 == 1: // sooner than those before
				queued.Queue(at, i)
				plain.Schedule(at, i)
			default:
				queued.Schedule(at, i)
				plain.Schedule(at, i)
			}
			if queued.Len() != plain.Len() || queued.Until() != plain.Until() {
				t.Fatalf("round %d: %d events until %v, want %d until %v", round, queued.Len(), queued.Until(), plain.Len(), plain.Until())
			}
			if i%2 == 0 || queued.Len() > 200 {
				at, e, ok := queued.Next()
				wantAt, want, wantOK := plain.Next()
				if at != wantAt || e != want || ok != wantOK {
					t.Fatalf("round %d: event %d at %v, %v, want %d at %v, %v", round, e, at, ok, want, wantAt, wantOK)
				}
				now = at
			}
		}
		queued.Clear()
		plain.Clear()
		if _, _, ok := queued.Next(); ok || queued.Len() != 0 || !math.IsInf(queued.Until(), 1) {
			t.Error("events after all were cleared")
		}
	}
	queued.Queue(math.NaN(), 1)
	if at, e, ok := queued.Next(); !math.IsInf(at, 1) || e != 1 || !ok {
		t.Errorf("an event queued at no time comes at %v", at)
	}
}

// Events come in the order of their times whatever these are, as keys without sign stand for them.
func TestAgendaOrdersAllTimes(t *testing.T) {
	times := []float64{math.Inf(-1), -1e300, -2, -1, -5e-324, math.Copysign(0, -1), 0, 5e-324, 1, 2, 1e300, math.Inf(1),
		math.NaN()}
	for _, queue := range []bool{false, true} {
		var a Agenda[int]
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(times)) {
			if queue {
				a.Queue(times[i], i)
			} else {
				a.Schedule(times[i], i)
			}
		}
		var got []float64
		for at, _, ok := a.Next(); ok; at, _, ok = a.Next() {
			got = append(got, at)
		}
		want := append(slices.Clone(times[:len(times)-1]), math.Inf(1)) // NaN never comes
		if !slices.Equal(got, want) {
			t.Errorf("queued %v: %v, want %v", queue, got, want)
		}
	}
}
