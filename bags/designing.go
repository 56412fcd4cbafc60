package bags

import "math"

// A designing is a search for help, one start after another.
type designing struct {
	f     *FinishLaw
	t     Target
	c     Cloud
	guess int // workers that sufficed from the start before

	best   Help    // the best found so far
	hours  float64 // its hours; before any is found, the most that it may take
	found  func()  // called as soon as any help reaches the target
	tried  func()  // called when all starts of the list were; nil: not
	most   Help    // the help with the greatest chance, if that was asked for
	chance float64 // its chance

	helping, later *helping     // for the start that was tried last, and for the one after it
	last           *triedStart  // of the list of starts
	known          []triedStart // from the list, in falling order
	harder         []triedStart // the same of a search for a harder target; nil: there was none
	spans          []span
	listed         []span // between the starts of the list, with a bound of the hours of one worker fewer
}

func (d *designing) leave() {
	d.helping.leave()
	d.later.leave()
}

// A triedStart is what is known of a start: fewer than least workers do not reach the target, and
// those that do need at least the given hours.
type triedStart struct {
	start float64
	least int // none: no number reaches it
	hours float64
}

const none = math.MaxInt

// try looks for the best help from a start of the list; starts are tried in falling order.
func (d *designing) try(start float64) {
	if !d.f.helps(Help{start, 1}, d.c) {
		return
	}
	now := d.at(start, 1)
	if d.last != nil && now.least < none {
		d.spans = append(d.spans, d.span(d.later, now, *d.last))
		each := 0.0
		for i := range d.later.courses {
			each += d.later.courses[i].eachPaid
		}
		each = max(each, d.dear(d.last.start, 1))
		d.listed = append(d.listed, span{from: now, to: *d.last, few: float64(now.least-1) * each})
	}
	d.last = &now
	d.known = append(d.known, now)
}

// at looks for the best help from a start for which fewer than low workers are known to be too few.
func (d *designing) at(start float64, low int) triedStart {
	workers, hours, least, chance := d.design(start, d.hours, low)
	if chance >= d.t.Chance || workers > 0 {
		d.found()
	}
	if workers > 0 {
		d.best, d.hours = Help{start, workers}, hours
	}
	if chance > d.chance || chance == d.chance && d.most.Workers > 0 { // the first of equals
		d.most, d.chance = Help{start, d.f.enough(start, d.c)}, chance
	}
	return triedStart{start, least, d.hours}
}

// design returns the number of workers from a start that reaches the target for the fewest hours,
// and these hours; 0 workers if none does for at most the given hours. least is the least number
// that reaches the target, of which fewer than low are known not to. If the hours have no limit,
// chance is that with the most workers.
func (d *designing) design(start, hours float64, low int) (workers int, paid float64, least int, chance float64) {
	most := d.f.enough(start, d.c)
	if !d.f.helps(Help{start, most}, d.c) {
		return 0, 0, none, 0
	}
	d.helping, d.later = d.f.helping(start, d.c, false, d.later), d.helping
	w := d.helping
	if math.IsInf(hours, 1) {
		if chance = w.chance(most, d.t.By); chance < d.t.Chance {
			return 0, 0, none, chance
		}
	}
	all := most
	if few := d.few(start, hours); few < most {
		if few < low || !w.reaches(few, d.t) {
			return 0, 0, max(low, few+1), 0
		}
		if most = few; d.best.Workers == 0 {
			d.guess = few - 1
		}
	}
	each := w.leastEach(hours)
	switch {
	case low > 1 && low <= most && float64(low)*each <= payable*hours && w.reaches(low, d.t):
		d.guess = low
	default:
		known := math.IsInf(hours, 1) || most < all // that most reach the target
		if !known {
			most = int(min(payable/each*hours, float64(most)))
		}
		fewest := w.least(d.t, low, d.guess, most, known)
		switch {
		case fewest < none:
			d.guess = fewest
		case most == all:
			return 0, 0, none, 0
		default:
			return 0, 0, max(low, most+1), 0
		}
	}
	tries := []int{d.guess}
	if low == 1 {
		tries = append(tries, d.guess+1, d.guess+d.guess/10+2, d.guess+d.guess/4+3, d.guess+d.guess/2+4)
	}
	if left := w.leftThen(); left > d.guess && left <= all {
		tries = append(tries, left, all)
	}
	try := func(more int) (paid bool) {
		if float64(more)*each > payable*hours || more > all { // more workers than tasks would leave some idle
			return false
		}
		cost := w.hours(more, hours)
		if (cost < hours || cost == hours && workers == 0) && (more == d.guess || w.reaches(more, d.t)) {
			workers, hours = more, cost
		}
		return true
	}
	for _, more := range tries {
		try(more)
	}
	if w.hour > 0 { // more workers may begin an hour less each
		for more := d.guess + 1; workers > 0 && try(more); more += 1 + more/20 {
		}
	}
	return workers, hours, d.guess, chance
}

// least returns the least number of workers that reaches the target, none if not even most do; it
// is faster near the guess. Fewer than low do not reach it, nor does low if that is more than one.
// known: most are known to reach it; otherwise that is asked if no fewer were found to, because
// help that is late is recognized sooner.
func (w *helping) least(t Target, low, guess, most int, known bool) int {
	if low == 1 {
		low = 0
	}
	high := most
	guess = max(low+1, guess)
	for step := max(1, guess/8); guess > low && guess < high; step *= 2 {
		if w.reaches(guess, t) {
			high, known = guess, true
			guess -= step
		} else {
			low = guess
			guess += step
		}
		if low > 0 && high < most {
			break
		}
	}
	if !known && (most <= low || !w.reaches(most, t)) {
		return none
	}
	for high-low > 1 {
		if mid := (low + high) / 2; w.reaches(mid, t) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}
