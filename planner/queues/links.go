package queues

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing/networks"
)

// A LinksAnswer holds the figures of a network of links that lose requests.
// Requests are lost where one of the links of their route is full.
type LinksAnswer struct {
	Blocking *float64 `json:"blocking_probability"` // over all requests
	// Log10 keeps its digits where the probability is too small for a float64.
	Log10  *float64          `json:"log10_blocking"` // of it; null where nothing is lost
	Links  []LossLinkAnswer  `json:"links"`
	Routes []LossRouteAnswer `json:"routes"`
	// Iterations and Residual tell how far the fixed point has converged.
	Iterations int      `json:"iterations"`
	Residual   *float64 `json:"residual"` // of the fixed point, as a share of what passes

	ask.Approximation

	Simulation  *simulate.Simulation `json:"simulation,omitempty"`
	Warnings    []string             `json:"warnings,omitempty"`
	Explanation *ask.Explanation     `json:"explanation,omitempty"`
}

// A LossLinkAnswer holds the figures of one link. The load that a link sees is
// less than what its routes offer, since other links have lost a part before.
type LossLinkAnswer struct {
	Name string `json:"name"`
	// Servers are the circuits that its routes share.
	Servers     float64  `json:"servers"`
	ReducedLoad *float64 `json:"reduced_load_erl"` // what the other links let through to it
	Blocking    *float64 `json:"blocking_probability"`
	// Log10 keeps its digits where the probability itself is below the least
	// float64.
	Log10 *float64 `json:"log10_blocking"`
}

// A LossRouteAnswer holds the figures of one route. Its blocking is that of a
// request that needs all of its links: 1 − ∏(1 − B) over them.
type LossRouteAnswer struct {
	Name string `json:"name"`
	// Load is what the route is offered, before anything is lost.
	Load     float64  `json:"offered_load_erl"`
	Blocking *float64 `json:"blocking_probability"`
	Log10    *float64 `json:"log10_blocking"`
}

// A LinksQuestion asks what a network of links loses.
type LinksQuestion struct {
	Network  *LinkNetworkFile   `json:"network"`
	Simulate *simulate.Question `json:"simulate,omitempty"`
	Explain  bool               `json:"explain,omitempty"`
}

// model returns the network of the file, with indices in place of the names of links. Names are
// resolved once more than by CheckAt, since a caller may have made the file by hand.
func (f *LinkNetworkFile) model() (m networks.Loss, err error) {
	index := map[string]int{}
	for i, l := range f.Links {
		index[l.Name] = i
		m.Links = append(m.Links, networks.Link{Name: l.Name, Servers: float64(l.Servers)})
	}
	for _, r := range f.Routes {
		route := networks.Route{Name: r.Name, Load: float64(r.Load)}
		for _, l := range r.Links {
			j, ok := index[l]
			if !ok {
				return m, ask.Inputf("network", "route %q uses the unknown link %q", r.Name, l)
			}
			route.Links = append(route.Links, j)
		}
		m.Routes = append(m.Routes, route)
	}
	return m, nil
}

// LinkNetwork answers by the Erlang fixed point, and simulates the network beside that where the
// question says so. The fixed point is unique, and the answer does not depend on where the rounds
// begin. Source: Kelly, Adv. Appl. Prob. 18, 1986.
func LinkNetwork(ctx context.Context, q *LinksQuestion) (*LinksAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil || q.Network == nil {
		return nil, ask.NoQuestion()
	}
	m, err := q.Network.model()
	if err != nil {
		return nil, err
	}
	g, err := m.FixedPoint(ctx)
	if err != nil {
		return nil, ask.FromQueueing("network", err)
	}
	a := &LinksAnswer{
		Blocking: ask.Figure(g.Blocking),
		// The model holds natural logarithms, and people read powers of ten.
		Log10:         ask.Figure(g.LogBlocking / math.Ln10),
		Iterations:    g.Iterations,
		Approximation: ask.ApproximationOf(g.Approximation),
		Residual:      ask.Figure(g.Residual),
	}
	for j, l := range m.Links {
		a.Links = append(a.Links, LossLinkAnswer{
			Name:        l.Name,
			Servers:     l.Servers,
			ReducedLoad: ask.Figure(g.LinkLoad[j]),
			Blocking:    ask.Figure(g.LinkBlocking[j]),
			Log10:       ask.Figure(g.LogLinkBlocking[j] / math.Ln10),
		})
	}
	for r, route := range m.Routes {
		a.Routes = append(a.Routes, LossRouteAnswer{
			Name:     route.Name,
			Load:     route.Load,
			Blocking: ask.Figure(g.RouteBlocking[r]),
			Log10:    ask.Figure(g.LogRouteBlocking[r] / math.Ln10),
		})
	}
	if g.Warning != nil {
		a.Warnings = []string{g.Warning.String()}
	}
	if q.Explain {
		e := &ask.Explanation{Model: "Erlang fixed point (reduced load)"}
		e.Step("blocking of a link", "B_j = B(C_j, Σ_r load_r ∏_{i∈r, i≠j} (1 − B_i))",
			ask.Sprintf("%d rounds, residual %v", g.Iterations, g.Residual), "Kelly 1986")
		e.Assume("links are full independently of each other, which is exact only for large links and loads")
		a.Explanation = e
	}
	if q.Simulate != nil {
		return a, q.simulate(ctx, m, a)
	}
	return a, nil
}
