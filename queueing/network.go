package queueing

import (
	"context"
	"fmt"
	"math"
)

// A Link of a [LossNetwork].
type Link struct {
	Name    string
	Servers float64 // circuits, real ≥ 0
}

// A Route of a [LossNetwork]: its requests hold one circuit on each of its
// links for the same time, and are lost when any link is full.
type Route struct {
	Name  string
	Load  float64 // erlang, ≥ 0
	Links []int   // indices into LossNetwork.Links, each at most once
}

// LossNetwork is a network of links shared by routes with fixed paths.
type LossNetwork struct {
	Links  []Link
	Routes []Route
}

// LossNetworkFigures is the Erlang fixed point of a network.
type LossNetworkFigures struct {
	LinkBlocking  []float64 // B_j
	LinkLoad      []float64 // reduced load offered to the link, erlang
	RouteBlocking []float64 // 1 − ∏(1 − B_j)
	Blocking      float64   // over all requests
	Iterations    int
	Residual      float64 // greatest |ErlangB(C_j, a_j) − B_j|
	Warning       *Warning
}

// FixedPoint returns the Erlang fixed point (reduced load approximation):
// the solution, unique by Kelly's theorem, of
//
//	B_j = B(C_j, a_j),  a_j = Σ_{r∋j} load_r ∏_{i∈r, i≠j} (1 − B_i)
//
// as if links were full independently of each other. It is asymptotically
// exact for large links and loads, or many routes; on a small network the
// loss can be off by tens of percent, upwards on a chain, downwards with
// little diversity. Solved by repeated substitution, damped by half whenever
// the residual grows, to a residual of 1e-13; no convergence within 1e5
// rounds is an error. It ends early with the error of ctx. Source: Kelly, Adv.
// Appl. Prob. 18, 1986.
func (n LossNetwork) FixedPoint(ctx context.Context) (LossNetworkFigures, error) {
	if err := n.validate(); err != nil {
		return LossNetworkFigures{}, err
	}
	f := LossNetworkFigures{
		LinkBlocking:  make([]float64, len(n.Links)),
		LinkLoad:      make([]float64, len(n.Links)),
		RouteBlocking: make([]float64, len(n.Routes)),
		Warning:       &Warning{"The Erlang fixed point", "large links or many routes", "links are taken as full independently of each other: confirm small networks by simulation"},
	}
	damping, last := 1.0, math.Inf(1)
	next := make([]float64, len(n.Links))
	for f.Iterations = 1; ; f.Iterations++ {
		if f.Iterations%64 == 0 && ctx.Err() != nil {
			return LossNetworkFigures{}, ctx.Err()
		}
		n.reduce(f.LinkBlocking, f.LinkLoad)
		f.Residual = 0
		for j, link := range n.Links {
			next[j] = erlangB(link.Servers, f.LinkLoad[j])
			f.Residual = math.Max(f.Residual, math.Abs(next[j]-f.LinkBlocking[j]))
		}
		if f.Residual < 1e-13 {
			break
		}
		if f.Iterations == 1e5 {
			return LossNetworkFigures{}, fmt.Errorf("queueing: LossNetwork.FixedPoint: no convergence after 1e5 rounds, residual %.3g", f.Residual)
		}
		if f.Residual >= last && damping > 1e-3 {
			damping /= 2
		}
		last = f.Residual
		for j := range next {
			f.LinkBlocking[j] += damping * (next[j] - f.LinkBlocking[j])
		}
	}
	offered, lost := 0.0, 0.0
	for r, route := range n.Routes {
		logPass := 0.0
		for _, j := range route.Links {
			logPass += math.Log1p(-f.LinkBlocking[j])
		}
		f.RouteBlocking[r] = -math.Expm1(logPass)
		offered += route.Load
		lost += route.Load * f.RouteBlocking[r]
	}
	if offered > 0 {
		f.Blocking = lost / offered
	}
	return f, nil
}

// reduce sets the load of each link, given the blocking of the others.
func (n LossNetwork) reduce(blocking, load []float64) {
	clear(load)
	for _, route := range n.Routes {
		for i, j := range route.Links {
			pass := route.Load
			for k, other := range route.Links {
				if k != i {
					pass *= 1 - blocking[other]
				}
			}
			load[j] += pass
		}
	}
}

func (n LossNetwork) validate() error {
	c := check{fn: "LossNetwork"}
	if len(n.Links) == 0 {
		c.fail("links", 0, "at least one link")
	}
	for j, link := range n.Links {
		c.atLeastZero("servers of "+named("link", link.Name, j), link.Servers)
		c.magnitude("servers of "+named("link", link.Name, j), link.Servers)
	}
	for r, route := range n.Routes {
		of := " of " + named("route", route.Name, r)
		c.atLeastZero("load"+of, route.Load)
		c.magnitude("load"+of, route.Load)
		if len(route.Links) == 0 {
			c.fail("links"+of, 0, "at least one link")
		}
		seen := map[int]bool{}
		for _, j := range route.Links {
			if j < 0 || j >= len(n.Links) || seen[j] {
				c.fail("link"+of, float64(j), fmt.Sprintf("an index within 0..%d, each at most once", len(n.Links)-1))
			}
			seen[j] = true
		}
	}
	return c.err
}
