package bot

import (
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
)

// later tries the workers of the best, and one more, from later and so cheaper starts half way
// between those tried: with few runs it is partly chance which help is late.
func (r *refining) later(starts []float64) error {
	first, _ := slices.BinarySearch(starts, r.out.Best.Start)
	for k := first; k+1 < len(starts) && k < first+mostLater; k++ {
		start, ok := r.atTask(1 - math.Sqrt((1-starts[k])*(1-starts[k+1])))
		for w := r.out.Best.Workers; ok && w <= r.out.Best.Workers+1; w++ {
			if _, err := r.try(bags.Help{Start: start, Workers: w}, spequlos.Reschedule); err != nil {
				return err
			}
		}
	}
	return nil
}

// last tries starts after the last one for which the closed form has help, as long as they are
// cheaper: a few workers are late less often than the closed form says.
func (r *refining) last(start float64) error {
	for {
		left := (1 - start) / math.Sqrt2
		next, ok := r.atTask(1 - left)
		if !ok || next <= start {
			return nil
		}
		if start = next; r.out.Best.Start > start {
			continue
		}
		before := r.out.Best
		if _, err := r.least(start, before.Workers); err != nil || r.out.Best == before {
			return err
		}
	}
}

// between tries starts between the best one and its neighbours.
func (r *refining) between(starts []float64, workers map[float64]int) ([]float64, error) {
	best := r.out.Best
	at, ok := slices.BinarySearch(starts, best.Start)
	if !ok {
		return nil, nil
	}
	var more []float64
	for _, k := range []int{at - 1, at + 1} {
		if k < 0 || k >= len(starts) {
			continue
		}
		// The number of tasks left determines the workers needed: take the geometric mean.
		start, ok := r.atTask(1 - math.Sqrt((1-starts[k])*(1-best.Start)))
		if _, known := workers[start]; !ok || known {
			continue
		}
		guess := math.Sqrt(float64(max(1, workers[starts[k]])) * float64(best.Workers))
		w, err := r.least(start, int(math.Round(guess)))
		if err != nil {
			return nil, err
		}
		more, workers[start] = append(more, start), w
	}
	return more, nil
}

// atTask returns a start as the share of tasks that are done when it comes, in millionths, for a
// bag with a known number of tasks; ok is false if that is all of them.
func (r *refining) atTask(start float64) (share float64, ok bool) {
	const fine = 1e6
	share = math.Round(start*fine) / fine
	if n := r.kase.Bag.MeanSize(); len(r.kase.Bag.Tasks) > 0 || r.kase.Bag.Size.SD == 0 {
		done := max(0, math.Ceil(start*n-1e-6)) // never -0
		// Rounding down keeps the task, as shares are rounded up to whole tasks.
		share = math.Floor(done/n*fine) / fine
		return share, done < n
	}
	return share, share < 1
}

// around tries more workers than the best has, and the other methods.
func (r *refining) around() error {
	for _, factor := range []float64{1.06, 1.15, 1.4} {
		best := r.out.Best
		h := bags.Help{Start: best.Start, Workers: int(math.Ceil(float64(best.Workers) * factor))}
		if _, err := r.try(h, best.How); err != nil {
			return err
		}
	}
	for _, how := range []spequlos.How{spequlos.Duplicate, spequlos.Flat} {
		if _, err := r.try(r.out.Best.Help, how); err != nil {
			return err
		}
	}
	return nil
}

// least finds and returns the least number of workers from a start that is in time, beginning with
// a guess. It returns the guess if all that may be in time are too dear.
func (r *refining) least(start float64, guess int) (int, error) {
	most := r.most(start)
	guess = min(most, max(1, guess))
	late, high := 0, 0 // the greatest number that is late, and the least that is not
	try := func(w int) error {
		t, err := r.try(bags.Help{Start: start, Workers: w}, spequlos.Reschedule)
		switch {
		case err != nil:
			return err
		case t.End == Late:
			late = w
		default:
			high = w
		}
		return nil
	}
	for w := guess; high == 0; w = min(most, max(w+1, int(math.Ceil(float64(w)*widening)))) {
		if late >= most {
			return guess, nil
		}
		if err := try(w); err != nil {
			return 0, err
		}
	}
	for late == 0 && high > 1 {
		if err := try(min(high-1, int(float64(high)/widening))); err != nil {
			return 0, err
		}
	}
	for high-late > 1 && float64(high) > refineStep*float64(late) {
		if err := try((late + high) / 2); err != nil {
			return 0, err
		}
	}
	return high, nil
}

// most returns the greatest useful number of workers: one for each task left, by BOINC for each of its results, for a
// bag three standard deviations larger than the mean if its size is random.
func (r *refining) most(start float64) int {
	n := (r.kase.Bag.MeanSize() + 3*r.kase.Bag.Size.SD) * r.kase.Results()
	return int(min(max(1, math.Ceil(n-math.Ceil(start*n-1e-9))), spequlos.MostWorkers))
}
