package queues

import (
	"context"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing/networks"
	"github.com/capplan/capplan/sim/network"
)

// Runs of a network last at least simulatedRounds rounds or ways through it, and roundsOfEach for
// each customer of a closed one; the first notCounted of them is a warm-up. Ten thousand rounds
// bring most figures to some percent in one run, and further runs add up until the precision is
// reached. Fifty for each customer keep the start, when all begin to think, a small part of a run
// with many customers.
const (
	simulatedRounds = 10_000
	roundsOfEach    = 50
	notCounted      = 0.2
)

// simulate adds to the answer the same figures by simulation. Errors: *ask.InputError, and that of
// the context. Figures that the closed form does not have, such as waits at a station, are left out.
func (q *ClosedQuestion) simulate(ctx context.Context, a *NetworkAnswer) error {
	n, m, customers := &network.Network{}, q.Network.model(), 0.0
	for _, s := range m.Stations {
		n.Stations = append(n.Stations, network.Station{Name: s.Name, Servers: s.Servers, Delay: s.Delay})
	}
	for _, c := range m.Classes {
		customers += float64(c.Customers)
		n.Classes = append(n.Classes,
			network.Class{Name: c.Name, Customers: c.Customers, Think: c.ThinkTime, Demands: c.Demands})
	}
	// The throughput of the answer says how long a round takes, and so how long
	// the runs must be.
	rate := ask.Value(a.Throughput)
	if !(rate > 0) {
		return ask.Inputf("simulate", "no customer circulates: there is nothing to simulate")
	}
	closed := a.closed(n)
	// By these names the simulation reports, and figures are compared by name.
	for k, c := range a.Classes {
		closed[n.ClassName(k)+".throughput_per_s"] = c.Throughput
		closed[n.ClassName(k)+".mean_response_s"] = c.MeanResponse
	}
	words := "exponential service, first come, first served, shared where classes differ in their demands, " +
		"exponential thinking"
	span := simulate.Model{Horizon: max(simulatedRounds, roundsOfEach*customers) / rate, Forget: 2 * customers / rate}
	return a.simulate(ctx, q.Simulate, n, words, span, closed)
}

// simulate adds to the answer the same figures by simulation. One run is long
// enough to forget its empty start at the slowest station.
func (q *OpenQuestion) simulate(ctx context.Context, a *NetworkAnswer) error {
	m, err := q.Network.model()
	if err != nil {
		return err
	}
	n := &network.Network{Classes: []network.Class{{Routes: m.Routing}}}
	c := &n.Classes[0]
	rate, forgets := 0.0, 0.0
	for i, s := range m.Stations {
		n.Stations = append(n.Stations, network.Station{Name: s.Name, Servers: s.Servers})
		c.Demands, c.Rates = append(c.Demands, s.ServiceTime), append(c.Rates, s.ArrivalRate)
		rate += s.ArrivalRate
		// A station forgets its start in about the relaxation time of M/M/c near
		// saturation, E[S]/(c(1 − √ρ)²); the service time itself is the least.
		// Runs of 200 such times leave the fifth that is not counted long enough.
		free := 1 - math.Sqrt(ask.Value(a.Stations[i].Utilization))
		forgets = max(forgets, s.ServiceTime*(1+1/(float64(s.Servers)*free*free)))
	}
	if !(rate > 0) {
		return ask.Inputf("simulate", "nobody arrives: there is nothing to simulate")
	}
	closed := a.closed(n)
	for i, s := range a.Stations {
		closed[n.StationName(i)+".arrival_rate_per_s"] = s.ArrivalRate
		closed[n.StationName(i)+".mean_wait_s"] = s.MeanWait
		closed[n.StationName(i)+".mean_response_s"] = s.MeanResponse
	}
	words := "Poisson arrivals from outside, exponential service, first come, first served, routing at random"
	span := simulate.Model{Horizon: max(simulatedRounds/rate, 200*forgets), Forget: forgets}
	return a.simulate(ctx, q.Simulate, n, words, span, closed)
}

// closed are the figures that both kinds of networks have, by their names in a
// simulation.
func (a *NetworkAnswer) closed(n *network.Network) map[string]*float64 {
	closed := map[string]*float64{"throughput_per_s": a.Throughput, "mean_response_s": a.MeanResponse}
	for i := range min(len(a.Stations), len(n.Stations)) {
		closed[n.StationName(i)+".utilization"] = a.Stations[i].Utilization
		closed[n.StationName(i)+".mean_number"] = a.Stations[i].MeanNumber
	}
	return closed
}

// simulate adds the simulation. The warm-up is a fixed share, since the slow
// times of a network are not known beforehand as those of one station are.
func (a *NetworkAnswer) simulate(ctx context.Context, q *simulate.Question, n *network.Network, words string,
	m simulate.Model, closed map[string]*float64) error {
	m.Model, m.System, m.Closed, m.WarmUp = words, n, closed, notCounted*m.Horizon
	m.Events = ask.Value(a.Throughput) * float64(1+len(n.Stations)) // where one goes to each once
	s, err := q.OfModel(ctx, m)
	if err != nil {
		return err
	}
	method := ""
	if a.Approximate {
		method = "Schweitzer's fixed point"
	}
	a.Simulation = s
	a.Warnings = append(a.Warnings, s.Warnings(method)...)
	return nil
}

// simulate adds to the answer the losses by simulation. Requests arrive by a Poisson process; the
// loss depends on the mean holding time alone, which therefore is the unit. What differs from the
// closed form is the assumption that links are full independently.
func (q *LinksQuestion) simulate(ctx context.Context, m networks.Loss, a *LinksAnswer) error {
	n := &network.LossNetwork{}
	// A fraction of a circuit cannot be held, and is cut off.
	for _, l := range m.Links {
		n.Links = append(n.Links, int(min(l.Servers, 1<<40, math.MaxInt)))
	}
	load := 0.0
	closed := map[string]*float64{"blocking_probability": a.Blocking}
	for r, route := range m.Routes {
		n.Names, n.Loads, n.Through =
			append(n.Names, route.Name), append(n.Loads, route.Load), append(n.Through, route.Links)
		load += route.Load
		closed[n.RouteName(r)+".blocking_probability"] = a.Routes[r].Blocking
	}
	if !(load > 0) {
		return ask.Inputf("simulate", "nobody arrives: there is nothing to simulate")
	}
	// A loss network forgets its start at the rate at which calls end, whatever
	// the load: after 20 holding times a share of e⁻²⁰ is left.
	const settles = 20 // holding times
	s, err := q.Simulate.OfModel(ctx, simulate.Model{
		Model:   "Poisson requests, exponential holding times of 1",
		System:  n,
		Horizon: settles + 5*simulatedRounds/load,
		WarmUp:  settles,
		Forget:  1,
		Events:  load / 2, // requests are quicker than the events of queues
		Closed:  closed,
	})
	if err != nil {
		return err
	}
	a.Simulation = s
	a.Warnings = append(a.Warnings, s.Warnings(a.Method)...)
	return nil
}

// simulatedPool simulates queue pool: a station whose dedicated servers are helped
// by slower machines, all jobs sharing both. Its servers must be whole, though
// the formula takes any number.
func (q *QueueQuestion) simulatedPool(ctx context.Context, a *QueueAnswer) (*simulate.Simulation, error) {
	servers := a.Servers
	if servers != math.Round(servers) || servers > 1<<30 {
		return nil, ask.Inputf("servers", "a simulation needs a whole number of servers, not %s", ask.Digits(servers))
	}
	load := q.Nominal()
	rate, mean, unit := load.Counted()
	if !(rate > 0) || !(mean > 0) {
		return nil, ask.Inputf("simulate", "nobody arrives: there is nothing to simulate")
	}
	n := &network.Network{
		Stations: []network.Station{{Name: "pool", Servers: int(servers), Slower: ask.Value(a.PublicSpeed)}},
		Classes:  []network.Class{{Demands: []float64{mean}, Rates: []float64{rate}, Routes: [][]float64{{0}}}},
	}
	// The longest that a job keeps its state is the time on a slow machine; 20 of
	// them leave e⁻²⁰ of the empty start.
	settles := 20 * mean / ask.Value(a.PublicSpeed)
	closed := map[string]*float64{
		"throughput_per_s":         a.Throughput,
		"mean_response_s":          a.MeanResponse,
		"station pool.mean_number": a.MeanJobs,
		"station pool.utilization": a.Utilization,
	}
	return q.Simulate.OfModel(ctx, simulate.Model{
		Model:   "Poisson arrivals, exponential work, as many public machines as jobs without a server",
		System:  n,
		Horizon: 5*settles + 2*simulatedRounds/rate,
		WarmUp:  settles,
		Forget:  settles / 20,
		Events:  2 * rate,
		Unit:    unit,
		Closed:  closed,
	})
}
