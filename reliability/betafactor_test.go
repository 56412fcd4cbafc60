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

// bruteBeta lists the states of the common cause and of k replicas.
func bruteBeta(u, beta float64, m, k int) (fewer float64) {
	c := beta * u
	v := (u - c) / (1 - c)
	fewer = c
	for state := range 1 << k {
		p, up := 1-c, 0
		for i := range k {
			if state>>i&1 == 1 {
				p *= 1 - v
				up++
			} else {
				p *= v
			}
		}
		if up < m {
			fewer += p
		}
	}
	return fewer
}

func TestBetaFactor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Exp(rapid.Float64Range(-3, 9).Draw(t, "f"))
		b := reliability.BetaFactor{reliability.Component{f, 1}, rapid.Float64Range(0, 1).Draw(t, "beta")}
		k := rapid.IntRange(1, 8).Draw(t, "k")
		m := rapid.IntRange(1, k).Draw(t, "m")
		up, fewer, err := b.AtLeast(m, k)
		if err != nil {
			t.Fatal(err)
		}
		if want := bruteBeta(1/(1+f), b.Beta, m, k); numtest.RelErr(fewer, want) > 1e-11 || math.Abs(up+fewer-1) > 1e-12 {
			t.Fatalf("fewer = %v, up = %v, want %v", fewer, up, want)
		}
		if _, one, _ := b.AtLeast(1, 1); numtest.RelErr(one, 1/(1+f)) > 1e-13 {
			t.Fatalf("one replica: %v, want %v", one, 1/(1+f))
		}
	})
}

func TestBetaFactorReplicas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := reliability.BetaFactor{reliability.Component{math.Exp(rapid.Float64Range(-2, 6).Draw(t, "f")), 1},
			rapid.SampledFrom([]float64{0, 0.001, 0.1, 0.5, 1}).Draw(t, "beta")}
		p := 1 - math.Exp(rapid.Float64Range(-20, -0.1).Draw(t, "log q"))
		r, err := b.Replicas(p)
		if err != nil {
			var a *reliability.AvailabilityError
			if !errors.As(err, &a) {
				t.Fatal(err)
			}
			if up, _, _ := b.AtLeast(1, 5000); up > p*(1+1e-9) || a.Floor < (1-p)*(1-1e-9) {
				t.Fatalf("%v, but 5000 replicas reach %v of %v", err, up, p)
			}
			return
		}
		if r.Availability < p-1e-12 {
			t.Fatalf("%+v misses %v", r, p)
		}
		if r.Replicas > 1 {
			if up, _, _ := b.AtLeast(1, r.Replicas-1); up > p+1e-12 {
				t.Fatalf("%+v: one fewer has %v, meets %v", r, up, p)
			}
		}
		if b.Beta == 0 {
			plain, err := reliability.Replicas(b.Component, p)
			if err != nil || plain.Replicas != r.Replicas || numtest.RelErr(plain.Real, r.Real) > 1e-9 {
				t.Fatalf("beta 0: %+v, independent %+v, %v", r, plain, err)
			}
		}
	})
	_, err := reliability.BetaFactor{reliability.Component{9, 1}, 1.1}.Replicas(0.9)
	wantDomain(t, err, "Beta")
	_, _, err = reliability.BetaFactor{reliability.Component{9, 1}, 0.1}.AtLeast(3, 2)
	wantDomain(t, err, "k")
	if _, err = (reliability.BetaFactor{reliability.Component{9, 1}, 0.1}).Replicas(1); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("P = 1: %v", err)
	}
	// The floor itself, 0.1·0.1, is never reached.
	if _, err = (reliability.BetaFactor{reliability.Component{9, 1}, 0.1}).Replicas(0.99); !errors.Is(err, reliability.ErrInfeasible) {
		t.Errorf("P = 1 - floor: %v", err)
	}
}

func ExampleBetaFactor_Replicas() {
	b := reliability.BetaFactor{reliability.Component{MTTF: 9, MTTR: 1}, 0.02}
	r, err := b.Replicas(0.997)
	fmt.Printf("%d replicas, available %.5f, %v\n", r.Replicas, r.Availability, err)
	_, err = b.Replicas(0.9999)
	fmt.Println(err)
	// Output:
	// 3 replicas, available 0.99706, <nil>
	// reliability: BetaFactor.Replicas: availability 0.9999 is infeasible: the common cause (beta = 0.02) takes all replicas down together, so at most 0.998 (unavailability at least 0.002)
}
