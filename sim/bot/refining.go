package bot

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/sim"
)

const (
	refineCredits = 1e12 // more than any help costs
	refineBatch   = 16   // runs between two looks at whether a trial goes on
	fewestPaired  = 32   // runs before the difference from the cheapest is judged
	clearly       = 3    // standard errors
	refineStep    = 1.02 // ratio of the numbers of workers told apart
	widening      = 1.25
	mostDear      = 4    // dear starts in a row after which the search ends
	mostLater     = 8    // starts after that of the best
	leastShare    = 1e-6 // of the tasks, at which help starts at the earliest: the first of up to a million
)

type trialKey struct {
	bags.Help
	how spequlos.How
}

// A refining is the state of a Refine.
type refining struct {
	ctx   context.Context
	q     *Refinement
	kase  Case
	hosts *hosts.Run // one run of the machines, from which others are made
	known map[trialKey]*Trial
	out   Refined
	lucky bool // some help was in time by luck
	spent float64
}

// mostRounds is the greatest number of searches, each with twice the runs of the one before.
const mostRounds = 4

// mostRejected is how often the best of a search may be late on other runs.
const mostRejected = 4

// begin prepares a search with the given number of runs for each help.
func (r *refining) begin(runs int) {
	r.known = map[trialKey]*Trial{}
	r.lucky = false
	r.out.Best, r.out.Trials = nil, nil
	r.out.Runs, r.out.MayBeLate = runs, mostLate(runs, r.q.Target.Chance)
}

// searchConfirmed searches until the best is in time again. If it is not, help that was dropped as
// dearer is tried further. After a few such cases the runs are too few.
func (r *refining) searchConfirmed() error {
	for range mostRejected {
		if err := r.search(); err != nil || r.out.Best == nil {
			return err
		}
		if ok, err := r.confirmed(); ok || err != nil {
			return err
		}
		r.reject()
	}
	r.out.Best = nil
	return nil
}

// search tries help, first at the starts that are cheapest by the closed form, so that dear help is
// soon dropped.
func (r *refining) search() error {
	if none, err := r.try(bags.Help{}, spequlos.Reschedule); err != nil || none.End == InTime {
		return err
	}
	from := slices.Clone(r.q.From)
	slices.SortStableFunc(from, func(a, b *bags.Helped) int { return cmp.Compare(a.Hours, b.Hours) })
	workers := map[float64]int{} // by start, the number it needs if one was found
	var starts []float64
	for dear := 0; len(from) > 0 && dear < mostDear; from = from[1:] {
		start, ok := r.atTask(from[0].Start)
		if _, known := workers[start]; !ok || known {
			continue
		}
		tried := len(r.out.Trials)
		w, err := r.least(start, from[0].Workers)
		if err != nil {
			return err
		}
		starts, workers[start] = append(starts, start), w
		if dear++; len(r.out.Trials) != tried+1 || r.out.Trials[tried].End != Dear {
			dear = 0
		}
	}
	if r.out.Best == nil {
		return nil
	}
	slices.Sort(starts)
	for range 3 {
		more, err := r.between(starts, workers)
		if err != nil {
			return err
		}
		starts = append(starts, more...)
		slices.Sort(starts)
	}
	if err := r.later(starts); err != nil {
		return err
	}
	if err := r.last(starts[len(starts)-1]); err != nil {
		return err
	}
	return r.around()
}

// lateHorizon is how many times the deadline a run that is late is followed, if that is long or the run takes more
// than lateEvents events: by how much it is late decides nothing.
const lateHorizon = 1.25

// check checks the case once for all of its runs.
func (r *refining) check() (err error) {
	if err = r.kase.Check(); err == nil {
		if r.kase.Horizon == 0 {
			r.kase.Horizon = min(r.kase.horizon(), max(DefaultHorizon, lateHorizon*r.q.Target.By))
		}
		r.kase.late = lateHorizon * r.q.Target.By
		r.hosts, err = r.kase.Hosts.Begin(func(...uint64) *rand.Rand { return sim.Stream(r.q.Seed, 0) })
	}
	return err
}

// try simulates help until its worth is clear.
func (r *refining) try(h bags.Help, how spequlos.How) (*Trial, error) {
	key := trialKey{h, how}
	t, ok := r.known[key]
	switch {
	case !ok:
		t = &Trial{Help: h, How: how}
		r.known[key] = t
		r.out.Trials = append(r.out.Trials, t)
	case t.End != Dear || r.dear(t):
		return t, nil
	}
	t.End = Dear // until it turns out otherwise
	for t.Runs < r.out.Runs {
		if err := r.run(t, 0, min(refineBatch, r.out.Runs-t.Runs)); err != nil {
			return nil, err
		}
		if t.Late > r.out.MayBeLate {
			t.End = Late
			return t, nil
		}
		if r.dear(t) {
			return t, nil
		}
	}
	t.End = InTime
	if r.out.Best == nil || t.Hours < r.out.Best.Hours {
		r.out.Best = t
	}
	return t, nil
}

// dear reports whether a trial is clearly dearer than the best: its hours already exceed those of
// all runs of the best, or are clearly more on the same runs.
func (r *refining) dear(t *Trial) bool {
	best := r.out.Best
	if best == nil {
		return false
	}
	if t.Hours*float64(t.Runs) > best.Hours*float64(best.Runs) {
		return true
	}
	if t.Runs < fewestPaired {
		return false
	}
	n, mean, squares := float64(t.Runs), 0.0, 0.0
	for i, h := range t.hours {
		d := h - best.hours[i]
		mean += d / n
		squares += d * d
	}
	return mean > clearly*math.Sqrt(max(0, squares-n*mean*mean)/(n-1)/n)
}

// run simulates more runs of a trial; skip is the number of replications that are left out.
func (r *refining) run(t *Trial, skip, runs int) error {
	return r.runOf(t, runs, func(k int) int { return skip + k })
}

// runOf simulates more runs of a trial, replications maps their index to a replication, and adds
// the results in order.
func (r *refining) runOf(t *Trial, runs int, replications func(k int) int) error {
	if r.q.Effort > 0 && r.spent > r.q.Effort {
		return errTooLong
	}
	numbers := make([]int, runs)
	for i := range numbers {
		numbers[i] = replications(t.Runs + i)
	}
	ends, hours, effort, err := r.simulate(t, numbers)
	if err != nil {
		return err
	}
	total := t.Hours * float64(t.Runs)
	for i := range runs {
		if ends[i] > r.q.Target.By {
			t.Late++
			t.lates = append(t.lates, numbers[i])
		}
		total += hours[i]
		t.effort += effort[i]
		r.spent += effort[i]
	}
	t.hours, t.ends = append(t.hours, hours...), append(t.ends, ends...)
	t.Runs += runs
	t.Hours = total / float64(t.Runs)
	if r.q.Progress != nil {
		r.q.Progress(r.out.Simulated)
	}
	return nil
}

// simulate makes runs with the help of a trial. It returns when each ended, +Inf if it was given
// up, the hours of workers, and the effort.
func (r *refining) simulate(t *Trial, replications []int) (ends, hours, effort []float64, err error) {
	c, runs := r.kase, len(replications)
	if t.Workers > 0 {
		c.Strategy = t.Strategy()
	}
	ends, hours, effort = make([]float64, runs), make([]float64, runs), make([]float64, runs)
	err = parallel.All(r.ctx, runs, func(i int) error {
		streams := leftStreams.Get().(*sim.Streams)
		defer leftStreams.Put(streams)
		streams.Reset()
		chance := func(entity ...uint64) *rand.Rand { return streams.Stream(r.q.Seed, replications[i], entity...) }
		course, err := r.hosts.Again(chance)
		if err != nil {
			return err
		}
		o, err := follow(&c, course, chance, r.ctx.Err)
		if err != nil {
			return err
		}
		ends[i], hours[i], effort[i] = o.End, o.CloudTime/3600, r.kase.effort(o)
		if !o.Done() {
			ends[i] = math.Inf(1)
		}
		return nil
	})
	r.out.Simulated += runs
	return ends, hours, effort, err
}

// Strategy returns the help as a strategy of SpeQuloS.
func (t *Trial) Strategy() *spequlos.Strategy {
	s := StrategyOf(t.Help, t.How)
	return &s
}

// StrategyOf returns help as a strategy. Help at once starts when the first task is assigned, not
// when the first is done.
func StrategyOf(h bags.Help, how spequlos.How) spequlos.Strategy {
	when := spequlos.When{Trigger: spequlos.Completed, Share: max(leastShare, h.Start)}
	if h.Start <= 0 {
		when.Trigger = spequlos.Assigned
	}
	return spequlos.Strategy{
		When:    when,
		HowMany: spequlos.HowMany{Amount: spequlos.Exactly, Workers: h.Workers},
		How:     how,
	}
}

// confirmed reports whether the best is in time again, on runs that had no part in choosing it.
func (r *refining) confirmed() (bool, error) {
	again := &Trial{Help: r.out.Best.Help, How: r.out.Best.How}
	for again.Runs < r.out.Runs {
		if err := r.run(again, r.out.Runs, min(refineBatch, r.out.Runs-again.Runs)); err != nil {
			return false, err
		}
	}
	if again.InTime() < r.q.Target.Chance {
		return false, nil
	}
	r.out.Again = again
	return true, nil
}

// reject marks the best as late, and makes the next cheapest the best.
func (r *refining) reject() {
	r.lucky = true
	r.out.Best.End = Late
	r.out.Best = nil
	for _, t := range r.out.Trials {
		if t.End == InTime && (r.out.Best == nil || t.Hours < r.out.Best.Hours) {
			r.out.Best = t
		}
	}
}
