package traffic

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

// A Level says which of many days, or weeks, stands for them all: a percentile
// over them, or their mean.
type Level struct {
	Percentile float64 // in (0, 1); 1: the greatest; 0: the mean
}

// Set reads a level: mean, max, or a percentile such as p95 or 95%.
func (l *Level) Set(s string) error {
	switch strings.TrimSpace(s) {
	case "mean":
		*l = Level{}
		return nil
	case "max":
		*l = Level{Percentile: 1}
		return nil
	}
	p, err := units.Parse[units.Percentile](s)
	if err != nil {
		return &units.ParseError{Input: s, Want: l.Want(), Reason: "it is neither mean nor max nor a percentile"}
	}
	*l = Level{Percentile: float64(p)}
	return nil
}

// Want describes the form that Set reads.
func (*Level) Want() string { return "a percentile over the days such as p95, mean or max" }

// String returns a text that Set reads.
func (l *Level) String() string {
	switch l.Percentile {
	case 0:
		return "mean"
	case 1:
		return "max"
	}
	return units.Percentile(l.Percentile).String()
}

// MarshalText returns String.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText is Set.
func (l *Level) UnmarshalText(b []byte) error { return l.Set(string(b)) }

// ErrUndated is that of a record whose days cannot be told.
var ErrUndated = errors.New("its times have no dates")

const week = 7 * day

// maxPieces bounds the memory of a fold: 24 bytes each.
const maxPieces = 1e7

// Day folds the record into a typical day: for each slot of the day the rate
// that the level says, over the days that have rows there. A percentile is the
// smallest rate that is not exceeded on that share of days, so that p95 of
// fewer than 20 days is the greatest. The slots are as wide as the intervals, or
// as the next width that divides a day.
//
// A time of day at which no day has rows has the rate 0. An error wraps
// [ErrUndated], or is a *FileError where intervals are wider than a day or the
// level is no probability.
func (r *Record) Day(l Level) (*Curve, error) { return r.fold(l, day, "day") }

// Week folds the record into a typical week from Monday 0:00, as Day does.
func (r *Record) Week(l Level) (*Curve, error) { return r.fold(l, week, "week") }

// A piece is the part of an interval that lies in one slot of one cycle.
type piece struct {
	slot, cycle  int32
	count, width float64 // arrivals, s
}

// fold lays the intervals of all cycles of a period over one another, slot by
// slot, and takes the level that is asked of each.
func (r *Record) fold(l Level, period float64, name string) (*Curve, error) {
	fail := func(arg string, value any, want string) error {
		return source.Outside("fold", arg, value, want)
	}
	if !(l.Percentile >= 0 && l.Percentile <= 1) {
		return nil, fail("Percentile", l.Percentile, "a probability, or 0 for the mean")
	}
	if !r.Dated {
		return nil, fmt.Errorf("no typical %s: %w", name, ErrUndated)
	}
	width := r.slot(period)
	if width == 0 {
		return nil, fail("Width", r.Width, "intervals of no more than a "+name)
	}
	if len(r.Intervals) == 0 {
		return nil, fail("Intervals", 0, "at least one interval")
	}
	covered := 0.0
	for i, v := range r.Intervals {
		if !(math.Abs(v.Wall) <= source.MaxSeconds*100 && v.Width > 0 && v.Rate >= 0 && v.Rate <= source.MaxField) {
			return nil, fail(fmt.Sprintf("Intervals[%d]", i), v,
				"a time within 30,000 years, a width above 0 and a rate from 0 to 1e15")
		}
		// An interval covers its slots, and parts of one at either end.
		covered += v.Width/width + 2
	}
	if covered > maxPieces {
		return nil, fail("Intervals", trim(covered)+" slots", "at most "+trim(maxPieces)+" of them")
	}
	pieces := r.pieces(period, width)
	sort.Slice(pieces, func(i, j int) bool {
		a, b := &pieces[i], &pieces[j]
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.cycle, b.cycle)) < 0
	})
	slots := int(math.Round(period / width))
	rates := make([][]float64, slots)
	for i := 0; i < len(pieces); {
		at, sum := pieces[i], piece{}
		for ; i < len(pieces) && pieces[i].slot == at.slot && pieces[i].cycle == at.cycle; i++ {
			sum.count, sum.width = sum.count+pieces[i].count, sum.width+pieces[i].width
		}
		// A slot of which less than half has rows says too little of its day.
		if sum.width >= width/2 {
			rates[at.slot] = append(rates[at.slot], sum.count/sum.width)
		}
	}
	c := &Curve{Clock: true, End: period, Notes: r.foldNotes(l, name, rates)}
	for s, days := range rates {
		c.add(float64(s)*width, level(days, l))
	}
	return c, nil
}

// foldNotes says what the typical day or week rests on.
func (r *Record) foldNotes(l Level, name string, rates [][]float64) []string {
	least, most := math.MaxInt, 0
	for _, days := range rates {
		if len(days) > 0 {
			least, most = min(least, len(days)), max(most, len(days))
		}
	}
	if most == 0 {
		least = 0
	}
	count := fmt.Sprintf("%d to %d", least, most)
	if least == most {
		count = fmt.Sprint(most)
	}
	// Rows that are missing are no rows here: they stand in no percentile.
	notes := slices.DeleteFunc(slices.Clone(r.Notes), func(n string) bool { return strings.HasPrefix(n, missingRows) })
	those := name + "s that have"
	if most == 1 && least == 1 {
		those = name + " that has"
	}
	notes = append(notes, fmt.Sprintf("the %s is typical of %s: each slot has the %s over %s %s rows there",
		name, r.span(), l.words(), count, those))
	if p := l.Percentile; p > 0 && p < 1 && l.rank(least) == least {
		notes = append(notes,
			fmt.Sprintf("the %s of fewer than %.0f %ss is the greatest of them", l.words(), math.Ceil(1/(1-p)-1e-9), name))
	}
	return notes
}

// span is the time that the record covers.
func (r *Record) span() string {
	first, last := r.Intervals[0], r.Intervals[len(r.Intervals)-1]
	return r.clockText(first.Wall) + " to " + r.clockText(last.Wall+last.Width)
}

// words names a level in a sentence.
func (l Level) words() string {
	switch l.Percentile {
	case 0:
		return "mean"
	case 1:
		return "greatest rate"
	}
	return units.FormatOrdinal(l.Percentile) + " percentile"
}

// level returns the rate that represents those of several days; 0 for none.
func level(rates []float64, l Level) float64 {
	if len(rates) == 0 {
		return 0
	}
	if l.Percentile == 0 {
		sum := 0.0
		for _, r := range rates {
			sum += r
		}
		return sum / float64(len(rates))
	}
	slices.Sort(rates)
	return rates[min(max(l.rank(len(rates)), 1), len(rates))-1]
}

// rank is that of the smallest order statistic, from 1, of n days with a share of them
// at or below it of at least the level; the little taken off forgives rounding of .95·20.
func (l Level) rank(n int) int { return int(math.Ceil(l.Percentile*float64(n) - 1e-9)) }

// slot returns the least width that divides the period into whole seconds and
// is no less than the usual interval; 0 if none is.
func (r *Record) slot(period float64) float64 {
	w := cmp.Or(r.Width, day/288) // rows at odd times: five minutes
	for s := math.Max(1, math.Ceil(w-1e-6)); s <= period; s++ {
		if math.Mod(period, s) == 0 {
			return s
		}
	}
	return 0
}

// pieces cuts the intervals at the ends of slots, on the clock of the place.
func (r *Record) pieces(period, width float64) []piece {
	// 1970-01-01 was a Thursday: weeks begin three days before.
	origin := 0.0
	if period == week {
		origin = -3 * day
	}
	pieces := make([]piece, 0, len(r.Intervals))
	for _, v := range r.Intervals {
		for at, end := v.Wall-origin, v.Wall-origin+v.Width; at < end; {
			cycle := math.Floor(at / period)
			slot := math.Floor((at - cycle*period) / width)
			next := math.Min(end, cycle*period+(slot+1)*width)
			if next <= at { // rounding at great times
				break
			}
			pieces = append(pieces,
				piece{slot: int32(slot), cycle: int32(cycle), count: v.Rate * (next - at), width: next - at})
			at = next
		}
	}
	return pieces
}
