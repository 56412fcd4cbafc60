package shifts

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// DefaultGap is how far above the bound a roster may be for the search to end.
// The last hundredth may take far longer than all before it.
const DefaultGap units.Fraction = 0.01

// An Answer is a roster that covers the need. The bound holds for all rosters,
// found or not, so that Gap says how much better another could be.
type Answer struct {
	PaidHours float64 `json:"paid_hours"` // over the period, which is of whole days
	Cost      float64 `json:"cost"`       // paid hours by their cost; equal to them where all cost 1
	// Bound is what no roster undercuts.
	Bound float64 `json:"cost_lower_bound"`
	Gap   float64 `json:"gap"` // (Cost − Bound)/Cost
	// Optimal says that Cost is proven to be the least.
	Optimal bool  `json:"optimal"`
	People  int64 `json:"shifts"` // worked over the period
	// Hours of people at work that are asked for, of people who have to be
	// present for that (shrinkage), and of people who are.
	WorkHours    float64 `json:"work_hours"`
	NeededHours  float64 `json:"needed_hours"`
	PresentHours float64 `json:"present_hours"`
	// Shrinkage is the share of those present who are not at work.
	Shrinkage float64 `json:"shrinkage"`
	// Considered is how many different shifts might be worked.
	Considered int `json:"shifts_considered"`
	// MostPresent is the greatest number present in a slot.
	MostPresent   int64     `json:"most_present"`
	Worked        []Worked  `json:"worked"`
	Slots         []Covered `json:"slots"`
	Warnings      []string  `json:"warnings,omitempty"`
	SlotLength    float64   `json:"slot_s"`
	PeriodSeconds float64   `json:"period_s"`
	// Money is what costs are in; nil: bare numbers.
	Money *units.CostForm `json:"money,omitempty"`
}

// Worked is how many begin a shift. Times are seconds from midnight of the first
// day.
type Worked struct {
	Type   string  `json:"type"`
	Day    int     `json:"day"` // of the period, from 1
	Start  float64 `json:"start_s"`
	End    float64 `json:"end_s"` // beyond the period where it goes on at its begin
	People int64   `json:"people"`
	Paid   float64 `json:"paid_hours_each"`
}

// Covered is one slot.
type Covered struct {
	Start   float64 `json:"start_s"`
	Need    float64 `json:"need"`    // at work
	Needed  int64   `json:"needed"`  // present, by the shrinkage
	Present int64   `json:"present"` // of the roster
}

// Plan returns the roster of least cost that was found, with a bound that is
// proven. Errors: *ask.InputError, *ask.InfeasibleError where people are needed
// at a time that no shift covers, and that of the context.
func Plan(ctx context.Context, q *Question) (*Answer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	asked := len(q.Need)
	// A copy, since kinds of shift without a name are given one.
	own := *q
	own.Types = slices.Clone(q.Types)
	q, err := own.wholeDays()
	if err != nil {
		return nil, err
	}
	all, need, err := q.lay()
	if err != nil {
		return nil, err
	}
	money, clash := q.money()
	if clash != nil {
		return nil, ask.Clash(costOf(clash.First), costOf(clash.Second), *clash)
	}
	gap := cmp.Or(q.Gap, DefaultGap)
	s := &search{shifts: all, need: need, unit: unitOf(all), gap: float64(gap)}
	ok, err := s.run(ctx)
	if err != nil {
		return nil, err
	}
	if !ok || s.best == nil {
		return nil, q.uncovered(all, need)
	}
	a, err := q.answer(s)
	if err != nil {
		return nil, err
	}
	a.Money = money.Unless()
	if asked < len(q.Need) {
		end := float64(q.Start) + float64(asked)*float64(q.Slot)
		ask.Warn(&a.Warnings, "the need ends at %s and begins again at %s: nobody is needed in between",
			ask.Clock(math.Mod(end, day)), ask.Clock(math.Mod(float64(q.Start), day)))
	}
	return a, nil
}

// wholeDays returns the question over whole days, nobody being asked for after the last
// of its slots. A shift goes on on the next day at its time: were a need from eight to
// eight to begin anew where it ends, the last two hours of one that lasts until ten at
// night would be worked at eight in the morning.
func (q *Question) wholeDays() (*Question, error) {
	slot, asked := float64(q.Slot), len(q.Need)
	if !(slot > 0) || asked == 0 {
		return q, nil // which lay refuses
	}
	slots := math.Ceil(slot*float64(asked)/day-1e-9) * day / slot
	switch {
	case !(slots <= mostSlots):
		return nil, ask.Inputf("slot", "%.0f slots in whole days, want at most %d: use longer slots", slots, mostSlots)
	case math.Abs(slots-math.Round(slots)) > 1e-6:
		return nil, ask.Inputf("slot", "slots of %s do not fill a day: use slots such as 15min", q.Slot)
	case int(math.Round(slots)) <= asked:
		return q, nil
	}
	whole := *q
	whole.Need = append(slices.Clone(q.Need), make([]float64, int(math.Round(slots))-asked)...)
	return &whole, nil
}

// uncovered names the first slot that no shift covers. A slot in which nobody is
// needed counts as covered.
func (q *Question) uncovered(all []shift, need []int64) error {
	for t, n := range need {
		if n != 0 && !slices.ContainsFunc(all, func(s shift) bool { return s.covers([]int{t}) }) {
			at := float64(q.Start) + float64(t)*float64(q.Slot)
			return ask.Infeasiblef("need", float64(n), 0,
				"%s needed on day %d at %s, but no shift covers that time: let a shift begin earlier or last longer",
				fault.Count(n, "person is", "people are"), int(at/day)+1, ask.Clock(math.Mod(at, day)))
		}
	}
	return &ask.InfeasibleError{Constraint: "need", Reason: "no roster was found"}
}

// unitOf is what all costs are multiples of, 0 where it is no whole second. It is
// the greatest common divisor of the costs: a bound may be rounded up to a
// multiple of it.
func unitOf(all []shift) float64 {
	unit := int64(0)
	for _, s := range all {
		seconds := s.cost * 3600
		if math.Abs(seconds-math.Round(seconds)) > 1e-6 || seconds > 1e12 {
			return 0
		}
		unit = numeric.GCD(int64(math.Round(seconds)), unit)
	}
	return float64(unit) / 3600
}

// answer checks the roster slot by slot and puts it in words. A roster that does
// not cover the need would be a fault of the search, and is an error rather than
// an answer.
func (q *Question) answer(s *search) (*Answer, error) {
	slot, first := float64(q.Slot), float64(q.Start)
	a := &Answer{
		Cost:          s.cost,
		Bound:         math.Min(s.bound, s.cost),
		Shrinkage:     float64(q.Shrinkage),
		Considered:    len(s.shifts),
		SlotLength:    slot,
		PeriodSeconds: slot * float64(len(q.Need)),
	}
	if a.Cost > 0 {
		a.Gap = (a.Cost - a.Bound) / a.Cost
	}
	a.Optimal = a.Gap <= 1e-9
	present := make([]int64, len(q.Need))
	for j, n := range s.best {
		if n == 0 {
			continue
		}
		one := s.shifts[j]
		for t := range one.slots() {
			present[t] += n
		}
		start := first + float64(one.start)*slot
		a.People += n
		a.PaidHours += float64(n) * one.paid / 3600
		a.Worked = append(a.Worked, Worked{
			Type:   q.Types[one.kind].Name,
			Day:    int(start/day) + 1,
			Start:  start,
			End:    start + float64(q.Types[one.kind].Length),
			People: n,
			Paid:   one.paid / 3600,
		})
	}
	for t, n := range present {
		if n < s.need[t] {
			return nil, fmt.Errorf("shifts: the roster has %d of %d people in slot %d", n, s.need[t], t)
		}
		a.WorkHours += q.Need[t] * slot / 3600
		a.NeededHours += float64(s.need[t]) * slot / 3600
		a.PresentHours += float64(n) * slot / 3600
		a.MostPresent = max(a.MostPresent, n)
		a.Slots = append(a.Slots, Covered{first + float64(t)*slot, q.Need[t], s.need[t], n})
	}
	sort.SliceStable(a.Worked, func(i, j int) bool {
		x, y := &a.Worked[i], &a.Worked[j]
		return cmp.Or(cmp.Compare(x.Start, y.Start), cmp.Compare(x.Type, y.Type)) < 0
	})
	if a.Above() > float64(DefaultGap) {
		ask.Warn(&a.Warnings, "the roster may cost up to %s more than the best one",
			units.FormatFraction(a.Above(), 2))
	}
	return a, nil
}

// Above returns by how much the cost is above the bound, Cost/Bound − 1: the most that
// the best roster can save, of what it costs. It is not Gap, which is of Cost and less.
// It is +Inf where nothing above 0 is proven, and 0 of a roster of no cost.
func (a *Answer) Above() float64 {
	if a.Cost <= a.Bound {
		return 0
	}
	return a.Cost/a.Bound - 1
}
