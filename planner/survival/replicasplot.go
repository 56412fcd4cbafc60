package survival

import (
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// Plots returns what availability comes to with more and with fewer replicas, at
// most some 60 numbers of them; for a target of 99 % or more, or where all lie near
// certainty, the chance of too few, which a logarithmic axis shows. Curves show sets of either kind: identical
// replicas by the model, chosen machines by their own availabilities.
func (a *ReplicasAnswer) Plots(ctx context.Context) ([]ask.Plot, error) {
	ctx = given.Context(ctx)
	up := ask.Curve{Name: "enough are up", Style: ask.Apart}
	down := ask.Curve{Name: "too few are up", Style: ask.Apart}
	var window, failure ask.Curve
	if a.Interval != nil && a.Window != nil {
		length := units.FormatDuration(*a.Window, 4)
		window = ask.Curve{Name: "up throughout " + length, Style: ask.Apart}
		failure = ask.Curve{Name: "too few at some time within " + length, Style: ask.Apart}
	}
	p := ask.Plot{X: ask.Axis{Name: "replicas"}, Y: ask.Axis{Name: "probability", Unit: "fraction"}}
	if a.Chosen != nil {
		p.X.Name, p.Subtitle = "machines of the chosen set, the best first", "cost "+ask.Digits(ask.Value(a.Cost))
		a.poolCurves(&up, &down)
	} else if err := a.replicaCurves(ctx, &up, &down, &window, &failure); err != nil {
		return nil, err
	}
	if a.MTTF != nil && a.MTTR != nil {
		p.Subtitle = fmt.Sprintf("up %s, down %s on average",
			units.FormatDuration(*a.MTTF, 4), units.FormatDuration(*a.MTTR, 4))
	}
	if len(up.X) == 0 {
		return nil, ask.NotDrawn("there is no replica to draw")
	}
	// Half a replica of room to either side keeps the ends off the frame.
	first, last := up.X[0]-0.5, up.X[len(up.X)-1]+0.5
	if p.X.Min, p.X.Max = &first, &last; last-first <= 12 {
		p.X.Step = 1
	}
	if a.Target < 0.99 && !crowdedAtTop(&up, &down, &window) {
		p.Title, p.Curves = "Availability against replicas", []ask.Curve{up, window}
		p.Y.Min, p.Y.Max = ask.Figure(0), ask.Figure(1)
		p.Across = []ask.Rule{{Value: a.Target, Name: "target"}}
		p.Marks = []ask.Mark{{X: float64(a.Replicas), Y: a.AvailabilityAll}}
	} else {
		p.Y.Scale = ask.Log
		p.Title, p.Curves = "Unavailability against replicas", []ask.Curve{positive(down), positive(failure)}
		p.Across = []ask.Rule{{Value: 1 - a.Target, Name: "at most"}}
		// An unavailability that a float64 can hardly hold has no place on a
		// logarithmic axis.
		if a.Unavailability > 1e-300 {
			p.Marks = []ask.Mark{{X: float64(a.Replicas), Y: a.Unavailability}}
		}
	}
	p.Curves = slices.DeleteFunc(p.Curves, func(c ask.Curve) bool { return len(c.X) == 0 })
	if len(p.Curves) == 0 {
		return nil, ask.NothingDrawn("the unavailability is 0 for any number of replicas, so there is nothing to draw")
	}
	return []ask.Plot{p}, nil
}

// crowdedAtTop reports whether all points lie in the top tenth of an axis of
// availability, and could be told apart on one of unavailability.
func crowdedAtTop(up, down, window *ask.Curve) bool {
	low := min(slices.Min(up.Y), slices.Min(append([]float64{1}, window.Y...)))
	return low > 0.9 && len(positive(*down).X) > 0
}

// positive returns the points that a logarithmic axis has a place for.
func positive(c ask.Curve) ask.Curve {
	out := ask.Curve{Name: c.Name, Style: c.Style}
	for i, y := range c.Y {
		if y > 1e-300 {
			out.Add(c.X[i], y)
		}
	}
	return out
}

// replicaCurves adds the points of the model, in steps so that some 60 numbers
// are asked. The steps are laid so that the answer is one of them.
func (a *ReplicasAnswer) replicaCurves(ctx context.Context, up, down, window, failure *ask.Curve) error {
	r := a.model
	if r == nil {
		return ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	k := int(a.Replicas)
	// The curve goes on to about twice the spares of the answer, so that it shows
	// what more would bring.
	most := max(2*k-r.needed+1, k+3)
	step := max(1, (most-r.needed)/60)
	every := 1 // point that is followed through the window
	if r.Window != nil {
		points := float64((most - r.needed) / step)
		every += int(points * reliability.IntervalWork(r.set(most), *r.Window) / mostCurveWork)
	}
	for n := k - (k-r.needed)/step*step; n <= most; n += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		enough, few, ok, err := r.at(n)
		if err != nil {
			return ask.FromReliability(err)
		}
		// The groups have no place for more.
		if !ok {
			break
		}
		up.Add(float64(n), enough)
		down.Add(float64(n), few)
		if a.Interval == nil || r.Window == nil || (n-k)/step%every != 0 {
			continue
		}
		i, err := reliability.IntervalReliability(ctx, r.set(n), *r.Window, r.Start.model())
		if err != nil {
			return ask.FromReliability(err)
		}
		window.Add(float64(n), i.Survival)
		failure.Add(float64(n), i.Failure)
	}
	return nil
}

// explain shows the formulas. The formula shown is that of the case: common
// cause, placement, crews, several needed, or the plain count.
func (r *replicaModel) explain(a *ReplicasAnswer) *ask.Explanation {
	e := &ask.Explanation{Model: "replicas that fail and are repaired, in the steady state"}
	k := ask.Digits(float64(a.Replicas))
	e.Step("availability of one", "p = MTTF/(MTTF + MTTR)",
		ask.Sprintf("p = %v s/(%v s + %v s) = %v", r.component.MTTF, r.component.MTTF, r.component.MTTR,
			*a.AvailabilityOne), "PCU section 4.6")
	switch {
	case r.Beta != nil:
		e.Step("common cause", "c = β(1 − p), v = (1 − p − c)/(1 − c), P(all down) = c + (1 − c)vᵏ",
			ask.Sprintf("β = %v, k = %s: P(all down) = %v", *r.Beta, k, a.AllDown), "beta-factor model of Fleming 1975")
		e.Assume("one cause takes all replicas down together, their other failures are independent")
	case len(r.Groups) > 0:
		e.Step("placement", "P(all down) = Π (sᵢ + (1 − sᵢ)(1 − p)^nᵢ), one replica at a time where it gains most",
			ask.Sprintf("k = %s: P(all down) = %v", k, a.AllDown), "the logarithm is a sum of convex functions")
		e.Assume("groups fail as wholes, independently of one another and of the replicas in them")
	case r.crews > 0:
		e.Step("chain of the number down", "π(d+1)/π(d) = (k − d)MTTR/(min(d + 1, c)MTTF)",
			ask.Sprintf("c = %d, k = %s: availability %v", r.crews, k, a.AvailabilityAll),
			"birth-death chain, Barlow & Proschan 1975")
		e.Assume("up and repair times are exponential and independent")
	case r.needed > 1:
		e.Step("k out of n", "A = Σ_{j≥m} C(n, j) pʲ(1 − p)ⁿ⁻ʲ",
			ask.Sprintf("m = %d, n = %s: A = %v", r.needed, k, a.AvailabilityAll), "Barlow & Proschan 1975, chapter 2")
	default:
		real := 0.0 // of a target so small that log(1 − P) is no number
		if a.ReplicasReal != nil {
			real = *a.ReplicasReal
		}
		e.Step("replicas", "k = log(1 − P)/log(1 − p)",
			ask.Sprintf("k = log(1 − %v)/log(1 − %v) = %v, rounded up to %s", r.Target, *a.AvailabilityOne, real, k),
			"PCU section 4.6")
		e.Step("availability of all", "1 − (1 − p)ᵏ",
			ask.Sprintf("1 − (1 − %v)^%s = %v", *a.AvailabilityOne, k, a.AvailabilityAll),
			"PCU section 4.6, with 1 − P(X = 0)")
	}
	if a.AllDownRate != nil && r.crews == 0 {
		e.Step("rate of all down", "y = k(1 − p)ᵏ/MTTR",
			ask.Sprintf("y = %s · %v/%v s = %v per s", k, a.AllDown, r.component.MTTR, *a.AllDownRate),
			"an outage ends with the first repair of k")
	}
	if a.Interval != nil {
		e.Step("interval reliability", "P(at least m up throughout [0, t]), t = "+ask.Digits(*r.Window)+" s",
			ask.Sprintf("begun %s: %v; begun in the steady state: %v", *a.Start, *a.Interval, *a.IntervalSteady),
			"uniformisation, Jensen 1953")
		e.Assume("within the window up and repair times are exponential")
	}
	if r.independent() {
		e.Assume(
			"replicas fail independently of one another; the availability depends on means only, rates and windows " +
				"assume exponential times")
	}
	return e
}
