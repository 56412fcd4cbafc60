package bot

import (
	"cmp"
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
)

// raceLeft holds the shares of the tasks left at the starts of a race.
var raceLeft = []float64{1, 0.9, 0.7, 0.45, 0.25, 0.13, 0.06, 0.025, 0.01, 0.003, 0.001}

// search tries starts from the given one outwards, and then between the best and its neighbours.
func (r *racing) search() error {
	t, late, _, err := r.on(r.q.From, r.order)
	if err != nil {
		return err
	}
	if r.ends = t.ends; late <= r.q.MayBeLate {
		r.better(t)
	}
	if err := r.from(r.q.From.Start, 0, r.q.From.Workers); err != nil {
		return err
	}
	var starts []float64
	for _, left := range raceLeft {
		if s, ok := r.startOf(left); ok && !slices.Contains(starts, s) {
			starts = append(starts, s)
		}
	}
	away := func(start float64) float64 { return math.Abs(math.Log((1 - start) / (1 - r.q.From.Start))) }
	slices.SortStableFunc(starts, func(a, b float64) int { return cmp.Compare(away(a), away(b)) })
	for _, s := range starts {
		if err := r.near(s); err != nil {
			return err
		}
	}
	return r.closer()
}

// closer tries starts between the best and its neighbours, in fine steps of the number of workers.
func (r *racing) closer() error {
	for k := 0; k < raceRounds && r.best != nil; k++ {
		if r.step = raceStep; k == 0 || r.starts[len(r.starts)-1].Start != r.best.Start {
			if err := r.from(r.best.Start, 0, r.best.Workers); err != nil {
				return err
			}
		}
		var sought []float64
		for _, h := range r.starts {
			sought = append(sought, h.Start)
		}
		slices.Sort(sought)
		sought = slices.Compact(sought)
		at := slices.Index(sought, r.best.Start)
		for _, k := range []int{at - 1, at + 1} {
			if k < 0 || k >= len(sought) {
				continue
			}
			if s, ok := r.startOf(math.Sqrt((1 - sought[k]) * (1 - sought[at]))); ok {
				if err := r.near(s); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// confirm ensures that the best is in time on other runs too. If it is not, it goes on with the
// cheapest help that is, or with more workers, and with cheaper help that is in time on both.
func (r *racing) confirm(again *racing) error {
	if holds, err := again.holds(r.best.Help); holds || err != nil {
		return err
	}
	if err := again.from(r.best.Start, r.best.Workers, r.best.Workers+1); err != nil {
		return err
	}
	if t := again.best; t != nil {
		all, late, _, err := r.on(t.Help, r.order)
		if err != nil {
			return err
		}
		if late <= r.q.MayBeLate {
			r.held = append(r.held, all)
		}
	}
	again.best, r.best, r.again = nil, nil, again
	hours := func(t *raced) (sum float64) {
		for _, h := range t.hours {
			sum += h
		}
		return sum
	}
	slices.SortFunc(r.held, func(a, b *raced) int { return cmp.Compare(hours(a), hours(b)) })
	for _, t := range slices.Clone(r.held) {
		holds, err := again.holds(t.Help)
		if err != nil {
			return err
		}
		if holds {
			r.better(t)
			break
		}
	}
	if r.best == nil {
		return nil
	}
	for _, h := range slices.Clone(r.starts) {
		if err := r.from(h.Start, 0, h.Workers); err != nil {
			return err
		}
	}
	return r.closer()
}

// startOf returns the start at which a share of the tasks is left, in ten thousandths like the
// names of strategies; ok is false if that is less than one task.
func (r *racing) startOf(left float64) (start float64, ok bool) {
	const fine = 1e4
	n := r.r.kase.Bag.MeanSize()
	if n*left < 1-1e-9 {
		return 0, false
	}
	start = math.Floor(fine*math.Ceil(n*(1-left)-1e-6)/n+1e-6) / fine
	return max(0, start), start < 1
}

// near looks for help from a start that was not searched, beginning with the number of workers that
// the nearest start needs; none once the effort is spent.
func (r *racing) near(start float64) error {
	if r.spent() {
		return nil
	}
	guess, away := 0, math.Inf(1)
	for _, h := range r.starts {
		if d := math.Abs(math.Log((1 - start) / (1 - h.Start))); d < away {
			guess, away = h.Workers, d
		}
	}
	if away == 0 {
		return nil
	}
	return r.from(start, 0, guess)
}

// from looks for help from a start that is cheaper than the best, with more than low workers, which
// are known to be too few. It first finds the most workers that are cheaper on the first runs and,
// if these are in time, tries fewer.
func (r *racing) from(start float64, low, guess int) error {
	most := r.r.most(start)
	if m := r.q.MostWorkers; m > 0 {
		most = min(most, m)
	}
	dear := most + 1
	if r.best != nil && start > r.best.Start {
		if inTime, err := r.maybeInTime(start, most); err != nil || !inTime {
			return err
		}
	}
	if r.best != nil {
		cheap, err := r.cheaper(start, guess, most)
		if err != nil {
			return err
		}
		guess, dear = cheap, cheap+1
	}
	for dear-low > 1 && float64(dear) > r.step*float64(low) && !r.spent() {
		guess = min(max(guess, low+1), dear-1)
		inTime, isDear, err := r.try(bags.Help{Start: start, Workers: guess})
		if err != nil {
			return err
		}
		if inTime || isDear {
			dear = guess
		} else {
			low = guess
		}
		switch {
		case low == 0:
			guess = int(float64(dear) / widening)
		case dear > most:
			guess = int(math.Ceil(float64(low) * widening))
		default:
			guess = int(math.Sqrt(float64(low) * float64(dear)))
		}
	}
	r.starts = append(r.starts, bags.Help{Start: start, Workers: max(1, guess)})
	return nil
}

// maybeInTime reports whether the most workers from a start may be in time: they are not if they
// are late on the first runs, or if an earlier start was late.
func (r *racing) maybeInTime(start float64, most int) (bool, error) {
	if start >= r.late {
		return false, nil
	}
	first, mayBeLate := r.first()
	_, late, _, err := r.on(bags.Help{Start: start, Workers: most}, first)
	if err == nil && late > mayBeLate {
		r.late = start
	}
	return late <= mayBeLate, err
}
