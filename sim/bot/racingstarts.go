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
	alike      = 1.2  // ratio of the hours of a worker from two starts between which they are not measured
	mostFalls  = 0.5  // of falls
	nearWhole  = 0.95 // of a number of workers: if about as many may be payable, these are measured
	manyFails  = 8    // from as many fails on the numbers tried from a start are further apart
	farFewer   = 1.5  // ratio of numbers of workers tried one after the other
	samePrice  = 0.1  // relative difference of numbers of workers that are taken to need the same hours each
)

// A raceStart is a start of help, with what is known of the workers that it needs.
type raceStart struct {
	start  float64
	low    int     // so many are late
	high   int     // so many are probably in time; above most: none is known to be
	most   int     // that can be had
	hours  float64 // of a worker on the sample
	of     int     // so many of them; 0: it was not measured
	falls  float64 // with how many of them: k take (of/k)^falls of these hours each
	about  bool    // hours are those between the starts beside it
	joined bool    // no start is worth trying between the one before and this one
	full   bool    // most are probably in time
	fails  int     // how often help that was probably in time was not
	waits  int     // so many are to be tried on all runs in the end; 0: none
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
	beside := r.starts[max(0, at-1):min(at+1, len(r.starts))]
	for _, s := range beside {
		workers := min(s.high, s.most, s.low+1)
		if s.of > 0 {
			var err error
			if workers, err = r.payable(s); err != nil {
				return err
			}
		}
		n++
		guess *= math.Pow(float64(max(1, workers))/guess, 1/n)
	}
	s := r.newStart(start)
	for _, t := range beside {
		s.falls += t.falls / float64(len(beside))
	}
	if len(beside) == 2 {
		s.between(beside[0], beside[1])
	}
	return r.from(s, int(math.Round(guess)))
}

// between sets the hours of a worker from those from the starts before and after, if these are about the same.
func (s *raceStart) between(a, b *raceStart) {
	if a.of == 0 || b.of == 0 || b.hours == 0 || a.hours > alike*b.hours {
		return
	}
	part := math.Log((1-a.start)/(1-s.start)) / math.Log((1-a.start)/(1-b.start))
	mid := func(a, b float64) float64 { return a * math.Pow(b/a, part) }
	s.hours, s.of, s.about = mid(a.hours, b.hours), max(1, int(math.Round(mid(float64(a.of), float64(b.of))))), true
}

func byStart(s *raceStart, start float64) int { return cmp.Compare(s.start, start) }

// from looks for help from a start that is cheaper than the best.
func (r *racing) from(s *raceStart, guess int) error {
	at, _ := slices.BinarySearchFunc(r.starts, s.start, byStart)
	r.starts = slices.Insert(r.starts, at, s)
	return r.settle(s, guess, raceCoarse)
}

// newStart returns a start of which nothing is known.
func (r *racing) newStart(start float64) *raceStart {
	most := r.r.most(start)
	if m := r.q.MostWorkers; m > 0 {
		most = min(most, m)
	}
	return &raceStart{start: start, most: most, high: most + 1}
}

// settle looks for the least number of workers from a start that is probably in time, up to a ratio, if it is cheaper
// than the best. Only if it is much cheaper it is tried on all runs at once.
func (r *racing) settle(s *raceStart, guess int, step float64) error {
	for !r.spent() {
		if found, err := r.least(s, guess, step); !found || err != nil {
			return err
		}
		workers, limit, err := r.cheaper(s)
		if hours := s.hours * float64(workers); err != nil || hours > muchLess*limit {
			s.waits = workers
			r.hope = min(r.hope, hours)
			return err
		}
		inTime, isDear, err := r.all(bags.Help{Start: s.start, Workers: workers})
		if s.held(workers, inTime, isDear); inTime || isDear || err != nil {
			return err
		}
		// The more often it was not, the more workers come next.
		guess = int(math.Ceil(min(raceCoarse, 1+math.Ldexp(raceStep-1, s.fails-manyFails)) * float64(s.low)))
	}
	return nil
}

// held notes whether so many workers that were probably in time are so on all runs.
func (s *raceStart) held(workers int, inTime, isDear bool) {
	if !inTime && !isDear {
		s.low, s.high, s.full = workers, s.most+1, false
		s.fails++
	}
}

// cheaper measures the least number of workers from a start that is probably in time, and a worker for each task left
// if that is too: each of those does one task, where of fewer some do several. It returns the cheaper one, to whose
// hours it sets those of the start, and the limit before.
func (r *racing) cheaper(s *raceStart) (workers int, limit float64, err error) {
	if limit, err = r.limit(); err != nil {
		return 0, 0, err
	}
	workers = s.high
	if err = r.measure(s, workers); err != nil || !s.full || workers == s.most {
		return workers, limit, err
	}
	few := *s
	if err = r.measure(s, s.most); err != nil || s.hours*float64(s.most) < few.hours*float64(workers) {
		return s.most, limit, err
	}
	*s = few
	return workers, limit, nil
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
			s.high, s.full = workers, s.full || workers == s.most
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
			if ok && s.about {
				if err := r.measure(s, most); err != nil {
					return false, err
				}
				if most, err = r.payable(s); err != nil {
					return false, err
				}
				continue
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
		s.falls = 0 // of about as many each does one task too
		if most, err = r.payable(s); most <= s.low || err != nil {
			return false, err
		}
	}
	for s.high-s.low > 1 && float64(s.high) > step*float64(s.low) && !r.spent() {
		if guess <= s.low || guess >= s.high {
			guess = s.middle()
		}
		if ok, err := early(guess); err != nil || ok && s.fails > manyFails {
			return ok, err // where the hardest runs misled, all decide in which half to go on
		}
	}
	return true, nil
}

// worthAll reports whether a worker for each task left from a start may be cheaper than the best, though fewer are
// not: each of fewer does so many tasks. By a later start it is known about how long each takes with one task.
func (r *racing) worthAll(s *raceStart) (bool, error) {
	best, err := r.limit()
	if s.of == s.most || math.IsInf(best, 1) || err != nil {
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

// middle returns a number of workers about as many times more than too few as enough are more than it, and not
// far fewer than enough.
func (s *raceStart) middle() int {
	mid := math.Sqrt(float64(max(1, s.low)) * float64(s.high))
	return min(max(int(math.Max(mid, float64(s.high)/farFewer)), s.low+1), s.high-1)
}

// affordable returns the greatest number of workers from a start that is cheaper than the best by the sample.
func (r *racing) affordable(s *raceStart, guess int) (int, error) {
	if s.of == 0 {
		if err := r.measure(s, min(max(1, guess), s.most)); err != nil {
			return 0, err
		}
	}
	for range 4 {
		best, err := r.limit()
		if err != nil {
			return 0, err
		}
		worth := s.worth(best)
		n := min(max(1, math.Round(worth)), float64(s.most))
		if !s.about && math.Abs(n-float64(s.of)) < max(1, samePrice*float64(s.of)) || s.about && worth > nearWhole*n {
			break
		}
		if err := r.measure(s, int(n)); err != nil {
			return 0, err
		}
	}
	return r.payable(s)
}

// measure sets the hours of a worker from a start to those of each of so many.
func (r *racing) measure(s *raceStart, workers int) error {
	hours, err := r.sampled(bags.Help{Start: s.start, Workers: workers})
	hours /= float64(workers)
	if far := math.Log(float64(workers) / float64(s.of)); hours > 0 && s.hours > 0 && !s.about &&
		math.Abs(far) > samePrice {
		s.falls = min(max(0, math.Log(s.hours/hours)/far), mostFalls)
	}
	s.hours, s.of, s.about = hours, workers, false
	return err
}

// payable returns how many workers from a start take fewer hours on the sample than the best.
func (r *racing) payable(s *raceStart) (int, error) {
	best, err := r.limit()
	return s.payable(best), err
}

// limit returns the hours on the sample of the best or, if that is cheaper, of the help that waits to be tried on all
// runs; +Inf if there is neither.
func (r *racing) limit() (hours float64, err error) {
	hours = math.Inf(1)
	if r.best != nil {
		hours, err = r.sampled(r.best.Help)
	}
	return min(hours, r.hope), err
}

// payable returns how many workers take fewer hours on the sample than the best does.
func (s *raceStart) payable(best float64) int { return int(min(s.worth(best), float64(s.most))) }

// worth is payable as a real number: the k at which k workers take worthIt of the hours.
func (s *raceStart) worth(best float64) float64 {
	k := float64(s.of)
	if s.hours == 0 {
		return float64(s.most)
	}
	return k * math.Pow(worthIt*best/(k*s.hours), 1/(1-s.falls))
}

// hoursOf returns about the hours on the sample of so many workers.
func (s *raceStart) hoursOf(workers int) float64 {
	k := float64(workers)
	return k * s.hours * math.Pow(float64(s.of)/k, s.falls)
}
