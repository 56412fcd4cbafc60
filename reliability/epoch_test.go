package reliability_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestBestEpoch(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/epoch.csv") {
		p := reliability.EpochParams{r.Float("x"), r.Float("t"), r.Float("y"), reliability.MM1}
		got, err := reliability.BestEpoch(p)
		if err != nil {
			t.Fatalf("line %d: %v", r.Line, err)
		}
		numtest.Close(t, "epoch", got.Epoch, r.Float("epoch"), 1e-13)
		numtest.Close(t, "n_f", got.JobsDownFailure, r.Float("n_f"), 1e-11)
		numtest.Close(t, "n_m", got.JobsDownMigration, r.Float("n_m"), 1e-11)
		p.Model = reliability.ParallelRepair
		if got, err = reliability.BestEpoch(p); err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "parallel epoch", got.Epoch, r.Float("parallel"), 1e-13)
		numtest.Close(t, "parallel jobs down", got.JobsDown(), r.Float("parallel_down"), 1e-13)
	}
}

// The errata of PCU 4.6.
func TestBestEpochErrata(t *testing.T) {
	a, err := reliability.BestEpoch(reliability.EpochParams{1, 100, 1.0 / 200, reliability.MM1})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "epoch", a.Epoch, 400.0/3, 1e-14)
	numtest.Close(t, "jobs down", a.JobsDown(), 8, 1e-14)
	b, err := reliability.BestEpoch(reliability.EpochParams{10, 5, 1.0 / 1000, reliability.MM1})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "epoch", b.Epoch, 314.862496, 1e-8) // nine digits, the last one off: 314.8624954...
	numtest.Close(t, "jobs down", b.JobsDown(), 0.3827090, 1e-7)
	// The paper's 180 s belongs to xT = 167 s.
	c, err := reliability.BestEpoch(reliability.EpochParams{1.67, 100, 1.0 / 200, reliability.MM1})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "epoch", c.Epoch, 180, 0.005)
}

func TestBestEpochLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := reliability.EpochParams{
			math.Exp(rapid.Float64Range(-6, 8).Draw(t, "x")), math.Exp(rapid.Float64Range(-6, 8).Draw(t, "T")),
			math.Exp(rapid.Float64Range(-20, 4).Draw(t, "y")), reliability.EpochModel(rapid.IntRange(0, 1).Draw(t, "model")),
		}
		a, err := reliability.BestEpoch(p)
		var e *reliability.EpochError
		if errors.As(err, &e) {
			if e.Lower < e.Upper || e.Lower != p.Migrations*p.MigrationTime || p.Model != reliability.MM1 || e.Parallel.Epoch <= 0 {
				t.Fatalf("certificate %+v", e)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []float64{0.999, 1.001} {
			near, err := reliability.EpochCost(p, a.Epoch*f)
			if err == nil && near.JobsDown() < a.JobsDown() {
				t.Fatalf("%v is better than the best %v", near, a)
			}
		}
		curve, err := reliability.EpochCurve(p, 7)
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range curve {
			if c.JobsDown() < a.JobsDown()*(1-1e-12) || i > 0 && c.Epoch <= curve[i-1].Epoch {
				t.Fatalf("curve %v, best %v", curve, a)
			}
		}
	})
}

func TestEpochDomain(t *testing.T) {
	ok := reliability.EpochParams{1, 100, 1.0 / 200, reliability.MM1}
	for arg, p := range map[string]reliability.EpochParams{
		"Migrations":                 {0, 100, 1, reliability.MM1},
		"MigrationTime":              {1, -1, 1, reliability.MM1},
		"FailureRate":                {1, 1, math.NaN(), reliability.MM1},
		"Model":                      {1, 1, 1, 7},
		"Migrations * MigrationTime": {1e300, 1e300, 1, reliability.ParallelRepair},
	} {
		_, err := reliability.BestEpoch(p)
		wantDomain(t, err, arg)
	}
	_, err := reliability.BestEpoch(reliability.EpochParams{1, 1e5, 1e308, reliability.ParallelRepair})
	wantDomain(t, err, "FailureRate") // +Inf jobs down
	// No message has a value that nobody gave: 0 · ∞ came to NaN.
	for _, model := range []reliability.EpochModel{reliability.MM1, reliability.ParallelRepair} {
		_, err := reliability.BestEpoch(reliability.EpochParams{1, 1e9, 5e-324, model})
		wantDomain(t, err, "FailureRate")
	}
	_, err = reliability.EpochCost(ok, 100)
	wantDomain(t, err, "delta")
	_, err = reliability.EpochCost(ok, 200)
	wantDomain(t, err, "delta")
	_, err = reliability.EpochCurve(ok, 1)
	wantDomain(t, err, "n")
	if s := reliability.EpochModel(9).String(); s != "EpochModel(9)" {
		t.Error(s)
	}
}

func ExampleBestEpoch() {
	// The example of PCU 4.6.
	p := reliability.EpochParams{Migrations: 100, MigrationTime: 100, FailureRate: 1.0 / 200}
	_, err := reliability.BestEpoch(p)
	fmt.Println(err)
	p.Model = reliability.ParallelRepair
	a, err := reliability.BestEpoch(p)
	fmt.Println(a.Model, a.Epoch, a.JobsDown(), err)
	// Output:
	// reliability: BestEpoch: no stable epoch is feasible: migrations need an epoch above x*T = 10000, failure detection one below 2/y - 2*T = 200; if recoveries overlap (parallel) the best epoch is 2000
	// parallel 2000 10.5 <nil>
}
