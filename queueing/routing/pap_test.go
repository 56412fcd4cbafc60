package routing

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// The checks of the specification, by an independent convex solver, to the
// digits it gives.
func TestPAPChecks(t *testing.T) {
	for _, c := range []struct {
		rate, z float64
		x       [3]float64
		mean    float64
	}{
		{1, 0.697352789, [3]float64{0, 0, 1}, 0.516051136},
		{2, 1.711930104, [3]float64{0.07487716, 0.05206886, 1.87305399}, 0.831545175},
		{3, 3.430383375, [3]float64{0.31870029, 0.40190824, 2.27939147}, 1.355183706},
		{4, 12.187047099, [3]float64{0.53883916, 0.74349436, 2.71766648}, 2.617523482},
	} {
		s, err := PAP(threeClusters(), c.rate)
		if err != nil {
			t.Fatal(err)
		}
		for j, want := range c.x {
			if d := math.Abs(s.Routes[j].Rate - want); !(d <= 0.51e-8) {
				t.Errorf("rate %g: x[%d] = %.12g, want %.12g", c.rate, j, s.Routes[j].Rate, want)
			}
		}
		if d := math.Abs(s.Multiplier - c.z); !(d <= 0.51e-9) {
			t.Errorf("rate %g: z = %.12g, want %.12g", c.rate, s.Multiplier, c.z)
		}
		if d := math.Abs(s.MeanResponse - c.mean); !(d <= 0.51e-9) {
			t.Errorf("rate %g: mean response = %.12g, want %.12g", c.rate, s.MeanResponse, c.mean)
		}
	}
}

// referenceTypes are those of testdata/routing.py.
var referenceTypes = []Type{
	{Name: "DC", Share: 0.3, Weight: 5, ServiceRatio: 0.5, SecondMomentRatio: 0.4},
	{Name: "BE", Share: 0.7, Weight: 1, ServiceRatio: 1.2, SecondMomentRatio: 1.5},
}

func TestSplitReference(t *testing.T) {
	objectives := map[string]Objective{
		"response":    MeanResponse{},
		"cost":        Cost{Delay: 2},
		"preemptions": InterGridPreemptions,
		"types":       WeightedTypes{Types: referenceTypes},
	}
	rows := numtest.Table(t, "testdata/split.csv")
	compared := 0
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].Text("instance") == rows[0].Text("instance") {
			n++
		}
		group := rows[:n]
		rows = rows[n:]
		cs := make([]Cluster, n)
		for j, r := range group {
			cs[j] = Cluster{
				LocalRate: r.Float("lambda"), LocalServiceTime: r.Float("tau"), LocalSecondMoment: r.Float("mu"),
				ServiceTime: r.Float("theta"), SecondMoment: r.Float("omega"), Price: r.Float("price"),
			}
		}
		name := fmt.Sprintf("line %d, %s", group[0].Line, group[0].Text("objective"))
		rate := group[0].Float("rate")
		s, err := Minimize(cs, rate, objectives[group[0].Text("objective")])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		// What the rounding of the data does next to saturation is no error of
		// the method: a unit in the last place of a rate is this much of the
		// unused capacity.
		size := capacity(t, cs)
		if _, ok := objectives[group[0].Text("objective")].(WeightedTypes); ok {
			size /= 0.3*0.5 + 0.7*1.2
		}
		tol := 1e-13 + 1e-15*size/(size-rate)
		numtest.Close(t, name+": z", s.Multiplier, group[0].Float("z"), 3*tol)
		numtest.Close(t, name+": value", s.Value, group[0].Float("value"), 3*tol)
		for j, r := range group {
			// Relative to the whole rate: a cluster just above its start has x
			// from the difference of two nearly equal marginals.
			if d := math.Abs(s.Routes[j].Rate-r.Float("x")) / rate; !(d <= tol) {
				t.Errorf("%s: x[%d] = %.17g, want %v (off by %.2g of the rate)", name, j, s.Routes[j].Rate, r.Text("x"), d)
			}
		}
		if other := group[0].Float("slsqp"); other != 0 {
			compared++
			if !(s.Value <= other+1e-9*math.Abs(other)) {
				t.Errorf("%s: value %.15g is worse than the general solver's %.15g", name, s.Value, other)
			}
		}
	}
	if compared < 40 {
		t.Errorf("compared with the general solver %d times, want at least 40", compared)
	}
}

// checkKKT holds a split to the conditions, by marginals that are differences
// of the objective and not the package's own.
func checkKKT(t *testing.T, name string, s Split) {
	t.Helper()
	active, idle := s.KKT()
	if !(active <= 1e-10) || !(idle <= 1e-12) {
		t.Errorf("%s: KKT violated: active %.2g, idle %.2g", name, active, idle)
	}
	var x, p numeric.Sum
	for j := range s.Routes {
		r := &s.Routes[j]
		if !(r.Rate >= 0) || !(r.Response > 0) || !(r.Utilization <= 1) || math.IsInf(r.Response, 1) {
			t.Errorf("%s: route %d = %+v", name, j, *r)
		}
		x.Add(r.Rate)
		p.Add(r.Probability)
	}
	numtest.Close(t, name+": Σx", x.Value(), s.Rate, 1e-14)
	numtest.Close(t, name+": Σp", p.Value(), 1, 1e-14)
}

func TestKKTRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		cs := randomClusters(rng, 1+rng.IntN(20))
		rate := capacity(t, cs) * loads[i%len(loads)]
		for _, o := range []Objective{MeanResponse{}, Cost{Delay: 0.1 + rng.Float64()}, InterGridPreemptions} {
			s, err := Minimize(cs, rate, o)
			if err != nil {
				t.Fatal(err)
			}
			checkKKT(t, fmt.Sprintf("instance %d, %v, load %g", i, o, loads[i%len(loads)]), s)
		}
	}
}

// The marginals the KKT test relies on are the derivatives of the responses.
func TestMarginalIsDerivative(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for i, c := range randomClusters(rng, 200) {
		c.Servers = []float64{0, 1, 1.5, 2, 7, 64}[i%6]
		limit, err := c.Capacity()
		if err != nil {
			t.Fatal(err)
		}
		x := limit * (0.05 + 0.9*rng.Float64())
		h := 1e-4 * min(x, limit-x)
		f := func(x float64) float64 {
			v, err := c.Response(x)
			if err != nil {
				t.Fatal(err)
			}
			return x * v
		}
		want := (8*(f(x+h)-f(x-h)) - f(x+2*h) + f(x-2*h)) / (12 * h)
		got, err := c.Marginal(x)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, fmt.Sprintf("cluster %d (%g servers): marginal", i, c.Servers), got, want, 1e-9)
		psi, err := c.LeastMarginal()
		if err != nil {
			t.Fatal(err)
		}
		r0, err := c.Response(0)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "ψ as the response of the first request", r0, psi, 1e-12)
		if c.Servers <= 1 {
			rho := c.LocalRate * c.LocalServiceTime
			numtest.Close(t, "ψ, eq. 14", psi, c.ServiceTime/(1-rho)+c.LocalRate*c.LocalSecondMoment/(2*(1-rho)*(1-rho)), 1e-12)
		}
	}
}

// Moving a little from one cluster to another never helps.
func TestPAPBeatsNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		cs := randomClusters(rng, 2+rng.IntN(6))
		s, err := PAP(cs, capacity(t, cs)*rng.Float64())
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, len(cs))
		for range 20 {
			for j := range x {
				x[j] = s.Routes[j].Rate
			}
			from := rng.IntN(len(cs))
			to := (from + 1 + rng.IntN(len(cs)-1)) % len(cs)
			move := x[from] * math.Pow(10, -6*rng.Float64())
			x[from] -= move
			x[to] += move
			other, err := Evaluate(cs, x)
			if errors.Is(err, queueing.ErrUnstable) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			// Evaluate has the slack from the rounded rate.
			if other.MeanResponse < s.MeanResponse*(1-1e-12) {
				t.Errorf("moving %g from %d to %d improves %.17g to %.17g", move, from, to, s.MeanResponse, other.MeanResponse)
			}
		}
	}
}

func TestIdenticalClusters(t *testing.T) {
	n := longtest.Of(100_000, 1_000_000)
	cs := make([]Cluster, n)
	for j := range cs {
		cs[j] = threeClusters()[1]
	}
	size := float64(n) * 1.1 // (1 − 0.45)/0.5 each
	for _, load := range append([]float64{1e-300}, loads...) {
		s, err := PAP(cs, size*load)
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range []int{0, 1, 77777, n - 1} {
			numtest.Close(t, fmt.Sprintf("load %g: probability", load), s.Routes[j].Probability, 1/float64(n), 1e-13)
		}
		checkKKT(t, fmt.Sprintf("load %g", load), s)
	}
}

// Clusters that start at the same ψ by different parameters all take part from
// the first request on, in proportion to 1/F″(0) = idle/d.
func TestSameStart(t *testing.T) {
	a := Cluster{ServiceTime: 1, SecondMoment: 2}
	b := Cluster{ServiceTime: 1, SecondMoment: 8}
	c := Cluster{LocalRate: 0.5, LocalServiceTime: 1, LocalSecondMoment: 1, ServiceTime: 0.25, SecondMoment: 0.125}
	// ψ = 0.25/0.5 + 0.5/(2·0.25) = 1.5; scale it to 1.
	c.ServiceTime = 0.25
	c.LocalRate, c.LocalServiceTime, c.LocalSecondMoment = 0.5, 1, 1
	d := Cluster{ServiceTime: 1.5, SecondMoment: 4.5}
	s, err := PAP([]Cluster{a, b}, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "share of the less variable", s.Routes[0].Probability, 0.8, 1e-8)
	s, err = PAP([]Cluster{c, d}, 1e-9)
	if err != nil {
		t.Fatal(err)
	}
	// F″(0) = (ω + θλμ/(1−ρ))/(1−ρ)²: (0.125 + 0.25)/0.25 = 1.5 and 4.5.
	numtest.Close(t, "share of the one with local load", s.Routes[0].Probability, 0.75, 1e-8)
	checkKKT(t, "same ψ", s)
}

func TestInfeasible(t *testing.T) {
	cs := threeClusters()
	for _, rate := range []float64{5.0600001, 7, 1e9} {
		_, err := PAP(cs, rate)
		var inf *InfeasibleError
		if !errors.As(err, &inf) || !errors.Is(err, queueing.ErrInfeasible) {
			t.Fatalf("rate %g: %v", rate, err)
		}
		numtest.Close(t, "greatest rate", inf.Greatest, 0.76+1.1+3.2, 1e-15)
		numtest.Close(t, "excess", inf.Excess, rate-5.06, 1e-8)
	}
	if _, err := PAP(cs, 5.06*(1-1e-12)); err != nil {
		t.Errorf("just below: %v", err)
	}
	cs[1].LocalRate = 1.2
	_, err := PAP(cs, 1)
	var sat *SaturatedError
	if !errors.As(err, &sat) || !errors.Is(err, queueing.ErrUnstable) {
		t.Fatalf("saturated: %v", err)
	}
	if sat.Cluster != `cluster "B"` || !sat.Local || math.Abs(sat.Utilization-1.08) > 1e-12 {
		t.Errorf("saturated: %+v", *sat)
	}
}

func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name string
		bad  func(*Cluster)
		arg  string
	}{
		{"rate", func(c *Cluster) { c.LocalRate = -1 }, "local rate"},
		{"NaN", func(c *Cluster) { c.LocalRate = math.NaN() }, "local rate"},
		{"no local time", func(c *Cluster) { c.LocalServiceTime = 0 }, "local service time"},
		{"μ < τ²", func(c *Cluster) { c.LocalSecondMoment = 0.5 }, "local second moment"},
		{"θ", func(c *Cluster) { c.ServiceTime = 0 }, "service time"},
		{"θ infinite", func(c *Cluster) { c.ServiceTime = math.Inf(1) }, "service time"},
		{"ω < θ²", func(c *Cluster) { c.SecondMoment = 0.01 }, "second moment"},
		{"ω NaN", func(c *Cluster) { c.SecondMoment = math.NaN() }, "second moment"},
		{"servers", func(c *Cluster) { c.Servers = 0.5 }, "servers"},
		{"price", func(c *Cluster) { c.Price = -1 }, "price"},
		{"excess", func(c *Cluster) { c.ExcessSCV = -2 }, "excess SCV"},
		{"tiny", func(c *Cluster) { c.ServiceTime, c.SecondMoment = 1e-200, 0 }, "service time"},
	} {
		cs := threeClusters()
		c.bad(&cs[1])
		for name, f := range map[string]func([]Cluster, float64) (Split, error){"PAP": PAP, "RR": RoundRobin, "LRF": LeastRateFirst, "BCF": BiggestClusterFirst} {
			_, err := f(cs, 1)
			var d *DomainError
			if !errors.As(err, &d) {
				t.Errorf("%s, %s: error %v, want a *DomainError", c.name, name, err)
				continue
			}
			if d.Cluster != `cluster "B"` || d.Arg != c.arg {
				t.Errorf("%s, %s: error names %s, %s, want cluster B, %s", c.name, name, d.Cluster, d.Arg, c.arg)
			}
		}
	}
	for _, rate := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		var d *DomainError
		if _, err := PAP(threeClusters(), rate); !errors.As(err, &d) || d.Arg != "rate" {
			t.Errorf("rate %g: %v", rate, err)
		}
	}
	if _, err := PAP(nil, 1); err == nil {
		t.Error("no clusters: no error")
	}
	cs := threeClusters()
	if err := CheckNames(cs); err != nil {
		t.Error(err)
	}
	cs[2].Name = "A"
	if err := CheckNames(cs); err == nil {
		t.Error("a name used twice: no error")
	}
	cs[2].Name = ""
	if err := CheckNames(cs); err == nil {
		t.Error("an empty name: no error")
	}
}

// A rate that is all the clusters have left, as typed in decimals, is not
// feasible, whichever way the products have rounded: 0.76 + 1.1 + 3.2 = 5.06
// exactly for these clusters, and the sum in float64 lies above it.
func TestExactlySaturatedIsInfeasible(t *testing.T) {
	decimal := func(localRate, localTime, time float64) Cluster {
		return Cluster{
			LocalRate:         localRate,
			LocalServiceTime:  localTime,
			LocalSecondMoment: 1.01 * localTime * localTime,
			ServiceTime:       time,
			SecondMoment:      1.25 * time * time,
		}
	}
	three := []Cluster{decimal(.3, .8, 1), decimal(.5, .9, .5), decimal(.4, .5, .25)}
	for _, c := range []struct {
		name     string
		clusters []Cluster
		rate     float64 // Σ (1 − ρ)/θ in exact arithmetic
	}{
		{"three", three, 5.06},
		{"one", three[:1], .76},
		{"tenths", []Cluster{decimal(.1, 1, 1), decimal(.3, 1, 1), decimal(.7, 1, 1)}, 1.9},
		{"thousand", manyTimes(decimal(.3, .8, .1), 1000), 7600},
	} {
		_, err := PAP(c.clusters, c.rate)
		var infeasible *InfeasibleError
		if !errors.As(err, &infeasible) {
			t.Errorf("%s: PAP at %g: %v, want infeasible", c.name, c.rate, err)
		} else if infeasible.Excess < 0 {
			t.Errorf("%s: the excess is %g, want >= 0", c.name, infeasible.Excess)
		}
		if split, err := PAP(c.clusters, c.rate*(1-1e-12)); err != nil || !(split.MeanResponse > 1e10) {
			t.Errorf("%s: PAP just below: mean response %g, %v, want an answer", c.name, split.MeanResponse, err)
		}
	}
	// Equal clusters, equal shares: the baseline saturates them alike.
	var saturated *SaturatedError
	if _, err := RoundRobin(manyTimes(decimal(.3, .8, 1), 3), 2.28); !errors.As(err, &saturated) {
		t.Errorf("RoundRobin: %v, want saturated", err)
	}
}

func manyTimes(c Cluster, n int) []Cluster {
	all := make([]Cluster, n)
	for i := range all {
		all[i] = c
	}
	return all
}
