package routing

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// algorithm2 is InterGrid algorithm 2, line by line, O(N) a dispatch.
type algorithm2 struct {
	p [][]float64 // by type and cluster
	y [][]float64
	x []float64
}

func (a *algorithm2) next(i int) int {
	least, chosen := math.Inf(1), -1
	for j := range a.x {
		if a.p[i][j] != 0 {
			if d := (a.x[j] + a.y[i][j]) / a.p[i][j]; d < least {
				least, chosen = d, j
			}
		}
	}
	a.y[i][chosen]++
	return chosen
}

func randomProbabilities(rng *rand.Rand, n int) []float64 {
	p := make([]float64, n)
	total := 0.0
	for j := range p {
		if rng.IntN(6) > 0 || j == n-1 {
			p[j] = math.Pow(rng.Float64(), 3) + 1e-3
		}
		total += p[j]
	}
	for j := range p {
		p[j] /= total
	}
	return p
}

func TestDispatchIsAlgorithm2(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for i := range 60 {
		n := 1 + rng.IntN(40)
		p := randomProbabilities(rng, n)
		if i%3 == 0 { // many ties
			for j := range p {
				p[j] = 1 / float64(n)
			}
		}
		// Shares that are powers of two cancel without rounding, so that the
		// comparison is exact, ties included.
		shares := []float64{0.25, 0.5, 0.125, 0.125}
		cs := make([]Cluster, n)
		for j := range cs {
			cs[j].ServiceTime = float64(1 + rng.IntN(5))
		}
		x := make([]float64, n)
		if i%2 == 0 {
			x = FastestOffset(cs)
		}
		d, err := NewDispatcher(p, shares, DispatchOptions{Offset: x})
		if err != nil {
			t.Fatal(err)
		}
		a := algorithm2{x: x}
		for _, s := range shares {
			row := make([]float64, n)
			for j := range row {
				row[j] = s * p[j]
			}
			a.p, a.y = append(a.p, row), append(a.y, make([]float64, n))
		}
		for k := range 5000 {
			typ := rng.IntN(len(shares))
			got, err := d.Next(typ)
			if err != nil {
				t.Fatal(err)
			}
			if want := a.next(typ); got != want {
				t.Fatalf("instance %d, dispatch %d: cluster %d, want %d", i, k, got, want)
			}
		}
	}
}

// brute is the discrepancy over all prefixes, from the counts.
type brute struct {
	n    float64
	y    []float64
	seen Discrepancy
}

func (b *brute) add(p []float64, j int) {
	b.n++
	b.y[j]++
	for k := range p {
		b.seen.Ahead = max(b.seen.Ahead, b.y[k]-b.n*p[k])
		b.seen.Behind = max(b.seen.Behind, b.n*p[k]-b.y[k])
	}
}

func TestDiscrepancy(t *testing.T) {
	rng := rand.New(rand.NewPCG(33, 34))
	worst := map[Rule]Discrepancy{}
	for i := range 200 {
		n := 1 + rng.IntN(30)
		if i%4 == 0 {
			n = 2
		}
		p := randomProbabilities(rng, n)
		for _, rule := range []Rule{Billiard, Balanced} {
			d, err := NewDispatcher(p, nil, DispatchOptions{Rule: rule})
			if err != nil {
				t.Fatal(err)
			}
			b := brute{y: make([]float64, n)}
			for range 2000 {
				j, err := d.Next(0)
				if err != nil {
					t.Fatal(err)
				}
				if p[j] == 0 {
					t.Fatalf("dispatched to cluster %d of probability 0", j)
				}
				b.add(p, j)
			}
			got, err := d.Discrepancy(0)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Ahead-b.seen.Ahead) > 1e-9 || math.Abs(got.Behind-b.seen.Behind) > 1e-9 {
				t.Fatalf("instance %d, rule %d: discrepancy %+v, by brute force %+v", i, rule, got, b.seen)
			}
			if got != d.TotalDiscrepancy() {
				t.Fatalf("one type: total %+v, own %+v", d.TotalDiscrepancy(), got)
			}
			if !(got.Ahead < 1+1e-9) {
				t.Errorf("instance %d, rule %d: %g ahead", i, rule, got.Ahead)
			}
			if (rule == Balanced || n == 2) && !(got.Behind < 1+1e-9) {
				t.Errorf("instance %d, rule %d, %d clusters: %g behind", i, rule, n, got.Behind)
			}
			w := worst[rule]
			worst[rule] = Discrepancy{max(w.Ahead, got.Ahead), max(w.Behind, got.Behind)}
		}
	}
	t.Logf("worst: billiard %+v, balanced %+v", worst[Billiard], worst[Balanced])
	if !(worst[Billiard].Behind > 1) {
		t.Error("billiard stayed within 1: the comment of Billiard is wrong")
	}
}

// The example in the comment of Billiard.
func TestBilliardFallsBehind(t *testing.T) {
	for _, c := range []struct {
		rule Rule
		want string
		off  float64
	}{
		{Billiard, "[0 1 2 0 0 0 0 0]", 1.4},
		{Balanced, "[0 0 0 0 1 2 0 0]", 0.8},
	} {
		d, err := NewDispatcher([]float64{0.8, 0.1, 0.1}, nil, DispatchOptions{Rule: c.rule})
		if err != nil {
			t.Fatal(err)
		}
		var seq []int
		for range 8 {
			j, err := d.Next(0)
			if err != nil {
				t.Fatal(err)
			}
			seq = append(seq, j)
		}
		if got := fmt.Sprint(seq); c.rule == Billiard && got != c.want {
			t.Errorf("rule %d: sequence %v, want %v", c.rule, got, c.want)
		}
		if got, _ := d.Discrepancy(0); c.rule == Billiard && math.Abs(got.Behind-c.off) > 1e-12 || c.rule == Balanced && got.Behind >= 1 {
			t.Errorf("rule %d: %+v", c.rule, got)
		}
	}
}

func TestDispatcherBadInput(t *testing.T) {
	for i, c := range []struct {
		p, shares []float64
		o         DispatchOptions
	}{
		{p: nil},
		{p: []float64{0.5, 0.4}},
		{p: []float64{1.5, -0.5}},
		{p: []float64{math.NaN(), 1}},
		{p: []float64{1}, shares: []float64{0.5}},
		{p: []float64{1}, shares: []float64{math.NaN()}},
		{p: []float64{1}, o: DispatchOptions{Offset: []float64{1, 0}}},
		{p: []float64{1}, o: DispatchOptions{Offset: []float64{-1}}},
		{p: []float64{1}, o: DispatchOptions{Rule: 5}},
	} {
		var d *DomainError
		if _, err := NewDispatcher(c.p, c.shares, c.o); !errors.As(err, &d) {
			t.Errorf("case %d: error %v, want a *DomainError", i, err)
		}
	}
	d, err := NewDispatcher([]float64{0.5, 0.5}, []float64{1, 0}, DispatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []int{-1, 1, 2} {
		var de *DomainError
		if _, err := d.Next(typ); !errors.As(err, &de) {
			t.Errorf("type %d: %v", typ, err)
		}
	}
	if y, err := d.Counts(0); err != nil || len(y) != 2 || y[0] != 0 {
		t.Errorf("counts %v, %v", y, err)
	}
}
