package bot

import (
	"cmp"
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
)

const (
	raceStep   = 1.02 // ratio of the numbers of workers told apart in the end
	raceCoarse = 1.25 // the same from a start that may not be worth more
	allAbout   = 1.15 // how much dearer than the best a worker for each task may seem by a later start
	samePrice  = 0.1  // relative difference of numbers of workers that are taken to need the same hours each
)

// raceLeft holds the shares of the tasks left at the starts of a race.
var raceLeft = []float64{1, 0.9, 0.7, 0.45, 0.25, 0.13, 0.06, 0.025, 0.01, 0.003, 0.001}

// A raceStart is a start of help, with what is known of the workers that it needs.
type raceStart struct {
	start  float64
	low    int     // so many are late
	high   int     // so many are probably in time; above most: none is known to be
	most   int     // that can be had
	hours  float64 // of a worker on the sample
	of     int     // so many of them; 0: it was not measured
	joined bool    // no start is worth trying between the one before and this one
}

// search finds the best help: roughly from each of some starts, then more closely where it is probably cheapest.
func (r *racing) search() error {
	t, late, _, err := r.on(r.q.From, r.order)
	if err != nil {
		return err
	}
	if r.ends = t.ends; late <= r.q.MayBeLate {
		r.better(t)
	}
	if err := r.from(r.q.From.Start, r.q.From.Workers); err != nil {
		return err
	}
	if r.best != nil && r.best.total() == 0 {
		return nil // it costs nothing
	}
	var starts []float64
	for _, left := range raceLeft {
		if s, ok := r.startOf(left); ok {
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

// near looks for help from a start that was not searched. It begins with the workers that the starts beside it need,
// or with as many as are about as dear as the best.
func (r *racing) near(start float64) error {
	at, found := slices.BinarySearchFunc(r.starts, start, byStart)
	if found {
		return nil
	}
	guess, n := 1.0, 0.0
	for _, s := range r.starts[max(0, at-1):min(at+1, len(r.starts))] {
		workers := min(s.high, s.most, s.low+1)
		if r.best != nil && s.of > 0 {
			var err error
			if workers, err = r.payable(s); err != nil {
				return err
			}
		}
		n++
		guess *= math.Pow(float64(max(1, workers))/guess, 1/n)
	}
	return r.from(start, int(math.Round(guess)))
}

func byStart(s *raceStart, start float64) int { return cmp.Compare(s.start, start) }

// from looks for help from a start that is cheaper than the best.
func (r *racing) from(start float64, guess int) error {
	most := r.r.most(start)
	if m := r.q.MostWorkers; m > 0 {
		most = min(most, m)
	}
	s := &raceStart{start: start, most: most, high: most + 1}
	at, _ := slices.BinarySearchFunc(r.starts, start, byStart)
	r.starts = slices.Insert(r.starts, at, s)
	return r.settle(s, guess, raceCoarse)
}

// settle looks for the least number of workers from a start that is in time, up to a ratio, if it is cheaper than
// the best.
func (r *racing) settle(s *raceStart, guess int, step float64) error {
	for !r.spent() {
		if found, err := r.least(s, guess, step); !found || err != nil {
			return err
		}
		inTime, isDear, err := r.all(bags.Help{Start: s.start, Workers: s.high})
		if inTime || isDear || err != nil {
			return err
		}
		s.low, s.high = s.high, s.most+1
		guess = int(math.Ceil(raceStep * float64(s.low)))
	}
	return nil
}

// least narrows what is known of the workers that a start needs, by the hardest runs, and reports whether a number
// cheaper than the best is probably in time.
func (r *racing) least(s *raceStart, guess int, step float64) (bool, error) {
	most, err := r.affordable(s, guess)
	if err != nil {
		return false, err
	}
	early := func(workers int) (bool, error) {
		ok, err := r.early(bags.Help{Start: s.start, Workers: workers})
		if ok {
			s.high = workers
		} else {
			s.low = workers
		}
		return ok, err
	}
	for s.high > most {
		if most > s.low {
			ok, err := early(most)
			if err != nil {
				return false, err
			}
			if ok {
				break
			}
		}
		if worth, err := r.worthAll(s); !worth || err != nil {
			return false, err
		}
		if err := r.measure(s, s.most); err != nil {
			return false, err
		}
		if most, err = r.payable(s); most <= s.low || err != nil {
			return false, err
		}
	}
	for s.high-s.low > 1 && float64(s.high) > step*float64(s.low) && !r.spent() {
		if guess <= s.low || guess >= s.high {
			guess = s.middle()
		}
		if _, err := early(guess); err != nil {
			return false, err
		}
	}
	return true, nil
}

// worthAll reports whether a worker for each task left from a start may be cheaper than the best, though fewer are
// not: each of fewer does so many tasks. By a later start it is known about how long each takes with one task.
func (r *racing) worthAll(s *raceStart) (bool, error) {
	if s.of == s.most || r.best == nil {
		return false, nil
	}
	best, err := r.sampled(r.best.Help)
	if err != nil {
		return false, err
	}
	at, _ := slices.BinarySearchFunc(r.starts, s.start, byStart)
	for _, later := range r.starts[at+1:] {
		if later.of == later.most {
			return later.hours*float64(s.most) < allAbout*best, nil
		}
	}
	return false, nil
}

// middle returns a number of workers about as many times more than too few as enough are more than it.
func (s *raceStart) middle() int {
	return min(max(int(math.Sqrt(float64(max(1, s.low))*float64(s.high))), s.low+1), s.high-1)
}

// affordable returns the greatest number of workers from a start that is cheaper than the best by the sample. Hours
// are in proportion to workers, but for numbers far from those of which they were measured.
func (r *racing) affordable(s *raceStart, guess int) (int, error) {
	if s.of == 0 {
		if err := r.measure(s, min(max(1, guess), s.most)); err != nil {
			return 0, err
		}
	}
	for range 4 {
		n, err := r.payable(s)
		if err != nil {
			return 0, err
		}
		n = min(n+1, s.most) // of more workers each takes less
		if math.Abs(float64(n-s.of)) < max(2, samePrice*float64(s.of)) {
			break
		}
		if err := r.measure(s, n); err != nil {
			return 0, err
		}
	}
	return r.payable(s)
}

// measure sets the hours of a worker from a start to those of each of so many.
func (r *racing) measure(s *raceStart, workers int) error {
	hours, err := r.sampled(bags.Help{Start: s.start, Workers: workers})
	s.hours, s.of = hours/float64(workers), workers
	return err
}

// payable returns how many workers from a start take fewer hours on the sample than the best.
func (r *racing) payable(s *raceStart) (int, error) {
	if r.best == nil {
		return s.most, nil
	}
	best, err := r.sampled(r.best.Help)
	return s.payable(best), err
}

// payable returns how many workers take fewer hours on the sample than the best does.
func (s *raceStart) payable(best float64) int {
	if s.hours*float64(s.most) <= worthIt*best {
		return s.most
	}
	return int(worthIt * best / s.hours)
}
