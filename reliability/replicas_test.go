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

func TestReplicas(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/replicas.csv") {
		c := reliability.Component{r.Float("mttf"), r.Float("mttr")}
		got, err := reliability.Replicas(c, r.Float("target"))
		if err != nil {
			t.Fatalf("line %d: %v", r.Line, err)
		}
		// 1 - P loses digits of P; the real count loses them with it.
		numtest.Close(t, "real", got.Real, r.Float("real"), 1e-10)
		if want := int(r.Float("replicas")); got.Replicas != want {
			t.Errorf("line %d: replicas = %d, want %d", r.Line, got.Replicas, want)
		}
		numtest.Close(t, "all down", got.UnavailabilityAll, r.Float("all_down"), 1e-12)
		down, err := reliability.AllDown(c, got.Replicas)
		if err != nil {
			t.Fatal(err)
		}
		chain, err := reliability.ReplicaSet{c, got.Replicas, 1, 0}.SteadyState()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []reliability.SteadyState{down, chain} {
			numtest.Close(t, "unavailability", s.Unavailability, r.Float("all_down"), 1e-12)
			numtest.Close(t, "availability", s.Availability, 1-r.Float("all_down"), 1e-12)
			numtest.Close(t, "rate", s.OutageRate, r.Float("rate"), 1e-12)
			numtest.Close(t, "outage", s.MeanOutage, r.Float("outage"), 1e-12)
			numtest.Close(t, "log rate", math.Exp(s.LogOutageRate), r.Float("rate"), 1e-12)
		}
	}
}

func TestReplicasOneFewerFails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := reliability.Component{math.Exp(rapid.Float64Range(-8, 8).Draw(t, "log mttf")), 1}
		q := math.Exp(rapid.Float64Range(-300, -0.01).Draw(t, "log q"))
		r, err := reliability.ReplicasForFailure(c, q)
		if err != nil {
			t.Fatal(err)
		}
		if r.UnavailabilityAll > q*(1+1e-9) {
			t.Fatalf("%+v does not meet %v", r, q)
		}
		if r.Replicas > 1 && r.LogUnavailability/float64(r.Replicas)*float64(r.Replicas-1) < math.Log(q)-1e-9 {
			t.Fatalf("%+v: one fewer meets %v", r, q)
		}
		if float64(r.Replicas) < r.Real*(1-1e-9) || float64(r.Replicas) > math.Max(1, r.Real+1) {
			t.Fatalf("%+v", r)
		}
		if q > 1e-9 {
			p, err := reliability.Replicas(c, 1-q)
			if err != nil || p.Replicas < r.Replicas-1 || p.Replicas > r.Replicas+1 || numtest.RelErr(p.Real, r.Real) > 1e-5 {
				t.Fatalf("by target %+v, by failure %+v, %v", p, r, err)
			}
		}
	})
}

func TestReplicasDomain(t *testing.T) {
	ok := reliability.Component{5, 2}
	for _, c := range []struct {
		c      reliability.Component
		target float64
		arg    string
	}{
		{reliability.Component{0, 2}, 0.9, "MTTF"}, {reliability.Component{-1, 2}, 0.9, "MTTF"}, {reliability.Component{math.Inf(1), 2}, 0.9, "MTTF"},
		{reliability.Component{5, 0}, 0.9, "MTTR"}, {ok, 0, "target"}, {ok, 1.5, "target"}, {ok, math.NaN(), "target"},
	} {
		_, err := reliability.Replicas(c.c, c.target)
		wantDomain(t, err, c.arg)
	}
	if _, err := reliability.Replicas(ok, 1); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("P = 1: %v", err)
	}
	if _, err := reliability.ReplicasForFailure(ok, 0); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("q = 0: %v", err)
	}
	if _, err := reliability.Replicas(reliability.Component{1e-300, 1}, 0.9); !errors.Is(err, reliability.ErrCountTooLarge) {
		t.Errorf("hopeless machine: %v", err)
	}
	_, err := reliability.AllDown(ok, 0)
	wantDomain(t, err, "replicas")
	r, err := reliability.Replicas(reliability.Component{1e300, 1e-300}, 0.999)
	if err != nil || r.Replicas != 1 || math.IsNaN(r.Real) {
		t.Errorf("MTTF 1e300: %+v, %v", r, err)
	}
	a, err := reliability.AllDown(reliability.Component{1e300, 1}, 5)
	if err != nil || a.Unavailability != 0 || numtest.RelErr(a.LogUnavailability, -1500*math.Ln10) > 1e-12 {
		t.Errorf("MTTF 1e300, 5 replicas: %+v, %v", a, err)
	}
}

// Targets far below 1/2, where 1 - P rounds to 1: a thousand machines that are
// up 1e-20 of the time are up 1e-17 of it together.
func TestReplicasOfTinyTargets(t *testing.T) {
	c := reliability.Component{1e-20, 1}
	r, err := reliability.Replicas(c, 1e-17)
	if err != nil || r.Replicas != 1000 || numtest.RelErr(r.Real, 1000) > 1e-12 {
		t.Errorf("%+v, %v", r, err)
	}
	b, err := reliability.BetaFactor{c, 0}.Replicas(1e-17)
	if err != nil || b.Replicas != 1000 {
		t.Errorf("beta factor: %+v, %v", b, err)
	}
	p, err := reliability.Placement{c, []reliability.RiskGroup{{0, 5000}}}.Replicas(1e-17)
	if err != nil || p.Replicas != 1000 {
		t.Errorf("groups: %+v, %v", p, err)
	}
	s, err := reliability.CheapestPool([]reliability.Machine{{1e-18, 1}, {2e-17, 3}}, 1e-17)
	if err != nil || len(s.Chosen) != 1 || s.Chosen[0] != 1 {
		t.Errorf("pool: %+v, %v", s, err)
	}
}

// The errors of the chain with few crews come from the same sums as a chain
// solved by hand: two machines, one crew, λ = 1/5, μ = 1/2.
func TestSteadyStateOneCrew(t *testing.T) {
	// π ∝ 1, 2λ/μ, 2λ²/μ² = 1, 0.8, 0.32
	s, err := reliability.ReplicaSet{reliability.Component{5, 2}, 2, 1, 1}.SteadyState()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "unavailability", s.Unavailability, 0.32/2.12, 1e-14)
	numtest.Close(t, "rate", s.OutageRate, 0.8/2.12/5, 1e-14)
	numtest.Close(t, "outage", s.MeanOutage, 2, 1e-14)
}

func TestSteadyStateLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(1, 40).Draw(t, "k")
		s := reliability.ReplicaSet{reliability.Component{math.Exp(rapid.Float64Range(-6, 6).Draw(t, "f")), 1}, k,
			rapid.IntRange(1, k).Draw(t, "m"), rapid.IntRange(1, k).Draw(t, "c")}
		a, err := s.SteadyState()
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(a.Availability+a.Unavailability-1) > 1e-12 {
			t.Fatalf("%+v", a)
		}
		if numtest.RelErr(a.OutageRate*a.MeanOutage, a.Unavailability) > 1e-12 { // Little
			t.Fatalf("rate times length is not the share of time: %+v", a)
		}
		if s.Crews < k {
			more := s
			more.Crews++
			if b, _ := more.SteadyState(); b.Unavailability > a.Unavailability*(1+1e-12) {
				t.Fatalf("a crew more makes it worse: %v, %v", a, b)
			}
		}
		all := s
		all.Crews = 0
		b, _ := all.SteadyState()
		f, err := reliability.KofN{s.Component, s.Needed, k}.Figures()
		if err != nil || numtest.RelErr(b.Unavailability, f.Unavailability) > 1e-11 || numtest.RelErr(b.OutageRate, f.FailureFrequency) > 1e-11 {
			t.Fatalf("a crew each: %+v, binomial %+v, %v", b, f, err)
		}
	})
}

func ExampleReplicas() {
	r, err := reliability.Replicas(reliability.Component{MTTF: 5, MTTR: 2}, 0.95)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.5f -> %d replicas, available %.4f (two: %.4f)\n", r.Real, r.Replicas, r.AvailabilityAll, r.AvailabilityFewer)
	_, err = reliability.Replicas(reliability.Component{MTTF: 5, MTTR: 2}, 1)
	fmt.Println(err)
	// Output:
	// 2.39130 -> 3 replicas, available 0.9767 (two: 0.9184)
	// reliability: Replicas: target = 1: no finite count
}

// Components that are hardly ever up need more replicas than P tells apart:
// the answer comes at once, and is not below the real solution.
func TestReplicasManyAlike(t *testing.T) {
	for _, target := range []float64{0.9, 0.99999999999, 0.9999999999999999} {
		for _, c := range []reliability.Component{{MTTF: 1e-3, MTTR: 3.6e9}, {MTTF: 8.64e-5, MTTR: 368254800}, {MTTF: 1, MTTR: 1e6}} {
			r, err := reliability.Replicas(c, target)
			if err != nil {
				t.Fatal(err)
			}
			if real := math.Log1p(-target) / math.Log1p(-c.MTTF/(c.MTTF+c.MTTR)); float64(r.Replicas) < r.Real || float64(r.Replicas) < real*(1-1e-15) {
				t.Errorf("%v, target %v: %d replicas of %v needed", c, target, r.Replicas, real)
			}
			b, err := reliability.BetaFactor{Component: c}.Replicas(target)
			if err != nil {
				t.Fatal(err)
			}
			if float64(b.Replicas) < b.Real || math.Abs(float64(b.Replicas)-float64(r.Replicas)) > 1e-9*float64(r.Replicas) {
				t.Errorf("%v, target %v: %d replicas without a common cause, %d independent", c, target, b.Replicas, r.Replicas)
			}
		}
	}
}
