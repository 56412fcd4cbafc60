package routing

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// M/M/c with preemption and one service law, by levels.
func TestResponseByLevels(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/several.csv") {
		s := r.Float("service_s")
		c := Cluster{
			LocalRate: r.Float("local_rate"), LocalServiceTime: s, LocalSecondMoment: 2 * s * s,
			ServiceTime: s, SecondMoment: 2 * s * s, Servers: r.Float("servers"),
		}
		got, err := c.Response(r.Float("rate"))
		if err != nil {
			t.Fatalf("line %d: %v", r.Line, err)
		}
		// The data's own rounding, magnified by the distance to saturation.
		u := (c.LocalRate + r.Float("rate")) * s / c.Servers
		numtest.Close(t, fmt.Sprintf("line %d: response", r.Line), got, r.Float("response_s"), 1e-11+1e-15/(1-u))
	}
}

// One server just above and at c = 1, and without local requests Allen-Cunneen.
func TestResponseLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for i, c := range randomClusters(rng, 50) {
		limit, err := c.Capacity()
		if err != nil {
			t.Fatal(err)
		}
		x := 0.8 * limit
		one, err := c.Response(x)
		if err != nil {
			t.Fatal(err)
		}
		c.Servers = 1 + 1e-9
		near, err := c.Response(x)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, fmt.Sprintf("cluster %d: response at 1+1e-9 servers", i), near, one, 1e-6)

		c.LocalRate, c.Servers = 0, float64(1+i)
		x = 0.8 * c.Servers / c.ServiceTime
		got, err := c.Response(x)
		if err != nil {
			t.Fatal(err)
		}
		f, err := (queueing.GGC{ArrivalRate: x, ServiceTime: c.ServiceTime, ArrivalSCV: 1, ServiceSCV: c.SecondMoment/c.ServiceTime/c.ServiceTime - 1}).At(c.Servers)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, fmt.Sprintf("%g servers: Allen-Cunneen", c.Servers), got, f.MeanResponse, 1e-12)
		c.ExcessSCV = 1.5
		f, err = (queueing.GGC{ArrivalRate: x, ServiceTime: c.ServiceTime, ArrivalSCV: 2.5, ServiceSCV: c.SecondMoment/c.ServiceTime/c.ServiceTime - 1}).At(c.Servers)
		if err != nil {
			t.Fatal(err)
		}
		got, err = c.Response(x)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, fmt.Sprintf("%g servers: Allen-Cunneen with excess", c.Servers), got, f.MeanResponse, 1e-12)
	}
}

func TestMarginalIncreases(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for i, c := range randomClusters(rng, 300) {
		c.Servers = []float64{1, 1.2, 1.9, 2, 2.5, 3, 5, 10, 100, 1000}[i%10]
		limit, err := c.Capacity()
		if err != nil {
			t.Fatal(err)
		}
		last := 0.0
		for k := range 400 {
			m, err := c.Marginal(limit * float64(k) / 400)
			if err != nil {
				t.Fatal(err)
			}
			if m < last*(1-1e-10) {
				t.Fatalf("cluster %d, %g servers: marginal falls from %.15g to %.15g at u-step %d", i, c.Servers, last, m, k)
			}
			last = m
		}
	}
}

func TestResponseSaturated(t *testing.T) {
	c := threeClusters()[0]
	for _, x := range []float64{0.76, 0.8, 1e300} {
		_, err := c.Response(x)
		var sat *SaturatedError
		if !errors.As(err, &sat) || sat.Local || !(sat.Utilization >= 1) || !errors.Is(err, queueing.ErrUnstable) {
			t.Errorf("rate %g: %v", x, err)
		}
	}
	for _, x := range []float64{-1, math.NaN(), math.Inf(1)} {
		var d *DomainError
		if _, err := c.Response(x); !errors.As(err, &d) {
			t.Errorf("rate %g: %v", x, err)
		}
	}
	if _, err := c.Response(math.Nextafter(0.76, 0)); err != nil {
		t.Errorf("one unit below: %v", err)
	}
}

// job is a request in the simulation below.
type job struct {
	arrived, left float64
	local         bool
}

// simulate returns the mean response of external requests at c servers under
// preemptive-resume priority, with its standard error over batches, and the
// preemptions per external request.
func simulate(rng *rand.Rand, servers int, lambda, x float64, local, external func() float64, n int) (mean, se, preempted float64) {
	const batches = 40
	var now float64
	nextLocal, nextExternal := rng.ExpFloat64()/lambda, rng.ExpFloat64()/x
	var high, low []*job // in order of arrival; the first `servers` are served, local first
	sums := make([]float64, batches)
	counts := make([]float64, batches)
	done, warm, preemptions := 0, n/20, 0
	servedLow := func() int { return min(len(low), max(0, servers-len(high))) }
	for done < n+warm {
		next := min(nextLocal, nextExternal)
		var leaving *job
		index := -1
		see := func(list []*job, k int) {
			for i := range k {
				if t := now + list[i].left; t < next {
					next, leaving, index = t, list[i], i
				}
			}
		}
		see(high, min(len(high), servers))
		see(low, servedLow())
		for i := range min(len(high), servers) {
			high[i].left -= next - now
		}
		for i := range servedLow() {
			low[i].left -= next - now
		}
		now = next
		switch {
		case leaving != nil && leaving.local:
			high = append(high[:index], high[index+1:]...)
		case leaving != nil:
			low = append(low[:index], low[index+1:]...)
			if done >= warm {
				b := (done - warm) * batches / n
				sums[b] += now - leaving.arrived
				counts[b]++
			}
			done++
		case next == nextLocal:
			before := servedLow()
			high = append(high, &job{now, local(), true})
			if servedLow() < before {
				preemptions++
			}
			nextLocal = now + rng.ExpFloat64()/lambda
		default:
			low = append(low, &job{now, external(), false})
			nextExternal = now + rng.ExpFloat64()/x
		}
	}
	var v float64
	for b := range sums {
		sums[b] /= counts[b]
		mean += sums[b] / batches
	}
	for b := range sums {
		v += (sums[b] - mean) * (sums[b] - mean) / (batches - 1)
	}
	return mean, math.Sqrt(v / batches), float64(preemptions) / float64(done)
}

func lognormal(rng *rand.Rand, mean, scv float64) func() float64 {
	s2 := math.Log1p(scv)
	return func() float64 { return mean * math.Exp(math.Sqrt(s2)*rng.NormFloat64()-s2/2) }
}

func TestResponseSimulation(t *testing.T) {
	for i, c := range []struct{ rho, free, tau, cl, theta, ce float64 }{
		{0.24, 0.5, 0.8, 0.01, 1, 0.25},
		{0.45, 0.6, 0.9, 0.5, 0.5, 2},
		{0.6, 0.5, 3, 1, 0.5, 0.5},
	} {
		rng := rand.New(rand.NewPCG(11, uint64(i)))
		cl := Cluster{
			LocalRate: c.rho / c.tau, LocalServiceTime: c.tau, LocalSecondMoment: c.tau * c.tau * (1 + c.cl),
			ServiceTime: c.theta, SecondMoment: c.theta * c.theta * (1 + c.ce),
		}
		x := c.free * (1 - c.rho) / c.theta
		mean, se, preempted := simulate(rng, 1, cl.LocalRate, x, lognormal(rng, c.tau, c.cl), lognormal(rng, c.theta, c.ce), 400000)
		want, err := cl.Response(x)
		if err != nil {
			t.Fatal(err)
		}
		if !(math.Abs(mean-want) <= 4*se) || se > 0.03*want {
			t.Errorf("case %d: simulated %.5g ± %.2g, formula %.5g", i, mean, se, want)
		}
		rate, err := cl.PreemptionRate(x)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "preemptions per request", preempted, rate/x, 0.02)
	}
}

// The model for several servers against simulation: its error in its regime.
func TestSeveralServersSimulation(t *testing.T) {
	for i, c := range []struct {
		servers                           int
		rho, free, tau, cl, theta, ce, to float64
	}{
		{2, 0.4, 0.6, 1, 1, 1, 1, 0.02},
		{4, 0.5, 0.7, 1, 0.25, 1, 0.25, 0.10},
		{4, 0.5, 0.7, 2, 1, 1, 1, 0.10},
		{8, 0.4, 0.8, 0.5, 0.5, 1, 2, 0.10},
		{3, 0.6, 0.6, 1, 2, 0.5, 0.5, 0.15},
	} {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		cl := Cluster{
			LocalRate: c.rho * float64(c.servers) / c.tau, LocalServiceTime: c.tau, LocalSecondMoment: c.tau * c.tau * (1 + c.cl),
			ServiceTime: c.theta, SecondMoment: c.theta * c.theta * (1 + c.ce), Servers: float64(c.servers),
		}
		x := c.free * (1 - c.rho) * float64(c.servers) / c.theta
		law := func(mean, scv float64) func() float64 {
			if scv == 1 {
				return func() float64 { return mean * rng.ExpFloat64() }
			}
			return lognormal(rng, mean, scv)
		}
		mean, se, _ := simulate(rng, c.servers, cl.LocalRate, x, law(c.tau, c.cl), law(c.theta, c.ce), 200000)
		want, err := cl.Response(x)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("case %d: simulated %.5g ± %.2g, model %.5g (%+.1f %%)", i, mean, se, want, 100*(want/mean-1))
		if !(math.Abs(mean-want) <= 4*se+c.to*mean) {
			t.Errorf("case %d: simulated %.5g ± %.2g, model %.5g", i, mean, se, want)
		}
	}
}

// The slope of the response, which the sums over clusters are optimised by,
// against differences of it, also at rates where a difference quotient of the
// formula would cancel.
func TestResponseSlope(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for i, c := range randomClusters(rng, 200) {
		c.Servers = []float64{1, 1.5, 2, 7, 64}[i%5]
		s, err := c.station("test", 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, share := range []float64{1e-9, 1e-4, 5e-4, 2e-3, 0.1, 0.6, 0.95} {
			if s.rho == 0 && s.c < 2 && share < 1e-3 {
				continue // T grows like a power of x below 1: no differences at 0
			}
			x := share * s.limit()
			h := 1e-2 * min(max(x, 1e-2*s.limit()), s.limit()-x)
			f := func(x float64) float64 { return s.response(x, s.limit()-x) }
			want := (8*(f(x+h)-f(x-h)) - f(x+2*h) + f(x-2*h)) / (12 * h)
			if x < 3*h {
				want = (-25*f(x) + 48*f(x+h) - 36*f(x+2*h) + 16*f(x+3*h) - 3*f(x+4*h)) / (12 * h)
			}
			scale := f(x) / s.limit() // far below this the difference is noise
			if got := s.responseSlope(x, s.limit()-x); !(math.Abs(got-want) <= 1e-5*math.Abs(want)+1e-7*scale) {
				t.Errorf("cluster %d, %g servers, ρ = %.3g, share %g: slope %.10g, want %.10g", i, c.Servers, s.rho, share, got, want)
			}
		}
	}
}

// A request twice as long as others, without weight in the load, has the
// service part twice: the M/G/1 with priority by hand.
func TestServicePart(t *testing.T) {
	cl := threeClusters()[0]
	got, err := cl.ServicePart(0.3)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "θ/(1−ρ)", got, cl.ServiceTime/(1-cl.LocalRate*cl.LocalServiceTime), 1e-15)
	if _, err := cl.ServicePart(5); err == nil {
		t.Error("beyond capacity: no error")
	}
	// Without local requests service is not stretched, however many servers.
	cl.LocalRate, cl.Servers = 0, 4
	if got, err = cl.ServicePart(2); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "θ", got, cl.ServiceTime, 1e-15)
}
