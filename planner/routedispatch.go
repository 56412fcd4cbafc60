package planner

import (
	"context"

	"github.com/capplan/capplan/queueing/routing"
)

// DispatchRule is how the cluster of the next request is chosen.
type DispatchRule string

// The rules. The empty one is billiard.
const (
	Billiard DispatchRule = "billiard" // InterGrid algorithm 2
	Balanced DispatchRule = "balanced" // every count within 1 of its ideal
)

// maxDispatch bounds a dispatch list.
const maxDispatch = 10_000_000

// A DispatchMeasure is how far the counts of a dispatch list were from their
// ideals, requests of a type times probability, at worst over all its prefixes,
// clusters and types.
type DispatchMeasure struct {
	Rule   DispatchRule `json:"rule"`
	Ahead  float64      `json:"ahead"`
	Behind float64      `json:"behind"`
}

// dispatch lists the clusters of the first requests. Their types follow each
// other in the balanced order of their shares.
func (r *router) dispatch(ctx context.Context, a *RouteAnswer, plan *routePlan) error {
	n := r.q.Dispatch
	if n == 0 {
		return nil
	}
	measure := &DispatchMeasure{Rule: Billiard}
	o := routing.DispatchOptions{}
	if r.q.Rule == Balanced {
		measure.Rule, o.Rule = Balanced, routing.Balanced
	}
	if r.q.LateFastest {
		o.Offset = routing.FastestOffset(r.clusters)
	}
	shares := []float64{1}
	if len(r.types) > 0 {
		shares = shares[:0]
		for _, t := range r.types {
			shares = append(shares, t.Share)
		}
	}
	order, err := routing.NewDispatcher(shares, nil, routing.DispatchOptions{Rule: routing.Balanced})
	if err != nil {
		return r.explainError(err)
	}
	// A sequence for each type: its own counts, as in the algorithm.
	sequences := make([]*routing.Dispatcher, len(shares))
	for i := range sequences {
		p := plan.split.Probabilities()
		if plan.byTypeP != nil {
			p = plan.byTypeP[i]
		}
		if sequences[i], err = routing.NewDispatcher(p, nil, o); err != nil {
			return r.explainError(err)
		}
	}
	a.Dispatch = make([]string, 0, n)
	for k := range n {
		if k%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i, err := order.Next(0)
		if err != nil {
			return r.explainError(err)
		}
		j, err := sequences[i].Next(0)
		if err != nil {
			return r.explainError(err)
		}
		a.Dispatch = append(a.Dispatch, r.clusters[j].Name)
		if len(r.types) > 0 {
			a.DispatchTypes = append(a.DispatchTypes, r.types[i].Name)
		}
	}
	for _, s := range sequences {
		d := s.TotalDiscrepancy()
		measure.Ahead, measure.Behind = max(measure.Ahead, d.Ahead), max(measure.Behind, d.Behind)
	}
	a.Discrepancy = measure
	return nil
}
