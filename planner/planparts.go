package planner

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// replicas answers for each public type whose replicas follow from the target,
// and for the part replicas.
func (p *planning) replicas(ctx context.Context) error {
	target := p.objectives.Availability
	for i := range p.types {
		t := &p.types[i]
		if t.Kind != scenario.Public || t.mttf == nil || target == nil || t.Replicas != nil {
			continue
		}
		q := &survival.ReplicasQuestion{MTTF: t.mttf, MTTR: t.mttr, Target: float64(*target), Explain: p.Explain}
		a, err := survival.Replicas(ctx, q)
		if err != nil {
			return ask.In(fmt.Sprintf("machines[%d]", i), err)
		}
		p.a.Replicas = append(p.a.Replicas, TypeReplicas{Machine: t.Name, ReplicasAnswer: *a})
	}
	v := p.Replicas
	if v == nil {
		return nil
	}
	q := &survival.ReplicasQuestion{
		MTTF:    ask.Number(v.MTTF),
		MTTR:    ask.Number(v.MTTR),
		Target:  float64(v.Target),
		Crews:   ask.Whole(v.Crews),
		Window:  ask.Number(v.Window),
		Trace:   v.Trace,
		Explain: p.Explain,
	}
	if v.Needed != nil {
		q.Needed = int64(*v.Needed)
	}
	timeless, err := p.replicated(q)
	if err != nil {
		return err
	}
	a, err := survival.Replicas(ctx, q)
	if err != nil {
		return ask.In("replicas", err)
	}
	if timeless {
		withoutTimes(a)
	}
	p.a.Replicas = append(p.a.Replicas, TypeReplicas{From: v.Machine, ReplicasAnswer: *a})
	for i := range p.types {
		if t := &p.types[i]; t.Kind == scenario.Public && t.Replicas == nil && target == nil &&
			float64(a.Replicas) != t.replicas {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
				"the part replicas asks for %d of a job, and the mix takes %s on %s: its target is objectives.availability, which is not given",
				a.Replicas, ask.Digits(t.replicas), t.Name))
		}
	}
	p.a.Warnings = append(p.a.Warnings, a.Warnings...)
	return nil
}

// checkpoint answers the part checkpoint.
func (p *planning) checkpoint(ctx context.Context) (err error) {
	v := p.Checkpoint
	if v == nil {
		return nil
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
		return err
	}
	p.a.Checkpoint, err = survival.Checkpoint(ctx, q)
	return ask.In("checkpoint", err)
}

// route answers the part routing: of the stream that it names, else of the load.
func (p *planning) route(ctx context.Context) (err error) {
	v := p.Routing
	if v == nil {
		return nil
	}
	q := &routes.Question{
		Clusters: v.Listed(),
		Types:    v.Types,
		Rate:     v.Rate,
		Policy:   v.Policy,
		Hedge:    v.Hedge,
		Seed:     p.seed,
		Explain:  p.Explain,
	}
	if types := v.ListedTypes(); len(types) > 0 {
		q.Types = append(types, v.Types...)
	}
	if q.Rate == nil {
		q.Rate = p.Rate
	}
	if q.Rate == nil && p.Curve != nil {
		r := units.Point(units.Rate(p.Curve.Peak()))
		q.Rate = &r
	}
	if q.Rate == nil {
		return ask.Inputf("routing", "needs the rate of the stream: give routing.rate, or load.rate")
	}
	if q.Clusters, err = p.routedMachines(q.Clusters); err != nil {
		return err
	}
	p.a.Routing, err = routes.Route(ctx, q)
	return ask.In("routing", err)
}

// allocate answers the part allocation.
func (p *planning) allocate(ctx context.Context) (err error) {
	v := p.Allocation
	if v == nil {
		return nil
	}
	q := &allocation.Question{
		Batch:   v.Listed(),
		Method:  v.Method,
		Backup:  v.Backup,
		Fail:    v.Fail,
		Seed:    p.seed,
		Explain: p.Explain,
	}
	if q.Batch, err = p.allocatedMachines(q.Batch); err != nil {
		return err
	}
	if q.Method == alloc.Exact {
		if q.Solver, err = allocation.IntegerSolver(""); err != nil {
			return ask.In("allocation", err)
		}
	}
	p.a.Allocation, err = allocation.Allocate(ctx, q)
	return ask.In("allocation", err)
}

// available answers the part availability: for one machine a prediction, for
// several, or a task, a ranking.
func (p *planning) available(ctx context.Context) (err error) {
	v := p.Availability
	if v == nil {
		return nil
	}
	label, err := v.Labelling()
	if err != nil {
		return ask.In("availability", err)
	}
	start, _ := units.ParseTimeOfDay(v.Start) // checked before
	p.window = machines.DayWindow{
		Day:    v.Day,
		Start:  float64(start),
		Window: float64(v.Window),
		Days:   int(min(v.Days, 1_000_000)),
	}
	if len(v.Hosts) == 1 && v.Task == nil {
		q := &machines.PredictQuestion{
			Host:      &v.Hosts[0],
			Labelling: label,
			DayWindow: p.window,
			Seed:      p.seed,
			Explain:   p.Explain,
		}
		if p.a.Predict, err = machines.Predict(ctx, q); err != nil {
			return ask.In("availability", err)
		}
		p.a.Warnings = append(p.a.Warnings, p.a.Predict.Warnings...)
		return nil
	}
	q := &machines.RankQuestion{
		Hosts:     v.Hosts,
		Labelling: label,
		DayWindow: p.window,
		Task:      ask.Number(v.Task),
		Explain:   p.Explain,
	}
	if p.a.Rank, err = machines.Rank(ctx, q); err != nil {
		return ask.In("availability", err)
	}
	p.a.Warnings = append(p.a.Warnings, p.a.Rank.Warnings...)
	return nil
}
