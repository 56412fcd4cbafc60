package lease

import (
	"context"
	"testing"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/loss"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
)

// width is a law of sizes of 1, or of 4 with the given chance.
func width(four float64) routing.SizeLaw {
	return routing.SizeLaw{One: 1 - four, Pow2: four, Parallel: law.TwoStage{L: 1.2, M: 1.5, H: 2, Q: 0.5}}
}

// alone is one cluster of alike nodes.
func alone(nodes float64, local, external routing.Stream) *System {
	local.Name = "alone"
	local.CV, external.CV = 1, 1
	return &System{
		Workload:  routing.Workload{External: external, Sites: []routing.Site{{Local: local, Elements: nodes, Speed: 1}}},
		Overheads: &Overheads{},
		Policy:    RoundRobin,
	}
}

// stream has Poisson arrivals and lognormal durations of mean 10.
func stream(rate, four float64) routing.Stream {
	return routing.Stream{
		Size:     width(four),
		Duration: law.LogNormal{Mu: 1.802585092994046, Sigma: 1}, // ln 10 - 1/2
		Gap:      law.Weibull{Scale: 1 / rate, Shape: 1},
	}
}

const never = 1e-9 // a rate at which nothing comes within the horizon

func simulated(t *testing.T, s *System, figure string) sim.Estimate {
	t.Helper()
	r, err := Simulate(context.Background(), s, sim.Options{Seed: 11, Horizon: 40_000, Replications: 20})
	if err != nil {
		t.Fatal(err)
	}
	e, _ := r.Figure(figure)
	return e
}

// near holds that a value is within four standard errors of the estimate: the
// interval has about two to either side.
func near(t *testing.T, what string, e sim.Estimate, want float64) {
	t.Helper()
	mid, half := (e.Low+e.High)/2, (e.High-e.Low)/2
	if !(half > 0) || want < mid-2*half || want > mid+2*half {
		t.Errorf("%s: simulated %v (%v to %v), want %v", what, e.Mean, e.Low, e.High, want)
	}
}

// Local leases alone are a loss system, whatever the law of their durations:
// Erlang B for leases of one node, Kaufman and Roberts for leases of one and four.
func TestLocalLeasesAreALossSystem(t *testing.T) {
	b, err := queueing.ErlangB(8, 6)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "Erlang B", simulated(t, alone(8, stream(0.6, 0), stream(never, 0)), LocalRejection), b)
	m, err := loss.NewMultiRate(context.Background(), []loss.Stream{{Width: 1, JobLoad: 0.7 * 6}, {Width: 4, JobLoad: 0.3 * 6}}, 16)
	if err != nil {
		t.Fatal(err)
	}
	want := 0.0
	for k, share := range []float64{0.7, 0.3} {
		b, err := m.StreamBlocking(k, 16)
		if err != nil {
			t.Fatal(err)
		}
		want += share * b
	}
	near(t, "Kaufman-Roberts", simulated(t, alone(16, stream(0.6, 0.3), stream(never, 0)), LocalRejection), want)
}

// On one node leases that wait are served first come first served: the
// Pollaczek-Khinchine mean.
func TestOneNodeIsASingleServer(t *testing.T) {
	s := alone(1, stream(never, 0), stream(0.06, 0))
	s.Shares = [4]float64{0, 1, 0, 0}
	// E[S²] = 100 e for a lognormal law of mean 10 and sigma 1.
	const second = 100 * 2.718281828459045
	near(t, "M/G/1", simulated(t, s, Response), 10+0.06*second/(2*(1-0.6)))
}

// A local lease preempts if it finds the node with an external lease: as often as
// λθx says, where all external leases get done.
func TestPreemptionsComeAtTheExactRate(t *testing.T) {
	s := alone(1, stream(0.02, 0), stream(0.03, 0))
	s.Shares = [4]float64{0, 1, 0, 0}
	near(t, "preemptions", simulated(t, s, LeasesPreempted), 0.02*10*0.03*40_000)
}
