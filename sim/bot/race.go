package bot

import (
	"context"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// A Race looks for the cheapest help that is in time on few runs, with little effort.
type Race struct {
	Case   *Case       // its strategy and credits are ignored
	Target bags.Target // that help is to reach
	From   bags.Help   // where to begin
	// MayBeLate of the Runs, at most a hundred thousand, may be late.
	Runs, MayBeLate int
	MostWorkers     int // that can be had; 0: any number
	Seed            uint64
	Effort          float64             // of the search, counted as for a [Drawing]
	Progress        func(simulated int) // called with the number of runs so far; may be nil
}

// A Raced is what a race found.
type Raced struct {
	// Best is in time on all runs, and Again is it on as many other runs, on which it had to be in time too; nil if
	// no such help was found.
	Best, Again *Trial
	Tried       int      // number of designs tried
	Held        []*Trial // those that were the best for a while

	racing *racing
}

// On tries help on the first runs of the race. Errors: those of [Race.Run].
func (r *Raced) On(h bags.Help, runs int) (*Trial, error) {
	if r == nil || r.racing == nil || runs < 1 {
		return nil, &DomainError{"Raced.On", "runs", float64(runs), "some, of a race"}
	}
	runs = min(runs, r.racing.q.Runs)
	t, _, _, err := r.racing.on(h, numeric.Indices[int](runs))
	if err != nil {
		return nil, err
	}
	some := *t
	some.made = t.made[:runs]
	return r.racing.trial(&some), nil
}

// Run looks for the cheapest help that is in time on two sets of as many runs: help that is the cheapest of hundreds on
// one set is often in time there by chance. All help is tried first on the runs that are the likeliest to be late by
// what was tried before, of the set on which the last help was late, and given up as soon as too many of them are late.
// Of each start of a list it finds the least number of workers that is in time, if that is cheaper than the best; then
// it looks between these starts, and with numbers of workers told apart by 2 %, where by the hours and by the numbers
// known to be too few the hours are probably fewest, until by these figures no start is 1.5 % cheaper than the best, or
// half of the effort is spent. In the end it tries the help of a grid, of starts with about 12 % fewer tasks left each
// and numbers of workers told apart by 3 %, in the order of its hours and from fewer workers on than are known to be
// late, until all other takes more than the best or the effort is spent. Errors: those of Check, and that of ctx; a
// *DomainError.
func (q *Race) Run(ctx context.Context) (*Raced, error) {
	switch {
	case q == nil || q.Case == nil:
		return nil, &DomainError{"Race", "Case", math.NaN(), "one"}
	case q.Runs > 1e5:
		return nil, &DomainError{"Race", "Runs", float64(q.Runs), "at most a hundred thousand"}
	case q.Runs < 1 || q.MayBeLate < 0 || q.MayBeLate >= q.Runs:
		return nil, &DomainError{"Race", "Runs", float64(q.Runs), "some, not all of which may be late"}
	}
	r, err := q.begin(given.Context(ctx))
	if err != nil {
		return nil, err
	}
	other := *q
	other.Seed++
	other.Progress = nil
	if r.again, err = other.begin(r.r.ctx); err != nil {
		return nil, err
	}
	if err := r.search(); err != nil {
		return nil, err
	}
	out := &Raced{racing: r}
	if t := r.best; t != nil {
		out.Best, out.Again = r.trial(t), r.again.trial(r.again.tried[t.Help])
	}
	out.Tried = len(r.tried)
	for h := range r.again.tried {
		if r.tried[h] == nil {
			out.Tried++
		}
	}
	for _, t := range r.held {
		out.Held = append(out.Held, r.trial(t))
	}
	return out, nil
}

// begin prepares a race.
func (q *Race) begin(ctx context.Context) (*racing, error) {
	r := &racing{
		q: q, tried: map[bags.Help]*raced{}, lates: make([]int, q.Runs), trials: make([]int, q.Runs),
		ends: make([]float64, q.Runs), hope: math.Inf(1),
	}
	r.r = &refining{ctx: ctx, q: &Refinement{Target: q.Target, Seed: q.Seed}, kase: *q.Case}
	r.r.kase.Strategy, r.r.kase.Credits = nil, refineCredits
	r.order = numeric.Indices[int](q.Runs)
	return r, r.r.check()
}

// trial returns how help did in the runs that were made.
func (r *racing) trial(t *raced) *Trial {
	out := &Trial{Help: t.Help, How: spequlos.Reschedule}
	for k, made := range t.made {
		if !made {
			continue
		}
		out.Runs++
		out.ends, out.hours = append(out.ends, t.ends[k]), append(out.hours, t.hours[k])
		out.Hours += t.hours[k]
		if t.ends[k] > r.q.Target.By {
			out.Late++
			out.lates = append(out.lates, k)
		}
	}
	out.Hours /= float64(max(1, out.Runs))
	out.effort = float64(out.Runs) * r.each()
	return out
}
