package alloc

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The curve is concave, rises, ends at the greatest revenue, and at every
// capacity has the value of the relaxation found by selection.
func TestCurveAgreesWithSelection(t *testing.T) {
	s := generated(t, 300, 5, 0.6, 0.2, 9)
	c, err := s.Curve("network")
	if err != nil {
		t.Fatal(err)
	}
	slope := math.Inf(1)
	for i := 1; i < len(c.Capacity); i++ {
		next := (c.Revenue[i] - c.Revenue[i-1]) / (c.Capacity[i] - c.Capacity[i-1])
		if !(next > 0 && next < slope) {
			t.Fatalf("corner %d: slope %v after %v, want less and above 0", i, next, slope)
		}
		slope = next
	}
	p := s.deps[1].primaryProblem()
	var most int64
	for _, l := range p.last {
		most += p.rev[l-1]
	}
	numtest.Close(t, "last corner", c.Revenue[len(c.Revenue)-1], float64(most), 1e-15)
	first, last := c.Capacity[0], c.Capacity[len(c.Capacity)-1]
	for i := range 50 {
		capacity := math.Floor(first + (last-first)*float64(i)/45)
		revenue, price, ok := c.At(capacity)
		r := p.relax(int64(capacity))
		if !ok {
			t.Fatalf("At(%v) not ok", capacity)
		}
		numtest.Close(t, "revenue", revenue, r.bound, 1e-12)
		numtest.Close(t, "price", price, r.price, 1e-12)
	}
	if _, _, ok := c.At(first - 1); ok {
		t.Error("At below the least demands is ok")
	}
	if thin := c.Thin(10); len(thin.Capacity) != 10 || thin.Capacity[9] != last {
		t.Errorf("Thin(10) = %v", thin.Capacity)
	}
	if _, err := s.Curve("disk"); !errors.Is(err, ErrUnknownDependency) {
		t.Errorf("Curve(disk): err = %v", err)
	}
}

// Selection over a sample of the jobs, used for large batches, finds the same
// break as selection over all.
func TestSampledBreak(t *testing.T) {
	b, err := Generate(context.Background(), GeneratorOptions{Dependencies: []string{"x"}, Jobs: 40_000, Resources: 3, PrimaryFactor: 0.5, Seed: 4})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	p := s.deps[0].primaryProblem()
	sampled := 0
	for _, share := range []float64{0.05, 0.3, 0.5, 0.8, 0.99, 1, 1.2} {
		least := p.least()
		var most int64
		for _, l := range p.last {
			most += p.dem[l-1]
		}
		residual := int64(share * float64(most-least))
		want := breakOf(p.hulls(nil), residual)
		got, ok := p.sampledBreak(residual)
		if !ok {
			continue
		}
		sampled++
		if got != want {
			t.Errorf("share %v: break = %+v, want %+v", share, got, want)
		}
	}
	if sampled < 4 {
		t.Errorf("the sample led to the break in only %d of 7 cases", sampled)
	}
}
