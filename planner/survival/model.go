package survival

import (
	"cmp"
	"context"
	"errors"
	"math"
	"sort"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
)

// independent reports whether replicas fail each by itself. Only then does the number that is up
// have a binomial law.
func (r *replicaModel) independent() bool { return r.Beta == nil && len(r.Groups) == 0 }

// set returns a set of the given number of replicas.
func (r *replicaModel) set(replicas int) reliability.ReplicaSet {
	return reliability.ReplicaSet{Component: r.component, Replicas: replicas, Needed: r.needed, Crews: r.crews}
}

// least finds the number of replicas. Each case has its own closed form or search; the least
// possible unavailability is reported if there is one above 0.
func (r *replicaModel) least(a *ReplicasAnswer) error {
	var c reliability.CorrelatedCount
	var err error
	switch {
	case r.Beta != nil:
		b := reliability.BetaFactor{Component: r.component, Beta: *r.Beta}
		c, err = b.ReplicasNeeded(r.needed, r.Target)
		a.UnavailableFloor = ask.Figure(c.Floor)
	case len(r.Groups) > 0:
		c, err = r.placement.Replicas(r.Target)
		a.UnavailableFloor = ask.Figure(c.Floor)
		for i, n := range c.PerGroup {
			a.Groups = append(a.Groups, GroupShare{r.Groups[i].Name, int64(n)})
		}
	case r.crews > 0:
		c, err = reliability.ReplicasWithCrews(r.component, r.needed, r.crews, r.Target)
		a.UnavailableFloor = ask.Figure(c.Floor)
	case r.needed > 1:
		var s reliability.SpareCount
		s, err = reliability.Spares(r.component, r.needed, r.Target)
		c = reliability.CorrelatedCount{Replicas: s.Total, Availability: s.At.Availability,
			Unavailability: s.At.Unavailability}
	default:
		var s reliability.ReplicaCount
		s, err = reliability.Replicas(r.component, r.Target)
		c = reliability.CorrelatedCount{
			Real:           s.Real,
			Replicas:       s.Replicas,
			Availability:   s.AvailabilityAll,
			Unavailability: s.UnavailabilityAll,
		}
	}
	if err != nil {
		return err
	}
	a.Replicas, a.AvailabilityAll, a.Unavailability = int64(c.Replicas), c.Availability, c.Unavailability
	if c.Real > 0 {
		a.ReplicasReal = ask.Figure(c.Real)
	}
	return nil
}

// allDown fills in how likely and how often all are down at once. Rates need
// means, and so independent failures: beta and placement tell how likely all are
// down, not how often.
func (r *replicaModel) allDown(a *ReplicasAnswer) error {
	k := int(a.Replicas)
	if r.Beta != nil {
		_, fewer, err := reliability.BetaFactor{Component: r.component, Beta: *r.Beta}.AtLeast(1, k)
		a.AllDown, a.Log10AllDown = fewer, ask.Figure(math.Log10(fewer))
		return err
	}
	if len(r.Groups) > 0 {
		// Of groups one replica is needed, so that too few up is all down.
		a.AllDown, a.Log10AllDown = a.Unavailability, ask.Figure(math.Log10(a.Unavailability))
		return nil
	}
	var s reliability.SteadyState
	var err error
	if r.crews == 0 {
		s, err = reliability.AllDown(r.component, k)
	} else {
		s, err = reliability.ReplicaSet{Component: r.component, Replicas: k, Needed: 1, Crews: r.crews}.SteadyState()
	}
	if err != nil {
		return err
	}
	a.AllDown, a.Log10AllDown = s.Unavailability, ask.Figure(s.LogUnavailability/math.Ln10)
	a.AllDownRate, a.AllDownTime = ask.Figure(s.OutageRate), ask.Figure(s.MeanOutage)
	// Where several are needed an outage begins before all are down.
	if r.needed > 1 {
		if s, err = r.set(k).SteadyState(); err != nil {
			if k > 1e7 { // the chain is bounded, the count is not
				a.Warnings = append(a.Warnings, "more than 10,000,000 replicas: the rate of outages is left out")
				return nil
			}
			return err
		}
	}
	a.OutageRate, a.OutageTime = ask.Figure(s.OutageRate), ask.Figure(s.MeanOutage)
	return nil
}

// window fills in the interval reliability. The target is asked of the whole
// window too: how many replicas come through it with that probability.
func (r *replicaModel) window(ctx context.Context, a *ReplicasAnswer) error {
	start := cmp.Or(r.Start, StartAllUp)
	a.Start = new(string(start))
	if !r.independent() {
		a.Warnings = append(a.Warnings,
			"no chance to come through the window: how long a common cause lasts is not part of beta or placement")
		return nil
	}
	set := r.set(int(min(a.Replicas, mostFollowed)))
	if a.Replicas > mostFollowed || reliability.IntervalWork(set, *r.Window) > mostWindowWork {
		ask.Warn(&a.Warnings, "no chance to come through the window: %s replicas change too often in it to be followed",
			ask.Digits(float64(a.Replicas)))
	} else if err := r.through(ctx, a, set, start); err != nil {
		return err
	}
	most := r.followed(int(max(MostWindowReplicas, min(4*a.Replicas, 4*mostFollowed))))
	k, _, err := reliability.ReplicasForWindow(ctx, set, *r.Window, start.model(), r.Target, most)
	switch {
	case errors.Is(err, reliability.ErrCountTooLarge):
		ask.Warn(&a.Warnings,
			"no replicas for the window: no number up to %d survives the whole window with the target probability",
			most)
	case err != nil:
		return err
	default:
		a.WindowReplicas = new(int64(k))
	}
	return nil
}

// alternatives adds the candidates around the answer. One fewer shows that the
// answer is the least.
func (r *replicaModel) alternatives(ctx context.Context, a *ReplicasAnswer) error {
	a.Alternatives = []ReplicaCandidate{}
	for k := max(a.Replicas-1, int64(r.needed)); k <= a.Replicas+1; k++ {
		up, down, ok, err := r.at(int(k))
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		// The answer is the least number that meets the target, and more replicas
		// meet it too.
		c := ReplicaCandidate{Replicas: k, Met: k >= a.Replicas, AvailabilityAll: up, Unavailability: down}
		if a.Interval != nil {
			i, err := reliability.IntervalReliability(ctx, r.set(int(k)), *r.Window, r.Start.model())
			if err != nil {
				return err
			}
			c.Interval = ask.Figure(i.Survival)
		}
		a.Alternatives = append(a.Alternatives, c)
	}
	return nil
}

// at returns the chance that enough of k replicas are up, and that fewer are;
// ok is false where k replicas have no place.
func (r *replicaModel) at(k int) (up, down float64, ok bool, err error) {
	switch {
	case r.Beta != nil:
		up, down, err = reliability.BetaFactor{Component: r.component, Beta: *r.Beta}.AtLeast(r.needed, k)
	case len(r.Groups) > 0:
		var curve []float64
		if curve, err = r.placement.AllDown(k); err == nil && len(curve) <= k {
			// The curve ends where the groups are full.
			return 0, 0, false, nil
		} else if err == nil {
			up, down = 1-curve[k], curve[k]
		}
	case r.crews > 0:
		var s reliability.SteadyState
		s, err = r.set(k).SteadyState()
		up, down = s.Availability, s.Unavailability
	default:
		var f reliability.Figures
		f, err = reliability.KofN{Component: r.component, Needed: r.needed, Total: k}.Figures()
		up, down = f.Availability, f.Unavailability
	}
	return up, down, err == nil, err
}

// through fills in the chance that a set comes through the window.
func (r *replicaModel) through(ctx context.Context, a *ReplicasAnswer, set reliability.ReplicaSet,
	start WindowStart) error {
	i, err := reliability.IntervalReliability(ctx, set, *r.Window, start.model())
	if err != nil {
		return err
	}
	a.Interval, a.IntervalFailure, a.MeanToOutage =
		ask.Figure(i.Survival), ask.Figure(i.Failure), ask.Figure(i.MeanToFail)
	if a.MeanToOutage == nil {
		a.Warnings = append(a.Warnings, "no mean time to an outage: it is beyond the greatest number")
	}
	s, err := reliability.IntervalReliability(ctx, set, *r.Window, reliability.Steady)
	if err != nil {
		return err
	}
	a.IntervalSteady = ask.Figure(s.Survival)
	return nil
}

// The chain of the numbers up has as many states as replicas and is stepped through time. That of an
// answer is followed about five times, which takes some 4 s at the most; one that the target is asked
// of two or three times.
const (
	mostFollowed     = 1e5 // replicas, for memory
	mostWindowWork   = 2e8
	mostSearchedWork = 2.5e8
	mostCurveWork    = 5e9 // of a curve whose points are all like its last; they take half of that
)

// followed returns the greatest number of replicas up to most whose chain is followed through the window for
// the target.
func (r *replicaModel) followed(most int) int {
	return r.needed + sort.Search(max(0, most-r.needed), func(spares int) bool {
		return reliability.IntervalWork(r.set(r.needed+spares+1), *r.Window) > mostSearchedWork
	})
}
