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

// mostFactors are some seconds of work.
const mostFactors = 5e9

// FixedPoint returns the Erlang fixed point (reduced load approximation):
// the solution, unique by Kelly's theorem, of
//
//	B_j = B(C_j, a_j),  a_j = Σ_{r∋j} load_r ∏_{i∈r, i≠j} (1 − B_i)
//
// as if links were full independently of each other. It is asymptotically
// exact for large links and loads, or many routes; on a small network the
// loss can be off by tens of percent, upwards on a chain, downwards with
// little diversity. Solved link by link: given what the others let pass, B_j is the
// least of Kelly's convex function along it, so that the rounds converge from anywhere,
// by Aitken's rule where they are slow, until what passes each link changes by less than
// 1e-13; no convergence within 1e5 rounds is an error, and within 5e9 factors, of routes over
// hundreds of links, a *queueing.DomainError. Losses are right to 1e-11 down to
// 1e-300, and their logarithms below, on the networks of TestLossTable; also where two
// links share nearly all of a load, up to 1e9 erl, and trade it slowly, but what they let
// pass and the load they are left with are then right to 2e-8 only (TestSharedLoad).
// It ends early with the error of ctx. Source: Kelly, Adv. Appl. Prob. 18, 1986.
func (n Loss) FixedPoint(ctx context.Context) (LossFigures, error) {
	return n.fixedPoint(ctx, mostFactors)
}

// fixedPoint is FixedPoint within a number of factors.
func (n Loss) fixedPoint(ctx context.Context, most float64) (LossFigures, error) {
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
	pass, through := make([]float64, links), n.through()
	for j := range pass {
		pass[j] = 1
	}
	factors := 0.0 // of a round
	for _, r := range n.Routes {
		factors += float64(len(r.Links)) * float64(len(r.Links))
	}
	leap := newLeap(links)
	for f.Iterations = 1; ; f.Iterations++ {
		f.Residual = 0
		for j, link := range n.Links {
			if j%64 == 0 && ctx.Err() != nil {
				return LossFigures{}, ctx.Err()
			}
			f.LinkLoad[j] = n.load(j, through[j], pass)
			blocked, carried := erlang.B(link.Servers, f.LinkLoad[j]), erlang.Carried(link.Servers, f.LinkLoad[j])
			off := math.Abs(blocked - f.LinkBlocking[j])
			if blocked > 0.5 && carried > leastPass {
				off = math.Abs(carried-pass[j]) / carried
			}
			f.Residual = math.Max(f.Residual, off)
			f.LinkBlocking[j], pass[j] = blocked, carried
		}
		if f.Residual < 1e-13 {
			break
		}
		if f.Iterations == 1e5 {
			return LossFigures{}, fmt.Errorf(
				"queueing: networks.Loss.FixedPoint: no convergence after 1e5 rounds, residual %.3g", f.Residual,
			)
		}
		if done := factors * float64(f.Iterations); f.Iterations > 1 && done > most {
			return LossFigures{}, &queueing.DomainError{Func: "networks.Loss.FixedPoint", Arg: "factors of a round",
				Value: factors, Want: fmt.Sprintf("routes of fewer links: after %d rounds nothing has settled", f.Iterations)}
		}
		leap.along(pass, f.Residual)
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

// A leap shortens the way where links that share most of their load trade it round by
// round, each a little: by Aitken's rule in ln(1 − B). One that does not make the next
// round's residual smaller is taken back.
type leap struct {
	last, step, before []float64 // of ln(1 − B): the round before, its step, the place leapt from
	from               float64   // residual before the leap, 0 for none
	rounds             int
}

// leapRounds are between two leaps, for the round's steps to align.
const leapRounds = 16

func newLeap(links int) *leap {
	return &leap{last: make([]float64, links), step: make([]float64, links), before: make([]float64, links)}
}

func (l *leap) along(pass []float64, residual float64) {
	if l.from > 0 && residual > l.from {
		for j, y := range l.before {
			pass[j] = math.Exp(y)
		}
	}
	l.from = 0
	same, square := 0.0, 0.0
	for j, v := range pass {
		y := math.Log(v)
		step := y - l.last[j]
		same += step * l.step[j]
		square += l.step[j] * l.step[j]
		l.last[j], l.step[j] = y, step
	}
	l.rounds++
	ratio := same / square
	if l.rounds%leapRounds != 0 || !(ratio > 0.5 && ratio < 1) {
		return
	}
	l.from = residual
	for j, y := range l.last {
		l.before[j] = y
		pass[j] = math.Min(1, math.Exp(y+l.step[j]*ratio/(1-ratio)))
	}
}

// through lists the routes of each link.
func (n Loss) through() [][]int {
	all := make([][]int, len(n.Links))
	for r, route := range n.Routes {
		for _, j := range route.Links {
			all[j] = append(all[j], r)
		}
	}
	return all
}

// load is that of a link, given what the others let pass.
func (n Loss) load(j int, routes []int, pass []float64) float64 {
	sum := 0.0
	for _, r := range routes {
		part := n.Routes[r].Load
		for _, other := range n.Routes[r].Links {
			if other != j {
				part *= pass[other]
			}
		}
		sum += part
	}
	return sum
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
