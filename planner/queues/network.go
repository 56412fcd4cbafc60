package queues

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/networks"
	"github.com/capplan/capplan/units"
)

// A NetworkAnswer holds the figures of a network of queues. The fields that a
// kind of network does not have are nil or left out.
type NetworkAnswer struct {
	Queue       string   `json:"queue"`            // mva or jackson
	Method      string   `json:"method"`           // exact or schweitzer
	Approximate bool     `json:"approximate"`      // by schweitzer
	Throughput  *float64 `json:"throughput_per_s"` // of all classes
	// MeanResponse is without thinking for closed networks. Over several classes
	// it is weighed by their throughputs.
	MeanResponse *float64 `json:"mean_response_s"` // of a round, or from entry to exit
	// Bottleneck is where one more server helps most; a delay has no servers and
	// is never it.
	Bottleneck string `json:"bottleneck"` // station of the greatest utilization
	// Headroom is the factor by which the load of an open network can grow.
	Headroom *float64        `json:"headroom,omitempty"`
	Stations []StationAnswer `json:"stations"`
	Classes  []RoundAnswer   `json:"classes,omitempty"` // closed networks
	Bounds   *BoundsAnswer   `json:"bounds,omitempty"`  // closed networks of one class

	Simulation  *simulate.Simulation `json:"simulation,omitempty"`
	Warnings    []string             `json:"warnings,omitempty"`
	Explanation *ask.Explanation     `json:"explanation,omitempty"`
}

// A StationAnswer holds the figures of one station. Closed networks say how many
// are there and how busy it is; waits and rates are those of open ones, where
// each station is a queue of its own.
type StationAnswer struct {
	Name        string   `json:"name"`
	Utilization *float64 `json:"utilization"` // of a server; null for a delay
	// MeanNumber counts who is served too.
	MeanNumber   *float64 `json:"mean_number"`
	ArrivalRate  *float64 `json:"arrival_rate_per_s"`
	MeanWait     *float64 `json:"mean_wait_s"`
	MeanResponse *float64 `json:"mean_response_s"`
}

// A RoundAnswer holds the figures of one class of a closed network.
type RoundAnswer struct {
	Name string `json:"name"`
	// Customers of the class, who never leave.
	Customers    int64    `json:"customers"`
	Throughput   *float64 `json:"throughput_per_s"`
	MeanResponse *float64 `json:"mean_response_s"` // of a round without thinking
}

// BoundsAnswer holds bounds on the throughput. The asymptotic bounds hold for
// every law of service; the balanced ones are tighter and need a product form.
type BoundsAnswer struct {
	Lower *float64 `json:"throughput_lower_per_s"`
	Upper *float64 `json:"throughput_upper_per_s"`
	// The balanced ones are those of balanced job bounds, at least as tight.
	BalancedLower *float64 `json:"balanced_lower_per_s"`
	BalancedUpper *float64 `json:"balanced_upper_per_s"`
	// Saturation is the number of customers beyond which one more adds hardly any
	// throughput.
	Saturation *float64 `json:"saturation_customers"` // where the asymptotes cross
}

// ClosedMethods are the ways to solve a closed network; the first is the default.
// Exact work grows with the product of the populations; Schweitzer's does not
// depend on them, and is off by 5 to 15 % for few customers.
var ClosedMethods = []string{"exact", "schweitzer"}

// A ClosedQuestion asks for the figures of a closed network.
type ClosedQuestion struct {
	Network *ClosedNetworkFile `json:"network"`
	// Method is one of [ClosedMethods]; empty: the first.
	Method   string             `json:"method,omitempty"`
	Simulate *simulate.Question `json:"simulate,omitempty"`
	Explain  bool               `json:"explain,omitempty"`
}

// ClosedNetwork answers for a closed network by mean value analysis, and simulates it beside that
// where the question says so. A network too large for the exact method is an *ask.InputError that
// says so.
func ClosedNetwork(ctx context.Context, q *ClosedQuestion) (*NetworkAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil || q.Network == nil {
		return nil, ask.NoQuestion()
	}
	m := q.Network.model()
	method, solve := q.Method, m.Exact
	switch method {
	case "", "exact":
	case "schweitzer":
		solve = m.Schweitzer
	default:
		return nil, ask.Inputf("method", "%q is not a method, want exact or schweitzer", method)
	}
	g, err := solve(ctx)
	if err != nil {
		return nil, ask.FromQueueing("network", err)
	}
	a := &NetworkAnswer{Queue: "mva", Method: cmp.Or(method, "exact"), Approximate: method == "schweitzer"}
	// Busiest starts below 0: a network that nobody goes round in has a station
	// of utilization 0 to name.
	total, work, busiest := 0.0, 0.0, -1.0
	for k, c := range g.Classes {
		total += c.Throughput
		// By Little's law throughput times response is the mean number of a class
		// at the stations; the sum over the total throughput is the response of a
		// round, whoever makes it.
		work += c.Throughput * c.MeanResponse
		a.Classes = append(a.Classes,
			RoundAnswer{c.Name, int64(m.Classes[k].Customers), ask.Figure(c.Throughput), ask.Figure(c.MeanResponse)})
	}
	a.Throughput = ask.Figure(total)
	if total > 0 {
		a.MeanResponse = ask.Figure(work / total)
	}
	for j, s := range g.Stations {
		station := StationAnswer{Name: s.Name, MeanNumber: ask.Figure(s.MeanNumber)}
		if !m.Stations[j].Delay {
			station.Utilization = ask.Figure(s.Utilization)
			if s.Utilization > busiest {
				busiest, a.Bottleneck = s.Utilization, s.Name
			}
		}
		a.Stations = append(a.Stations, station)
	}
	// The bounds are those of one class; for several no closed form is known that
	// holds for all.
	if len(m.Classes) == 1 {
		if b, err := m.Bounds(); err == nil {
			a.Bounds = &BoundsAnswer{ask.Figure(b.Lower), ask.Figure(b.Upper), ask.Figure(b.BalancedLower),
				ask.Figure(b.BalancedUpper), ask.Figure(b.Saturation)}
		}
	}
	if g.Warning != nil {
		a.Warnings = []string{g.Warning.String()}
	}
	if q.Explain {
		e := &ask.Explanation{Model: "closed product-form network, " + a.Method}
		e.Step("mean value analysis", "R_j(N) = D_j(1 + Q_j(N − 1)), X(N) = N/(Z + Σ R_j), Q_j = X·R_j",
			ask.Sprintf("X = %v/s", total),
			"Reiser, Lavenberg 1980; with stations of several servers by convolution of positive terms (Buzen 1973)")
		e.Assume(
			"exponential service of one mean for all classes, first come, first served, or any laws under processor " +
				"sharing; routing does not depend on the state")
		a.Explanation = e
	}
	if q.Simulate != nil {
		return a, q.simulate(ctx, a)
	}
	return a, nil
}

// model returns the network of the file.
func (f *ClosedNetworkFile) model() (m networks.Closed) {
	for _, s := range f.Stations {
		m.Stations = append(m.Stations,
			networks.Station{Name: s.Name, Servers: serversOf(s.Servers), Delay: s.Kind == "delay"})
	}
	for _, c := range f.Classes {
		class := networks.Class{Name: c.Name, Customers: int(min(c.Customers, math.MaxInt)),
			ThinkTime: float64(ask.Value(c.ThinkTime))}
		for _, d := range c.Demands {
			class.Demands = append(class.Demands, float64(d))
		}
		m.Classes = append(m.Classes, class)
	}
	return m
}

// serversOf is how many servers a station of a file has; one where it does not say.
func serversOf(n *units.Count) int {
	if n == nil {
		return 1
	}
	return int(min(*n, math.MaxInt))
}

// An OpenQuestion asks for the figures of an open network.
type OpenQuestion struct {
	Network  *OpenNetworkFile   `json:"network"`
	Simulate *simulate.Question `json:"simulate,omitempty"`
	Explain  bool               `json:"explain,omitempty"`
}

// OpenNetwork answers for an open network by Jackson's theorem, and simulates it beside that where
// the question says so. A saturated station is an *ask.InfeasibleError that names it. Await lets the
// caller go when the context ends, since solving the traffic equations takes no context.
func OpenNetwork(ctx context.Context, q *OpenQuestion) (*NetworkAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil || q.Network == nil {
		return nil, ask.NoQuestion()
	}
	if n := len(q.Network.Stations); n > mostOpenStations {
		return nil, ask.Inputf("network", "%d stations, want at most %d", n, mostOpenStations)
	}
	a, err := parallel.Await(ctx, func() (*NetworkAnswer, error) { return openNetwork(q.Network, q.Explain) })
	if err != nil || q.Simulate == nil {
		return a, err
	}
	return a, q.simulate(ctx, a)
}

// model returns the network of the file, with indices in place of the names of stations.
func (f *OpenNetworkFile) model() (networks.Jackson, error) {
	index := map[string]int{}
	for i, s := range f.Stations {
		index[s.Name] = i
	}
	m := networks.Jackson{Routing: make([][]float64, len(f.Stations))}
	for i, s := range f.Stations {
		station := networks.OpenStation{
			Name:        s.Name,
			ArrivalRate: float64(ask.Value(s.Rate)),
			ServiceTime: float64(s.ServiceTime),
			Servers:     serversOf(s.Servers),
		}
		m.Stations = append(m.Stations, station)
		m.Routing[i] = make([]float64, len(f.Stations))
		for _, n := range s.Next {
			j, ok := index[n.Station]
			if !ok {
				return m, ask.Inputf("network", "there is no station %q", n.Station)
			}
			// Shares add up where a station is named twice. What is left to 1
			// leaves the network, so that no share has to be said for leaving.
			m.Routing[i][j] += float64(n.Share)
		}
	}
	return m, nil
}

// openNetwork is OpenNetwork without a context and without a simulation.
func openNetwork(f *OpenNetworkFile, explain bool) (*NetworkAnswer, error) {
	m, err := f.model()
	if err != nil {
		return nil, err
	}
	g, err := m.Figures()
	var saturated *queueing.SaturatedError
	// Others of its errors are of the input, such as customers who can never
	// leave.
	if errors.As(err, &saturated) && math.IsInf(saturated.Utilization, 1) {
		return nil, ask.Inputf("network", "station %q is offered too much to be told, want shorter services or lower rates",
			saturated.Name)
	}
	if errors.As(err, &saturated) {
		return nil, ask.Infeasiblef("utilization", 1, saturated.Utilization,
			"station %q is saturated: it is offered %.6g of what its servers can do", saturated.Name,
			saturated.Utilization)
	}
	if err != nil {
		return nil, ask.FromQueueing("network", err)
	}
	a := &NetworkAnswer{
		Queue:        "jackson",
		Method:       "exact",
		Throughput:   ask.Figure(g.ArrivalRate),
		MeanResponse: ask.Figure(g.MeanResponse),
		Headroom:     ask.Figure(g.Headroom),
	}
	for _, s := range g.Stations {
		a.Stations = append(a.Stations, StationAnswer{s.Name, ask.Figure(s.Utilization), ask.Figure(s.MeanNumber),
			ask.Figure(s.ArrivalRate), ask.Figure(s.MeanWait), ask.Figure(s.MeanResponse)})
	}
	if len(g.Stations) > 0 {
		a.Bottleneck = g.Stations[g.Bottleneck].Name
	}
	if explain {
		e := &ask.Explanation{Model: "open Jackson network"}
		e.Step("traffic", "λ = γ + Pᵀλ",
			ask.Sprintf("%s, %v/s from outside", fault.Count(len(g.Stations), "station"), g.ArrivalRate),
			"Jackson 1963")
		e.Step("mean response", "Σ λ_j T_j / Σ γ_j, each station an M/M/c",
			ask.Digits(g.MeanResponse)+" s", "Jackson 1963; Little's law")
		e.Assume("Poisson arrivals from outside, exponential service, routing that does not depend on the state")
		a.Explanation = e
	}
	return a, nil
}
