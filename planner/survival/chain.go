package survival

import (
	"context"
	"errors"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// An EpochChain is the joint design: replicas, the rate at which all of a
// job's fail together, the epoch, and what the link carries at that epoch. Each
// step hands its result to the next: more replicas fail together less often,
// which allows a longer epoch, which moves less over the link. Source: PCU
// section 4.6.
type EpochChain struct {
	// Mean times of a replica, s; together they say how often all replicas of a
	// job are down at once.
	MTTF       *float64 `json:"mttf_s"`
	MTTR       *float64 `json:"mttr_s"`
	Target     *float64 `json:"target,omitempty"`   // chance that a job has a replica alive; or
	Replicas   *int64   `json:"replicas,omitempty"` // their number
	PublicJobs *float64 `json:"public_jobs"`        // jobs on public resources at a time
	// Link, if set, is the link between the dedicated cluster and the public
	// resources; its replicas and epoch are those of the chain.
	Link *LinkQuestion `json:"link,omitempty"`
}

// A ChainAnswer holds the steps of a chain.
type ChainAnswer struct {
	Replicas        int64    `json:"replicas"`
	ReplicasReal    *float64 `json:"replicas_real"` // null where the number was given
	AvailabilityAll float64  `json:"availability_all"`
	// AllDown is the chance that all replicas of a job are down at a moment.
	AllDown     float64     `json:"all_down_probability"`
	AllDownRate float64     `json:"all_down_rate_per_s"` // of one job
	PublicJobs  float64     `json:"public_jobs"`
	FailureRate float64     `json:"failure_rate_per_s"` // public jobs times that
	Epoch       float64     `json:"epoch_s"`
	Link        *LinkAnswer `json:"link"` // null where none was given
}

// chain answers the joint design. Errors are those of the step that ends the
// chain, with what the steps before it came to.
func (q *EpochQuestion) chain(ctx context.Context) (*EpochAnswer, error) {
	c := q.Chain
	if q.FailureRate != nil {
		return nil, ask.Inputf("failure_rate", "follows from the replicas: leave it out, or leave {from_replicas} out")
	}
	r := &ReplicasQuestion{MTTF: c.MTTF, MTTR: c.MTTR}
	component, err := r.component()
	if err != nil {
		return nil, err
	}
	switch {
	case c.Target == nil && c.Replicas == nil:
		return nil, ask.Missing("target", "the chance that a job has a replica alive such as 95%, or replicas")
	case c.Target != nil && c.Replicas != nil:
		return nil, ask.Inputf("replicas", "give {target} or {replicas}, not both")
	case c.Replicas != nil && (*c.Replicas < 1 || *c.Replicas > 1e9):
		return nil, ask.Inputf("replicas", "is %d, want 1 to 1e9 replicas", *c.Replicas)
	case c.PublicJobs == nil:
		return nil, ask.Missing("public_jobs", "the number of jobs on public resources at one time such as 100")
	}
	// More swaps than dedicated servers cannot begin in one epoch, whatever the
	// link.
	if l := c.Link; l != nil && l.Dedicated != nil && *q.Migrations > float64(*l.Dedicated) {
		return nil, &ask.InputError{Field: "migrations", Reason: TooManySwaps(*q.Migrations, "dedicated", *l.Dedicated)}
	}
	if err := ask.Positive("public_jobs", *c.PublicJobs, "a number above 0"); err != nil {
		return nil, err
	}
	p := reliability.DesignParams{Component: component, PublicJobs: *c.PublicJobs,
		Migrations: *q.Migrations, MigrationTime: *q.MigrationTime, Model: q.Model.Model()}
	if c.Target != nil {
		p.Target = *c.Target
	} else {
		p.Replicas = int(*c.Replicas)
	}
	// The link is answered by its own question, so that the chain holds
	// without one; here a link without limits takes its place.
	p.Link = reliability.LinkParams{Uplink: 1, Downlink: 1, Footprint: 1e-300}
	d, err := reliability.JointDesign(p)
	steps := ChainAnswer{
		Replicas:        int64(d.Replicas),
		AllDown:         d.AllDown.Unavailability,
		AvailabilityAll: d.AllDown.Availability,
		AllDownRate:     d.AllDown.OutageRate,
		PublicJobs:      *c.PublicJobs,
		FailureRate:     d.FailureRate,
		Epoch:           d.Epoch.Epoch}
	// A number that was given has no real one behind it.
	if d.Count.Real > 0 {
		steps.ReplicasReal = ask.Figure(d.Count.Real)
	}
	if err != nil {
		return nil, q.chainError(&steps, err)
	}
	a, err := q.answer(d.Epoch, d.FailureRate)
	if err != nil {
		return nil, err
	}
	a.Chain = &steps
	if c.Link != nil {
		// The link's own question may hold other replicas and another epoch,
		// which those of the chain take the place of.
		link := *c.Link
		link.Replicas, link.Epoch, link.Explain = &steps.Replicas, &steps.Epoch, q.Explain
		if steps.Link, err = Link(ctx, &link); err != nil {
			return nil, steps.wrap(err)
		}
		a.Warnings = append(a.Warnings, steps.Link.Warnings...)
	}
	if q.Explain {
		a.chained(component)
	}
	return a, nil
}

// chainError says how far an infeasible chain came. Where no replica set ever
// fails as a whole, there is no rate and nothing to choose an epoch for.
func (q *EpochQuestion) chainError(s *ChainAnswer, err error) error {
	var e *reliability.EpochError
	if !errors.As(err, &e) {
		if domain, ok := errors.AsType[*reliability.DomainError](err); ok && domain.Arg == "FailureRate" {
			return ask.Inputf("target",
				"with %s they are never all down together within the range of numbers, so there is no failure rate "+
					"to choose an epoch for",
				fault.Count(s.Replicas, "replica"))
		}
		return ask.FromReliability(err)
	}
	return s.wrap(epochError(q, s.FailureRate, err))
}

// wrap puts the steps so far before an infeasible one.
func (s *ChainAnswer) wrap(err error) error {
	var e *ask.InfeasibleError
	if !errors.As(err, &e) {
		return err
	}
	out := *e
	out.Reason = ask.Sprintf("%s, all down %v times a second for a job and y = %v per s for %v jobs",
		fault.Count(s.Replicas, "replica"), s.AllDownRate, s.FailureRate, s.PublicJobs)
	if s.Epoch > 0 {
		out.Reason += ", epoch " + units.FormatDuration(s.Epoch, 4)
	}
	out.Reason += ": " + e.Reason
	return &out
}

// chained puts the steps of the chain before the formulas of the epoch. The
// explanation of the link is moved into that of the chain, so that it is not
// shown twice.
func (a *EpochAnswer) chained(c reliability.Component) {
	s, e := a.Chain, a.Explanation
	epoch := e.Steps
	e.Steps = nil
	k := ask.Digits(float64(s.Replicas))
	if s.ReplicasReal != nil {
		e.Step("replicas", "k = log(1 − P)/log(1 − p)", ask.Sprintf("%v, rounded up to %s", *s.ReplicasReal, k),
			"PCU section 4.6")
	}
	e.Step("failure rate", "y = n·k(1 − p)ᵏ/MTTR",
		ask.Sprintf("%v·%s·%v/%v s = %v per s", s.PublicJobs, k, s.AllDown, c.MTTR, s.FailureRate),
		"an outage ends with the first repair of k; n jobs on public resources")
	e.Steps = append(e.Steps, epoch...)
	if s.Link != nil && s.Link.Explanation != nil {
		e.Steps = append(e.Steps, s.Link.Explanation.Steps...)
		e.Assumptions = append(e.Assumptions, s.Link.Explanation.Assumptions...)
		s.Link.Explanation = nil
	}
	e.Assume("the repair time is taken as given: its extension by the detection within the epoch is left out")
}

// TooManySwaps says why x migrations are too many for N_d machines. PCU section
// 4.6 has each dedicated server begin at most one migration in an epoch.
func TooManySwaps(migrations float64, field string, dedicated int64) string {
	return ask.Sprintf(
		"is %v and %s is %d: at most one migration in an epoch for each dedicated server (PCU 4.6: x ≤ N_d)",
		migrations, field, dedicated,
	)
}
