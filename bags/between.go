package bags

import (
	"context"
	"math"
	"slices"
)

// A span lies between two starts that were tried. A start in it needs at least as many workers as
// the earlier of the two, and each of them is paid at least from the later start on, so that few
// hours is a lower bound. Another bound is each, the hours of one worker for each task that is
// left: the later the start, the fewer tasks are left, and these workers too are paid at least from
// the later start on.
type span struct {
	from, to  triedStart
	few, each float64 // lower bounds of the hours
}

// A design may be beaten, by a share of its hours just below nearly, by one whose start was not
// tried. At most mostBetween further starts are tried. With more than manyEnough workers, only
// designs of one worker for each task are looked for: the hours of others are near those of a start
// beside them, as they differ by a fraction of one worker in many. Where hours begun are paid these
// differ by whole hours, and a later start may do with fewer workers, down to a share fewerHourly of
// those that the list says: hourlyBetween starts are tried then.
const (
	nearly        = 0.018
	mostBetween   = 16
	manyEnough    = 100
	hourlyBetween = 60
	fewerHourly   = 0.85
)

// inCells is the share by which the hours of one worker for each task may differ because work
// begins and ends in whole cells of time.
const inCells = 0.02

// span returns the span between two starts; w follows the later one.
func (d *designing) span(w *helping, from, to triedStart) span {
	all := d.f.enough(to.start, d.c)
	if few := d.dear(to.start, min(from.least, all)); few > (1-nearly)*d.hours && !d.c.Hourly {
		return span{from, to, few, few} // no start in it is tried
	}
	s := span{from, to, w.hours(min(from.least, all), d.hours), (1 - inCells) * w.hours(all, d.hours)}
	if d.c.Hourly { // more workers may begin fewer hours, and one less is worth an hour
		s.few = fewerHourly * float64(min(from.least, all)) * w.leastEach(math.Inf(1))
	}
	return s
}

// fewest returns a lower bound of the hours for which a start within the span reaches the target.
func (d *designing) fewest(s *span) float64 {
	if !d.c.Hourly && s.from.least >= manyEnough && !d.nearEach(s.from.least, s.to.start) {
		return s.each
	}
	return min(s.few, s.each)
}

// nearEach reports whether the number of workers is near one for each task left. Then a later start
// may need fewer workers, as each has one task and not two.
func (d *designing) nearEach(workers int, start float64) bool {
	return 2*workers > d.f.enough(start, d.c)
}

// between tries starts between those that were tried, first those with the least bound of the
// hours. Where hours begun are paid the bounds are loose, and of the spans that may hold a better start
// the widest come first, by the share of what is left at its beginning that is left at its end.
func (d *designing) between(ctx context.Context) error {
	most, first := mostBetween, d.fewest
	if d.c.Hourly {
		most, first = hourlyBetween, func(s *span) float64 {
			if few := d.fewest(s); few > (1-nearly)*d.hours {
				return 1 + few
			}
			return (1 - s.to.start) / (1 - s.from.start)
		}
	}
	for tried := 0; tried < most && len(d.spans) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := 0
		for i := range d.spans {
			if first(&d.spans[i]) < first(&d.spans[k]) {
				k = i
			}
		}
		last := len(d.spans) - 1
		s := d.spans[k]
		d.spans[k], d.spans = d.spans[last], d.spans[:last]
		if d.fewest(&s) > (1-nearly)*d.hours {
			break
		}
		if middle, ok := d.f.middle(s.from.start, s.to.start); ok {
			d.part(s, middle)
			tried++
		}
	}
	return d.fewer(ctx)
}

// fewer tries a start within each span of the list with one worker fewer than needed at its beginning, if that
// is a few. The chance need not fall with the start, as workers begin at looks and the time of a start is the
// better known the more tasks are left: with 3 workers on g5kgre it was .892 from a start at .84, .906 at .86
// and .899 at .87 (TestFewerWorkersBetween).
func (d *designing) fewer(ctx context.Context) error {
	for _, s := range d.listed {
		workers := s.from.least - 1
		middle, ok := d.f.middle(s.from.start, s.to.start)
		if !ok || workers < 1 || workers >= fewWorkers || s.few > (1-nearly)*d.hours {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		d.helping, d.later = d.f.helping(middle, d.c, false, d.later), d.helping
		if d.helping.reaches(workers, d.t) {
			d.guess = workers
			d.at(middle, workers)
		}
	}
	return nil
}

// surestSteps is how many starts are tried around the one with the greatest chance.
const surestSteps = 6

// surest looks for a start with a greater chance beside the best of those that were tried, none of
// which reaches the target.
func (d *designing) surest(ctx context.Context, tried []float64) error {
	k := slices.Index(tried, d.most.Start)
	if d.most.Workers == 0 || k < 0 {
		return nil
	}
	from, best, to := tried[max(0, k-1)], tried[k], tried[min(k+1, len(tried)-1)]
	for step := range surestSteps {
		if err := ctx.Err(); err != nil {
			return err
		}
		later := step%2 == 0
		first, last := from, best
		if later {
			first, last = best, to
		}
		middle, ok := d.f.middle(first, last)
		if !ok {
			continue
		}
		if now := d.at(middle, 1); now.least < none {
			d.spans = append(d.spans, span{from: now, to: triedStart{last, none, 0}})
			return nil
		}
		switch {
		case later && d.most.Start == middle:
			from, best = best, middle
		case later:
			to = middle
		case d.most.Start == middle:
			to, best = best, middle
		default:
			from = middle
		}
	}
	return nil
}

// part tries a start within a span.
func (d *designing) part(s span, start float64) {
	low := s.from.least
	if d.guess = low; d.c.Hourly || d.nearEach(low, s.to.start) {
		low = 1
	}
	now := d.at(start, low)
	d.spans = append(d.spans, d.span(d.helping, s.from, now))
	if now.least < none {
		few := s.after(now.least)
		if d.c.Hourly {
			few = s.few
		}
		d.spans = append(d.spans, span{now, s.to, few, s.each})
	}
}

// after returns a lower bound of the hours of this many workers from the end of the span on. It
// interpolates between the ends, as hours grow ever more slowly with the number of workers.
func (s *span) after(workers int) float64 {
	from, to := s.from.least, s.to.least
	if to == none || to <= from || s.to.hours <= s.few {
		return s.few
	}
	part := float64(workers-from) / float64(to-from)
	return s.few + min(1, max(0, part))*(s.to.hours-s.few)
}

// middle returns a start between two, in ten thousandths like the names of strategies; ok is false
// if no such start differs from both in the number of tasks done.
func (f *FinishLaw) middle(from, to float64) (start float64, ok bool) {
	first, last := f.startTask(from), f.startTask(to)
	start = math.Floor(1e4*math.Round((first+last)/2)/f.tasks) / 1e4
	task := f.startTask(start)
	return start, task > first && task < last
}
