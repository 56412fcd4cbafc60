package forecast

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// A ReplicasQuestion asks on which machines of a fleet to put copies of a job so that
// one of them comes through a window.
type ReplicasQuestion struct {
	Fleet *Fleet `json:"-"`
	machines.DayWindow
	Target float64  `json:"target"`          // chance that a copy comes through, 0 < target < 1
	Hosts  []string `json:"hosts,omitempty"` // that may be taken; nil: all of the fleet
	// Elapsed is for how long each has been free when the window begins; nil: not
	// known.
	Elapsed *float64 `json:"elapsed_s,omitempty"`
	Explain bool     `json:"explain,omitempty"`
}

// A ReplicasAnswer is the least number of copies, and their machines.
type ReplicasAnswer struct {
	Replicas int `json:"replicas"`
	// Least is a number that no choice of machines undercuts: that of Replicas where it
	// is proved.
	Least int `json:"replicas_at_least"`
	// Exact says that no choice of fewer machines is enough.
	Exact bool `json:"exact"`
	// Interval is the chance that one of the copies comes through the window; lost
	// copies are not replaced.
	Interval        float64 `json:"interval_reliability"`
	IntervalFailure float64 `json:"interval_failure"` // 1 minus it, summed by itself
	// Best is the chance of the most reliable machine alone.
	Best float64 `json:"interval_reliability_one"`
	// Of the most reliable machines, if those of a group did not share a frailty.
	ReplicasApart *int      `json:"replicas_independent"`
	Apart         float64   `json:"interval_reliability_independent"` // of the chosen
	Chosen        []Machine `json:"chosen"`                           // the one first that adds most
	// Groups are those of the chosen machines.
	Groups       []GroupCopies      `json:"groups,omitempty"`
	Alternatives []ReplicaCandidate `json:"alternatives"` // with machines added in that order
	Target       float64            `json:"target"`
	Of           int                `json:"of"` // machines that might be taken
	Model        string             `json:"model"`
	WindowAhead
	Warnings []string `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// A GroupCopies is how many copies go to a group of machines.
type GroupCopies struct {
	Name     string `json:"name"`
	Replicas int    `json:"replicas"`
}

// A ReplicaCandidate is a number of copies and what it comes to.
type ReplicaCandidate struct {
	Replicas int     `json:"replicas"`
	Met      bool    `json:"met"`
	Interval float64 `json:"interval_reliability"`
	Failure  float64 `json:"interval_failure"`
	Added    string  `json:"added"` // the last machine of it
}

// Replicas answers a ReplicasQuestion. Errors: *ask.InputError, and
// *ask.InfeasibleError for a target that all machines together do not reach.
func Replicas(ctx context.Context, q *ReplicasQuestion) (*ReplicasAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	some, err := (&Question{Fleet: q.Fleet, DayWindow: q.DayWindow, Elapsed: q.Elapsed}).several(ctx, q.Hosts)
	if err != nil {
		return nil, err
	}
	switch {
	case q.Target == 1:
		return nil, ask.Infeasiblef("target", 1, 1,
			"no number of machines survives with certainty: want a target below 100%%")
	case !(q.Target > 0 && q.Target < 1):
		return nil, ask.Inputf("target", "is %s, want a chance above 0 and below 1 such as 99%%", ask.Digits(q.Target))
	}
	f, err := q.Fleet.Hazard.Fewest(ctx, some.machines, some.expected, q.Target)
	if err != nil {
		return nil, machines.InputError(err)
	}
	if f.Size == 0 {
		return nil, ask.Infeasiblef("target", q.Target, 1-f.All,
			"with a copy on each of the %s one survives with chance %s, below the target of %s: want more machines (hosts), "+
				"a shorter window or a lower target",
			fault.Count(len(some.machines), "machine"), ask.Digits(1-f.All), ask.Digits(q.Target))
	}
	a := &ReplicasAnswer{
		Replicas:        f.Size,
		Least:           f.Bound,
		Exact:           f.Bound == f.Size,
		Interval:        1 - f.Failed[f.Size],
		IntervalFailure: f.Failed[f.Size],
		Target:          q.Target,
		Of:              len(some.machines),
		Model:           q.Fleet.Model,
		WindowAhead:     some.window,
		Warnings:        some.warnings,
	}
	a.fill(some, f.Machines, f.Failed)
	a.apart(some.shown)
	if !a.Exact {
		ask.Warn(&a.Warnings,
			"not proven to be the least: no choice of fewer than %s meets the target, this one takes %d",
			fault.Count(a.Least, "machine"), a.Replicas)
	}
	if q.Explain {
		a.explain(&q.Fleet.Hazard.Shape)
	}
	return a, nil
}

// fill puts in the machines in the order in which they were added.
func (a *ReplicasAnswer) fill(some *someMachines, order []int, failed []float64) {
	shares := map[string]int{}
	for n, i := range order {
		m := some.shown[i]
		a.Alternatives = append(a.Alternatives, ReplicaCandidate{
			Replicas: n + 1,
			Met:      n+1 >= a.Replicas,
			Interval: 1 - failed[n+1],
			Failure:  failed[n+1],
			Added:    m.Name,
		})
		// Beyond the chosen ones the machines are shown only as candidates.
		if n >= a.Replicas {
			continue
		}
		m.Rank = n + 1
		a.Chosen = append(a.Chosen, m)
		a.Best = max(a.Best, m.Reliability)
		if m.Group != "" {
			shares[m.Group]++
		}
	}
	for name, n := range shares {
		a.Groups = append(a.Groups, GroupCopies{name, n})
	}
	sort.Slice(a.Groups, func(i, j int) bool {
		x, y := a.Groups[i], a.Groups[j]
		return cmp.Or(cmp.Compare(y.Replicas, x.Replicas), cmp.Compare(x.Name, y.Name)) < 0
	})
}

// apart adds what machines would come to that share nothing. The machines with
// the best chances are the best choice if nothing is shared.
func (a *ReplicasAnswer) apart(all []Machine) {
	failed := 1.0
	for _, m := range a.Chosen {
		failed *= 1 - m.Reliability
	}
	a.Apart = 1 - failed
	best := make([]float64, len(all))
	for i, m := range all {
		best[i] = 1 - m.Reliability
	}
	slices.Sort(best)
	failed = 1
	for n, p := range best {
		if failed *= p; failed <= (1-a.Target)*(1+1e-12) {
			a.ReplicasApart = new(n + 1)
			return
		}
	}
}

// explain shows the formulas.
func (a *ReplicasAnswer) explain(shape *float64) {
	e := &ask.Explanation{Model: "machines of a group share a frailty; given the frailties of all groups they fail " +
		"independently"}
	e.Step("no copy survives", "Q(S) = Π_g ∫ Π_{m in S∩g} (1 − p_m(φ)) dF_g(φ), p_m(φ) "+
		"= ((k + φL)/(k + φL + φΔL))^(k + d)",
		ask.Sprintf("k = %v: %v with %s, %v if machines shared nothing", *shape,
			a.IntervalFailure, fault.Count(a.Replicas, "copy", "copies"), 1-a.Apart), "Clayton 1978")
	e.Step("machines", "each time the machine that lowers Q most, until Q ≤ 1 − target",
		fmt.Sprintf("%d, and no choice of fewer than %d meets the target", a.Replicas, a.Least),
		"Q of a group is log-convex in the number of its best machines")
	e.Assume(
		"all machines are free when the window begins; a copy is lost when its machine fails and is not replaced",
		"a shock that hits the whole fleet counts in the mean only")
	a.Explanation = e
}

// Plots returns the chance that no copy comes through against the number of copies,
// or that one does where the target is not close to 1.
func (a *ReplicasAnswer) Plots(context.Context) ([]ask.Plot, error) {
	first, last := 0.5, float64(len(a.Alternatives))+0.5
	p := ask.Plot{
		Title:    "Chance that a copy survives",
		Subtitle: fmt.Sprintf("%d of %s, %s from %s", a.Replicas, fault.Count(a.Of, "machine"), a.Day, a.Start),
		X:        ask.Axis{Name: "copies", Min: &first, Max: &last},
		Y:        ask.Axis{Name: "chance", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Across:   []ask.Rule{{Value: a.Target, Name: "target"}},
		Marks:    []ask.Mark{{X: float64(a.Replicas), Y: a.Interval}},
	}
	if last-first <= 12 {
		p.X.Step = 1
	}
	// Near a target of 1 all curves look alike, and the failures are drawn.
	small := a.Target > 0.99
	if small {
		p.Title, p.Y = "Chance that no copy survives", ask.Axis{Name: "chance", Unit: "fraction", Scale: ask.Log}
		p.Across, p.Marks[0].Y = []ask.Rule{{Value: 1 - a.Target, Name: "at most"}}, a.IntervalFailure
	}
	c := ask.Curve{Name: "by the joint law", Style: ask.Apart}
	for _, n := range a.Alternatives {
		switch {
		case !small:
			c.Add(float64(n.Replicas), n.Interval)
		case n.Failure > math.SmallestNonzeroFloat64:
			c.Add(float64(n.Replicas), n.Failure)
		}
	}
	if len(c.X) == 0 {
		return nil, ask.NothingDrawn("no copy ever fails, there is nothing to draw")
	}
	p.Curves = []ask.Curve{c}
	return []ask.Plot{p}, nil
}
