package bot

import "math"

const (
	// Between two starts from which a worker for each task is late, with this ratio of the tasks left, help may by
	// chance be in time, as no more than one run in hundreds may be late.
	allGap = 1.3

	// Not always more workers are needed from a later start: those of an earlier one may take tasks that would be
	// done soon, and have none left in the end. With this share of the effort starts are looked for between others
	// as if by chance fewer, with this share of the hours, were in time.
	looseEffort, looseHours = 0.25 * closerEffort, 0.8
)

// closer looks for cheaper help where that is likeliest: with fewer workers from a start, or from a start between two
// others. It ends where that is not possible: from a start more workers than are known to be too few are as dear as the
// best; between two starts help takes about as many workers as from one of these, and each of them as long as from the
// later one, and that is hardly cheaper than the best.
func (r *racing) closer() error {
	for !r.spent() {
		cheap := r.effort+r.again.effort < looseEffort*r.q.Effort
		r.loose = r.loose && cheap
		s, before, step, err := r.promising()
		switch {
		case err != nil:
			return err
		case s == nil && (r.loose || !cheap):
			return nil
		case s == nil:
			r.loose = true
		case before == nil:
			err = r.settle(s, s.middle(), step)
		default:
			mid, ok := r.between(before, s)
			allLate := before.low >= before.most && s.low >= s.most
			s.joined = !ok || allLate && 1-before.start < allGap*(1-s.start)
			if !s.joined {
				err = r.near(mid)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// promising returns the start, with the step of workers to be told apart, or the two starts between which help is
// likeliest to be cheaper than the best; none if it is nowhere.
func (r *racing) promising() (s, before *raceStart, step float64, err error) {
	limit, err := r.limit()
	if err != nil {
		return nil, nil, 0, err
	}
	likeliest, earlier := math.Inf(1), (*raceStart)(nil)
	consider := func(least, known float64) bool {
		hours := math.Sqrt(least * known)
		found := hours < likeliest
		if found {
			likeliest = hours
		}
		return found
	}
	for _, now := range r.starts {
		if now.of == 0 {
			continue
		}
		enough := min(now.high, now.payable(limit)+1)
		open := func(step float64) bool {
			return enough-now.low > 1 && float64(enough) > step*float64(now.low)
		}
		switch {
		case open(raceStep) && r.best != nil && now.start == r.best.Start:
			return now, nil, raceStep, nil
		case open(raceCoarse):
			if consider(now.known(), now.known()) {
				s, before, step = now, nil, raceCoarse
			}
			earlier = nil // what is between is known better when this is
			continue
		case open(raceStep) && consider(now.known(), now.known()):
			s, before, step = now, nil, raceStep
		}
		if earlier != nil && !now.joined {
			least := now.least(min(now.low, earlier.low) + 1)
			if r.loose {
				least *= looseHours
			}
			if least < worthStart*limit && consider(least, min(now.known(), earlier.known(), limit)) {
				s, before = now, earlier
			}
		}
		earlier = now
	}
	return s, before, step, nil
}

// known returns the hours on the sample of so many workers from a start as are not known to be too few.
func (s *raceStart) known() float64 {
	if s.low >= s.most {
		return math.Inf(1)
	}
	return s.hoursOf(s.low + 1)
}

// between returns the start at which about as many times fewer tasks are left than at one start as at the other there
// are; ok is false if there is none.
func (r *racing) between(before, s *raceStart) (start float64, ok bool) {
	mid := math.Sqrt((1 - before.start) * (1 - s.start))
	for _, left := range []float64{mid, mid + 1/r.r.kase.Bag.MeanSize()} {
		if start, ok = r.startOf(left); ok && start > before.start && start < s.start {
			return start, true
		}
	}
	return 0, false
}

// least returns about the least hours on the sample that so many workers may take from a start. Where there are not
// so many tasks left they are those of as many as there are.
func (s *raceStart) least(workers int) float64 { return s.hoursOf(min(workers, s.most)) }
