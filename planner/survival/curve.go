package survival

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
)

// A ReplicasCurve is availability against the number of replicas.
type ReplicasCurve struct {
	Replicas       []float64
	Availability   []float64
	Unavailability []float64
	Interval       []float64 // nil without a window
	Failure        []float64 // 1 minus it, summed by itself
}

// Drawn returns the curve about an answer, at most some 60 points.
func (q *ReplicasQuestion) Drawn(ctx context.Context, a *ReplicasAnswer) (*ReplicasCurve, error) {
	ctx = given.Context(ctx)
	if q == nil || a == nil {
		return nil, ask.NoQuestion()
	}
	if len(q.Pool) > 0 {
		return poolCurve(a), nil
	}
	r, err := q.replicaModel()
	if err != nil {
		return nil, err
	}
	k := int(a.Replicas)
	most := max(2*k-r.needed+1, k+3)
	step := max(1, (most-r.needed)/60)
	c := &ReplicasCurve{}
	for n := k - (k-r.needed)/step*step; n <= most; n += step {
		up, down, ok, err := r.at(n)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		if !ok {
			break
		}
		c.Replicas, c.Availability, c.Unavailability = append(c.Replicas, float64(n)), append(c.Availability, up), append(c.Unavailability, down)
		if a.Interval == nil || q.Window == nil {
			continue
		}
		i, err := reliability.IntervalReliability(ctx, reliability.ReplicaSet{Component: r.component, Replicas: n, Needed: r.needed, Crews: r.crews}, *q.Window, q.Start.model())
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		c.Interval, c.Failure = append(c.Interval, i.Survival), append(c.Failure, i.Failure)
	}
	return c, nil
}

// explain shows the formulas.
func (r *replicaModel) explain(a *ReplicasAnswer) *ask.Explanation {
	e := &ask.Explanation{Model: "replicas that fail and are repaired, in the steady state"}
	k := ask.Digits(float64(a.Replicas))
	e.Step("availability of one", "p = MTTF/(MTTF + MTTR)",
		fmt.Sprintf("p = %s s/(%s s + %s s) = %s", ask.Digits(r.component.MTTF), ask.Digits(r.component.MTTF), ask.Digits(r.component.MTTR), ask.Digits(*a.AvailabilityOne)), "PCU section 4.6")
	switch {
	case r.Beta != nil:
		e.Step("common cause", "c = β(1 − p), v = (1 − p − c)/(1 − c), P(all down) = c + (1 − c)vᵏ",
			fmt.Sprintf("β = %s, k = %s: P(all down) = %s", ask.Digits(*r.Beta), k, ask.Digits(a.AllDown)), "beta-factor model of Fleming 1975")
		e.Assumptions = append(e.Assumptions, "one cause takes all replicas down together, the rest of their failures is independent")
	case len(r.Groups) > 0:
		e.Step("placement", "P(all down) = Π (sᵢ + (1 − sᵢ)(1 − p)^nᵢ), a replica at a time where it gains most",
			fmt.Sprintf("k = %s: P(all down) = %s", k, ask.Digits(a.AllDown)), "the logarithm is a sum of convex functions")
		e.Assumptions = append(e.Assumptions, "groups fail as wholes, independently of one another and of the replicas in them")
	case r.crews > 0:
		e.Step("chain of the number down", "π(d+1)/π(d) = (k − d)MTTR/(min(d + 1, c)MTTF)",
			fmt.Sprintf("c = %d, k = %s: availability %s", r.crews, k, ask.Digits(a.AvailabilityAll)), "birth-death chain, Barlow & Proschan 1975")
		e.Assumptions = append(e.Assumptions, "up and repair times are exponential and independent")
	case r.needed > 1:
		e.Step("k out of n", "A = Σ_{j≥m} C(n, j) pʲ(1 − p)ⁿ⁻ʲ", fmt.Sprintf("m = %d, n = %s: A = %s", r.needed, k, ask.Digits(a.AvailabilityAll)), "Barlow & Proschan 1975, chapter 2")
	default:
		e.Step("replicas", "k = log(1 − P)/log(1 − p)", fmt.Sprintf("k = log(1 − %s)/log(1 − %s) = %s, rounded up to %s", ask.Digits(r.Target), ask.Digits(*a.AvailabilityOne), ask.Digits(*a.ReplicasReal), k), "PCU section 4.6")
		e.Step("availability of all", "1 − (1 − p)ᵏ", fmt.Sprintf("1 − (1 − %s)^%s = %s", ask.Digits(*a.AvailabilityOne), k, ask.Digits(a.AvailabilityAll)), "PCU section 4.6, with 1 − P(X = 0)")
	}
	if a.AllDownRate != nil && r.crews == 0 {
		e.Step("rate of all down", "y = k(1 − p)ᵏ/MTTR", fmt.Sprintf("y = %s · %s/%s s = %s per s", k, ask.Digits(a.AllDown), ask.Digits(r.component.MTTR), ask.Digits(*a.AllDownRate)), "an outage ends with the first repair of k")
	}
	if a.Interval != nil {
		e.Step("interval reliability", "P(at least m up throughout [0, t]), t = "+ask.Digits(*r.Window)+" s",
			fmt.Sprintf("begun %s: %s; begun in the steady state: %s", *a.Start, ask.Digits(*a.Interval), ask.Digits(*a.IntervalSteady)), "uniformisation, Jensen 1953")
		e.Assumptions = append(e.Assumptions, "within the window up and repair times are exponential")
	}
	if r.independent() {
		e.Assumptions = append(e.Assumptions, "replicas fail independently of one another; the availability depends on means only, rates and windows on exponential times")
	}
	return e
}
