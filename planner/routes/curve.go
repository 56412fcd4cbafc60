package routes

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// Plots returns the mean response of each policy against the total rate, the
// shape of InterGrid figure 7, and how each splits the stream.
func (a *Answer) Plots(ctx context.Context) ([]ask.Plot, error) {
	ctx = given.Context(ctx)
	response, err := a.ResponsePlot(ctx)
	if err != nil {
		return nil, err
	}
	shares, err := a.SharesPlot(ctx)
	if err != nil {
		return nil, err
	}
	return []ask.Plot{*response, *shares}, nil
}

// ResponsePlot returns the mean response of each policy. The drawing ends at two and a half times
// the response at the rate asked for, which shows where each policy bends, but not below four times
// the least response, that of pap at a thousandth of the capacity. A policy that starts above has
// no curve.
func (a *Answer) ResponsePlot(ctx context.Context) (*ask.Plot, error) {
	ctx = given.Context(ctx)
	q := a.asked
	if q == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	r, err := newRouter(q)
	if err != nil {
		return nil, err
	}
	at := func(p Policy, rate float64) (float64, error) {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		s, err := routePolicies[p].ApplyFor(r.clusters, rate, r.objective)
		if errors.As(err, new(*routing.SaturatedError)) || errors.As(err, new(*routing.InfeasibleError)) {
			return math.Inf(1), nil
		}
		if err != nil {
			return 0, r.explainError(err)
		}
		return s.MeanResponse, nil
	}
	limit := r.capacities()
	first, err := at(PAP, limit*1e-3)
	if err != nil {
		return nil, err
	}
	top := max(2.5*a.MeanResponse, 4*first)
	plot := &ask.Plot{
		Title:    "Mean response against the rate",
		Subtitle: fault.Count(len(a.Clusters), "cluster") + ", greatest rate " + units.FormatRate(a.MaxRate, 5),
		X:        ask.Axis{Name: "external requests", Unit: "per_s", Min: new(float64), Max: &a.MaxRate},
		Y:        ask.Axis{Name: "mean response", Unit: "s", Min: new(float64), Max: &top},
		Upright:  []ask.Rule{{Value: a.Rate}},
		Marks:    []ask.Mark{{X: a.Rate, Y: a.MeanResponse}},
	}
	// The time that a policy takes grows with the clusters, so that a picture of many of them has
	// fewer points.
	points, halvings := 60, 40
	if len(r.clusters) > 10_000 {
		points, halvings = 16, 12
	}
	for _, p := range []Policy{PAP, RR, LRF, BCF} {
		c := ask.Curve{Name: string(p)}
		low, high := limit*1e-3, limit
		if v, err := at(p, low); err != nil {
			return nil, err
		} else if v > top {
			continue
		}
		// The response increases with the rate, and a bisection finds where it leaves the drawing.
		for range halvings {
			mid := (low + high) / 2
			v, err := at(p, mid)
			if err != nil {
				return nil, err
			}
			if v > top {
				high = mid
			} else {
				low = mid
			}
		}
		for i := range points + 1 {
			// The points are denser towards the end, where the curve is steep.
			u := float64(i) / float64(points)
			rate := max(limit*1e-3, low*(1-(1-u)*(1-u)))
			v, err := at(p, rate)
			if err != nil {
				return nil, err
			}
			if v <= top {
				c.Add(rate, v)
			}
		}
		plot.Curves = append(plot.Curves, c)
	}
	return plot, nil
}

// mostShares is how many clusters a plot of shares has room for.
const mostShares = 12

// SharesPlot returns the share of each cluster by policy: of many those of the
// largest shares in the answer, in the order of the question. Those left out are
// counted in the subtitle.
func (a *Answer) SharesPlot(ctx context.Context) (*ask.Plot, error) {
	ctx = given.Context(ctx)
	if a.asked == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	r, err := newRouter(a.asked)
	if err != nil {
		return nil, err
	}
	if len(a.Clusters) != len(r.clusters) {
		return nil, ask.Inputf("clusters", "the answer is of another question")
	}
	order := numeric.Indices[int](len(a.Clusters))
	sort.SliceStable(order,
		func(i, k int) bool { return a.Clusters[order[i]].Probability > a.Clusters[order[k]].Probability })
	order = order[:min(mostShares, len(order))]
	sort.Ints(order)
	plot := &ask.Plot{
		Title:    "Share of each cluster by policy",
		Subtitle: "at " + units.FormatRate(a.Rate, 5),
		X:        ask.Axis{Name: "cluster"},
		Y:        ask.Axis{Name: "share of external requests", Unit: "fraction"},
	}
	if n := len(a.Clusters) - len(order); n > 0 {
		plot.Subtitle += fmt.Sprintf(", %d smaller ones left out", n)
	}
	for _, j := range order {
		plot.X.Names = append(plot.X.Names, a.Clusters[j].Name)
	}
	for _, p := range []Policy{PAP, RR, LRF, BCF} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// A policy that saturates a cluster still has its shares.
		s, err := routePolicies[p].ApplyFor(r.clusters, r.nominal(), r.objective)
		if err != nil && !errors.As(err, new(*routing.SaturatedError)) {
			return nil, r.explainError(err)
		}
		c := ask.Curve{Name: string(p), Style: ask.Bars}
		for i, j := range order {
			v := s.Routes[j].Probability
			if p == a.Policy { // as answered, also where it is hedged or by type
				v = a.Clusters[j].Probability
			}
			c.Add(float64(i), v)
		}
		plot.Curves = append(plot.Curves, c)
	}
	return plot, nil
}
