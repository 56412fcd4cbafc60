package bot

import (
	"context"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
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
	// Effort is that of the search, counted as for a [Drawing]. Where the best is late on other runs, three
	// quarters of it are spent again.
	Effort   float64
	Progress func(simulated int) // called with the number of runs so far; may be nil
}

// A Raced is what a race found.
type Raced struct {
	// Best is in time on all runs; nil if no such help was found. Again is it, or help with more
	// workers from the same start, on as many runs that had no part in choosing it.
	Best, Again *Trial
	Tried       int      // number of designs tried
	Held        []*Trial // those that were the best for a while

	racing, again *racing // on the runs of the race, and on the others; again is nil if no help was found
}

// On tries help on the first runs of the race. Errors: those of [Race.Run].
func (r *Raced) On(h bags.Help, runs int) (*Trial, error) {
	if r == nil || r.racing == nil || runs < 1 {
		return nil, &DomainError{"Raced.On", "runs", float64(runs), "some, of a race"}
	}
	runs = min(runs, r.racing.q.Runs)
	t, _, _, err := r.racing.on(h, firstRuns(runs))
	if err != nil {
		return nil, err
	}
	some := *t
	some.made = t.made[:runs]
	return r.racing.trial(&some), nil
}

// Run looks for the cheapest help. All help is tried on the same runs, first on those that are the likeliest to be
// late by what was tried before, and given up as soon as too many of them are late. Of each start of a list it finds
// the least number of workers that is in time, if that is cheaper than the best; then it looks between these starts,
// and with numbers of workers told apart by 2 %, where by the hours and by the numbers known to be too few the hours
// are probably fewest. It ends where by these figures no start is 3 % cheaper than the best, or when the effort is
// spent. The best is then run on other runs. If it is late on these, it goes on for help that is in time on both.
// Errors: those of Check, and that of ctx; a *DomainError.
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
	if err := r.search(); err != nil {
		return nil, err
	}
	out := &Raced{racing: r}
	if r.best != nil {
		other := *q
		other.Seed++
		again, err := other.begin(r.r.ctx)
		if err != nil {
			return nil, err
		}
		if err := r.confirm(again); err != nil {
			return nil, err
		}
		out.again = again
		if t := r.best; t != nil {
			out.Best, out.Again = r.trial(t), again.trial(again.tried[t.Help])
		}
	}
	out.Tried = len(r.tried)
	for _, t := range r.held {
		out.Held = append(out.Held, r.trial(t))
	}
	return out, nil
}

// begin prepares a race.
func (q *Race) begin(ctx context.Context) (*racing, error) {
	r := &racing{
		q: q, tried: map[bags.Help]*raced{}, lates: make([]int, q.Runs), trials: make([]int, q.Runs),
		ends: make([]float64, q.Runs), most: q.Effort,
	}
	r.r = &refining{ctx: ctx, q: &Refinement{Target: q.Target, Seed: q.Seed}, kase: *q.Case}
	r.r.kase.Strategy, r.r.kase.Credits = nil, refineCredits
	r.order = firstRuns(q.Runs)
	return r, r.r.check()
}

// firstRuns returns the numbers of the first n runs.
func firstRuns(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
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
