package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/reliability"
)

// epoch finds the scheduling epoch, and with it what the link sees.
func (p *planning) epoch(ctx context.Context) error {
	e := p.Epoch
	if p.PlanQuestion.Link != nil && p.PlanQuestion.Link.Epoch != nil {
		p.delta = p.PlanQuestion.Link.Epoch
	}
	if e == nil {
		return nil
	}
	if e.Length != nil {
		if err := positiveField("epoch.length", *e.Length, "a time above 0 such as 2min"); err != nil {
			return err
		}
		p.delta = e.Length
		if e.Migrations == nil && e.MigrationTime == nil {
			return nil
		}
	}
	q := &EpochQuestion{Migrations: e.Migrations, MigrationTime: e.MigrationTime, FailureRate: e.FailureRate, Model: e.Model, Explain: p.Explain}
	if q.FailureRate == nil {
		chain, err := p.chain()
		if err != nil {
			return err
		}
		q.Chain = chain
	}
	a, err := Epoch(ctx, q)
	var infeasible *InfeasibleError
	if errors.As(err, &infeasible) {
		p.unscheduled = infeasible.Reason
	}
	if err != nil {
		return err
	}
	p.a.Epoch = a
	if e.Length == nil {
		if p.delta == nil {
			p.delta = &a.Epoch
		}
		return nil
	}
	if *e.Length <= a.StableMin || a.StableMax != nil && *e.Length >= *a.StableMax {
		high := "any"
		if a.StableMax != nil {
			high = num(*a.StableMax) + " s"
		}
		p.unscheduled = fmt.Sprintf("the epoch of %s s is outside the stable ones, %s s to %s", num(*e.Length), num(a.StableMin), high)
		return &InfeasibleError{"epoch.length", *e.Length, a.StableMin, p.unscheduled}
	}
	return nil
}

// chain takes the failure rate from the replicas: of the public type whose
// jobs most often lose all of theirs.
func (p *planning) chain() (*EpochChain, error) {
	worst, rate := -1, 0.0
	for i := range p.types {
		t := &p.types[i]
		if t.Kind != Public || t.mttf == nil {
			continue
		}
		down, err := reliability.AllDown(reliability.Component{MTTF: *t.mttf, MTTR: *t.mttr}, int(t.replicas))
		if err != nil {
			return nil, reliabilityError(err)
		}
		if worst < 0 || down.OutageRate > rate {
			worst, rate = i, down.OutageRate
		}
	}
	if worst < 0 {
		return nil, missing("epoch.failure_rate", "the rate at which jobs lose all replicas such as 1/200s, or public machines with mttf and mttr that it follows from")
	}
	t := &p.types[worst]
	k := int64(t.replicas)
	c := &EpochChain{MTTF: t.mttf, MTTR: t.mttr, Replicas: &k, PublicJobs: p.Epoch.PublicJobs}
	if c.PublicJobs == nil {
		if p.a.Load == nil || p.a.Load.OfferedLoad == nil || *p.a.Load.OfferedLoad == 0 {
			return nil, missing("epoch.public_jobs", "the number of jobs on public machines at a time such as 100, or a load")
		}
		c.PublicJobs = p.a.Load.OfferedLoad
	}
	return c, nil
}

// linkQuestion puts together what the link is asked, with the given replicas.
func (p *planning) linkQuestion(replicas int64) (*LinkQuestion, error) {
	l := p.PlanQuestion.Link
	q := &LinkQuestion{Uplink: l.Uplink, Downlink: l.Downlink, Footprint: l.Footprint, Replicas: &replicas, Epoch: p.delta, Explain: p.Explain}
	if l.Replicas != nil {
		q.Replicas = l.Replicas
	}
	switch {
	case q.Epoch == nil:
		return nil, missing("link.epoch", "the scheduling epoch such as 2min, or the part epoch that it follows from")
	case l.Rate != nil:
		q.Rate = *l.Rate
	case p.a.Load != nil && p.a.Load.Rate != nil:
		q.Rate = *p.a.Load.Rate
	case p.a.Load != nil:
		return nil, missing("link.rate", "the arrival rate such as 5/s: the load has none")
	}
	return q, nil
}

// link answers for the mix, or for what the scenario gives.
func (p *planning) link(ctx context.Context) error {
	l := p.PlanQuestion.Link
	if l == nil || p.unscheduled != "" {
		return nil
	}
	k := int64(1)
	for i := range p.types {
		t := &p.types[i]
		used := p.a.Mix == nil || p.a.Mix.Machines[i].Count > 0
		if t.Kind == Public && used {
			k = max(k, int64(t.replicas))
		}
	}
	if l.Replicas == nil && len(p.types) == 0 {
		return missing("link.replicas", "the number of replicas of a job such as 2, or public machines")
	}
	q, err := p.linkQuestion(k)
	if err != nil {
		return err
	}
	q.Dedicated = l.Dedicated
	if q.Dedicated == nil && p.a.Mix != nil && p.a.Mix.PublicShare > 0 {
		n := p.a.Mix.dedicated()
		q.Dedicated = &n
	}
	p.a.Link, err = Link(ctx, q)
	return err
}
