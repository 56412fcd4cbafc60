package sizing

import (
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/units"
)

// Unknown is what a CapacityQuestion solves for.
type Unknown string

// The unknowns. The empty one is the load.
const (
	SolveLoad        Unknown = "load"
	SolveServiceTime Unknown = "service-time"
	SolveObjective   Unknown = "objective"
)

// A CapacityQuestion asks for the greatest load that a fleet takes within the
// objectives, for the longest service time at a given rate, or, with load and
// fleet given, for the limits that it can keep. The three forms share one answer,
// since each is a point where the fleet just keeps the limits: they differ in
// what was varied to get there.
type CapacityQuestion struct {
	Traffic
	Objectives
	Model ModelKind `json:"model,omitempty"`
	Pool  *Pool     `json:"pool,omitempty"`
	// Servers are those that somebody owns, a whole number from 0 to 1e12; the
	// machines of a pool come on top.
	Servers  int64   `json:"servers"`
	SolveFor Unknown `json:"solve_for,omitempty"`
	// When asks for the day on which the load given, as it grows, is more than
	// the fleet takes.
	When    bool `json:"when,omitempty"`
	Explain bool `json:"explain,omitempty"`
}

// A CapacityAnswer holds the unknown and the figures at that point. Figures that
// do not follow from what was given are null.
type CapacityAnswer struct {
	SolveFor Unknown `json:"solve_for"`
	// MaxLoad is the load that was found, or with SolveObjective that of the
	// question.
	MaxLoad        *float64 `json:"max_load_erl"`
	MaxRate        *float64 `json:"max_rate_per_s"`     // null without a service time
	MaxServiceTime *float64 `json:"max_service_time_s"` // null unless solved for
	Servers        int64    `json:"servers"`
	// Equivalent counts the machines of a pool in servers of speed 1; left out
	// without a pool.
	Equivalent *float64 `json:"equivalent_servers,omitempty"`
	// PublicCount says how the public machines entered.
	PublicCount PublicCount `json:"public_count,omitempty"`
	// Binding names the limit that a greater load would break first; empty with
	// SolveObjective, where nothing was varied.
	Binding string `json:"binding"`
	// Model is the one that was used, also where the question left the choice to
	// the objectives.
	Model ModelKind          `json:"model"`
	When  *growth.FallsShort `json:"when,omitempty"`
	Figures
	Objectives  []ObjectiveResult `json:"objectives"`
	Warnings    []string          `json:"warnings,omitempty"`
	Explanation *ask.Explanation  `json:"explanation,omitempty"`

	// asked is a copy, by which the curve over other fleets is computed when it
	// is drawn.
	asked *CapacityQuestion
}

// Capacity answers a CapacityQuestion. The greatest load meets every objective
// and is within a relative 1e-12 of not doing so. Errors: *ask.InputError, and
// *ask.InfeasibleError where not even a vanishing load meets an objective.
func Capacity(ctx context.Context, q *CapacityQuestion) (*CapacityAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	// The date follows from the greatest load, which is asked for without growth.
	if q.When {
		return q.shortOn(ctx)
	}
	grown, err := q.Grown()
	if err != nil {
		return nil, err
	}
	// The caller's question stays as it is: growth is put into a copy.
	grows := q.Growth
	if grows != nil {
		more := *q
		more.Traffic = grown
		if q.findsLoad() {
			more.Notes = q.Notes // no load is given that grew
		}
		q = &more
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	solve := q.limitsKept
	switch q.SolveFor {
	case "", SolveLoad:
		solve = q.greatestLoad
	case SolveServiceTime:
		solve = q.longestService
	}
	a, err := parallel.Await(ctx, func() (*CapacityAnswer, error) { return solve(ctx) })
	if err != nil {
		return nil, err
	}
	if grows != nil && q.findsLoad() {
		if factor, err := grows.Factor(); err == nil && factor != 1 {
			a.Warnings = append(a.Warnings, grows.NoteFrom(*a.MaxLoad, factor))
		}
	}
	a.asked = new(*q)
	return a, nil
}

// findsLoad reports whether the load is the unknown.
func (q *CapacityQuestion) findsLoad() bool { return q.SolveFor == "" || q.SolveFor == SolveLoad }

// shortOn finds the day on which the load has grown beyond the fleet. It asks for the greatest load
// without growth and then for the day on which today's load has grown to it. A factor for peaks
// counts from the beginning, so that the load of today is that of the peak.
func (q *CapacityQuestion) shortOn(ctx context.Context) (*CapacityAnswer, error) {
	one := *q
	one.When, one.Growth = false, nil
	switch {
	case !q.findsLoad():
		return nil, ask.Inputf("solve_for", "when asks for the date on which the load is too much, and solves for "+
			"nothing else")
	case q.Growth == nil || q.Growth.Rate == nil:
		return nil, ask.Inputf("growth",
			"the load does not grow, so there is no such date: want a {growth} such as 20%%/year")
	case q.Growth.Until != nil:
		return nil, ask.Inputf("until", "the date is the answer: leave {until} out")
	}
	// The load of today is checked as it is, before it grows.
	if err := one.Complete(); err != nil {
		return nil, err
	}
	factor, err := (&growth.Growth{Times: q.Growth.Times}).Factor()
	if err != nil {
		return nil, err
	}
	one.OfferedLoad, one.Rate = times(one.OfferedLoad, factor), times(one.Rate, factor)
	// A curve counts by its peak. Capacity knows one load, and the greatest of
	// the curve is what the fleet must bear. Taking it as if it lasted asks for
	// no less than the curve would.
	if one.Curve != nil {
		one.Rate, one.Curve = new(units.Point(units.Rate(one.Curve.Peak()*factor))), nil
		one.Notes = slices.Concat(one.Notes, []string{"the peak of the curve is used, as if it lasted"})
	}
	if one.Uncertain() {
		one.Notes = slices.Concat(one.Notes, []string{"the most likely value of a range is used: the day is that of " +
			units.FormatNumber(one.Nominal().Offered(), 5) + " erl"})
	}
	today := one.Nominal()
	if !(today.Offered() > 0) {
		return nil, ask.Inputf("load", "a load of 0 never grows: want a load above 0")
	}
	// The load is what is solved for, and so must not be given; only the service
	// time stays, which gives times their unit.
	one.OfferedLoad, one.Rate, one.ServiceTime = nil, nil, nil
	if today.Clock {
		one.ServiceTime = new(units.Point(units.Duration(today.Service)))
	}
	a, err := Capacity(ctx, &one)
	if err != nil {
		return nil, err
	}
	a.When = q.Growth.Beyond(today.Offered(), *a.MaxLoad)
	return a, nil
}

// check refuses what would be ignored: the unknown itself, ranges, and curves, whose greatest load is
// a question of another shape. Each message names the field and what to give
// instead.
func (q *CapacityQuestion) check() error {
	if err := wholeServers(q.Servers); err != nil {
		return err
	}
	if q.Curve != nil || q.Log != nil {
		return ask.Inputf("load", "capacity finds the load itself: leave the curve or log out")
	}
	if ranges := q.ranges(); len(ranges) > 0 {
		return ask.Inputf(ranges[0], "capacity takes a value, not a range")
	}
	switch q.SolveFor {
	case "", SolveLoad:
		if q.OfferedLoad != nil || q.Rate != nil {
			return ask.Inputf("load",
				"the load is the unknown: leave {load} and {rate} out, or use {solve_for} objective or service-time")
		}
	case SolveServiceTime:
		field := ""
		switch {
		case q.ServiceTime != nil:
			field = "service_time"
		case q.OfferedLoad != nil:
			field = "load"
		case q.Rate == nil:
			field = "rate"
		}
		if field != "" {
			return ask.Inputf(field, "{solve_for} service-time wants {rate}, and neither {load} nor {service_time}")
		}
	case SolveObjective:
		return q.Complete()
	default:
		return ask.Inputf("solve_for", "%q is not an unknown, want load, service-time or objective",
			string(q.SolveFor))
	}
	// A range has its least value at Low, and the ranges have been refused above:
	// what is left is one value.
	if q.ServiceTime != nil && !(q.ServiceTime.Low > 0) {
		return ask.Inputf("service_time", "want a duration above 0 such as 90s")
	}
	if q.Patience != nil && !(*q.Patience > 0) {
		return ask.Inputf("patience", "want a duration above 0 such as 2min")
	}
	return nil
}

// fleetOf returns the fleet of one load, its objectives checked.
func (q *CapacityQuestion) fleetOf(s Load) (*Fleet, error) {
	return NewFleet(&q.Traffic, &q.Objectives, q.Model, q.Pool, s)
}

// answer gives the figures of the fleet at the load that was found, in the form of those of size.
func (q *CapacityQuestion) answer(ctx context.Context, f *Fleet, unknown Unknown,
	binding string) (*CapacityAnswer, error) {
	g, err := f.At(ctx, float64(q.Servers))
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	a := &CapacityAnswer{
		SolveFor: unknown, Servers: q.Servers, Binding: binding, Model: f.Kind,
		Figures: FiguresOf(g, f.Kind, f.Clock, f.Objectives), Warnings: f.Warnings(g),
	}
	if q.Explain {
		a.Explanation = f.Explain(g)
	}
	if q.Pool != nil {
		n, err := q.Pool.equivalent(float64(q.Servers))
		if err != nil {
			return nil, err
		}
		a.Equivalent, a.PublicCount = ask.Figure(n), f.pool.Count
	}
	var needs []Need
	for _, l := range f.Limits {
		needs = append(needs, Need{Limit: l})
	}
	a.Objectives = f.Results(needs, g)
	// The servers are given here, not needed: no limit has a number of its own.
	for i := range a.Objectives {
		a.Objectives[i].Servers, a.Objectives[i].ServersReal = q.Servers, nil
	}
	return a, nil
}

// capacityError is ask.FromQueueing for a search over loads. The errors of package queueing speak
// of the fewest servers; here the servers are given and the load goes to 0, so that the reason is
// written anew.
func capacityError(constraint string, err error) error {
	out := ask.FromQueueing(constraint, err)
	// A share of 0 is the one limit that a finite fleet cannot keep under any
	// load.
	if e, ok := out.(*ask.InfeasibleError); ok && e.Limit == 0 {
		e.Reason = fmt.Sprintf("%s of 0 is met by no load above 0", constraint)
	} else if ok && e.Infimum <= e.Limit*(1+1e-12) {
		// Only a load of 0 would keep this limit exactly, and every load above exceeds it.
		e.Reason = fmt.Sprintf(
			"%s falls to %.6g as the load vanishes, which is the limit, and lies above it at any load: "+
				"there is no greatest load",
			constraint, e.Infimum,
		)
	} else if ok {
		e.Reason = fmt.Sprintf(
			"%s is not met by this fleet even if hardly anything arrives: it is then %.6g, the limit is %.6g",
			constraint, e.Infimum, e.Limit,
		)
	}
	return out
}
