package unlike

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func TestElasticReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/elastic.csv") {
		m := Elastic{ArrivalRate: r.Float("load_erl") / 4, ServiceTime: 4, Speed: r.Float("speed")}
		servers := r.Float("servers")
		f, err := m.At(servers)
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		// A speed of .999999 holds 1 − s to 1e-10 only.
		tol := 1e-12 + 1e-16/(1-m.Speed+1e-4)
		if m.Speed > .99 && m.Speed < 1 {
			tol = 1e-10
		}
		numtest.Close(t, at+"elongation", f.Elongation, r.Float("elongation"), tol)
		numtest.Close(t, at+"jobs", f.MeanJobs, r.Float("mean_jobs"), 1e-12)
		numtest.Close(t, at+"response", f.MeanResponse, 4*r.Float("mean_jobs")/r.Float("load_erl"), 1e-12)
		numtest.Close(t, at+"public", f.MeanPublic, r.Float("mean_public"), 1e-12)
		numtest.Close(t, at+"public share", f.PublicShare, r.Float("public_share"), 1e-12)
		numtest.Close(t, at+"all busy", f.AllBusy, r.Float("all_busy"), 1e-12)
		tail, err := m.JobsTail(servers, r.Float("k"))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, at+"tail", tail, r.Float("tail"), 1e-12)
		p99, err := m.JobsPercentile(servers, .99)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, at+"99 % of jobs", p99, r.Float("p99"), 0)
	}
}

// Least N/a for an elongation of 10 %. The chains of 20 and 21, and of 97 and
// 380, servers at a speed of .34 are rows of testdata/elastic.csv.
func TestElasticLeastServers(t *testing.T) {
	for _, c := range []struct{ speed, load, perErlang float64 }{
		{.34, 20, 1.05}, {.34, 100, .97}, {.34, 400, .95},
		{.46, 20, 1.00}, {.46, 100, .93}, {.46, 400, .915},
	} {
		m := Elastic{c.load, 1, c.speed}
		r, err := m.LeastServers(.10)
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Round(c.perErlang * c.load); r.Servers != want {
			t.Errorf("s = %v, a = %v: %v servers, want %v", c.speed, c.load, r.Servers, want)
		}
		if !(r.Real <= r.Servers && r.Real > r.Servers-1) {
			t.Errorf("s = %v, a = %v: real %v beside %v", c.speed, c.load, r.Real, r.Servers)
		}
		met, err := m.At(r.Servers)
		if err != nil {
			t.Fatal(err)
		}
		fewer, err := m.At(r.Servers - 1)
		if err != nil {
			t.Fatal(err)
		}
		if !(met.Elongation <= .10 && fewer.Elongation > .10) {
			t.Errorf("s = %v, a = %v: e = %v, one fewer %v", c.speed, c.load, met.Elongation, fewer.Elongation)
		}
	}
	// Public machines alone are good enough.
	if r, err := (Elastic{100, 1, .34}).LeastServers(2); err != nil || r.Servers != 0 {
		t.Errorf("elongation 2: %v servers, %v", r.Servers, err)
	}
	if r, err := (Elastic{100, 1, 1}).LeastServers(0); err != nil || r.Servers != 0 {
		t.Errorf("speed 1: %v servers, %v", r.Servers, err)
	}
	if _, err := (Elastic{100, 1, .34}).LeastServers(0); !errors.Is(err, queueing.ErrInfeasible) {
		t.Errorf("elongation 0: %v", err)
	}
}

func TestElasticLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	for range 2000 {
		a, s := math.Exp(r.Float64()*20-6), .01+.99*r.Float64()
		n := math.Floor(a * 2 * r.Float64())
		m := Elastic{a / 7, 7, s}
		f, err := m.At(n)
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("a = %v, s = %v, N = %v: ", a, s, n)
		numtest.Close(t, at+"Little", f.MeanJobs, m.ArrivalRate*f.MeanResponse, 1e-13)
		numtest.Close(t, at+"work", f.Utilization*n+s*f.MeanPublic, f.OfferedLoad, 1e-11)
		numtest.Close(t, at+"jobs", f.Utilization*n+f.MeanPublic, f.MeanJobs, 1e-11)
		if f.MeanField > f.Elongation*(1+1e-12) {
			t.Errorf("%smean field %v above %v", at, f.MeanField, f.Elongation)
		}
		more, err := m.At(n + 1)
		if err != nil {
			t.Fatal(err)
		}
		if more.Elongation > f.Elongation {
			t.Errorf("%se rises with a server, %v to %v", at, f.Elongation, more.Elongation)
		}
		if tail, err := m.JobsTail(n, n); err != nil {
			t.Fatal(err)
		} else {
			numtest.Close(t, at+"tail at N", tail, f.AllBusy, 1e-11)
		}
	}
	// The tails add up to the mean; alike machines are an unlimited group.
	for _, m := range []Elastic{{40, 1, .34}, {40, 1, 1}, {3, 1, .1}} {
		sum := 0.0
		for k := 1.0; k < 400; k++ {
			tail, err := m.JobsTail(30, k)
			if err != nil {
				t.Fatal(err)
			}
			sum += tail
		}
		f, _ := m.At(30)
		numtest.Close(t, "Σ P(jobs ≥ k)", sum, f.MeanJobs, 1e-12)
	}
}

func TestElasticDomain(t *testing.T) {
	for _, m := range []Elastic{
		{-1, 1, .3}, {math.NaN(), 1, .3}, {math.Inf(1), 1, .3}, {1, 0, .3}, {1, 1, 0}, {1, 1, 1.1}, {1, 1, math.NaN()},
		{1e300, 1, .3}, {1, 1e300, 1e-300}, {1e12, 1, 1e-9},
	} {
		var domain *queueing.DomainError
		if _, err := m.At(3); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", m, err)
		}
		if _, err := m.LeastServers(.1); err == nil {
			t.Errorf("%+v: least servers", m)
		}
	}
	m := Elastic{10, 1, .3}
	for _, n := range []float64{-1, math.NaN(), math.Inf(1), 2.5} {
		if _, err := m.JobsTail(n, 3); err == nil {
			t.Errorf("%v servers: a tail", n)
		}
		if _, err := m.JobsPercentile(n, .5); err == nil {
			t.Errorf("%v servers: a percentile", n)
		}
	}
	if _, err := m.LeastServers(-1); err == nil {
		t.Error("elongation −1")
	}
	// The ends of the domain give finite figures.
	for _, m := range []Elastic{{0, 1, .3}, {1e-300, 1, .3}, {1e11, 1, .3}, {1, 1, 1e-6}} {
		for _, n := range []float64{0, 1, 1e6, 1e11} {
			f, err := m.At(n)
			if err != nil {
				t.Fatalf("%+v, %v: %v", m, n, err)
			}
			if math.IsNaN(f.Elongation) || f.Elongation < 0 || math.IsInf(f.MeanJobs, 0) || math.IsNaN(f.MeanJobs) {
				t.Errorf("%+v, %v: %+v", m, n, f)
			}
		}
	}
}

// The error of the mean field, as its comment quotes it.
func TestElasticMeanField(t *testing.T) {
	worst, sum, count, where := 0.0, 0.0, 0.0, ""
	for _, s := range []float64{.1, .2, .34, .46, .6, .75, .9} {
		for _, share := range []float64{.5, .7, .8, .9, .95, 1, 1.05, 1.1, 1.2, 1.5} {
			for _, a := range []float64{5, 10, 20, 50, 100, 400, 1000, 1e4} {
				f, err := Elastic{a, 1, s}.At(share * a)
				if err != nil {
					t.Fatal(err)
				}
				short := 1 - (1+f.MeanField)/(1+f.Elongation)
				sum, count = sum+short, count+1
				if short > worst {
					worst, where = short, fmt.Sprintf("s = %v, N/a = %v, a = %v", s, share, a)
				}
			}
		}
	}
	if worst < .43 || worst > .44 || sum/count < .025 || sum/count > .0265 {
		t.Errorf("the mean field is too low by at most %.3g (%s), on average %.3g", worst, where, sum/count)
	}
}

func BenchmarkElasticLeastServers(b *testing.B) {
	for _, load := range []float64{100, 1e6} {
		b.Run(fmt.Sprintf("load=%g", load), func(b *testing.B) {
			for b.Loop() {
				if _, err := (Elastic{load, 1, .34}).LeastServers(.1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
