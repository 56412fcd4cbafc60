package routing

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func uncertain() Uncertain {
	return Uncertain{
		Clusters:   threeClusters(),
		LocalRates: []Range{{0.2, 0.4}, {0.4, 0.6}, {0.1, 1.5}},
		Rate:       1.5,
		Rates:      Range{1, 2},
	}
}

func TestScenarios(t *testing.T) {
	ctx := context.Background()
	u := uncertain()
	s, err := u.Draw(500, rand.New(rand.NewPCG(41, 42)))
	if err != nil {
		t.Fatal(err)
	}
	again, err := u.Draw(500, rand.New(rand.NewPCG(41, 42)))
	if err != nil {
		t.Fatal(err)
	}
	robust, err := s.LeastMean(ctx)
	if err != nil {
		t.Fatal(err)
	}
	// x per unit of probability, not of rate: the sums are 1 and Rate.
	var p numeric.Sum
	active, idle := 0.0, math.Inf(-1)
	for _, r := range robust.Routes {
		p.Add(r.Probability)
		if d := r.Marginal/robust.Multiplier - 1; r.Probability > 0 {
			active = max(active, math.Abs(d))
		} else {
			idle = max(idle, -d)
		}
	}
	numtest.Close(t, "Σp", p.Value(), 1, 1e-14)
	if active > 1e-10 || idle > 1e-12 {
		t.Errorf("KKT of the average: active %g, idle %g", active, idle)
	}
	mine, err := s.Evaluate(ctx, robust.Probabilities())
	if err != nil {
		t.Fatal(err)
	}
	if mine.Unstable != 0 || mine.Draws != 500 {
		t.Fatalf("%d of %d draws unstable", mine.Unstable, mine.Draws)
	}
	numtest.Close(t, "average over draws", mine.Mean, robust.Value, 1e-12)
	same, err := again.Evaluate(ctx, robust.Probabilities())
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "the same seed", same.Mean, mine.Mean, 0)

	nominal, err := PAP(u.Clusters, u.Rate)
	if err != nil {
		t.Fatal(err)
	}
	worst, err := u.LeastWorst()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []Split{nominal, worst} {
		o, err := s.Evaluate(ctx, other.Probabilities())
		if err != nil {
			t.Fatal(err)
		}
		if o.Unstable == 0 && o.Mean < mine.Mean*(1-1e-12) {
			t.Errorf("%s: mean %.12g over the draws, below the least %.12g", other.Objective, o.Mean, mine.Mean)
		}
		top, ok := o.Quantile(1)
		if ok && other.Objective == worst.Objective && top > worst.MeanResponse*(1+1e-12) {
			t.Errorf("a draw at %.12g is above the worst case %.12g", top, worst.MeanResponse)
		}
	}
	lo, ok1 := mine.Quantile(0.1)
	hi, ok2 := mine.Quantile(0.9)
	if !ok1 || !ok2 || !(lo < mine.Mean && mine.Mean < hi) {
		t.Errorf("quantiles %g, %g around the mean %g", lo, hi, mine.Mean)
	}
	// No exchange of probability between two clusters improves the average.
	x := robust.Probabilities()
	found := descend(func(p []float64) float64 {
		f, err := s.Evaluate(ctx, p)
		if err != nil || f.Unstable > 0 {
			return math.Inf(1)
		}
		return f.Mean
	}, x)
	if found < mine.Mean*(1-1e-11) {
		t.Errorf("general solver finds %.14g, below %.14g", found, mine.Mean)
	}
}

// Ranges without width: all three are PAP.
func TestCertain(t *testing.T) {
	u := Uncertain{Clusters: threeClusters(), Rate: 3}
	p, err := PAP(u.Clusters, 3)
	if err != nil {
		t.Fatal(err)
	}
	w, err := u.LeastWorst()
	if err != nil {
		t.Fatal(err)
	}
	s, err := u.Draw(3, rand.New(rand.NewPCG(1, 1)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.LeastMean(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for j := range p.Routes {
		numtest.Close(t, "worst", w.Routes[j].Rate, p.Routes[j].Rate, 1e-12)
		numtest.Close(t, "mean", m.Routes[j].Rate, p.Routes[j].Rate, 1e-9)
	}
	numtest.Close(t, "value", m.Value, p.MeanResponse, 1e-12)
	numtest.Close(t, "mean response", m.MeanResponse, p.MeanResponse, 1e-12)
}

func TestUncertainUnstable(t *testing.T) {
	ctx := context.Background()
	u := uncertain()
	u.LocalRates[1], u.LocalRates[2] = Range{0.4, 1.3}, Range{0.1, 0.5} // saturates B from 1.11/s on
	s, err := u.Draw(1000, rand.New(rand.NewPCG(43, 44)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Evaluate(ctx, []float64{0.1, 0.2, 0.7})
	if err != nil {
		t.Fatal(err)
	}
	if p.Unstable == 0 || p.Saturations[1] != p.Unstable || p.Saturations[0] != 0 {
		t.Errorf("unstable %d, saturations %v", p.Unstable, p.Saturations)
	}
	if _, ok := p.Quantile(1); ok {
		t.Error("a quantile within the unstable draws")
	}
	clear, err := s.Evaluate(ctx, []float64{0.2, 0, 0.8})
	if err != nil {
		t.Fatal(err)
	}
	if clear.Unstable != 0 {
		t.Errorf("nothing sent to the saturated cluster: %d unstable", clear.Unstable)
	}
	var sat *SaturatedError
	if _, err := s.LeastMean(ctx); !errors.As(err, &sat) || sat.Cluster != `cluster "B"` {
		t.Errorf("robust: %v", err)
	}
	if _, err := u.LeastWorst(); !errors.As(err, &sat) {
		t.Errorf("worst: %v", err)
	}
	u = uncertain()
	u.Rates = Range{1, 30}
	s, err = u.Draw(100, rand.New(rand.NewPCG(45, 46)))
	if err != nil {
		t.Fatal(err)
	}
	var inf *InfeasibleError
	if _, err := s.LeastMean(ctx); !errors.As(err, &inf) || !errors.Is(err, queueing.ErrInfeasible) || !(inf.Greatest < 1.5) {
		t.Errorf("robust at 30/s: %v", err)
	}
	for i, bad := range []Uncertain{
		{Clusters: threeClusters()},
		{Clusters: threeClusters(), Rate: 1, Rates: Range{2, 1}},
		{Clusters: threeClusters(), Rate: 1, LocalRates: []Range{{0, 1}}},
		{Clusters: threeClusters(), Rate: 1, LocalRates: []Range{{0, 1}, {math.NaN(), 1}, {0, 1}}},
	} {
		var d *DomainError
		if _, err := bad.Draw(1, rand.New(rand.NewPCG(1, 1))); !errors.As(err, &d) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	if _, err := uncertain().Draw(0, rand.New(rand.NewPCG(1, 1))); err == nil {
		t.Error("no draws: no error")
	}
	if _, err := uncertain().Draw(1, nil); err == nil {
		t.Error("no source: no error")
	}
}

// Draws made by the caller are those that are judged, and have to lie within
// the ranges.
func TestGiven(t *testing.T) {
	u := uncertain()
	s, err := u.Given([]float64{1, 2}, func(j, d int) float64 { return []float64{0.2, 0.5, 1}[j] })
	if err != nil {
		t.Fatal(err)
	}
	p := []float64{0.1, 0.2, 0.7}
	got, err := s.Evaluate(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	at := threeClusters()
	for j, rate := range []float64{0.2, 0.5, 1} {
		at[j].LocalRate = rate
	}
	mean := 0.0
	for _, rate := range []float64{1, 2} {
		e, err := Evaluate(at, []float64{p[0] * rate, p[1] * rate, p[2] * rate})
		if err != nil {
			t.Fatal(err)
		}
		mean += e.MeanResponse / 2
	}
	numtest.Close(t, "mean of two draws", got.Mean, mean, 1e-14)

	var domain *DomainError
	for name, err := range map[string]error{
		"none":          second(u.Given(nil, nil)),
		"rate":          second(u.Given([]float64{1, 2.1}, nil)),
		"local rate":    second(u.Given([]float64{1}, func(int, int) float64 { return 9 })),
		"not a number":  second(u.Given([]float64{math.NaN()}, nil)),
		"local missing": second(Uncertain{}.Given([]float64{1}, nil)),
	} {
		if !errors.As(err, &domain) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := u.Given([]float64{1.5}, nil); err != nil {
		t.Errorf("nominal local rates: %v", err)
	}
}

func second(_ *Scenarios, err error) error { return err }
