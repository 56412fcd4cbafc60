package shifts

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A Question asks which shifts cover a need of some days, which then repeats. A shift
// that goes beyond the end of the last day goes on at the beginning of the first. A need
// that does not fill its last day asks for nobody until that ends.
type Question struct {
	Need      []float64      `json:"need"`      // people at work, by slot
	Slot      units.Duration `json:"slot_s"`    // length of a slot
	Start     units.Duration `json:"start_s"`   // of the first slot, from midnight of the first day
	Shrinkage units.Fraction `json:"shrinkage"` // of those present: leave, training, illness
	Types     []Type         `json:"types"`
	Gap       units.Fraction `json:"gap,omitempty"` // at which the search may end; 0: 1%
}

// A Type is a kind of shift.
type Type struct {
	Name   string         `json:"name"`   // in the plan
	Length units.Duration `json:"length"` // from its start to its end, breaks included
	// times of day at which it may begin; empty: those between from and to, at the distance every
	Starts []Clock         `json:"starts,omitempty"`
	From   *Clock          `json:"from,omitempty"`  // nil: 00:00
	To     *Clock          `json:"to,omitempty"`    // nil: the end of the day
	Every  *units.Duration `json:"every,omitempty"` // nil: a slot
	Breaks []Break         `json:"breaks,omitempty"`
	// Days are those of the period on which it may begin, from 1; empty: all.
	Days []units.Count `json:"days,omitempty"`
	// Cost of a paid hour, such as 1.5, €25 or €25/h, all in one currency; nil: 1.
	Cost *units.Cost `json:"cost,omitempty"`
}

// A Break is a part of a shift in which nobody works.
type Break struct {
	After  units.Duration `json:"after"`          // the shift's start
	Length units.Duration `json:"length"`         // of the break
	Paid   YesNo          `json:"paid,omitempty"` // empty: no
}

// YesNo is written yes or no, in a file as in an answer; true and false are read
// too.
type YesNo bool

// Set reads yes, true, no or false.
func (y *YesNo) Set(s string) error {
	switch strings.TrimSpace(s) {
	case "yes", "true":
		*y = true
	case "no", "false":
		*y = false
	default:
		return &units.ParseError{Input: s, Want: y.Want(), Reason: "it is neither"}
	}
	return nil
}

// Want describes the form that Set reads.
func (YesNo) Want() string { return "yes or no" }

// String returns yes or no.
func (y YesNo) String() string {
	if y {
		return "yes"
	}
	return "no"
}

// MarshalText returns String.
func (y YesNo) MarshalText() ([]byte, error) { return []byte(y.String()), nil }

// UnmarshalText is Set.
func (y *YesNo) UnmarshalText(b []byte) error { return y.Set(string(b)) }

// A Clock is a time of day, s.
type Clock float64

// Set reads a time such as 06:30.
func (c *Clock) Set(s string) error {
	d, err := units.ParseTimeOfDay(s)
	if err == nil {
		*c = Clock(d)
	}
	return err
}

// Want describes the form that Set reads.
func (Clock) Want() string { return "a time of day such as 06:30" }

// String returns a text that Set reads.
func (c Clock) String() string { return ask.Clock(float64(c)) }

// MarshalText returns String.
func (c Clock) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText is Set.
func (c *Clock) UnmarshalText(b []byte) error { return c.Set(string(b)) }

// Bounds on a question: the prices of the slots take the square of their number
// in memory.
const (
	mostSlots  = 2016 // a week of 5 minutes
	mostShifts = 200_000
	mostPeople = 1e9
)

// day is the length of a day, s.
const day = 86400.0

// shift is one column: a type that begins in a slot. Its spans are the runs of
// slots in which its people are at work, breaks left out.
type shift struct {
	kind  int
	start int // slot
	cost  float64
	paid  float64 // s
	spans [][2]int
}

// slots yields the slots in which the people of a shift are at work.
func (s *shift) slots() iter.Seq[int] {
	return func(yield func(int) bool) {
		for _, p := range s.spans {
			for t := p[0]; t < p[1]; t++ {
				if !yield(t) {
					return
				}
			}
		}
	}
}

// lay checks the question and returns the shifts that can be worked.
func (q *Question) lay() ([]shift, []int64, error) {
	switch {
	case len(q.Need) == 0:
		return nil, nil, ask.Missing("need", "people by slot")
	case len(q.Need) > mostSlots:
		return nil, nil, ask.Inputf("slot", "%d slots, want at most %d: use longer slots", len(q.Need), mostSlots)
	case !(q.Slot > 0):
		return nil, nil, ask.Inputf("slot", "want a length above 0 such as 15min")
	case !(q.Shrinkage >= 0 && q.Shrinkage < 1):
		return nil, nil, ask.Inputf("shrinkage", "%v of the people present leaves nobody, want below 100%%",
			q.Shrinkage)
	case len(q.Types) == 0:
		return nil, nil, ask.Missing("types",
			"types of shift such as {name: early, length: 8h, from: 06:00, to: 09:00}")
	}
	need := make([]int64, len(q.Need))
	for t, n := range q.Need {
		if !(n >= 0 && n <= mostPeople) {
			return nil, nil, ask.Inputf("need", "%v people, want 0 to 1e9", n)
		}
		if n/(1-float64(q.Shrinkage)) > mostPeople {
			return nil, nil, ask.Inputf("shrinkage", "leaves so few that %v at work take over 1e9 people: want less", n)
		}
		// Of those present only the rest after the shrinkage is at work.
		need[t] = int64(math.Ceil(n/(1-float64(q.Shrinkage)) - 1e-9))
	}
	var all []shift
	names := map[string]bool{}
	for i := range q.Types {
		t := &q.Types[i]
		at := fmt.Sprintf("types[%d]", i)
		t.Name = cmp.Or(t.Name, fmt.Sprintf("shift %d", i+1))
		if names[t.Name] {
			return nil, nil, ask.Inputf(at+".name", "%q appears twice", t.Name)
		}
		names[t.Name] = true
		some, err := q.shiftsOf(i, at)
		if err != nil {
			return nil, nil, err
		}
		if all = append(all, some...); len(all) > mostShifts {
			return nil, nil, ask.Inputf(at, "more than %d shifts: allow fewer starts", mostShifts)
		}
	}
	return all, need, nil
}

// money is what costs are in: of a paid hour, whether that is written or not.
func (q *Question) money() (units.CostForm, *units.CostClash) {
	costs := make([]units.Cost, len(q.Types))
	for i := range q.Types {
		costs[i] = ask.Value(q.Types[i].Cost)
		costs[i].Form.Per = ""
	}
	return units.OneCost(costs...)
}

// costOf is where the cost of a type stands.
func costOf(i int) string { return fmt.Sprintf("types[%d].cost", i) }

// shiftsOf lays out the shifts of one type. Errors name the field of the type
// that is wrong.
func (q *Question) shiftsOf(kind int, at string) ([]shift, error) {
	t, slot := &q.Types[kind], float64(q.Slot)
	period := slot * float64(len(q.Need))
	length := float64(t.Length)
	cost := 1.0
	if t.Cost != nil {
		cost = float64(t.Cost.Number)
	}
	switch {
	case !(length >= slot):
		return nil, shorter(t.Length, "length", at, q.Slot)
	case length > period:
		return nil, ask.Inputf(at+".length", "%s is longer than the period of %s", t.Length, units.Duration(period))
	case t.Cost != nil && t.Cost.Form.Per != "" && t.Cost.Form.Per != "h":
		return nil, ask.Inputf(at+".cost",
			"%s is a price per %s, want the cost of a paid hour such as €25/h",
			t.Cost, t.Cost.Form.Per)
	case !(cost > 0):
		return nil, ask.Inputf(at+".cost", "an hour costs %v, want above 0", cost)
	case len(t.Starts) > 0 && (t.From != nil || t.To != nil || t.Every != nil):
		return nil, ask.Inputf(at+".starts", "contradicts from, to and every: give either")
	}
	// Breaks are in order, and unpaid ones are taken off the pay.
	paid, last := length, 0.0
	for k, b := range t.Breaks {
		where := fmt.Sprintf("%s.breaks[%d]", at, k)
		after, long := float64(b.After), float64(b.Length)
		switch {
		case !(long > 0):
			return nil, ask.Inputf(where+".length", "want a length above 0 such as 30min")
		case after < last:
			return nil, ask.Inputf(where+".after",
				"%s lies before the end of the previous break: want breaks in order", b.After)
		case after+long > length:
			return nil, ask.Inputf(where+".after", "the break ends after the shift")
		}
		if last = after + long; !b.Paid {
			paid -= long
		}
	}
	if !(paid > 0) {
		return nil, ask.Inputf(at+".breaks", "no hour of the shift is paid")
	}
	starts, err := q.starts(t, at)
	if err != nil {
		return nil, err
	}
	var all []shift
	for _, s := range starts {
		one := shift{kind: kind, start: s, paid: paid, cost: cost * paid / 3600}
		from := 0.0
		// A last break of no length at the end of the shift lets one loop lay out
		// all parts between breaks.
		for _, b := range append(slices.Clone(t.Breaks), Break{After: t.Length}) {
			one.cover(s, from, float64(b.After), slot, len(q.Need))
			from = float64(b.After + b.Length)
		}
		all = append(all, one)
	}
	return all, nil
}

// shorter is the error for a time of a type that is shorter than a slot. It names the slot, which
// the question may have set instead of the file of the types.
func shorter(t units.Duration, what, at string, slot units.Duration) error {
	if !(t > 0) {
		return ask.Inputf(at+"."+what, "is %s, want above 0 such as 1h", t)
	}
	return ask.Inputf("slot", "%s of %s is %s, shorter than a slot of %s: use shorter slots", what, at, t, slot)
}

// cover adds the whole slots between two times of the shift. A slot that a break
// touches does not count as covered.
func (s *shift) cover(start int, from, to, slot float64, slots int) {
	a := start + int(math.Ceil(from/slot-1e-9))
	b := start + int(math.Floor(to/slot+1e-9))
	if a >= b {
		return
	}
	// A part that begins beyond the period goes on at its beginning, and one that
	// crosses the end is two spans.
	if a >= slots {
		a, b = a-slots, b-slots
	}
	if b <= slots {
		s.spans = append(s.spans, [2]int{a, b})
		return
	}
	s.spans = append(s.spans, [2]int{a, slots}, [2]int{0, b - slots})
}

// starts returns the slots in which a type may begin.
func (q *Question) starts(t *Type, at string) ([]int, error) {
	slot := float64(q.Slot)
	times := []float64{}
	for _, c := range t.Starts {
		times = append(times, float64(c))
	}
	if len(t.Starts) == 0 {
		from, to, every := ask.Or(t.From, 0.0), ask.Or(t.To, day-slot), ask.Or(t.Every, slot)
		if to < from {
			to += day // across midnight
		}
		if !(every >= slot) {
			return nil, shorter(units.Duration(every), "every", at, q.Slot)
		}
		if (to-from)/every > mostSlots {
			return nil, ask.Inputf(at+".every",
				"it may begin more than %d times a day: use longer steps, or slots such as 15min", mostSlots)
		}
		for s := from; s <= to+1e-6; s += every {
			times = append(times, math.Mod(s, day))
		}
	}
	days := map[int]bool{}
	for _, d := range t.Days {
		days[int(d)] = true
	}
	var out []int
	first, period := float64(q.Start), slot*float64(len(q.Need))
	// Each day of the period has its starts.
	for d := 0; float64(d)*day < period; d++ {
		if len(days) > 0 && !days[d+1] {
			continue
		}
		for _, s := range times {
			at := math.Mod(float64(d)*day+s-first+2*period, period) / slot
			k := int(math.Round(at)) % len(q.Need)
			if math.Abs(at-math.Round(at)) > 1e-6 {
				return nil, ask.Inputf("slot",
					"shifts begin at %s, which is not the beginning of a slot of %s: use slots such as 15min",
					ask.Clock(s), q.Slot)
			}
			out = append(out, k)
		}
	}
	if len(out) == 0 {
		return nil, ask.Inputf(at, "it never begins on the given days")
	}
	return out, nil
}
