package traffic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/units"
)

const day = 86400.0 // s

// An Interval is a stretch of time with one arrival rate.
type Interval struct {
	Start float64 // s: Unix time, or since the start or midnight for files without dates
	Wall  float64 // s: Start on the clock of the place, to fold days by
	Width float64 // s
	Rate  float64 // arrivals per s
}

// A Gap is a stretch of a record without rows.
type Gap struct {
	Start, End float64 // s, as the Start of an interval
	Wall       float64 // s: Start on the clock of the place
	Closed     bool    // no day has rows at this time of day: nobody comes
}

// A Record is what a file says of traffic.
type Record struct {
	Intervals []Interval // in order of time, without overlap
	Gaps      []Gap      // between them
	Width     float64    // s, of nearly all intervals; 0: they differ
	Dated     bool       // times are Unix times, so that days and weeks can be told
	OfDay     bool       // times are times of one day
	Rows      int        // read, without those that hold no value
	Service   *Service   // of a column of durations; nil: there was none
	Notes     []string   // what was made of the file where it left a choice
}

// Days returns how many days the record touches, on the clock of the place.
func (r *Record) Days() int {
	if len(r.Intervals) == 0 {
		return 0
	}
	last := r.Intervals[len(r.Intervals)-1]
	return int(math.Ceil((last.Wall+last.Width)/day) - math.Floor(r.Intervals[0].Wall/day))
}

// row is one line of a file with times of intervals.
type row struct {
	moment
	value  float64 // count, or rate per s
	weight float64 // of the duration: requests
	took   float64 // s, the mean duration; NaN: not told
}

// sorted puts rows in order and adds up those of one time, as they stand in
// files with a row per machine or endpoint. It returns how many were added to
// another and whether the order was changed.
func sorted(rows []row) (merged []row, added int, moved bool) {
	byTime := func(a, b row) int { return cmp.Compare(a.unix, b.unix) }
	if moved = !slices.IsSortedFunc(rows, byTime); moved {
		slices.SortStableFunc(rows, byTime)
	}
	merged = rows[:0]
	for _, r := range rows {
		n := len(merged)
		if n == 0 || merged[n-1].unix != r.unix {
			merged = append(merged, r)
			continue
		}
		merged[n-1].value += r.value
		added++
	}
	return merged, added, moved
}

// usualStep returns the median distance of rows if at least half of them keep
// it to one percent, 0 otherwise.
func usualStep(rows []row) float64 {
	if len(rows) < 2 {
		return 0
	}
	steps := make([]float64, len(rows)-1)
	for i := range steps {
		steps[i] = rows[i+1].unix - rows[i].unix
	}
	slices.Sort(steps)
	median := steps[len(steps)/2]
	usual := 0
	for _, s := range steps {
		if math.Abs(s-median) <= 0.01*median {
			usual++
		}
	}
	if 2*usual < len(steps) {
		return 0
	}
	return median
}

// intervals lays the rows out in time. Where rows keep a usual step, one that is
// followed by more than one and a half of it holds for one step, and a gap
// begins; otherwise, and where holds is set, each holds until the next.
func (r *Record) intervals(rows []row, counts, holds bool) {
	r.lay(rows, usualStep(rows), counts, holds)
}

// lay is intervals where the usual step is known; 0: there is none.
func (r *Record) lay(rows []row, step float64, counts, holds bool) {
	r.Width = step
	r.Intervals = make([]Interval, 0, len(rows))
	for i, at := range rows {
		width := step
		if i+1 < len(rows) {
			next := rows[i+1].unix - at.unix
			if step == 0 || holds || next <= 1.5*step {
				width = next
			} else {
				r.Gaps = append(r.Gaps, Gap{Start: at.unix + step, End: rows[i+1].unix, Wall: at.wall + step})
			}
		} else if step == 0 || holds {
			width = at.unix - rows[i-1].unix
		}
		rate := at.value
		if counts {
			rate /= width
		}
		r.Intervals = append(r.Intervals, Interval{Start: at.unix, Wall: at.wall, Width: width, Rate: rate})
	}
	r.closed()
}

// closed marks the gaps at times of day at which no day of the record has rows:
// the hours in which a shop or a call centre is shut. It needs two days.
func (r *Record) closed() {
	if len(r.Gaps) == 0 || !r.Dated || r.Days() < 2 {
		return
	}
	// Minutes of the day with rows.
	var open [1440]bool
	for _, v := range r.Intervals {
		for at := v.Wall; at < v.Wall+math.Min(v.Width, day); at += 60 {
			open[int(math.Mod(math.Mod(at, day)+day, day)/60)%1440] = true
		}
	}
	for i := range r.Gaps {
		g := &r.Gaps[i]
		g.Closed = true
		for at := g.Wall; at < g.Wall+math.Min(g.End-g.Start, day); at += 60 {
			if open[int(math.Mod(math.Mod(at, day)+day, day)/60)%1440] {
				g.Closed = false
				break
			}
		}
	}
}

// Curve returns the record as one cycle: what came in, interval by interval,
// from the first to the last, and then over again. A gap in which nobody comes
// has the rate 0, any other the greater of the rates beside it, so that missing
// rows never make a fleet smaller. A record of times of day fills its day: the
// time without rows before the first and after the last has the rate 0.
func (r *Record) Curve() *Curve {
	c := &Curve{Clock: r.OfDay || r.Dated && r.Width > 0, Notes: r.Notes}
	if len(r.Intervals) == 0 {
		return c
	}
	first, last := r.Intervals[0], r.Intervals[len(r.Intervals)-1]
	end := last.Start + last.Width
	if r.OfDay && first.Start > 0 {
		c.add(0, 0)
	}
	gap := 0
	for i, v := range r.Intervals {
		c.add(v.Start, v.Rate)
		if gap < len(r.Gaps) && r.Gaps[gap].Start < end && i+1 < len(r.Intervals) &&
			r.Gaps[gap].Start < r.Intervals[i+1].Start {
			rate := 0.0
			if !r.Gaps[gap].Closed {
				rate = math.Max(v.Rate, r.Intervals[i+1].Rate)
			}
			c.add(r.Gaps[gap].Start, rate)
			gap++
		}
	}
	if r.OfDay && end < day {
		c.add(end, 0)
		end = day
	}
	c.End = end
	if r.Dated {
		// Days begin by the clock of the place: its midnight is a multiple of 86,400 s.
		shift := first.Wall - first.Start
		for i := range c.Start {
			c.Start[i] += shift
		}
		c.End += shift
		c.Notes = slices.Concat(c.Notes, r.clockNotes(shift))
	}
	return c
}

// clockNotes says where the clock of the place leaves the curve's, which keeps the offset of its first
// row: days that the clocks cut short or lengthen would not follow one another without a break.
func (r *Record) clockNotes(shift float64) []string {
	for _, v := range r.Intervals {
		if ahead := v.Start + shift - v.Wall; ahead != 0 {
			word := "ahead of"
			if ahead < 0 {
				word = "behind"
			}
			return []string{fmt.Sprintf("the clocks change before %s: times here keep the offset of the first row, "+
				"and are %v %s the clock until it changes again", r.clockText(v.Wall), units.Duration(math.Abs(ahead)), word)}
		}
	}
	return nil
}

func (c *Curve) add(start, rate float64) {
	c.Start, c.Rate = append(c.Start, start), append(c.Rate, rate)
}

// clockText is a time of the record for a message.
func (r *Record) clockText(wall float64) string {
	t := time.Unix(int64(math.Floor(wall)), 0).UTC()
	switch {
	case r.Dated:
		return t.Format("2006-01-02 15:04")
	case r.OfDay:
		return t.Format("15:04")
	}
	return trim(wall) + " s"
}
