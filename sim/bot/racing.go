package bot

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
)

const (
	fewLate    = 2  // up to this many runs that may be late, it is told which are likely to be
	hardRuns   = 8  // runs, beside as many as may be late, on which help is then tried first
	sampleRuns = 32 // runs on which it is tried first if more may be late
	raceBatch  = 16 // runs between two looks at help that is tried on all

	raceStep   = 1.02  // ratio of the numbers of workers told apart in the end
	raceCoarse = 1.25  // the same while it is not known from which start few suffice
	raceWidest = 2     // greatest ratio of two numbers tried in succession
	worthIt    = 0.995 // of the hours of the best: help that takes more is not looked for
	dearOn     = 1.05  // of the hours of the best: help that takes more is dropped before all runs
	raceRounds = 4     // times that starts between the best and its neighbours are tried
)

// A racing is the state of a race.
type racing struct {
	r      *refining
	q      *Race
	order  []int     // the runs, in the order of how often or how late they end
	lates  []int     // by run: late on how many complete trials since the best was found
	ends   []float64 // by run: its end with the best help or, before any, with the first
	tried  map[bags.Help]*raced
	held   []*raced    // that were the best for a while
	best   *raced      // the cheapest in time on all runs
	starts []bags.Help // those searched, with about the number of workers that they need
	again  *racing     // the same on other runs, once the best was late on those: it must be in time there too
	step   float64     // raceCoarse, then raceStep
	late   float64     // a start from which even a worker for each task is late
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

// spent reports whether the effort is spent.
func (r *racing) spent() bool { return r.effort >= r.q.Effort }

// first returns the runs on which help is tried first, and how many of them may be late. If few
// runs may be late, they are those likely to be late. Otherwise it is chance which are late, and
// they are arbitrary; help that just holds exceeds the number in one of twenty cases.
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

// lateByChance returns how many of some runs are at most late, with the given probability, for help
// that is late in as many of all runs as allowed.
func (r *racing) lateByChance(runs int, chance float64) int {
	b := distuv.Binomial{N: float64(runs), P: float64(r.q.MayBeLate) / float64(r.q.Runs)}
	late := 0
	for late < runs && b.CDF(float64(late)) < chance {
		late++
	}
	return late
}

// of returns hours on some runs relative to those of the best; 0 without a best.
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

// holds reports whether help is in time on all runs.
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
	if late > r.q.MayBeLate { // other help is likely to be late on these runs too
		for k, end := range t.ends {
			if end > r.q.Target.By {
				r.lates[k]++
			}
		}
	}
	return late <= r.q.MayBeLate, nil
}

// cheaper returns the greatest number of workers from a start, up to most, that is cheaper than the
// best on the first runs; 0 if a number that is not cheaper is late on these.
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

// try tries help on the first runs and, if it is in time on these, on all.
func (r *racing) try(h bags.Help) (inTime, isDear bool, err error) {
	first, mayBeLate := r.first()
	t, late, _, err := r.on(h, first)
	if err != nil || late > mayBeLate {
		return false, false, err
	}
	return r.all(t)
}

// all tries help on all runs and makes it the best if it is in time and cheaper. Else it is late or
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

// better makes help the best.
func (r *racing) better(t *raced) {
	r.best, r.ends = t, t.ends
	r.held = append(r.held, t)
	clear(r.lates)
}
