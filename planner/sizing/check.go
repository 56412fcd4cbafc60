package sizing

import (
	"context"
	"errors"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing"
)

// A CheckQuestion asks whether a fleet meets the objectives of a
// SizeQuestion; beside a pool, Servers are the dedicated ones. Its answer agrees
// with that of size: a fleet meets the objectives if it has as many servers as
// size asks for.
type CheckQuestion struct {
	SizeQuestion
	Servers int64 `json:"servers"`
}

// A CheckAnswer says so, with what is missing.
type CheckAnswer struct {
	// Met is that of the nominal load, and with a headroom that of what is left
	// after the loss.
	Met       bool  `json:"met"`
	Servers   int64 `json:"servers"`
	Shortfall int64 `json:"shortfall_servers"` // servers to add; 0 where met
	// Needed is what size would answer, headroom included.
	Needed   int64     `json:"needed_servers"`
	Binding  string    `json:"binding"` // the objective that asks for the most servers, empty where none are needed
	Model    ModelKind `json:"model"`
	Unstable bool      `json:"unstable"` // fewer servers than erlangs
	// PublicCount says how the machines of a public pool entered.
	PublicCount PublicCount `json:"public_count,omitempty"`
	Figures
	Objectives []ObjectiveResult `json:"objectives"`

	// Chance is that of the draws from an uncertain load that this fleet
	// meets; Met is then the nominal case.
	Chance *float64 `json:"probability_met,omitempty"`
	Seed   *uint64  `json:"seed,omitempty"` // of the draws

	Headroom    *HeadroomAnswer  `json:"headroom,omitempty"`
	Log         *LogFigures      `json:"log,omitempty"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	Replay     *Replay              `json:"replay,omitempty"`
	Simulation *simulate.Simulation `json:"simulation,omitempty"`

	asked *SizeQuestion // for the plots
}

// Check answers a CheckQuestion. With a load curve the fleet has to meet the
// objectives in the interval that needs the most; a range stands for its
// nominal case, beside the chance over the draws. Errors as [Size].
func Check(ctx context.Context, q *CheckQuestion) (*CheckAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if err := wholeServers(q.Servers); err != nil {
		return nil, err
	}
	// The growth of the load is put in before anything is checked, so that checks
	// see the load that is meant.
	grown, err := q.prepared()
	if err != nil {
		return nil, err
	}
	q = &CheckQuestion{*grown, q.Servers}
	if err := q.Complete(); err != nil {
		return nil, err
	}
	if err := q.given(); err != nil {
		return nil, err
	}
	if err := q.staffed(); err != nil {
		return nil, err
	}
	if q.costed() {
		return nil, ask.Inputf("server_cost", "a check is of one fleet: costs choose among those of size")
	}
	a, err := parallel.Await(ctx, func() (*CheckAnswer, error) { return q.closed(ctx) })
	if err != nil {
		return nil, err
	}
	if q.Simulate != nil {
		if err := q.simulatedCheck(ctx, a); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// closed answers without simulating.
func (q *CheckQuestion) closed(ctx context.Context) (*CheckAnswer, error) {
	f, day, err := q.busiest(ctx)
	if err != nil {
		return nil, err
	}
	needed, _, binding, needs, err := f.Solve(ctx)
	if err != nil {
		return nil, err
	}
	a := &CheckAnswer{
		Servers: q.Servers,
		Needed:  int64(q.Headroom.Covers(needed)),
		Binding: binding,
		Model:   f.Kind,
		asked:   new(q.SizeQuestion),
	}
	c, err := f.candidate(ctx, float64(q.Servers))
	if err != nil {
		return nil, err
	}
	a.Met, a.Unstable, a.Figures = c.Met, c.Unstable, c.Figures
	// The figures are those of the whole fleet, in the days on which nothing is
	// lost. Whether it is enough is asked of what is left.
	if q.Headroom != nil {
		a.Met = a.Met && q.Headroom.Left(float64(q.Servers)) >= needed
		a.Headroom = q.Headroom.answer(needed, float64(q.Servers))
	}
	if !a.Met {
		a.Shortfall = max(a.Needed-a.Servers, 0)
	}
	if err := q.objectives(ctx, f, needs, a); err != nil {
		return nil, err
	}
	if day != nil {
		day.label(&a.Figures, &a.Warnings, q.age())
	}
	if q.Uncertain() {
		if err := q.drawn(ctx, a); err != nil {
			return nil, err
		}
	}
	if f.pool != nil {
		a.PublicCount = f.pool.Count
	}
	if f.jobs != nil {
		a.Log = f.jobs.figures(float64(q.Servers), f.log != nil)
	}
	return a, nil
}

// busiest returns the fleet of the load. With a curve the interval of the greatest need
// stands for the day, since the fleet is the same all day here; the staffing of the day is nil without.
func (q *CheckQuestion) busiest(ctx context.Context) (*Fleet, *Staffing, error) {
	if q.Curve == nil {
		f, err := q.fleet()
		return f, nil, err
	}
	day, err := sizeCurve(ctx, &q.SizeQuestion)
	if err != nil {
		return nil, nil, err
	}
	f, err := q.fleetOf(LoadOf(day.OfferedLoad, float64(q.ServiceTime.Nominal())))
	return f, day.Staffing, err
}

// objectives says how each objective is met. A fleet below the offered load has no figures, but
// what each objective asks for is known, and is reported without a value.
func (q *CheckQuestion) objectives(ctx context.Context, f *Fleet, needs []Need, a *CheckAnswer) error {
	g, err := f.At(ctx, float64(q.Servers))
	switch {
	case errors.Is(err, queueing.ErrUnstable):
		a.Objectives = f.Wanted(needs)
	case err != nil:
		return ask.FromQueueing("servers", err)
	default:
		a.Objectives = f.Results(needs, g)
		a.Warnings = f.Warnings(g)
		if q.Explain {
			a.Explanation = f.Explain(g)
		}
	}
	return nil
}

// drawn gives the chance over the draws of an uncertain load. Their candidates hold
// the fleet that was asked about, besides those around the answer.
func (q *CheckQuestion) drawn(ctx context.Context, a *CheckAnswer) error {
	u, err := uncertainty(ctx, &q.SizeQuestion, q.Servers)
	if err != nil {
		return err
	}
	a.Seed = &u.Seed
	if a.Explanation != nil {
		a.Explanation.Of = ask.Sprintf("the nominal %v erl", a.OfferedLoad)
	}
	for _, c := range u.Candidates {
		if c.Servers == q.Servers {
			a.Chance = ask.Figure(c.Chance)
		}
	}
	return nil
}

// simulatedCheck simulates the fleet that is there: of a curve, all day. A log is
// replayed, since its jobs are known one by one and need not be drawn.
func (q *CheckQuestion) simulatedCheck(ctx context.Context, a *CheckAnswer) (err error) {
	if q.Log != nil {
		// A job that the fleet cannot hold would keep all behind it waiting for
		// ever.
		if widest := q.widest(); widest > a.Servers {
			ask.Warn(&a.Warnings, "the log was not replayed: its widest job needs %d processors", widest)
			return nil
		}
		a.Replay, a.Simulation, err = q.replayed(ctx, a.Model, a.Servers, a.Figures.Closed())
	} else {
		var all *Staffing
		if q.Curve != nil {
			all = q.throughout(a.Servers)
		}
		a.Simulation, err = q.simulated(ctx, a.Model, a.Servers, &a.Figures, all)
	}
	if err == nil {
		a.Warnings = append(a.Warnings, a.Simulation.Warnings(a.Method)...)
	}
	return err
}

// throughout is a staffing of the same number of servers all day, in the form in which a curve is
// simulated.
func (q *CheckQuestion) throughout(servers int64) *Staffing {
	s := &Staffing{Method: "the same number all day"}
	for i, start := range q.Curve.Start {
		s.Intervals = append(s.Intervals, Interval{Start: start, Rate: q.Curve.Rate[i], Servers: servers})
	}
	return s
}
