package bags

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"
	"sort"
)

// A Point of a frontier is help with which the bag is done by a time with the wanted chance;
// no other help that was tried is sooner for as few hours.
type Point struct {
	Help
	By    float64 // s, with the chance asked for
	Hours float64
}

// leastGain is the relative gain in time over the previous point that a point must have.
const leastGain = 1e-3

// Frontier returns what more worker hours buy. Of all starts and of numbers of workers that
// double it keeps the help that no other beats in both time and hours, by rising hours.
func (f *FinishLaw) Frontier(ctx context.Context, chance float64, c Cloud) ([]Point, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	if !(chance > 0 && chance < 1) {
		return nil, &DomainError{"Frontier", "chance", chance, "between 0 and 1"}
	}
	without := f.Quantile(chance)
	b := &buying{chance: chance}
	defer func() { b.helping.leave() }()
	b.keep(Point{By: without})
	// By then a single worker has done all.
	f = f.within(min(without, c.begins(0)+f.tasks*f.work/c.Speed))
	for {
		if err := b.all(ctx, f, c); err != nil {
			return nil, err
		}
		soon := f.law.End() / finerFrom
		if f.finer == nil || soonest(b.kept, math.Inf(1)) > soon {
			return b.kept, nil
		}
		f = f.finer(soon)
		b.forget(soon)
	}
}

// all adds the points of a law.
func (b *buying) all(ctx context.Context, f *FinishLaw, c Cloud) error {
	for i := len(starts) - 1; i >= 0; i-- { // the cheap ones first: they let many others be passed over
		if err := ctx.Err(); err != nil {
			return err
		}
		if s := starts[i]; f.helps(Help{s, 1}, c) {
			b.helping = f.helping(s, c, true, b.helping)
			b.at(s, f.enough(s, c))
		}
	}
	for {
		again := b.doubted()
		if len(again) == 0 {
			return nil
		}
		for i, p := range again {
			if err := ctx.Err(); err != nil {
				return err
			}
			if i == 0 || p.Start != again[i-1].Start {
				b.helping = f.helping(p.Start, c, true, b.helping)
			}
			b.add(p.Help, math.Inf(1))
		}
	}
}

// A buying collects the points of a frontier.
type buying struct {
	chance       float64
	helping      *helping
	points, kept []Point // kept: those that no other beats
	passed       []Point // points with lower bounds: they are no sooner and take no fewer hours
}

// at adds the points with a given start.
func (b *buying) at(start float64, most int) {
	k := bits.Len(uint(most)) - 1
	// A point no sooner than without help is not kept.
	by := (1 - leastGain) * soonest(b.kept, math.SmallestNonzeroFloat64)
	if !b.helping.reaches(1<<k, Target{by, b.chance}) {
		return
	}
	// Fewer workers are later than twice as many, and each of them works for longer.
	each, least, late := b.helping.leastEach(math.Inf(1)), Point{}, false
	for ; k >= 0; k-- {
		least.Help, least.Hours = Help{start, 1 << k}, max(least.Hours/2, each*float64(int(1)<<k))
		by = (1 - leastGain) * soonest(b.kept, least.Hours)
		// After a point that is too late the next probably is too, and testing that is cheaper than
		// computing it.
		late = by < least.By || late && !b.helping.reaches(1<<k, Target{by, b.chance})
		var p Point
		if !late {
			p, late = b.add(least.Help, by)
		}
		if !late {
			least = p
			continue
		}
		least.By = max(least.By, by)
		b.passed = append(b.passed, least)
	}
}

// add computes the point of help, or reports that the bag is not done by a time; +Inf: any time.
func (b *buying) add(h Help, by float64) (p Point, late bool) {
	t := Target{by, b.chance}
	if math.IsInf(by, 1) {
		t = Target{}
	}
	helped := b.helping.helped(h, t)
	if helped == nil {
		return p, true
	}
	p = Point{h, helped.Quantile(b.chance), helped.Hours}
	b.keep(p)
	return p, false
}

// keep inserts a point by rising hours and drops what is no sooner than a cheaper one.
func (b *buying) keep(p Point) {
	if math.IsInf(p.By, 1) {
		return
	}
	at := sort.Search(len(b.points), func(i int) bool {
		q := &b.points[i]
		return cmp.Or(cmp.Compare(p.Hours, q.Hours), cmp.Compare(p.By, q.By),
			cmp.Compare(p.Start, q.Start), cmp.Compare(p.Workers, q.Workers)) < 0
	})
	b.points = append(b.points, p)
	copy(b.points[at+1:], b.points[at:])
	b.points[at] = p
	b.sift()
}

// forget drops the points before a time.
func (b *buying) forget(soon float64) {
	b.points = slices.DeleteFunc(b.points, func(p Point) bool { return p.By < soon })
	b.sift()
}

// sift sets what is kept of the points.
func (b *buying) sift() {
	b.kept = b.kept[:0]
	for _, q := range b.points { // each must be sooner than the one before by the least gain
		if len(b.kept) == 0 || q.By < b.kept[len(b.kept)-1].By*(1-leastGain) {
			b.kept = append(b.kept, q)
		}
	}
}

// doubted returns the points that were passed over without being sure that one kept beats them,
// and forgets them.
func (b *buying) doubted() (again []Point) {
	sure := b.passed[:0]
	for _, p := range b.passed {
		if (1-leastGain)*soonest(b.kept, p.Hours) <= p.By {
			sure = append(sure, p)
		} else {
			again = append(again, p)
		}
	}
	b.passed = sure
	return again
}

// soonest returns the time of the soonest point that takes fewer hours, +Inf if there is none.
func soonest(all []Point, hours float64) float64 {
	by := math.Inf(1)
	for _, p := range all {
		if p.Hours < hours {
			by = min(by, p.By)
		}
	}
	return by
}
