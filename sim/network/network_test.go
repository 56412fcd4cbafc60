package network

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/networks"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/sim"
)

// within says whether the truth lies no further out than 1.75 times the 95 %
// interval, about the 99.9 % one.
func within(t *testing.T, r sim.Result, name string, want float64) {
	t.Helper()
	e, ok := r.Figure(name)
	if !ok {
		t.Errorf("no figure %q", name)
		return
	}
	if math.Abs(want-e.Mean) > 1.75*(e.High-e.Low)/2+1e-9*want {
		t.Errorf("%s: %v in %v to %v, want %v", name, e.Mean, e.Low, e.High, want)
	}
}

func simulated(t *testing.T, m sim.Model, horizon float64) sim.Result {
	t.Helper()
	r, err := sim.Run(context.Background(), m, sim.Options{Seed: 7, Replications: 20, Horizon: horizon, WarmUp: horizon / 5})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// One class, thinking, two servers at a station and a delay: exact mean value
// analysis.
func TestClosedOneClass(t *testing.T) {
	n := &Network{
		Stations: []Station{{Name: "cpu", Servers: 2}, {Name: "disk", Servers: 1}, {Name: "net", Delay: true}},
		Classes:  []Class{{Name: "user", Customers: 12, Think: 3, Demands: []float64{1, 0.4, 0.5}}},
	}
	exact, err := networks.Closed{
		Stations: []networks.Station{{Servers: 2}, {Servers: 1}, {Delay: true}},
		Classes:  []networks.Class{{Customers: 12, ThinkTime: 3, Demands: []float64{1, 0.4, 0.5}}},
	}.Exact(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r := simulated(t, n, 4000)
	within(t, r, "throughput_per_s", exact.Classes[0].Throughput)
	within(t, r, "mean_response_s", exact.Classes[0].MeanResponse)
	for i, s := range exact.Stations {
		within(t, r, n.StationName(i)+".mean_number", s.MeanNumber)
		if !n.Stations[i].Delay {
			within(t, r, n.StationName(i)+".utilization", s.Utilization)
		}
	}
}

// Two classes of unlike demands share single servers.
func TestClosedTwoClasses(t *testing.T) {
	demands := [][]float64{{1, 0.3, 0}, {0.2, 0.3, 2}}
	n := &Network{Stations: []Station{{Servers: 1}, {Servers: 1}, {Servers: 1}}}
	m := networks.Closed{Stations: make([]networks.Station, 3)}
	for k, d := range demands {
		n.Classes = append(n.Classes, Class{Customers: 4 + k, Think: float64(k), Demands: d})
		m.Classes = append(m.Classes, networks.Class{Customers: 4 + k, ThinkTime: float64(k), Demands: d})
	}
	exact, err := m.Exact(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	r := simulated(t, n, 4000)
	for k, c := range exact.Classes {
		within(t, r, n.ClassName(k)+".throughput_per_s", c.Throughput)
		within(t, r, n.ClassName(k)+".mean_response_s", c.MeanResponse)
	}
	for i, s := range exact.Stations {
		within(t, r, n.StationName(i)+".mean_number", s.MeanNumber)
	}
}

// An open network with a way back: Jackson's product form.
func TestOpen(t *testing.T) {
	n := &Network{
		Stations: []Station{{Name: "a", Servers: 1}, {Name: "b", Servers: 3}},
		Classes: []Class{{
			Demands: []float64{0.5, 2},
			Rates:   []float64{0.8, 0.2},
			Routes:  [][]float64{{0, 0.7}, {0.3, 0}},
		}},
	}
	exact, err := networks.Jackson{
		Stations: []networks.OpenStation{{ArrivalRate: 0.8, ServiceTime: 0.5, Servers: 1}, {ArrivalRate: 0.2, ServiceTime: 2, Servers: 3}},
		Routing:  [][]float64{{0, 0.7}, {0.3, 0}},
	}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	r := simulated(t, n, 20000)
	within(t, r, "mean_response_s", exact.MeanResponse)
	for i, s := range exact.Stations {
		name := n.StationName(i)
		within(t, r, name+".utilization", s.Utilization)
		within(t, r, name+".mean_number", s.MeanNumber)
		within(t, r, name+".arrival_rate_per_s", s.ArrivalRate)
		within(t, r, name+".mean_wait_s", s.MeanWait)
		within(t, r, name+".mean_response_s", s.MeanResponse)
	}
}

// Slower machines behind servers: the birth-death chain of an elastic fleet.
func TestSlower(t *testing.T) {
	n := &Network{
		Stations: []Station{{Name: "pool", Servers: 4, Slower: 0.3}},
		Classes:  []Class{{Demands: []float64{1}, Rates: []float64{5}, Routes: [][]float64{{0}}}},
	}
	exact, err := unlike.Elastic{ArrivalRate: 5, ServiceTime: 1, Speed: 0.3}.At(4)
	if err != nil {
		t.Fatal(err)
	}
	r := simulated(t, n, 3000)
	within(t, r, "station pool.mean_number", exact.MeanJobs)
	within(t, r, "mean_response_s", exact.MeanResponse)
	within(t, r, "station pool.utilization", exact.Utilization)
}

// Two routes over one link are Erlang's formula; one through two links the sum over
// all states of one server each: 17 of weight 2, 3, 6 and 5 (and 1).
func TestLossNetwork(t *testing.T) {
	b, err := queueing.ErlangB(10, 7)
	if err != nil {
		t.Fatal(err)
	}
	r := simulated(t, &LossNetwork{Names: []string{"x", "y"}, Links: []int{10}, Loads: []float64{3, 4}, Through: [][]int{{0}, {0}}}, 3000)
	within(t, r, "blocking_probability", b)
	within(t, r, "route y.blocking_probability", b)
	r = simulated(t, &LossNetwork{Names: []string{"", "", ""}, Links: []int{1, 1}, Loads: []float64{2, 3, 5}, Through: [][]int{{0}, {1}, {0, 1}}}, 3000)
	for i, want := range []float64{13. / 17, 14. / 17, 16. / 17} {
		within(t, r, fmt.Sprintf("route %d.blocking_probability", i+1), want)
	}
}

func TestDomain(t *testing.T) {
	ok := func() *Network {
		return &Network{Stations: []Station{{Servers: 1}}, Classes: []Class{{Customers: 2, Demands: []float64{1}}}}
	}
	for i, spoil := range []func(*Network){
		func(n *Network) { n.Stations = nil },
		func(n *Network) { n.Classes = nil },
		func(n *Network) { n.Stations[0].Servers = 0 },
		func(n *Network) { n.Stations[0].Slower = 2 },
		func(n *Network) { n.Classes[0].Demands = nil },
		func(n *Network) { n.Classes[0].Demands[0] = math.NaN() },
		func(n *Network) { n.Classes[0].Demands[0] = 0 },
		func(n *Network) { n.Classes[0].Demands[0] = 1e-323 }, // whose inverse is no number
		func(n *Network) { n.Classes[0].Think = 5e-324 },
		func(n *Network) {
			n.Classes[0] = Class{Demands: []float64{1}, Rates: []float64{1e308}, Routes: [][]float64{{0}}}
		},
		func(n *Network) { n.Classes[0].Customers = -1 },
		func(n *Network) { n.Classes[0].Customers = 0 },
		func(n *Network) { n.Classes[0] = Class{Demands: []float64{1}, Rates: []float64{1}} },
		func(n *Network) {
			n.Classes[0] = Class{Demands: []float64{1}, Rates: []float64{1}, Routes: [][]float64{{1.5}}}
		},
	} {
		n := ok()
		spoil(n)
		var domain *sim.DomainError
		if _, err := sim.Run(context.Background(), n, sim.Options{Replications: 1, Horizon: 10}); !errors.As(err, &domain) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	var domain *sim.DomainError
	if _, err := sim.Run(context.Background(), ok(), sim.Options{Replications: 1}); !errors.As(err, &domain) {
		t.Errorf("no horizon: %v", err)
	}
	loss := &LossNetwork{Names: []string{""}, Links: []int{1}, Loads: []float64{1}, Through: [][]int{{3}}}
	if _, err := sim.Run(context.Background(), loss, sim.Options{Replications: 1, Horizon: 10}); !errors.As(err, &domain) {
		t.Errorf("no such link: %v", err)
	}
}

// A station that is busy all the time is busy no longer than that, though the sum of the parts may round above it.
func TestUtilizationUpToOne(t *testing.T) {
	n := &Network{
		Stations: []Station{{Servers: 3}, {Servers: 1}},
		Classes:  []Class{{Customers: 8, Demands: []float64{1, 1e-3}}},
	}
	for seed := range uint64(20) {
		r, err := sim.Run(context.Background(), n, sim.Options{Seed: seed, Replications: 3, Horizon: 1000.1, WarmUp: 1})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Figures {
			if strings.HasSuffix(f.Name, "utilization") && f.Mean > 1 {
				t.Errorf("seed %d: %s is %v", seed, f.Name, f.Mean)
			}
		}
	}
}

// On slow machines of which there is no end the jobs pile up: two runs of 19 million side by side took 1.4 GB.
func TestMemoryOfAPool(t *testing.T) {
	pool := &Network{
		Stations: []Station{{Name: "pool", Servers: 3, Slower: 1e-9}},
		Classes:  []Class{{Demands: []float64{1}, Rates: []float64{3e8}, Routes: [][]float64{{0}}}},
	}
	if m := pool.Memory(0.0625); m < 18e6*24 || m > 1e9 {
		t.Errorf("%.3g bytes are foreseen of 19 million jobs", m)
	}
	_, err := sim.Run(t.Context(), pool, sim.Options{Seed: 1, Replications: 2, Horizon: 0.1})
	if memory, ok := errors.AsType[*sim.MemoryError](err); !ok || memory.Needed < 1e9 {
		t.Errorf("30 million jobs: %v", err)
	}
	pool.Stations[0].Slower = 1
	if m := pool.Memory(1e9); m > 3.001e8*48 {
		t.Errorf("%.3g bytes are foreseen of 300 million jobs", m)
	}
	// In a line in a steady state there are nine, however long it is watched.
	line := &Network{
		Stations: []Station{{Name: "line", Servers: 1}},
		Classes:  []Class{{Demands: []float64{1}, Rates: []float64{0.9}, Routes: [][]float64{{0}}}},
	}
	if m := line.Memory(1e9); m > 1e6 {
		t.Errorf("%.3g bytes are foreseen of nine", m)
	}
}

// Servers beyond those whom anyone could keep busy are simulated as a delay is.
func TestMostServers(t *testing.T) {
	n := &Network{
		Stations: []Station{{Name: "cpu", Servers: math.MaxInt}},
		Classes:  []Class{{Name: "user", Customers: 12, Think: 3, Demands: []float64{1}}},
	}
	within(t, simulated(t, n, 400), "throughput_per_s", 12.0/4)
}
