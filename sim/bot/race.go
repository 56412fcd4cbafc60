package bot

import (
	"context"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
)

// A Race asks for the cheapest help that is in time on few runs, with little effort.
type Race struct {
	Case   *Case       // but for its strategy and credits
	Target bags.Target // that help is to reach
	From   bags.Help   // where to begin
	// Of so many runs so many may be late.
	Runs, MayBeLate int
	MostWorkers     int // that can be had; 0: any number
	Seed            uint64
	Effort          float64             // that all runs may take, as of a [Drawing]
	Progress        func(simulated int) // is told how many runs there were; may be nil
}

// A Raced is what a race found.
type Raced struct {
	// Best is in time on all runs, nil where none was found that is, and Again it or help of more workers from
	// the same start on, on as many runs that had no part in choosing Best.
	Best, Again *Trial
	Tried       int      // how much help was tried
	Held        []*Trial // that was the best for a while

	racing *racing
}

// On tries help on so many runs of the race. Errors: those of [Race.Run].
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

// Run looks for the cheapest help. All help is tried on the same runs, first on a few: where few of all may be
// late these are those in which other help was late. From each start of a list so many workers are tried as take
// about the hours of the best help that is known; where these are late no fewer are in time, and else the least
// number is sought, in a coarse way. Then that is done from the best start and from those between it and its
// neighbours, and numbers of workers are told apart by 2 %. It ends where the effort is spent. The best is run
// again on other runs, with more workers where it is late on these, and then help that is cheaper and in time on
// both is sought.
// Errors: those of Check, and that of ctx; a *DomainError.
func (q *Race) Run(ctx context.Context) (*Raced, error) {
	switch {
	case q == nil || q.Case == nil:
		return nil, &DomainError{"Race", "Case", math.NaN(), "one"}
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
		again.step = raceStep
		if err := r.confirm(again); err != nil {
			return nil, err
		}
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

// begin makes ready for a race.
func (q *Race) begin(ctx context.Context) (*racing, error) {
	r := &racing{
		q: q, tried: map[bags.Help]*raced{}, lates: make([]int, q.Runs), ends: make([]float64, q.Runs),
		late: math.Inf(1), step: raceCoarse,
	}
	r.r = &refining{ctx: ctx, q: &Refinement{Target: q.Target, Seed: q.Seed}, kase: *q.Case}
	r.r.kase.Strategy, r.r.kase.Credits = nil, refineCredits
	r.order = firstRuns(q.Runs)
	return r, r.r.check()
}

// firstRuns are so many runs.
func firstRuns(n int) []int {
	all := make([]int, n)
	for k := range all {
		all[k] = k
	}
	return all
}

// trial is how help went on the runs that were made.
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
	return out
}
