package bot

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
)

const (
	sweepLeft    = 1.12 // ratio of the tasks left at starts beside each other, by a task at least
	sweepApart   = 0.05 // of all tasks, by which these differ at the most
	sweepRatio   = 1.03 // of numbers of workers tried one after the other
	lateRatio    = 1.15 // the same where the first was late on mostlyLate of the runs that were made
	mostlyLate   = 0.75
	allLateRatio = 1.25 // where it was late on all of these
	sweepLuck    = 0.5  // so many known to be late are divided by 1 and this for the first number tried, if no run may be
	betweenFewer = 2    // how many times fewer are tried in the end from starts between two of which that is known
	leastFewer   = 2    // by how many fewer that is at the least
	aboutAs      = 0.2  // relative difference up to which the hours of so many workers tell those of others
	roughHours   = 0.8  // of hours that were not measured: help that may take only this share of them is measured first
	mostEach     = 3    // tasks
	evenHours    = 0.75 // of a worker, where all do as many tasks, as a share of those of others, before it is measured
	sweepWorth   = 1.01 // of the hours of the best on the sample: help that takes more is not tried
)

// A swept is a start of a sweep, with the number of workers that comes next.
type swept struct {
	*raceStart
	workers int
	fewest  int  // that are worth a try
	rough   bool // the hours are about those from the starts beside it
	// Runs, of either set, that were late with the workers before come first. Otherwise most help would be tried on
	// some runs in vain.
	late [2][]int
}

// sweep tries the help of a grid that may take fewer hours than the best, the cheapest first, so that the first in time
// is about the cheapest of the grid. What was searched before took it that of more workers from a start, and from an
// earlier one, more runs are in time. That is not always so: where few runs may be late which help is in time is in
// part luck, and workers of an earlier start may take tasks that would be done soon and have none left in the end. So
// the sweep begins with fewer workers than are known to be late, and then, between the starts of which that is known,
// with fewer still.
func (r *racing) sweep() error {
	starts := r.sweepStarts()
	var fewer []*swept
	for _, w := range starts {
		if w.fewest < w.workers {
			s := *w.raceStart
			s.most = w.workers - 1
			fewer = append(fewer, &swept{raceStart: &s, workers: w.fewest, rough: w.rough})
		}
	}
	if err := r.sweepOver(starts); err != nil {
		return err
	}
	return r.sweepOver(fewer)
}

// sweepOver tries the help from some starts.
func (r *racing) sweepOver(starts []*swept) error {
	for r.effort+r.again.effort < r.q.Effort {
		w, dear, err := r.cheapest(starts)
		switch {
		case w == nil || err != nil:
			return err
		case w.rough || dear:
			w.rough = false
			err = r.measure(w.raceStart, w.workers)
		default:
			err = r.sweepOn(w)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepStarts returns the starts of the grid, the earliest first.
func (r *racing) sweepStarts() (all []*swept) {
	tasks := r.r.kase.Bag.MeanSize()
	for left := tasks; left >= 1; {
		if start, ok := r.startOf(left / tasks); ok && (len(all) == 0 || start != all[len(all)-1].start) {
			all = append(all, r.sweptFrom(start))
			all = append(all, r.evenly(start)...)
		}
		left = min(left-1, max(math.Round(left/sweepLeft), left-sweepApart*tasks))
	}
	return all
}

// sweptFrom returns a start at its first number of workers. What is not known of it is taken from the starts
// beside it.
func (r *racing) sweptFrom(start float64) *swept {
	at, found := slices.BinarySearchFunc(r.starts, start, byStart)
	if found && r.starts[at].of > 0 {
		s := r.starts[at]
		least := r.leastTried(s.low)
		return &swept{raceStart: s, workers: least, fewest: least}
	}
	s := r.newStart(start)
	beside := r.starts[max(0, at-1):min(at+1, len(r.starts))]
	low := s.most
	for _, t := range beside {
		low = min(low, t.low)
		s.falls += t.falls / float64(len(beside))
	}
	if len(beside) == 2 {
		s.between(beside[0], beside[1])
	}
	w := &swept{raceStart: s, workers: r.leastTried(low), fewest: max(1, low/betweenFewer), rough: s.of == 0}
	for _, t := range beside {
		if w.rough && t.of > 0 {
			s.of, s.about = w.workers, true
			s.hours = max(s.hours, t.hoursOf(s.of)/float64(s.of))
		}
	}
	return w
}

// evenly returns a start with as many workers as do one task each, two or three. One fewer, and some worker has a task
// more than the others, who wait for it: so these may take fewer hours than fewer workers do.
func (r *racing) evenly(start float64) (all []*swept) {
	from := r.sweptFrom(start)
	for each := 1; each <= mostEach; each++ {
		workers := (from.most + each - 1) / each
		if workers <= from.workers {
			break
		}
		s := *from.raceStart
		w := &swept{raceStart: &s, workers: workers, fewest: workers, rough: each == 1 && s.of != s.most}
		if s.of != workers {
			s.hours, s.falls = evenHours*s.hours, mostFalls
		}
		all = append(all, w)
	}
	return all
}

// leastTried returns how many workers come first, where so many are known to be late.
func (r *racing) leastTried(late int) int {
	fewer := 1 + sweepLuck/math.Sqrt(float64(1+r.q.MayBeLate))
	return max(1, min(late-leastFewer, int(float64(late)/fewer)))
}

// cheapest returns the start whose next help probably takes the fewest hours, nil if all takes more than the best. It
// is dear if it takes fewer only by as much as hours that are not measured may be wrong.
func (r *racing) cheapest(starts []*swept) (cheapest *swept, dear bool, err error) {
	limit, err := r.limit()
	limit *= sweepWorth
	least := limit
	for _, w := range starts {
		if w.workers > w.most {
			continue
		}
		hours, part := w.hoursOf(w.workers), 1.0
		if w.rough || math.Abs(math.Log(float64(w.workers)/float64(w.of))) > aboutAs {
			part = roughHours
		}
		if part*hours < least {
			cheapest, least, dear = w, part*hours, hours >= limit
		}
	}
	return cheapest, dear, err
}

// sweepOn tries the next help from a start.
func (r *racing) sweepOn(w *swept) error {
	h := bags.Help{Start: w.start, Workers: w.workers}
	probably, ratio, err := r.withLate(w, h)
	if err != nil {
		return err
	}
	if probably {
		if err := r.measure(w.raceStart, w.workers); err != nil {
			return err
		}
		if _, _, err := r.all(h); err != nil {
			return err
		}
	}
	last := w.workers == w.most
	if w.workers = max(w.workers+1, int(float64(w.workers)*ratio)); !last {
		w.workers = min(w.workers, w.most)
	}
	return nil
}

// withLate is early where the runs come first that were late with the help before from this start. It returns too how
// many times more workers come next.
func (r *racing) withLate(w *swept, h bags.Help) (early bool, ratio float64, err error) {
	set := 0
	early, err = r.onBoth(func(r2 *racing) (bool, error) {
		if set = 0; r2 != r {
			set = 1
		}
		order := slices.DeleteFunc(r2.hardest(), func(k int) bool { return slices.Contains(w.late[set], k) })
		return r2.within(h, slices.Concat(w.late[set], order)[:r2.hard()])
	})
	if early || err != nil {
		return early, sweepRatio, err
	}
	t := [2]*racing{r, r.again}[set].tried[h]
	made := 0
	w.late[set] = w.late[set][:0]
	for k, is := range t.made {
		if !is {
			continue
		}
		if made++; t.ends[k] > r.q.Target.By {
			w.late[set] = append(w.late[set], k)
		}
	}
	ratio = sweepRatio
	switch late := len(w.late[set]); {
	case made > 1 && late == made:
		ratio = allLateRatio
	case float64(late) >= mostlyLate*float64(made):
		ratio = lateRatio
	}
	w.late[set] = w.late[set][:min(len(w.late[set]), r.q.MayBeLate+1)]
	return false, ratio, nil
}
