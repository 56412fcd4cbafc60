package planner

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/survival"
)

// epochQuestion is what the scenario asks of the epoch, without the failures.
func (p *premises) epochQuestion() *survival.EpochQuestion {
	e := p.Epoch
	return &survival.EpochQuestion{
		Migrations:    ask.Number(e.Migrations),
		MigrationTime: ask.Number(e.MigrationTime),
		FailureRate:   ask.Number(e.FailureRate),
		Model:         e.Model,
		Explain:       p.Explain,
	}
}

// epoch finds the scheduling epoch: for the public jobs of the mix where there is one,
// else for all jobs. Unscheduled says why no epoch is stable; it is empty where one is,
// and where none is asked for. With a mix the failures follow from its public
// machines; without one they are those of the scenario or of the worst type.
func (l *leading) epoch(ctx context.Context) (a *survival.EpochAnswer, unscheduled string, err error) {
	e := l.Epoch
	if !l.scheduled() {
		return nil, "", nil
	}
	q := l.epochQuestion()
	x := l.crossed()
	switch {
	case x != nil:
		if !l.mixedEpoch(q, x) {
			return nil, "", nil
		}
	case q.FailureRate == nil:
		if q.Chain, err = l.chain(); err != nil {
			return nil, "", err
		}
	}
	a, err = survival.Epoch(ctx, q)
	if infeasible, ok := errors.AsType[*ask.InfeasibleError](err); ok {
		unscheduled = infeasible.Reason
	}
	if err != nil {
		return nil, unscheduled, epochError(err)
	}
	if x != nil && x.Share > 0 {
		a.PublicShare, a.PublicJobs = ask.Figure(x.Share), ask.Figure(x.Jobs)
	}
	if x != nil && a.Explanation != nil && x.Share > 0 {
		a.Explanation.Steps = append(l.explainJobs(x), a.Explanation.Steps...)
	}
	if e.Length == nil {
		return a, "", nil
	}
	length := float64(*e.Length)
	// A length that is given is held to the epochs that were found stable: below
	// x·T migrations do not end, above 2/y − 2T failures are found too late.
	if length <= a.StableMin || a.StableMax != nil && length >= *a.StableMax {
		high := "any"
		if a.StableMax != nil {
			high = ask.Time(*a.StableMax)
		}
		unscheduled = ask.Sprintf("the epoch of %s is outside the stable range, %s to %s",
			ask.Time(length), ask.Time(a.StableMin), high)
		return a, unscheduled, ask.Infeasiblef("epoch.length", length, a.StableMin, "%s", unscheduled)
	}
	return a, "", nil
}

// epochError translates the field of an error into one of the part epoch, whose length is the
// question's epoch.
func epochError(err error) error {
	return ask.In("epoch", ask.Renamed(err, map[string]string{"epoch": "length"}))
}

// mixedEpoch puts what the mix comes to into the question. It is not asked
// where the mix moves no jobs. Fewer dedicated machines than migrations make
// fewer migrations, with a warning.
func (l *leading) mixedEpoch(q *survival.EpochQuestion, x *mixes.Crossed) (asked bool) {
	given := *q.Migrations
	if most := math.Min(given, x.Dedicated); most < given {
		of := "the mix has " + plural(x.Dedicated, "dedicated machine", "dedicated machines")
		if most := float64(l.dedicated()); most < x.Dedicated { // with slots
			of = ask.Sprintf("the dedicated machines of the mix hold %v jobs", x.Dedicated)
		}
		if l.crossing.Dedicated != nil {
			of = ask.Sprintf("link.dedicated is %v", x.Dedicated)
		}
		l.warn(ask.Sprintf(
			"epoch.migrations: %v in an epoch, and %s: each begins at most one (PCU 4.6: x ≤ N_d), so %v are counted",
			given, of, most))
		if most == 0 {
			l.warn(
				"epoch: without dedicated machines no job is moved, so no epoch is needed")
			return false
		}
		q.Migrations = &most
	}
	switch {
	case q.FailureRate != nil:
		return true
	case x.Share == 0:
		l.warn(
			"epoch: the mix has no public machines, so no job is moved and no epoch is needed")
		return false
	}
	// Of one public type its own chain gives the failures. Of several the rate is
	// that which the mix comes to.
	at, used := -1, 0
	for i := range l.types {
		if l.types[i].Kind == scenario.Public && l.counts[i] > 0 {
			at, used = i, used+1
		}
	}
	if t := &l.types[at]; used == 1 && t.MeanUp != nil {
		q.Chain = &survival.EpochChain{MTTF: t.MeanUp, MTTR: t.MeanDown, Replicas: new(int64(t.Copies)),
			PublicJobs: &x.Jobs}
		return true
	}
	q.FailureRate = &x.Failures
	return true
}

// explainJobs shows how many jobs are on public machines.
func (l *leading) explainJobs(x *mixes.Crossed) []ask.Step {
	e := &ask.Explanation{}
	share, jobs := "s = Σ_public wᵢnᵢ/Σ wᵢnᵢ", "J = P·min(1, a/W), P = Σ_public nᵢmᵢPavᵢ/kᵢ"
	source := "machines as busy as the mix; PCU section 4.6 for w"
	if l.mix.mixing.Model != nil {
		share, jobs = "s = Σ_public bᵢvᵢ/Σ bᵢvᵢ", "J = Σ_public bᵢ"
		source = "the queue of the mix, in which bᵢ of the places of type i are busy (Gumbel 1960) " +
			"and serve at its speed vᵢ"
	}
	e.Step("public share", share, "s = "+ask.Digits(x.Share), source)
	if l.Epoch != nil && l.Epoch.PublicJobs == nil {
		e.Step("public jobs", jobs, ask.Digits(x.Jobs), source)
	}
	return e.Steps
}

// plural writes a number of things.
func plural(n float64, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return ask.Digits(n) + " " + more
}

// An outage is the public type whose jobs most often lose all replicas. Its jobs
// set the pace of the epoch: an epoch that is stable for it is stable for the
// others.
type outage struct {
	at   int
	rate float64
}

// worstOutage finds the worst outage among the types that say how long they last.
func (p *premises) worstOutage() (outage, error) {
	worst := outage{at: -1}
	for i := range p.types {
		t := &p.types[i]
		if t.Kind != scenario.Public || t.MeanUp == nil {
			continue
		}
		rate, err := t.OutageRate()
		if err != nil {
			return worst, err
		}
		if worst.at < 0 || rate > worst.rate {
			worst = outage{i, rate}
		}
	}
	if worst.at < 0 {
		return worst, ask.Missing("epoch.failure_rate",
			"the rate at which jobs lose all replicas such as 1/200s, or public machines with mttf and mttr that it "+
				"follows from")
	}
	return worst, nil
}

// chain takes the failure rate from the replicas: of the public type whose
// jobs most often lose all of theirs. Without a mix all jobs count as public.
func (l *leading) chain() (*survival.EpochChain, error) {
	worst, err := l.worstOutage()
	if err != nil {
		return nil, err
	}
	t := &l.types[worst.at]
	c := &survival.EpochChain{
		MTTF:       t.MeanUp,
		MTTR:       t.MeanDown,
		Replicas:   new(int64(t.Copies)),
		PublicJobs: ask.Number(l.Epoch.PublicJobs),
	}
	// Without a mix each job of the load may be on a public machine.
	if c.PublicJobs == nil {
		if l.load == nil || l.load.OfferedLoad == nil || *l.load.OfferedLoad == 0 {
			return nil, ask.Missing("epoch.public_jobs",
				"the number of jobs on public machines at a time such as 100, or a load")
		}
		c.PublicJobs = l.load.OfferedLoad
	}
	return c, nil
}
