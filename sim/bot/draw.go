package bot

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/sim"
)

// A Drawing says how many runs of a case are drawn.
type Drawing struct {
	Seed uint64
	// Effort is what they may take in all, counted in events and in what a run begins
	// with, machines and tasks: about a tenth of a microsecond each (BenchmarkDraw).
	Effort float64
	// Least is how many they must be for that, and Most how many are enough.
	Least, Most int
	// First are those that Judge makes first, in place of the first ones: where they were late with
	// other help it is soon told that they are so with this, and help that is in time in them too is
	// taken no more easily.
	First []int
}

// replication is which run is made after so many.
func (d *Drawing) replication(runs int) int {
	if runs < len(d.First) {
		return d.First[runs]
	}
	next := runs - len(d.First)
	for _, k := range slices.Sorted(slices.Values(d.First)) {
		if k <= next {
			next++
		}
	}
	return next
}

// errTooLong stops a run that takes the effort of all.
var errTooLong = errors.New("bot: a run takes too long")

// golden is the golden ratio less one: its multiples lie evenly on a circle, however many
// they are. So do the moments of records at which runs begin.
const golden = 0.6180339887498949

// Draw returns when the tasks of runs of a case were done, each growing, +Inf for those
// that were not by the horizon; as many runs as the effort allows, and ok is false where
// these are too few. How many they are does not hang on the machine that draws them.
// Errors: that of ctx, and of [Simulate].
func Draw(ctx context.Context, c *Case, d Drawing) (runs [][]float64, ok bool, err error) {
	ok, err = draw(ctx, c, d, func(o *Outcome) { runs = append(runs, timesOf(o.Tasks, o.Progress.CompletionTime)) })
	if err != nil {
		runs = nil
	}
	return runs, ok, err
}

// DrawLaw returns the law of the finish of the runs that Draw draws, which knows of BOINC when
// results were given out, and how many runs they are; none, and no law, where these are too few.
// Errors: those of Draw.
func DrawLaw(ctx context.Context, c *Case, d Drawing) (f *bags.FinishLaw, runs int, err error) {
	var done, served [][]float64
	ok, err := draw(ctx, c, d, func(o *Outcome) {
		done = append(done, timesOf(o.Tasks, o.Progress.CompletionTime))
		if c.Server == BOINC {
			served = append(served, timesOf(o.Tasks, o.Progress.AssignmentTime))
		}
	})
	if !ok {
		return nil, 0, err
	}
	results := 1
	if c.Server == BOINC {
		results = c.Rules.WithDefaults().Results
	}
	f, err = bags.FromServed(&c.Bag, results, done, served)
	return f, len(done), err
}

// timesOf are the times at which so many tasks were, by the share of them.
func timesOf(tasks int, at func(share float64) (float64, bool)) []float64 {
	times := make([]float64, tasks)
	for k := range times {
		t, ok := at(float64(k+1) / float64(tasks))
		if !ok {
			t = math.Inf(1)
		}
		times[k] = t
	}
	return times
}

// draw keeps the outcomes of runs, in their order and as many as if one followed the other,
// though as many are made at a time as there are processors.
func draw(ctx context.Context, c *Case, d Drawing, keep func(o *Outcome)) (ok bool, err error) {
	ctx = given.Context(ctx)
	if err := c.Check(); err != nil {
		return false, err
	}
	if d.Least > triedRuns && machineEffort*float64(c.Hosts.Machines())*float64(d.Least) > d.Effort {
		return false, nil // as the first runs would say
	}
	first, err := c.Hosts.Begin(func(...uint64) *rand.Rand { return sim.Stream(d.Seed, 0) })
	if err != nil {
		return false, err
	}
	spent, runs := 0.0, 0
	for runs < d.Most && spent < d.Effort {
		if runs >= triedRuns && spent/float64(runs)*float64(d.Least) > d.Effort {
			return false, nil
		}
		made := make([]drawnRun, d.ahead(runs, spent))
		before, spentBefore := runs, spent
		_ = parallel.Each(ctx, 0, len(made), func(i int) error {
			made[i].draw(ctx, c, first, d, before+i, spentBefore)
			return made[i].err // of those after one that failed none is looked at
		})
		for i := range made {
			r := &made[i]
			switch {
			case spent >= d.Effort, runs >= triedRuns && spent/float64(runs)*float64(d.Least) > d.Effort:
				return runs >= d.Least, nil
			case errors.Is(r.err, errTooLong), spent+r.begun > d.Effort:
				return runs >= d.Least, nil
			case r.err != nil:
				return false, r.err
			case r.outcome == nil:
				return false, ctx.Err()
			}
			spent += c.effort(r.outcome)
			runs++
			keep(r.outcome)
		}
	}
	return runs >= d.Least, nil
}

// ahead is how many runs are made before it is asked again what they took: the first few, then
// most of those for which the effort is likely to last.
func (d *Drawing) ahead(runs int, spent float64) int {
	n := triedRuns
	if runs >= triedRuns {
		const most = 0.9 // of the effort
		n = max(1, int(min(most*(d.Effort-spent)/max(1, spent/float64(runs)), mostAhead)))
	}
	return min(n, d.Most-runs)
}

// A drawnRun is one of the runs that are drawn.
type drawnRun struct {
	outcome *Outcome // nil: it failed, or takes too long whatever those before took
	begun   float64  // of the effort, when it was last asked whether to stop
	err     error
}

// draw makes a run like one of the same machines, after runs that have spent at least so much of
// the effort.
func (r *drawnRun) draw(ctx context.Context, c *Case, like *hosts.Run, d Drawing, run int, spent float64) {
	r.begun = -float64(stopEvents) // it is asked at the beginning too
	streams := leftStreams.Get().(*sim.Streams)
	defer leftStreams.Put(streams)
	streams.Reset()
	chance := hosts.Chance(func(e ...uint64) *rand.Rand { return streams.Stream(d.Seed, run, e...) })
	_, start := math.Modf(0.5 + float64(run)*golden)
	chance = chance.From(start)
	course, err := like.Again(chance)
	if err != nil {
		r.err = err
		return
	}
	r.outcome, r.err = follow(c, course, Chance(chance), func() error {
		if r.begun += stopEvents; spent+r.begun > d.Effort {
			return errTooLong
		}
		return ctx.Err()
	})
}

// What a machine and a task of a run take at its beginning, in events, and from how many
// runs on it is told what the others take.
const (
	machineEffort = 3
	taskEffort    = 1
	triedRuns     = 3
)

// mostAhead bounds the runs that are kept until they are looked at.
const mostAhead = 128

// effort is what a run of the case took.
func (c *Case) effort(o *Outcome) float64 {
	return float64(o.Events) + machineEffort*float64(c.Hosts.Machines()) + taskEffort*float64(o.Tasks)
}
