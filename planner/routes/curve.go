package routes

import (
	"context"
	"errors"
	"math"
	"sort"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/queueing/routing"
)

// A Curve is the mean response of a policy against the total rate.
type Curve struct {
	Policy   Policy
	Rate     []float64 // external requests/s
	Response []float64 // s
}

// ResponseCurves returns the mean response of each policy against the total
// rate, the shape of InterGrid figure 7, up to a few times the response at the
// rate asked for; a policy that starts above that has no points. top is that
// bound in s.
func (q *Question) ResponseCurves(ctx context.Context, a *Answer) (curves []Curve, top float64, err error) {
	ctx = given.Context(ctx)
	r, err := newRouter(q)
	if err != nil {
		return nil, 0, err
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
		return nil, 0, err
	}
	top = max(2.5*a.MeanResponse, 4*first)
	points, halvings := 60, 40
	if len(r.clusters) > 10_000 {
		points, halvings = 16, 12
	}
	for _, p := range []Policy{PAP, RR, LRF, BCF} {
		c := Curve{Policy: p}
		low, high := limit*1e-3, limit
		if v, err := at(p, low); err != nil {
			return nil, 0, err
		} else if v > top {
			curves = append(curves, c)
			continue
		}
		// The response increases with the rate; find where it leaves the drawing.
		for range halvings {
			mid := (low + high) / 2
			v, err := at(p, mid)
			if err != nil {
				return nil, 0, err
			}
			if v > top {
				high = mid
			} else {
				low = mid
			}
		}
		for i := range points + 1 {
			// Denser towards the end, where the curve is steep.
			u := float64(i) / float64(points)
			rate := max(limit*1e-3, low*(1-(1-u)*(1-u)))
			v, err := at(p, rate)
			if err != nil {
				return nil, 0, err
			}
			if v <= top {
				c.Rate, c.Response = append(c.Rate, rate), append(c.Response, v)
			}
		}
		curves = append(curves, c)
	}
	return curves, top, nil
}

// Shares are the probabilities of each policy by cluster.
type Shares struct {
	Names    []string
	Policies []Policy
	Shares   [][]float64 // by policy and cluster
	Others   int         // clusters left out
}

// Shares returns the share of each cluster by policy, for at most the given
// number of clusters, those of the largest shares in the answer, in the order
// of the question.
func (q *Question) Shares(ctx context.Context, a *Answer, most int) (*Shares, error) {
	ctx = given.Context(ctx)
	r, err := newRouter(q)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(a.Clusters))
	for j := range order {
		order[j] = j
	}
	sort.SliceStable(order, func(i, k int) bool { return a.Clusters[order[i]].Probability > a.Clusters[order[k]].Probability })
	order = order[:min(most, len(order))]
	sort.Ints(order)
	out := &Shares{Others: len(a.Clusters) - len(order)}
	for _, j := range order {
		out.Names = append(out.Names, a.Clusters[j].Name)
	}
	for _, p := range []Policy{PAP, RR, LRF, BCF} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s, err := routePolicies[p].ApplyFor(r.clusters, r.nominal(), r.objective)
		if err != nil && !errors.As(err, new(*routing.SaturatedError)) {
			return nil, r.explainError(err)
		}
		var shares []float64
		for _, j := range order {
			v := s.Routes[j].Probability
			if p == a.Policy { // as answered, also where it is hedged or by type
				v = a.Clusters[j].Probability
			}
			shares = append(shares, v)
		}
		out.Policies, out.Shares = append(out.Policies, p), append(out.Shares, shares)
	}
	return out, nil
}
