package networks

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
	"github.com/capplan/capplan/queueing/internal/measured"
)

// A Link of a [Loss].
type Link struct {
	Name    string
	Servers float64 // circuits, real ≥ 0
}

// A Route of a [Loss]: its requests hold one circuit on each of its
// links for the same time, and are lost when any link is full.
type Route struct {
	Name  string
	Load  float64 // erlang, ≥ 0
	Links []int   // indices into Loss.Links, each at most once
}

// Loss is a network of links shared by routes with fixed paths.
type Loss struct {
	Links  []Link
	Routes []Route
}

// LossFigures is the Erlang fixed point of a network.
type LossFigures struct {
	LinkBlocking     []float64 // B_j
	LogLinkBlocking  []float64 // ln B_j, −Inf for 0
	LinkLoad         []float64 // reduced load offered to the link, erlang
	RouteBlocking    []float64 // 1 − ∏(1 − B_j)
	LogRouteBlocking []float64 // its logarithm
	Blocking         float64   // over all requests
	LogBlocking      float64   // its logarithm
	Iterations       int
	Residual         float64 // greatest change of B_j in the last round, for B_j > 1/2 of 1 − B_j as its share
	Warning          *queueing.Warning
	Approximation    *queueing.Approximation // its measured errors
}

var fixedPointApproximation = queueing.Approximation{
	Method:   "Erlang fixed point",
	Blocking: queueing.ErrorRange(measured.FixedPoint.Range),
	Regime:   measured.FixedPoint.Regime,
	Source:   measured.FixedPoint.Source,
}

// leastPass is the share below which what passes a link counts as nothing: near the
// end of float64 it has no digits that could settle.
const leastPass = 1e-290

// FixedPoint returns the Erlang fixed point (reduced load approximation):
// the solution, unique by Kelly's theorem, of
//
//	B_j = B(C_j, a_j),  a_j = Σ_{r∋j} load_r ∏_{i∈r, i≠j} (1 − B_i)
//
// as if links were full independently of each other. It is asymptotically
// exact for large links and loads, or many routes; on a small network the
// loss can be off by tens of percent, upwards on a chain, downwards with
// little diversity. Solved by repeated substitution, damped by half whenever
// the residual grows, until what passes each link is right to 1e-13; no
// convergence within 1e5 rounds is an error. Losses are right to 1e-11 down to 1e-300, and their
// logarithms below (TestLossTable). It ends early with the error of ctx. Source: Kelly, Adv.
// Appl. Prob. 18, 1986.
func (n Loss) FixedPoint(ctx context.Context) (LossFigures, error) {
	ctx = given.Context(ctx)
	if err := n.validate(); err != nil {
		return LossFigures{}, err
	}
	links := len(n.Links)
	f := LossFigures{
		LinkBlocking:     make([]float64, links),
		LogLinkBlocking:  make([]float64, links),
		LinkLoad:         make([]float64, links),
		RouteBlocking:    make([]float64, len(n.Routes)),
		LogRouteBlocking: make([]float64, len(n.Routes)),
		Warning: &queueing.Warning{
			Model:  "The Erlang fixed point",
			Regime: "large links or many routes",
			Advice: fmt.Sprintf(
				"links are taken as full independently of each other; losses were off by %s against the %s, %s",
				measured.FixedPoint.Span(), measured.FixedPoint.Source, measured.FixedPoint.Regime,
			),
		},
		Approximation: &fixedPointApproximation,
	}
	// What passes a link, 1 − B, is kept beside B: each is accurate where it
	// is the small one.
	pass, nextPass, next := make([]float64, links), make([]float64, links), make([]float64, links)
	for j := range pass {
		pass[j] = 1
	}
	damping, last := 1.0, math.Inf(1)
	for f.Iterations = 1; ; f.Iterations++ {
		if f.Iterations%64 == 0 && ctx.Err() != nil {
			return LossFigures{}, ctx.Err()
		}
		n.reduce(pass, f.LinkLoad)
		f.Residual = 0
		for j, link := range n.Links {
			next[j], nextPass[j] = erlang.B(link.Servers, f.LinkLoad[j]), erlang.Carried(link.Servers, f.LinkLoad[j])
			off := math.Abs(next[j] - f.LinkBlocking[j])
			if next[j] > 0.5 && nextPass[j] > leastPass {
				off = math.Abs(nextPass[j]-pass[j]) / nextPass[j]
			}
			f.Residual = math.Max(f.Residual, off)
		}
		if f.Residual < 1e-13 {
			// The loads are right to that share, and so is what they give,
			// while the blocking before this round may be its first guess.
			copy(f.LinkBlocking, next)
			break
		}
		if f.Iterations == 1e5 {
			return LossFigures{}, fmt.Errorf(
				"queueing: networks.Loss.FixedPoint: no convergence after 1e5 rounds, residual %.3g", f.Residual,
			)
		}
		if f.Residual >= last && damping > 1e-3 {
			damping /= 2
		}
		last = f.Residual
		for j := range next {
			f.LinkBlocking[j] += damping * (next[j] - f.LinkBlocking[j])
			pass[j] += damping * (nextPass[j] - pass[j])
		}
	}
	n.sum(&f)
	return f, nil
}

// sum adds up the losses of links to those of routes and of all, in logarithms
// as well, since a float ends at 1e-308.
func (n Loss) sum(f *LossFigures) {
	for j, link := range n.Links {
		f.LogLinkBlocking[j] = erlang.LogB(link.Servers, f.LinkLoad[j])
	}
	offered, lost := 0.0, 0.0
	logLost := math.Inf(-1)
	for r, route := range n.Routes {
		logPass, logLoss := 0.0, math.Inf(-1)
		for _, j := range route.Links {
			if b := f.LinkBlocking[j]; b < 0.5 {
				logPass += math.Log1p(-b)
			} else {
				logPass += math.Log(erlang.Carried(n.Links[j].Servers, f.LinkLoad[j]))
			}
			logLoss = numeric.LogAdd(logLoss, f.LogLinkBlocking[j])
		}
		f.RouteBlocking[r] = -math.Expm1(logPass)
		// A sum of losses this small is the loss of the route to rounding.
		f.LogRouteBlocking[r] = logLoss
		if logLoss > -40 {
			f.LogRouteBlocking[r] = math.Log(f.RouteBlocking[r])
		}
		if route.Load > 0 {
			offered += route.Load
			lost += route.Load * f.RouteBlocking[r]
			logLost = numeric.LogAdd(logLost, math.Log(route.Load)+f.LogRouteBlocking[r])
		}
	}
	f.LogBlocking = math.Inf(-1)
	if offered > 0 {
		f.Blocking = lost / offered
		f.LogBlocking = logLost - math.Log(offered)
	}
}

// reduce sets the load of each link, given what the others let pass.
func (n Loss) reduce(pass, load []float64) {
	clear(load)
	for _, route := range n.Routes {
		for i, j := range route.Links {
			through := route.Load
			for k, other := range route.Links {
				if k != i {
					through *= pass[other]
				}
			}
			load[j] += through
		}
	}
}

func (n Loss) validate() error {
	c := queueing.Domain{Func: "networks.Loss"}
	if len(n.Links) == 0 {
		c.Fail("links", 0, "at least one link")
	}
	for j, link := range n.Links {
		c.AtLeastZero("servers of "+fault.Part("link", link.Name, j), link.Servers)
		c.Magnitude("servers of "+fault.Part("link", link.Name, j), link.Servers)
	}
	for r, route := range n.Routes {
		of := " of " + fault.Part("route", route.Name, r)
		c.AtLeastZero("load"+of, route.Load)
		c.Magnitude("load"+of, route.Load)
		if len(route.Links) == 0 {
			c.Fail("links"+of, 0, "at least one link")
		}
		seen := map[int]bool{}
		for _, j := range route.Links {
			if j < 0 || j >= len(n.Links) || seen[j] {
				c.Fail("link"+of, float64(j), fmt.Sprintf("an index within 0..%d, each at most once", len(n.Links)-1))
			}
			seen[j] = true
		}
	}
	return c.Err
}
