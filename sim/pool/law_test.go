package pool

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// The mean of the draws is that of the law, and that of the interval at a random
// moment is E[X²]/E[X].
func TestLaws(t *testing.T) {
	h := Default(1).Public.Coming
	for i, c := range []struct {
		law          Law
		mean, biased float64
	}{
		{Constant(5), 5, 5},
		{law.Exponential{Scale: 7}, 7, 14},
		{law.Weibull{Shape: .7, Scale: 3}, 3 * math.Gamma(1+1/.7), 3 * math.Gamma(1+2/.7) / math.Gamma(1+1/.7)},
		{LogNormalOf(.34, .5), .34, .34 * 1.25},
		{law.Gamma{Shape: .4, Scale: 2}, .8, 2.8},
		{law.Gamma{Shape: 3, Scale: 2}, 6, 8},
		{Empirical{1, 1, 8}, 10. / 3, 6.6},
		{h.On, 60 * (.33*3 + .4*25 + .27*300), 60 * 2 * (.33*9 + .4*625 + .27*90000) / (.33*3 + .4*25 + .27*300)},
		{h.Off, 60 * (.33*7 + .67*55), 60 * 2 * (.33*49 + .67*3025) / (.33*7 + .67*55)},
		{Lublin(), 3596.141945769522, 21526.10268641254}, // mpmath, quadrature
	} {
		r := rand.New(rand.NewPCG(3, uint64(i)))
		numtest.Close(t, fmt.Sprintf("law %d: mean", i), c.law.Mean(), c.mean, 1e-11)
		for _, d := range []struct {
			what string
			draw func(*rand.Rand) float64
			want float64
		}{{"draws", c.law.Draw, c.mean}, {"biased draws", c.law.DrawCovering, c.biased}} {
			n := longtest.Of(50_000., 200_000)
			sum, squares := 0.0, 0.0
			for range int(n) {
				v := d.draw(r)
				sum += v
				squares += v * v
			}
			mean := sum / n
			if se := math.Sqrt((squares/n - mean*mean) / n); math.Abs(mean-d.want) > 4*se+1e-9*d.want {
				t.Errorf("law %d: mean of %s %v ± %v, want %v", i, d.what, mean, se, d.want)
			}
		}
	}
}

// As many machines are there at the beginning as ever after: A = .701, by hand
// 91.99/(91.99 + 39.16).
func TestAvailabilityIsSteady(t *testing.T) {
	p := Default(1)
	numtest.Close(t, "availability", p.Public.Coming.Availability(), 91.99/(91.99+39.16), 1e-12)
	traced := p
	traced.Public.Coming.Traces = []Trace{{7000, 3000}, {70, 10, 630, 290}}
	for _, p := range []Pool{p, traced} {
		want := p.Public.Coming.Availability()
		x := newRun(&p, replication(t))
		for _, at := range []float64{0, 600, 7200, 86400} {
			n := 0.0
			for i := range x.hosts {
				if x.look(int32(i), at) {
					n++
				}
			}
			n /= float64(len(x.hosts))
			if se := math.Sqrt(want * (1 - want) / float64(len(x.hosts))); math.Abs(n-want) > 4*se {
				t.Errorf("at %v s %v are there, want %v ± %v", at, n, want, se)
			}
		}
	}
}

func TestDomain(t *testing.T) {
	for i, spoil := range []func(*Pool){
		func(p *Pool) { p.Dedicated = -1 },
		func(p *Pool) { p.Dedicated, p.Public.Machines = 0, 0 },
		func(p *Pool) { p.Public.Machines = -1 },
		func(p *Pool) { p.Public.Speed = nil },
		func(p *Pool) { p.Public.Speed = Constant(0) },
		func(p *Pool) { p.Public.Speeds = []float64{1, 0} },
		func(p *Pool) { p.Public.Coming.On = law.Exponential{Scale: 0} },
		func(p *Pool) { p.Public.Coming.On = nil },
		func(p *Pool) { p.Public.Coming.Off = Mixture{{.5, law.Exponential{Scale: 1}}} },
		func(p *Pool) { p.Public.Coming.Traces = []Trace{{1}} },
		func(p *Pool) { p.Public.Coming.Traces = []Trace{{1, 0}} },
		func(p *Pool) { p.Link.Up = 0 },
		func(p *Pool) { p.Link.Line = math.NaN() },
		func(p *Pool) { p.Link.Latency = -1 },
		func(p *Pool) { p.Jobs = nil },
		func(p *Pool) { p.Jobs = Poisson{Rate: 0, Work: Constant(1), Users: 1} },
		func(p *Pool) { p.Jobs = Poisson{Rate: 1, Work: Constant(-1), Users: 1} },
		func(p *Pool) { p.Jobs = Poisson{Rate: 1, Users: 1} },
		func(p *Pool) { p.Jobs = Poisson{Rate: 1, Work: Constant(1)} },
		func(p *Pool) { p.Jobs = Log{} },
		func(p *Pool) { p.Jobs = Log{{At: 5, Work: 1}, {At: 4, Work: 1}} },
		func(p *Pool) { p.Jobs = Log{{At: 5, Work: 0}} },
		func(p *Pool) { p.Agreement.Ratio = 0 },
		func(p *Pool) { p.Agreement.MaxLoad = [2]float64{2, 1} },
		func(p *Pool) { p.Agreement.MaxLoad = [2]float64{2, math.Inf(1)} },
		func(p *Pool) { p.Agreement.Window = 0 },
		func(p *Pool) { p.Agreement.MaxElongation = math.NaN() },
		func(p *Pool) { p.Epoch = 0 },
		func(p *Pool) { p.CoolDown = math.Inf(1) },
		func(p *Pool) { p.Oldest = -1 },
		func(p *Pool) { p.Replicas = 0 },
		func(p *Pool) { p.Frozen = 0 },
		func(p *Pool) { p.Policy = 2 },
	} {
		p := Default(.1)
		spoil(&p)
		var domain *DomainError
		if _, err := sim.Run(context.Background(), p, sim.Options{Replications: 1, Horizon: 10}); !errors.As(err, &domain) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	var domain *DomainError
	if _, err := sim.Run(context.Background(), Default(.1), sim.Options{Replications: 1}); !errors.As(err, &domain) {
		t.Errorf("no horizon: %v", err)
	}
	if err := Default(.1).Check(); err != nil {
		t.Error(err)
	}
}

// The jobs of a log are checked before each of some simulations: a text for each of them took
// seconds for millions.
func TestLogCheckWritesNothing(t *testing.T) {
	jobs := make(Log, 1000)
	for i := range jobs {
		jobs[i] = Arrival{At: float64(i), Work: 1}
	}
	if n := testing.AllocsPerRun(10, func() {
		if err := jobs.check("Test"); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations for 1000 jobs", n)
	}
	for i, wrong := range []Arrival{{At: 1, Work: 1}, {At: 999}, {At: 999, Work: math.NaN()},
		{At: math.Inf(1), Work: 1}, {At: 999, Work: math.Inf(1)}, {At: 999, Work: 1, Footprint: -1},
		{At: 999, Work: 1, Footprint: math.Inf(1)}, {At: 999, Work: 1, User: -1}, {At: 999, Work: 1, User: most}} {
		jobs[999] = wrong
		if err := jobs.check("Test"); err == nil {
			t.Errorf("%d: %+v is taken", i, wrong)
		}
	}
}
