package routes

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

// DispatchOffset is X of InterGrid algorithm 2, by which the billiard rule
// reaches clusters later.
type DispatchOffset string

// The offsets. The empty one is fastest, as algorithm 2 prints it, with the rule
// billiard; the rule balanced uses none.
const (
	OffsetFastest DispatchOffset = "fastest" // 1 for the cluster of the least service time
	OffsetNone    DispatchOffset = "none"
)

// A DispatchMeasure is how far the counts of a dispatch list were from their
// ideals, at worst over all its prefixes and clusters. A random split has
// discrepancies that grow with the square root of the requests; those of a list
// stay bounded, which is what makes waits shorter.
type DispatchMeasure struct {
	Rule   DispatchRule   `json:"rule"`
	Offset DispatchOffset `json:"offset"`
	// Of each type's own requests, at worst over the types: the ideal is their
	// number times the probability of the type at the cluster.
	Ahead  float64 `json:"ahead"`
	Behind float64 `json:"behind"`
	// Of the list as it stands, all types together: the ideal is the number of
	// requests times the probability of the cluster.
	MixedAhead  float64 `json:"mixed_ahead"`
	MixedBehind float64 `json:"mixed_behind"`
}

// dispatch lists the clusters of the first requests. Their types follow each
// other in the balanced order of their shares.
func (r *router) dispatch(ctx context.Context, a *Answer, plan *routePlan) error {
	n := r.q.Dispatch
	if n == 0 {
		return nil
	}
	measure := &DispatchMeasure{Rule: Billiard, Offset: r.q.Offset}
	o := routing.DispatchOptions{}
	switch {
	case r.q.Rule == Balanced:
		measure.Rule, measure.Offset, o.Rule = Balanced, OffsetNone, routing.Balanced
	case r.q.Offset != OffsetNone:
		measure.Offset, o.Offset = OffsetFastest, routing.FastestOffset(r.clusters)
	}
	shares := []float64{1}
	if len(r.types) > 0 {
		shares = shares[:0]
		for _, t := range r.types {
			shares = append(shares, t.Share)
		}
	}
	// The types come in the balanced order whatever the rule: the rule is about
	// clusters.
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
	mixed, err := routing.NewTally(plan.split.Probabilities())
	if err != nil {
		return r.explainError(err)
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
		if err := mixed.Count(j); err != nil {
			return err
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
	all := mixed.Discrepancy()
	measure.MixedAhead, measure.MixedBehind = all.Ahead, all.Behind
	// The ideals are rounded products of counts and shares, and a discrepancy as small as their
	// errors counts as none.
	for _, v := range []*float64{&measure.Ahead, &measure.Behind, &measure.MixedAhead, &measure.MixedBehind} {
		if *v < 1e-15*float64(len(a.Dispatch)) {
			*v = 0
		}
	}
	a.Discrepancy = measure
	return nil
}
