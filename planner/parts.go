package planner

import (
	"cmp"
	"context"
	"fmt"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// replicas answers for each public type whose replicas follow from the target,
// and for the part replicas. Types whose replicas are given, or whose times are
// not known, are left out of the first.
func (p *premises) replicas(ctx context.Context) (all []TypeReplicas, err error) {
	target := p.objectives.Availability
	for i := range p.types {
		t := &p.types[i]
		if t.Kind != scenario.Public || t.MeanUp == nil || target == nil || t.Replicas != nil {
			continue
		}
		q := &survival.ReplicasQuestion{MTTF: t.MeanUp, MTTR: t.MeanDown, Target: float64(*target), Explain: p.Explain}
		a, err := survival.Replicas(ctx, q)
		if err != nil {
			return all, ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		all = append(all, TypeReplicas{Machine: t.Name, ReplicasAnswer: *a})
	}
	v := p.Replicas
	if v == nil {
		return all, nil
	}
	q := &survival.ReplicasQuestion{
		MTTF:    ask.Number(v.MTTF),
		MTTR:    ask.Number(v.MTTR),
		Target:  float64(v.Target),
		Needed:  int64(ask.Value(v.Needed)),
		Crews:   ask.Whole(v.Crews),
		Window:  ask.Number(v.Window),
		Trace:   v.Trace,
		Explain: p.Explain,
	}
	timeless, err := p.replicated(q)
	if err != nil {
		return all, err
	}
	a, err := survival.Replicas(ctx, q)
	if err != nil {
		return all, ask.In("replicas", err)
	}
	if timeless {
		withoutTimes(a)
	}
	all = append(all, TypeReplicas{From: v.Machine, ReplicasAnswer: *a})
	// The number that the part finds is not that which the mix takes, unless both
	// have one target; a reader would believe that they have.
	for i := range p.types {
		if t := &p.types[i]; t.Kind == scenario.Public && t.Replicas == nil && target == nil &&
			float64(a.Replicas) != t.Copies {
			p.warn(ask.Sprintf(
				"the part replicas finds %d for a job, but the mix uses %v on %s: its target is "+
					"objectives.availability, which is not given",
				a.Replicas, t.Copies, t.Name))
		}
	}
	p.warn(a.Warnings...)
	return all, nil
}

// checkpoint answers the part checkpoint.
func (p *premises) checkpoint(ctx context.Context) (*survival.CheckpointAnswer, error) {
	v := p.Checkpoint
	if v == nil {
		return nil, nil
	}
	q := &survival.CheckpointQuestion{
		MTBF:    ask.Number(v.MTBF),
		Cost:    ask.Number(&v.Cost),
		Work:    ask.Number(&v.Work),
		Restart: ask.Number(v.Restart),
		MTTR:    ask.Number(v.MTTR),
		Explain: p.Explain,
	}
	if err := p.saved(q); err != nil {
		return nil, err
	}
	a, err := survival.Checkpoint(ctx, q)
	return a, ask.In("checkpoint", err)
}

// route answers the part routing: of the stream that it names, else of the load.
// A stream without a rate of its own is the load, of a curve its peak.
func (l *leading) route(ctx context.Context) (a *routes.Answer, err error) {
	v := l.Routing
	if v == nil {
		return nil, nil
	}
	q := &routes.Question{
		Clusters: v.Listed(),
		Types:    v.Types,
		Rate:     v.Rate,
		Policy:   v.Policy,
		Hedge:    v.Hedge,
		Seed:     l.seed,
		Explain:  l.Explain,
	}
	if types := v.ListedTypes(); len(types) > 0 {
		q.Types = append(types, v.Types...)
	}
	q.Rate = cmp.Or(q.Rate, l.Rate)
	if q.Rate == nil && l.Curve != nil {
		q.Rate = new(units.Point(units.Rate(l.Curve.Peak())))
	}
	if q.Rate == nil {
		return a, ask.Inputf("routing", "needs the rate of the stream: give routing.rate, or load.rate")
	}
	if q.Clusters, err = l.routedMachines(q.Clusters); err != nil {
		return nil, err
	}
	q.Draw(l.DrawCount())
	a, err = routes.Route(ctx, q)
	return a, ask.In("routing", err)
}

// allocate answers the part allocation. A solver is looked for where the method
// is exact, and its absence is an error of the part.
func (l *leading) allocate(ctx context.Context) (a *allocation.Answer, err error) {
	v := l.Allocation
	if v == nil {
		return nil, nil
	}
	q := &allocation.Question{
		Batch:   v.Listed(),
		Method:  v.Method,
		Backup:  v.Backup,
		Fail:    v.Fail,
		Seed:    l.seed,
		Explain: l.Explain,
	}
	if q.Batch, err = l.allocatedMachines(q.Batch); err != nil {
		return nil, err
	}
	if q.Method == alloc.Exact {
		if q.Solver, err = allocation.IntegerSolver(""); err != nil {
			return a, ask.In("allocation", err)
		}
	}
	a, err = allocation.Allocate(ctx, q)
	return a, ask.In("allocation", err)
}
