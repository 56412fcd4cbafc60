package survival

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// MostWindowReplicas bounds the search for the replicas of a window, or four
// times those of a moment if that is more.
const MostWindowReplicas = 1000

// WindowStart is the state in which a window begins. Starts differ in what is
// known of it: that all are up, that enough are, or nothing.
type WindowStart string

// The starts. The empty one is all-up.
const (
	StartAllUp    WindowStart = "all-up"
	StartSteadyUp WindowStart = "steady-up" // the steady state, given that enough are up
	StartSteady   WindowStart = "steady"    // the steady state, in which the set may be down
)

// model is the start as the model names it.
func (s WindowStart) model() reliability.Start {
	switch s {
	case StartSteadyUp:
		return reliability.SteadyUp
	case StartSteady:
		return reliability.Steady
	}
	return reliability.AllUp
}

// A ReplicasQuestion asks how many replicas keep enough of them up with the
// probability asked for.
type ReplicasQuestion struct {
	// MTTF is the mean time up of one replica, s. Without it and MTTR the trace
	// gives both.
	MTTF *float64 `json:"mttf_s,omitempty"`
	// MTTR is the mean time to repair of one replica, s.
	MTTR   *float64 `json:"mttr_s,omitempty"`
	Target float64  `json:"target"`           // availability, 0..1
	Needed int64    `json:"needed,omitempty"` // replicas that must be up; 0: 1
	Crews  *int64   `json:"crews,omitempty"`  // repair crews; nil: one per replica
	// Window is a time through all of which enough are to be up; nil: at a moment
	// only.
	Window *float64 `json:"window_s,omitempty"`
	// Start is the state at the start of the window; empty: all up.
	Start WindowStart `json:"start,omitempty"`
	// Beta is the share of a replica's unavailability whose cause takes all
	// replicas down together.
	Beta *float64 `json:"beta,omitempty"`
	// Groups are places that fail as a whole, into which replicas are put.
	Groups []RiskGroup `json:"placement,omitempty"`
	// Pool are machines that differ, of which the cheapest set is chosen.
	Pool []PoolMachine `json:"pool,omitempty"`
	// Trace is where MTTF and MTTR come from, if it is set and they are nil.
	Trace   *tally.Fleet `json:"trace,omitempty"`
	Explain bool         `json:"explain,omitempty"`
}

// A RiskGroup is a rack, a site or a power feed.
type RiskGroup struct {
	Name           string  `json:"name"`
	Unavailability float64 `json:"unavailability"` // of the group as a whole
	Capacity       int64   `json:"capacity"`       // replicas it can hold
}

// A ReplicasAnswer is the least number of replicas and its figures.
type ReplicasAnswer struct {
	Replicas     int64    `json:"replicas"`
	ReplicasReal *float64 `json:"replicas_real"` // null where the model has none
	// AvailabilityOne is that of one replica; null of a pool, whose machines
	// differ.
	AvailabilityOne *float64 `json:"availability_one"`
	AvailabilityAll float64  `json:"availability_all"` // chance that enough of the replicas are up
	// Unavailability is 1 − that, which keeps its digits near 0.
	Unavailability float64 `json:"unavailability_all"`
	// chance that enough are up throughout the window; null without one
	Interval        *float64 `json:"interval_reliability"`
	IntervalFailure *float64 `json:"interval_failure"` // 1 minus it, summed by itself
	// the same, begun in the steady state: availability_all at most
	IntervalSteady *float64 `json:"interval_reliability_steady"`
	MeanToOutage   *float64 `json:"mean_time_to_outage_s"` // from the start of the window
	WindowReplicas *int64   `json:"replicas_for_window"`   // least number whose interval reliability meets the target
	// AllDown is the chance that none is up at a moment.
	AllDown      float64  `json:"all_down_probability"`
	Log10AllDown *float64 `json:"log10_all_down_probability"`
	// AllDownRate and AllDownTime are how often all go down and for how long;
	// null where failures have a common cause, or the means are not known.
	AllDownRate      *float64 `json:"all_down_rate_per_s"`
	AllDownTime      *float64 `json:"all_down_mean_s"`
	OutageRate       *float64 `json:"outage_rate_per_s"` // of fewer being up than needed
	OutageTime       *float64 `json:"outage_mean_s"`
	Target           float64  `json:"target"`
	Needed           int64    `json:"needed"`
	Crews            *int64   `json:"crews"` // null: one per replica
	Window           *float64 `json:"window_s"`
	Start            *string  `json:"start"`
	MTTF             *float64 `json:"mttf_s"`
	MTTR             *float64 `json:"mttr_s"`
	UnavailableFloor *float64 `json:"unavailability_floor"` // that no number of replicas undercuts

	// Cost, its bound and the gap belong to a pool of machines that differ; Exact
	// says that the bound was proven to be the cost.
	Cost       *float64 `json:"cost,omitempty"`
	LowerBound *float64 `json:"cost_lower_bound,omitempty"`
	Gap        *float64 `json:"gap,omitempty"`
	Exact      *bool    `json:"exact,omitempty"`
	// Money is what costs are in, which are per hour where it is for a time; nil: bare numbers.
	Money  *units.CostForm `json:"money,omitempty"`
	Chosen []ChosenMachine `json:"chosen,omitempty"`
	Groups []GroupShare    `json:"groups,omitempty"`

	Alternatives []ReplicaCandidate `json:"alternatives"` // one replica fewer, this many, one more
	Trace        *tally.Fleet       `json:"trace,omitempty"`
	Warnings     []string           `json:"warnings,omitempty"`
	Explanation  *ask.Explanation   `json:"explanation,omitempty"`

	model *replicaModel // for other numbers of replicas; nil of a pool
}

// A GroupShare is how many replicas go into a risk group.
type GroupShare struct {
	Name     string `json:"name"`
	Replicas int64  `json:"replicas"`
}

// A ReplicaCandidate is a number of replicas and what it comes to.
type ReplicaCandidate struct {
	Replicas int64 `json:"replicas"`
	// Met says that it meets the target.
	Met             bool    `json:"met"`
	AvailabilityAll float64 `json:"availability_all"`
	Unavailability  float64 `json:"unavailability_all"`
	// Interval is through the window; null without one.
	Interval *float64 `json:"interval_reliability"`
}

// Replicas answers a ReplicasQuestion. Errors: *ask.InputError, and
// *ask.InfeasibleError for a target that no number reaches, 1 among them.
func Replicas(ctx context.Context, q *ReplicasQuestion) (*ReplicasAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if len(q.Pool) > 0 {
		return cheapestPool(q)
	}
	r, err := q.replicaModel()
	if err != nil {
		return nil, err
	}
	a := &ReplicasAnswer{
		Target: q.Target,
		Needed: int64(r.needed),
		Crews:  q.Crews,
		Window: q.Window,
		MTTF:   ask.Figure(r.component.MTTF),
		MTTR:   ask.Figure(r.component.MTTR),
		Trace:  q.Trace,
		model:  r,
	}
	one, err := r.component.Availability()
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a.AvailabilityOne = ask.Figure(one)
	if err := r.least(a); err != nil {
		return nil, ask.FromReliability(err)
	}
	if err := r.allDown(a); err != nil {
		return nil, ask.FromReliability(err)
	}
	if q.Window != nil {
		if err := r.window(ctx, a); err != nil {
			return nil, ask.FromReliability(err)
		}
	}
	if err := r.alternatives(ctx, a); err != nil {
		return nil, ask.FromReliability(err)
	}
	if q.Trace != nil {
		a.Warnings = append(a.Warnings, q.Trace.Warnings...)
	}
	if q.Explain {
		a.Explanation = r.explain(a)
	}
	return a, nil
}

// A replicaModel is a checked question about identical replicas.
type replicaModel struct {
	*ReplicasQuestion
	component reliability.Component
	needed    int
	crews     int // 0: one per replica
	placement reliability.Placement
}

// component returns MTTF and MTTR of a question, from the trace where they
// are not given.
func (q *ReplicasQuestion) component() (reliability.Component, error) {
	var c reliability.Component
	if t := q.Trace; t != nil {
		if q.MTTF != nil || q.MTTR != nil {
			return c, ask.Inputf("trace", "the trace gives MTTF and MTTR: leave mttf and mttr out")
		}
		if t.MTTF == nil || t.MTTR == nil {
			return c, ask.Inputf("trace", "it shows no failure or no repair, so it gives no MTTF or no MTTR")
		}
		return reliability.Component{MTTF: *t.MTTF, MTTR: *t.MTTR}, nil
	}
	if q.MTTF == nil {
		return c, ask.Missing("mttf", "the mean time to failure of a replica such as 5min")
	}
	if q.MTTR == nil {
		return c, ask.Missing("mttr", "the mean time to repair such as 2min")
	}
	if err := ask.Positive("mttf", *q.MTTF, "a mean time to failure above 0"); err != nil {
		return c, err
	}
	if err := ask.Positive("mttr", *q.MTTR, "a mean time to repair above 0"); err != nil {
		return c, err
	}
	return reliability.Component{MTTF: *q.MTTF, MTTR: *q.MTTR}, nil
}

// replicaModel checks the question and makes its model. The combinations that are refused have no
// closed form here.
func (q *ReplicasQuestion) replicaModel() (*replicaModel, error) {
	r := &replicaModel{ReplicasQuestion: q, needed: int(max(q.Needed, 1))}
	var err error
	if r.component, err = q.component(); err != nil {
		return nil, err
	}
	switch {
	case q.Needed < 0 || q.Needed > 1e6:
		return nil, ask.Inputf("needed", "is %d, want 1 to 1000000 replicas that must be up", q.Needed)
	case q.Beta != nil && len(q.Groups) > 0:
		return nil, ask.Inputf("beta", "give a common cause by {beta} or by {placement}, not by both")
	case q.Crews != nil && (q.Beta != nil || len(q.Groups) > 0):
		return nil, ask.Inputf("crews",
			"a limited number of crews is modelled for independent failures only: leave {beta} and {placement} out")
	case len(q.Groups) > 0 && r.needed > 1:
		return nil, ask.Inputf("needed",
			"the best placement is known for one needed replica only: leave {needed} or {placement} out")
	}
	if q.Crews != nil {
		if *q.Crews < 1 || *q.Crews > 1e7 {
			return nil, ask.Inputf("crews", "is %d, want 1 to 1e7 repair crews", *q.Crews)
		}
		r.crews = int(*q.Crews)
	}
	r.placement.Component = r.component
	for i, g := range q.Groups {
		if !(g.Unavailability >= 0 && g.Unavailability <= 1) || g.Capacity < 0 {
			return nil, ask.Inputf("placement", "group %d: want an unavailability in 0..1 and a capacity of at least 0",
				i+1)
		}
		r.placement.Groups = append(r.placement.Groups,
			reliability.RiskGroup{Unavailability: g.Unavailability, Capacity: int(min(g.Capacity, math.MaxInt32))})
	}
	if q.Window == nil && q.Start != "" {
		return nil, ask.Inputf("start", "only used with a window, such as 1h")
	}
	return r, nil
}
