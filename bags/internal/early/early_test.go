package early

import (
	"math"
	"testing"
)

// leaving are machines that stay for exponential times.
func leaving(mean float64) *Machines {
	stays := func(t float64) float64 { return math.Exp(-t / mean) }
	return &Machines{mean, stays, stays, []Time{{1, 400}}, math.Inf(1)}
}

// Where stays are exponential an attempt has the same law whenever it begins, so that a task of time w costs the
// machine time a (e^(w/a) − 1), where a is the mean stay.
func TestAttemptsOfExponentialStays(t *testing.T) {
	const stay = 1000.0
	kinds := []Kind{{Share: 0.9, Work: 0.5, Classes: 1}, {Share: 0.1, Work: 5.5, First: 1, Classes: 1}}
	m := leaving(stay)
	a := AttemptsOf(m, kinds)
	for _, k := range kinds {
		want := stay * math.Expm1(400*k.Work/stay)
		if got := a.Cost[k.First] * a.Each; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("a task of %v costs %v s, want %v", k.Work, got, want)
		}
	}
	// With a save each 50 s a task costs little more than its time and half a save for each loss.
	kinds[1].Classes = 48
	m.Save = 50
	a = AttemptsOf(m, kinds)
	if got, want := a.Cost[1]*a.Each, 2200*(1+25/stay); math.Abs(got/want-1) > 0.01 {
		t.Errorf("with saves it costs %v s, want %v", got, want)
	}
}

// All tasks that a queue is given are done in their machine time, whatever is lost on the way, and the large ones
// last.
func TestQueueServesAll(t *testing.T) {
	kinds := []Kind{{Share: 0.9, Work: 0.5, Classes: 1}, {Share: 0.1, Work: 5.5, First: 1, Classes: 1}}
	q := &Queue{Attempts: AttemptsOf(leaving(1000), kinds), Rate: 2, Step: 1}
	bag := &Bag{Kinds: kinds, Classes: 2, Number: 10_000}
	bag.Each(1, func(_ float64, row Row) { q.Add(row) })
	if !q.Serve(math.Inf(1), 100) || math.Abs(q.Work-100) > 1e-6 {
		t.Fatalf("work for %v tasks waits", q.Work)
	}
	left := q.Work
	for _, l := range q.Lost {
		left += l.Row[0]*q.Cost[0] + l.Row[1]*q.Cost[1]
	}
	if want := (10_000 - left) / q.Rate; math.Abs(q.Now-want) > 1e-6*want {
		t.Errorf("after %v s, want %v", q.Now, want)
	}
	if rows, _ := q.Waiting(); rows[0][1] < rows[0][0] {
		t.Errorf("first are %v", rows[0])
	}
	if q.Serve(1e9, math.Inf(-1)); len(q.Rows) > 0 || len(q.Lost) > 0 || q.Now != 1e9 {
		t.Errorf("%d rows wait, %d are lost at %v s", len(q.Rows), len(q.Lost), q.Now)
	}
}

// Listed tasks keep their order and their number.
func TestListedArrivals(t *testing.T) {
	works := []float64{3, 1, 1, 1, 0.5, 0.5, 0.5, 0.5}
	bag := &Bag{Kinds: ListedKinds(append([]float64{}, works...)), Number: 8, Last: 7}
	for g := range bag.Kinds {
		bag.Kinds[g].First, bag.Kinds[g].Classes = g, 1
	}
	if bag.Classes = len(bag.Kinds); bag.Classes != 3 {
		t.Fatalf("kinds %v", bag.Kinds)
	}
	for i, w := range works {
		bag.Listed = append(bag.Listed, Task{float64(max(0, i-1)), KindOf(bag.Kinds, w)})
	}
	a := bag.From(0, 2, 20, 1, nil, nil)
	if a.Rows[0][2] != 1 || a.Rows[1][1] != 1 || a.Cells[1] != 0 {
		t.Errorf("first wait %v", a.Rows)
	}
	if a.Left[0] != 4 || a.Left[1] != 3 || a.Left[2] != 1 {
		t.Errorf("%v are left", a.Left)
	}
	sum := 0.0
	for _, n := range a.All(20) {
		sum += n
	}
	if math.Abs(sum-8) > 1e-12 {
		t.Errorf("%v arrive in all", sum)
	}
}

// Equal works are of one kind: of 1100 tasks of 20,000 s and three of 110,000 one of the three was in a kind with one
// of 20,000, to which all three were then counted, and the median was 16 % early.
func TestEqualWorksAreOfOneKind(t *testing.T) {
	for large := 1; large < 40; large++ {
		works := make([]float64, 1100+large)
		for i := range works {
			if works[i] = 0.9; i >= 1100 {
				works[i] = 5
			}
		}
		kinds := ListedKinds(works)
		share, got := float64(large)/float64(len(works)), kinds[len(kinds)-1]
		if got.Work != 5 || math.Abs(got.Share/share-1) > 1e-9 || KindOf(kinds, 5) != len(kinds)-1 {
			t.Errorf("%d large: %+v", large, kinds)
		}
	}
}
