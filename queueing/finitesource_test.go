package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestFiniteSourceReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/finitesource.csv") {
		q := FiniteSource{int(r.Float("customers")), r.Float("think"), r.Float("service"), int(r.Float("servers"))}
		f, err := q.Figures()
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		numtest.Close(t, at+"throughput", f.Throughput, r.Float("throughput"), 1e-13)
		numtest.Close(t, at+"mean wait", f.MeanWait, r.Float("wait_mean"), 1e-11)
		numtest.Close(t, at+"tail", f.WaitTail(r.Float("t")), r.Float("tail"), 1e-11)
	}
	// All 400 at the station: 300 servers at work.
	f, err := FiniteSource{400, 0, .444, 300}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "no think time", f.Throughput, 300/.444, 1e-15)
	var domain *DomainError
	if _, err := (FiniteSource{1, 1, 0, 1}).Figures(); !errors.As(err, &domain) {
		t.Errorf("service time 0: %v", err)
	}
}

// The tail of a long queue against the whole sum over what an arrival may find.
func TestFiniteSourceTailWholeSum(t *testing.T) {
	for _, q := range []FiniteSource{{3000, 5, 1, 7}, {3000, 5, 1, 480}, {3000, 1e-3, 1, 1}, {3000, 5e6, 1, 2}} {
		f, err := q.Figures()
		if err != nil {
			t.Fatal(err)
		}
		seen := q.states(q.Customers - 1)
		for _, x := range []float64{.01, 1, 30, 300, 3000} {
			want, below, n := 0., 0., x*float64(q.Servers)
			for k := q.Servers; k < len(seen); k++ { // k − c + 1 services outlast t
				lg, _ := math.Lgamma(float64(k-q.Servers) + 1)
				below += math.Exp(float64(k-q.Servers)*math.Log(n) - n - lg)
				want += seen[k] * below
			}
			if want > 1e-290 {
				numtest.Close(t, fmt.Sprintf("%+v: P(W > %v)", q, x), f.WaitTail(x), want, 1e-10)
			}
		}
	}
}

// A sum of probabilities is no more than the whole by its rounding either.
func TestFiniteSourceNeverAboveOne(t *testing.T) {
	for sources := 31; sources < 800; sources++ {
		q := FiniteSource{Customers: sources, Servers: 30, ThinkTime: 1 - 0x1p-53, ServiceTime: 0.444}
		f, err := q.Figures()
		if err != nil || f.WaitProbability > 1 || f.WaitTail(1e-9) > 1 {
			t.Errorf("%d sources: P(W > 0) = %v, %v", sources, f.WaitProbability, err)
		}
	}
}
