package bags

import (
	"context"
	"math"
	"slices"
)

// A span is between two starts that were tried. Workers that come later are no fewer: in between the
// target is reached for no less than so few hours, those of the fewest workers of its first start from
// its last on. So many as tasks are left, each of whom does one, are fewer the later they come, and are
// paid for no less than those that come at the last.
type span struct {
	from, to  triedStart
	few, each float64 // hours
}

// A design may be beaten by nearly that share of its hours by one of a start that is not tried:
// mostBetween are, and with more workers than manyEnough only such of one for each task, as the
// hours of others are not far from those of a start beside it, a part of one worker in each.
const (
	nearly      = 0.018
	mostBetween = 16
	manyEnough  = 33
)

// inCells is by which share of them the hours of one worker for each task may differ since they begin
// and are done in whole cells of time.
const inCells = 0.02

// span is that between two starts, the later of which is followed.
func (d *designing) span(w *helping, from, to triedStart) span {
	all := d.f.enough(to.start, d.c)
	return span{from, to, w.hours(min(from.least, all), d.hours), (1 - inCells) * w.hours(all, d.hours)}
}

// fewest is for how many hours the target may be reached from within a span.
func (d *designing) fewest(s *span) float64 {
	if s.from.least >= manyEnough && !d.nearEach(s.from.least, s.to.start) {
		return s.each
	}
	return min(s.few, s.each)
}

// nearEach says whether so many workers are near one for each task that is left from a start on: there
// fewer may reach the target later, as each of them has one task then and not two.
func (d *designing) nearEach(workers int, start float64) bool {
	return 2*workers > d.f.enough(start, d.c)
}

// between tries starts between those that were tried, first where the fewest hours may do.
func (d *designing) between(ctx context.Context) error {
	for tried := 0; tried < mostBetween && len(d.spans) > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := 0
		for i := range d.spans {
			if d.fewest(&d.spans[i]) < d.fewest(&d.spans[k]) {
				k = i
			}
		}
		last := len(d.spans) - 1
		s := d.spans[k]
		d.spans[k], d.spans = d.spans[last], d.spans[:last]
		if d.fewest(&s) > (1-nearly)*d.hours {
			return nil
		}
		if middle, ok := d.f.middle(s.from.start, s.to.start); ok {
			d.part(s, middle)
			tried++
		}
	}
	return nil
}

// surestSteps is how many starts are tried beside that with the greatest chance.
const surestSteps = 6

// surest looks beside the start with the greatest chance for a greater one, of those that were tried,
// none of which reaches the target.
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
	if d.guess = low; d.nearEach(low, s.to.start) {
		low = 1
	}
	now := d.at(start, low)
	d.spans = append(d.spans, d.span(d.helping, s.from, now))
	if now.least < none {
		d.spans = append(d.spans, span{now, s.to, s.after(now.least), s.each})
	}
}

// after is the least hours of so many workers from the end of the span on, which grow ever more
// slowly with their number.
func (s *span) after(workers int) float64 {
	from, to := s.from.least, s.to.least
	if to == none || to <= from || s.to.hours <= s.few {
		return s.few
	}
	part := float64(workers-from) / float64(to-from)
	return s.few + min(1, max(0, part))*(s.to.hours-s.few)
}

// middle is a start between two, in ten thousandths as the names of strategies have it; ok is false
// where none is that differs from both in the number of tasks done.
func (f *FinishLaw) middle(from, to float64) (start float64, ok bool) {
	first, last := f.startTask(from), f.startTask(to)
	start = math.Floor(1e4*math.Round((first+last)/2)/f.tasks) / 1e4
	task := f.startTask(start)
	return start, task > first && task < last
}
