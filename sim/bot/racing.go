package bot

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
)

const (
	fewLate    = 2  // up to so many runs that may be late it is told which these are likely to be
	hardRuns   = 8  // on which help is tried first then, beside as many as may be late
	sampleRuns = 32 // on which it is tried first if more may be late
	raceBatch  = 16 // runs between two looks at help that is tried on all

	raceStep   = 1.02  // ratio of numbers of workers that are told apart in the end,
	raceCoarse = 1.25  // and before it is known from which start on they are few
	raceWidest = 2     // of two that are tried one after the other
	worthIt    = 0.995 // of the hours of the best: what takes more is not sought
	dearOn     = 1.05  // of these, from which on help is left before it was tried on all runs
	raceRounds = 4     // of starts between the best and its neighbours
)

// A racing looks for the cheapest help with little effort.
type racing struct {
	r      *refining
	q      *Race
	order  []int     // the runs, those first in which help is late most often, or ends last
	lates  []int     // of a run, on how many trials of all runs since the best was found it was late
	ends   []float64 // of a run with the best, or with that where it began
	tried  map[bags.Help]*raced
	held   []*raced    // that were the best for a while
	best   *raced      // the cheapest that is in time on all runs
	starts []bags.Help // that were sought, with about as many workers as they need
	again  *racing     // on other runs, in which the best has to be in time too; nil until one was not
	step   float64     // raceCoarse, then raceStep
	late   float64     // a start from which a worker for each task is late
	effort float64
}

// A raced is help as it went, by run.
type raced struct {
	bags.Help
	made        []bool
	ends, hours []float64
}

// on tries help on runs where it was not yet, and returns how many of these are late and what they take.
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
	}
	if r.q.Progress != nil {
		r.q.Progress(r.r.out.Simulated)
	}
	for _, k := range runs {
		hours += t.hours[k]
		if t.ends[k] > r.q.Target.By {
			late++
		}
	}
	return t, late, hours, nil
}

// spent says whether the effort is.
func (r *racing) spent() bool { return r.effort >= r.q.Effort }

// first are the runs on which help is tried first, and how many of them may be late. Where few of all may be
// they are those that are likely to be late; else which are late hangs on chance, and they are any, of which
// more are late by chance in one of twenty cases.
func (r *racing) first() (runs []int, mayBeLate int) {
	if may := r.q.MayBeLate; may > fewLate {
		n := min(sampleRuns, r.q.Runs)
		return r.order[:n], r.lateByChance(n, 0.95)
	}
	slices.SortFunc(r.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(r.lates[b], r.lates[a]), cmp.Compare(r.ends[b], r.ends[a]), cmp.Compare(a, b))
	})
	return r.order[:min(len(r.order), r.q.MayBeLate+hardRuns)], r.q.MayBeLate
}

// lateByChance is how many of some runs are late with a chance at most, of help of which as many of all runs
// are late as may be.
func (r *racing) lateByChance(runs int, chance float64) int {
	b := distuv.Binomial{N: float64(runs), P: float64(r.q.MayBeLate) / float64(r.q.Runs)}
	late := 0
	for late < runs && b.CDF(float64(late)) < chance {
		late++
	}
	return late
}

// of is how many times the hours of the best help takes on runs; 0 where there is no best.
func (r *racing) of(hours float64, runs []int) float64 {
	if r.best == nil {
		return 0
	}
	best := 0.0
	for _, k := range runs {
		best += r.best.hours[k]
	}
	return hours / best
}

// holds says whether help is in time on all runs.
func (r *racing) holds(h bags.Help) (bool, error) {
	if r.q.MayBeLate <= fewLate {
		first, mayBeLate := r.first()
		if _, late, _, err := r.on(h, first); late > mayBeLate || err != nil {
			return false, err
		}
	}
	t, late, _, err := r.on(h, r.order)
	if err != nil {
		return false, err
	}
	if late > r.q.MayBeLate { // on these other help is likely to be late too
		for k, end := range t.ends {
			if end > r.q.Target.By {
				r.lates[k]++
			}
		}
	}
	return late <= r.q.MayBeLate, nil
}

// cheaper is how many workers from a start on are cheaper than the best on the first runs, most at most, none
// where one that is not is late on these.
func (r *racing) cheaper(start float64, guess, most int) (int, error) {
	low, high := 0, most+1
	for high-low > 1 && float64(high) > raceStep*float64(low) && !r.spent() {
		guess = min(max(guess, low+1), high-1)
		first, mayBeLate := r.first()
		_, late, hours, err := r.on(bags.Help{Start: start, Workers: guess}, first)
		if err != nil {
			return 0, err
		}
		share := r.of(hours, first)
		switch {
		case share < worthIt:
			low = guess
		case late > mayBeLate:
			return 0, nil
		default:
			high = guess
		}
		guess = int(float64(guess) * min(raceWidest, worthIt/share))
	}
	return low, nil
}

// try tries help on the first runs, and where it is in time on these on all.
func (r *racing) try(h bags.Help) (inTime, isDear bool, err error) {
	first, mayBeLate := r.first()
	t, late, _, err := r.on(h, first)
	if err != nil || late > mayBeLate {
		return false, false, err
	}
	return r.all(t)
}

// all tries help on all runs, and takes it for the best where it is in time and cheaper; else it is late, or
// dear.
func (r *racing) all(t *raced) (inTime, isDear bool, err error) {
	for n := 0; n < r.q.Runs; {
		n = min(n+raceBatch, r.q.Runs)
		now, most := r.order[:n], r.q.MayBeLate
		if most > fewLate {
			most = min(most, r.lateByChance(n, 0.99))
		}
		_, late, hours, err := r.on(t.Help, now)
		switch share := r.of(hours, now); {
		case err != nil:
			return false, false, err
		case late > most:
			for _, k := range now {
				if t.ends[k] > r.q.Target.By {
					r.lates[k]++
				}
			}
			return false, false, nil
		case n >= 2*raceBatch && share > dearOn, n == r.q.Runs && share >= 1, n < r.q.Runs && r.spent():
			return false, true, nil
		}
	}
	if r.again != nil {
		if holds, err := r.again.holds(t.Help); !holds || err != nil {
			return false, false, err
		}
	}
	r.better(t)
	return true, false, nil
}

// better takes help for the best.
func (r *racing) better(t *raced) {
	r.best, r.ends = t, t.ends
	r.held = append(r.held, t)
	clear(r.lates)
}
