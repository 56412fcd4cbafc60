package pool

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// alike are machines that come and go by exponential laws, as a population.
type alike struct{ n int }

func (p alike) Size() int                { return p.n }
func (p alike) Availability(int) float64 { return 5. / 7 }
func (p alike) Laws() (up, down law.Law, err error) {
	return law.Exponential{Scale: 300}, law.Exponential{Scale: 120}, nil
}
func (p alike) Begin(hosts.Chance) func(int, *rand.Rand) hosts.Course {
	return func(_ int, r *rand.Rand) hosts.Course {
		up, until := r.Float64() > 5./7, 0.0
		return func() (bool, float64) {
			up = !up
			until += r.ExpFloat64() * map[bool]float64{true: 300, false: 120}[up]
			return up, until
		}
	}
}

// A pool on a population does as one on the same laws.
func TestPopulationAsItsLaws(t *testing.T) {
	p := Default(0.02)
	p.Dedicated, p.Public.Machines = 2, 200
	p.Public.Coming = Coming{On: law.Exponential{Scale: 300}, Off: law.Exponential{Scale: 120}}
	of := func(p Pool, seed uint64) sim.Result {
		r, err := sim.Run(context.Background(), p, sim.Options{Seed: seed, Replications: 12, Horizon: 6 * 3600})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	laws := of(p, 1)
	p.Public.Coming = Coming{Population: alike{50}}
	if a := p.Public.Coming.Availability(); math.Abs(a-5./7) > 1e-12 {
		t.Errorf("availability %v", a)
	}
	drawn := of(p, 2)
	compared := 0
	for i, x := range laws.Figures {
		y := drawn.Figures[i]
		half := math.Hypot(x.High-x.Low, y.High-y.Low) / 2
		if !(half > 0) || math.IsInf(half, 1) {
			continue
		}
		compared++
		if math.Abs(x.Mean-y.Mean) > 2*half {
			t.Errorf("%s: %v by laws, %v as a population, ± %v", x.Name, x.Mean, y.Mean, half)
		}
	}
	if compared < 3 {
		t.Errorf("%d figures compared", compared)
	}
	p.Public.Coming = Coming{Population: alike{0}}
	if err := p.Check(); err == nil {
		t.Error("no machine in the population")
	}
}
