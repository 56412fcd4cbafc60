package bags

import (
	"context"
	"math"
	"slices"
	"sync"
)

// A Target is what help is to reach.
type Target struct {
	By     float64 // s
	Chance float64 // with which the bag is done by then, 0 < Chance < 1
}

// starts are the shares of the bag at which help may begin.
var starts = []float64{0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.84, 0.87, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98,
	0.985, 0.99, 0.995, 0.998, 0.999}

// mostWorkers bounds a design.
const mostWorkers = 1 << 17

// Cheapest returns the help that reaches the target for the fewest hours, no help
// where that does; ok is false where none does, and the help is then that with the
// greatest chance. It is the cheapest of [FinishLaw.Designs], or one that starts between two of
// these: workers that come a little later are fewer, or do their first tasks too late. Errors: that of ctx, and
// of [Cloud.Check]; a *DomainError for a target that is none.
func (f *FinishLaw) Cheapest(ctx context.Context, t Target, c Cloud) (best *Helped, ok bool, err error) {
	return f.cheapest(ctx, t, c, math.Inf(1), func() {})
}

// Cheaper returns the help that reaches the target for the fewest hours where these are
// at most so many, else nil: sooner than [FinishLaw.Cheapest], for others are left out.
// Errors: as there.
func (f *FinishLaw) Cheaper(ctx context.Context, t Target, c Cloud, hours float64) (*Helped, error) {
	best, ok, err := f.cheapest(ctx, t, c, hours, func() {})
	if !ok || err != nil || best.Hours > hours {
		return nil, err
	}
	return best, nil
}

// cheapest is Cheapest of help for at most so many hours, nil where none does, found called
// where there is any that reaches the target. The starts are gone through from the last on,
// where few tasks are left and hours are few, so that most others are left out by what they
// cost at least.
func (f *FinishLaw) cheapest(
	ctx context.Context, t Target, c Cloud, hours float64, found func(),
) (best *Helped, ok bool, err error) {
	if err := t.check(c); err != nil {
		return nil, false, err
	}
	f = f.within(t.By)
	without := f.With(Help{}, c)
	if without.Chance(t.By) >= t.Chance {
		found()
		return without, true, nil
	}
	d, limit := &designing{f: f, t: t, c: c}, hours
	defer d.leave()
	found = sync.OnceFunc(found)
	least := Help{}                              // for the fewest hours
	most, chance := Help{}, without.Chance(t.By) // the help with the greatest chance
	tried := f.starts()
	for i := len(tried) - 1; i >= 0; i-- {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		s := tried[i]
		workers, cost, can := d.at(s, hours)
		if can >= t.Chance {
			found()
		}
		if workers > 0 {
			least, hours = Help{s, workers}, cost
		}
		if can > chance || can == chance && most.Workers > 0 { // the first of equals
			most, chance = Help{s, f.enough(s, c)}, can
		}
	}
	var between []float64
	switch {
	case least.Workers > 0:
		between = f.beside(least.Start)
	case math.IsInf(limit, 1):
		between = f.beside(most.Start)
	}
	for _, s := range between {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		workers, cost, can := d.at(s, hours)
		if workers > 0 {
			found()
			least, hours = Help{s, workers}, cost
		}
		if can > chance {
			most, chance = Help{s, f.enough(s, c)}, can
		}
	}
	switch {
	case least.Workers > 0:
		return f.With(least, c), true, nil
	case !math.IsInf(limit, 1):
		return nil, false, nil
	}
	return f.With(most, c), false, nil
}

// Designs returns the help that reaches the target for the fewest hours for each of
// the starts that are tried, by growing start; starts from which none does are left
// out, and where no help is needed that alone is returned. For a start the chance
// grows with the number of workers, so that the least number is found by bisection;
// the hours are those of that number, of some above it and of one for each task. Errors: those of
// [FinishLaw.Cheapest].
func (f *FinishLaw) Designs(ctx context.Context, t Target, c Cloud) ([]*Helped, error) {
	if err := t.check(c); err != nil {
		return nil, err
	}
	f = f.within(t.By)
	if none := f.With(Help{}, c); none.Chance(t.By) >= t.Chance {
		return []*Helped{none}, nil
	}
	d := &designing{f: f, t: t, c: c}
	defer d.leave()
	var all []*Helped
	for _, s := range starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if workers, _, _ := d.at(s, math.Inf(1)); workers > 0 {
			all = append(all, d.helping.helped(Help{s, workers}, Target{}))
		}
	}
	return all, nil
}

func (t Target) check(c Cloud) error {
	if err := c.Check(); err != nil {
		return err
	}
	if !(t.By > 0) || !(t.Chance > 0 && t.Chance < 1) {
		return &DomainError{"Designs", "Target", t.By, "a time > 0, and a chance between 0 and 1"}
	}
	return nil
}

// starts are those that differ in the number of tasks done.
func (f *FinishLaw) starts() []float64 {
	return slices.CompactFunc(slices.Clone(starts), func(a, b float64) bool { return f.startTask(a) == f.startTask(b) })
}

// beside are starts between one of those that are tried and its neighbours, the later first,
// that differ in the number of tasks done.
func (f *FinishLaw) beside(start float64) []float64 {
	var all []float64
	k := slices.Index(starts, start)
	for _, next := range []int{k + 1, k - 1} {
		if next < 0 || next >= len(starts) {
			continue
		}
		for quarter := 1.0; quarter < 4; quarter++ {
			// In ten thousandths, as the names of strategies have it.
			all = append(all, math.Round(1e4*(start+quarter/4*(starts[next]-start)))/1e4)
		}
	}
	slices.Sort(all)
	all = slices.CompactFunc(all, func(a, b float64) bool { return f.startTask(a) == f.startTask(b) })
	all = slices.DeleteFunc(all, func(s float64) bool { return f.startTask(s) == f.startTask(start) })
	slices.Reverse(all)
	return all
}

// A designing looks for help from one start after the other.
type designing struct {
	f     *FinishLaw
	t     Target
	c     Cloud
	guess int // workers that sufficed from the start before

	helping *helping // of the start before
}

func (d *designing) leave() { d.helping.leave() }

// at returns the number of workers from a start that reach the target for the fewest hours, and
// these, none where none do for at most the hours given; and, where these have no limit, the chance
// with most workers.
func (d *designing) at(s, hours float64) (workers int, paid, chance float64) {
	most := d.f.enough(s, d.c)
	if !d.f.helps(Help{s, most}, d.c) {
		return 0, 0, 0
	}
	d.helping = d.f.helping(s, d.c, false, d.helping)
	w := d.helping
	if math.IsInf(hours, 1) {
		if chance = w.chance(most, d.t.By); chance < d.t.Chance {
			return 0, 0, chance
		}
	}
	each := w.leastEach(hours)
	if !math.IsInf(hours, 1) {
		if most = int(min(payable/each*hours, float64(most))); most < 1 || !w.reaches(most, d.t) {
			return 0, 0, 0
		}
	}
	d.guess = w.least(d.t, min(max(1, d.guess), most), most)
	tries := []int{d.guess, d.guess + 1, d.guess + d.guess/10 + 2, d.guess + d.guess/4 + 3, above(d.guess)}
	if left := w.leftThen(); left > above(d.guess) && left <= most {
		tries = append(tries, left, most)
	}
	for _, more := range tries {
		if float64(more)*each > payable*hours || more > d.c.most() {
			continue
		}
		cost := w.hours(more, hours)
		if (cost < hours || cost == hours && workers == 0) && (more == d.guess || w.reaches(more, d.t)) {
			workers, hours = more, cost
		}
	}
	return workers, hours, chance
}

// leftThen is how many tasks are left on average when workers begin.
func (w *helping) leftThen() int {
	left := 0.0
	for i := range w.courses {
		c := &w.courses[i]
		if w.reach(c, c.first+1); len(c.alone) >= c.first {
			left += c.share * c.beforeWorkers()
		}
	}
	return int(math.Ceil(left))
}

// above is the largest number of workers that is tried where so many suffice.
func above(workers int) int { return workers + workers/2 + 4 }

// payable is the share of hours that pay for workers who take at least as many, for rounding.
const payable = 1 + 1e-9

// leastEach is less than the hours of each worker, however many there are, or any number that is
// more than a limit where they are.
func (w *helping) leastEach(limit float64) float64 {
	each := 0.0
	for i := range w.courses {
		c := &w.courses[i]
		c.eachPaid = w.leastPaid(c)
		if each += c.eachPaid; each > payable*limit {
			break
		}
	}
	return each
}

// least is the least number of workers that reaches the target, of which most do; near a
// guess it is found sooner.
func (w *helping) least(t Target, guess, most int) int {
	low, high := 0, most
	for step := max(1, guess/8); guess > low && guess < high; step *= 2 {
		if w.reaches(guess, t) {
			high = guess
			guess -= step
		} else {
			low = guess
			guess += step
		}
		if low > 0 && high < most {
			break
		}
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

// enough is a number of workers beyond which more are no help, one for each task, or cannot be had.
func (f *FinishLaw) enough(start float64, c Cloud) int {
	return min(int(min(max(1, math.Ceil((1-start)*f.tasks)), mostWorkers)), c.most())
}

// most is how many workers can be had.
func (c Cloud) most() int {
	if c.Most > 0 {
		return c.Most
	}
	return math.MaxInt
}
