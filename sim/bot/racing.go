package bot

import (
	"cmp"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/numeric"
)

const (
	hardRuns  = 10 // runs, beside twice as many as may be late, that show whether help is probably in time
	raceBatch = 4  // runs, at the least, between two looks at whether too many are late

	// One of sampleOf runs, within these bounds, shows the hours of help.
	sampleOf, leastSample, mostSample = 8, 16, 32

	worthIt      = 1.001 // of the hours of the best: help that takes more is not looked for; about as many may be fewer
	worthStart   = 0.985 // of the hours of the best: starts are not looked for where all help takes more
	closerEffort = 0.5   // share of the effort that may be spent before the sweep
	dearOn       = 1.05  // of the hours of the best on the sample: help that takes more is not tried on all runs
)

// A racing is the state of a race.
type racing struct {
	r      *refining
	q      *Race
	order  []int     // the runs, the likeliest to be late first
	lates  []int     // by run: on how many trials it was late
	trials []int     // by run: on how many it was made
	ends   []float64 // by run: its end with the best help or, before any, with the first
	tried  map[bags.Help]*raced
	held   []*raced     // that were the best for a while
	best   *raced       // the cheapest in time on all runs
	starts []*raceStart // those searched, the earliest first
	again  *racing      // the same on other runs, on which help must be in time too; nil for those
	hope   float64      // hours on the sample of the cheapest that waits to be tried on all runs
	other  bool         // help is tried first on the other runs, as the last that was late was late on those
	loose  bool         // starts are looked for as if fewer workers might be in time
	effort float64
}

// A raced is help with its results, by run.
type raced struct {
	bags.Help
	made        []bool
	ends, hours []float64
}

// on tries help on those of the runs that it has not been tried on. It returns how many of the runs
// are late and their hours.
func (r *racing) on(h bags.Help, runs []int) (t *raced, late int, hours float64, err error) {
	if t = r.tried[h]; t == nil {
		n := r.q.Runs
		t = &raced{h, make([]bool, n), make([]float64, n), make([]float64, n)}
		r.tried[h] = t
	}
	todo := slices.DeleteFunc(slices.Clone(runs), func(k int) bool { return t.made[k] })
	ends, each, effort, err := r.r.simulate(&Trial{Help: h, How: spequlos.Reschedule}, todo)
	if err != nil {
		return nil, 0, 0, err
	}
	for i, k := range todo {
		t.made[k], t.ends[k], t.hours[k] = true, ends[i], each[i]
		r.effort += effort[i]
		if r.trials[k]++; ends[i] > r.q.Target.By {
			r.lates[k]++
		}
	}
	if r.q.Progress != nil {
		r.q.Progress(r.r.out.Simulated + r.again.r.out.Simulated)
	}
	for _, k := range runs {
		hours += t.hours[k]
		if t.ends[k] > r.q.Target.By {
			late++
		}
	}
	return t, late, hours, nil
}

// spent reports whether the effort before the sweep is spent.
func (r *racing) spent() bool {
	return r.effort+r.again.effort >= closerEffort*r.q.Effort
}

// hardest orders the runs by how likely they are to be late with the next help. What makes a run late
// is above all how its machines come and go, which is the same with any help (TestLateRunsAreTheSame).
func (r *racing) hardest() []int {
	share := func(k int) float64 { return float64(r.lates[k]) / float64(r.trials[k]+1) }
	slices.SortFunc(r.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(r.ends[b], r.ends[a]), cmp.Compare(a, b))
	})
	return slices.Clone(r.order)
}

// within reports whether no more of some runs are late than may be of all, as soon as that is known.
func (r *racing) within(h bags.Help, runs []int) (bool, error) {
	for n := 0; ; {
		n = min(max(n+max(raceBatch, n/4), r.q.MayBeLate+1), len(runs))
		_, late, _, err := r.on(h, runs[:n])
		if late > r.q.MayBeLate || err != nil {
			return false, err
		}
		if late+len(runs)-n <= r.q.MayBeLate {
			return true, nil
		}
	}
}

// early reports whether help is probably in time: no more of the hardest runs are late than may be of all, and
// no more of the hardest of the other runs.
func (r *racing) early(h bags.Help) (bool, error) {
	return r.onBoth(func(r *racing) (bool, error) { return r.within(h, r.hardest()[:r.hard()]) })
}

// holds reports whether help is in time on all runs and on all of the others, all of which it makes if it is.
func (r *racing) holds(h bags.Help) (bool, error) {
	ok, err := r.onBoth(func(r *racing) (bool, error) { return r.within(h, r.hardest()) })
	if !ok || err != nil {
		return false, err
	}
	return r.onBoth(func(r *racing) (bool, error) {
		_, _, _, err := r.on(h, r.order)
		return true, err
	})
}

// onBoth reports whether something is so of the runs and of the others.
func (r *racing) onBoth(is func(r *racing) (bool, error)) (bool, error) {
	sets := [2]*racing{r, r.again}
	if r.other {
		slices.Reverse(sets[:])
	}
	for i, set := range sets {
		if ok, err := is(set); !ok || err != nil {
			r.other = r.other != (i == 1)
			return false, err
		}
	}
	return true, nil
}

// hard returns how many runs are the hardest.
func (r *racing) hard() int { return min(r.q.Runs, 2*r.q.MayBeLate+hardRuns) }

// sample returns how many runs are the sample.
func (r *racing) sample() int {
	return min(r.q.Runs, max(leastSample, min(mostSample, r.q.Runs/sampleOf)))
}

// sampled returns the hours of help on the sample.
func (r *racing) sampled(h bags.Help) (float64, error) {
	_, _, hours, err := r.on(h, numeric.Indices[int](r.sample()))
	return hours, err
}

// all tries help on all runs and makes it the best if it is in time and cheaper. Else it is late or
// dear.
func (r *racing) all(h bags.Help) (inTime, isDear bool, err error) {
	if r.best != nil {
		hours, err := r.sampled(h)
		if err != nil {
			return false, false, err
		}
		best, err := r.sampled(r.best.Help)
		if hours > dearOn*best || err != nil {
			return false, true, err
		}
	}
	if inTime, err = r.holds(h); !inTime || err != nil {
		return false, false, err
	}
	t := r.tried[h]
	if r.best != nil && t.total() >= r.best.total() {
		return true, true, nil
	}
	r.better(t)
	return true, false, nil
}

// total returns the hours of all runs.
func (t *raced) total() (hours float64) {
	for _, h := range t.hours {
		hours += h
	}
	return hours
}

// better makes help the best.
func (r *racing) better(t *raced) {
	r.best, r.ends, r.again.ends = t, t.ends, r.again.tried[t.Help].ends
	r.held = append(r.held, t)
}
