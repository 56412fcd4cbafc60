package frailty

import (
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/smp"
)

// A Clock says in which hour of the week a step lies.
type Clock struct {
	Period   float64 // s per step, > 0
	Calendar smp.Calendar
}

// Check returns a *smp.DomainError where the period is not above 0.
func (c Clock) Check() error {
	if !(c.Period > 0) || math.IsInf(c.Period, 1) {
		return &smp.DomainError{Func: "Clock", Arg: "Period", Value: c.Period, Want: "a finite period > 0 s"}
	}
	return nil
}

// mostStretches bounds the hours of a record or a window: 228 years.
const mostStretches = 2e6

// span refuses more hours than anyone has a record of.
func (c Clock) span(fn string, steps float64) error {
	if hours := steps * math.Min(1, c.Period/3600); !(hours <= mostStretches) || steps > maxSteps {
		return &smp.DomainError{
			Func:  fn,
			Arg:   "steps",
			Value: steps,
			Want:  fmt.Sprintf("at most %.0g steps and %.0g hours", float64(maxSteps), float64(mostStretches)),
		}
	}
	return nil
}

// maxSteps bounds the steps of a record: 68 years of seconds.
const maxSteps = 1 << 31

// hours walks through the hours of the week from a step on.
type hours struct {
	clock Clock
	date  smp.Date
	known bool
	week  int // 24 on a weekend or holiday
	// Of a date of 24 hours the unix seconds at which it begins and ends: its hours need no calendar.
	begin, end int64
	// The same in steps, of which perHour are an hour; last is 0 where hours do not begin with a step.
	perHour, first, last int64
}

// farStep bounds steps, so that no time of day overflows.
const farStep = 1e15

// at returns the hour bin of a step and the first step that lies in another.
func (h *hours) at(step int64) (hour int, next int64) {
	if step >= h.first && step < h.last {
		past := (step - h.first) / h.perHour
		return h.week + int(past), h.first + (past+1)*h.perHour
	}
	s := float64(step) * h.clock.Period
	if math.Abs(s) > farStep {
		return 0, math.MaxInt64
	}
	loc := h.clock.Calendar.Location
	if loc == nil {
		loc = time.UTC
	}
	whole := math.Floor(s)
	if at := int64(whole); at >= h.begin && at < h.end {
		hour = int((at - h.begin) / 3600)
		return h.week + hour, h.from(h.begin+3600*int64(hour+1), step)
	}
	t := time.Unix(int64(whole), 0).In(loc)
	if d := smp.DateOf(t); !h.known || d != h.date {
		h.date, h.known, h.week = d, true, 0
		if h.clock.Calendar.Kind(d) != smp.Weekday {
			h.week = 24
		}
		h.begin, h.end = h.clock.Calendar.At(d, 0).Unix(), h.clock.Calendar.At(d.Next(), 0).Unix()
		if h.end-h.begin != 86400 {
			h.end = h.begin
		}
		h.last = 0
		if p := int64(h.clock.Period); p > 0 && float64(p) == h.clock.Period && 3600%p == 0 && h.begin%p == 0 {
			h.perHour, h.first, h.last = 3600/p, h.begin/p, h.end/p
		}
	}
	clock, minute, second := t.Clock()
	return h.week + clock, h.from(int64(whole)+int64(3600-60*minute-second), step)
}

// from returns the first step behind another that is not before a unix second.
func (h *hours) from(second, step int64) int64 {
	return max(int64(math.Ceil(float64(second)/h.clock.Period)), step+1)
}

// Hour returns the hour bin of a step.
func (c Clock) Hour(step int64) int {
	h := hours{clock: c}
	bin, _ := h.at(step)
	return bin
}

// each hands out the cells of n steps from one on, as stretches of one cell,
// until f returns false.
func (c Clock) each(first int64, age Age, n int64, f func(cell int, from, steps int64) bool) {
	h := hours{clock: c}
	h.each(first, age, n, f)
}

func (h *hours) each(first int64, age Age, n int64, f func(cell int, from, steps int64) bool) {
	for done := int64(0); done < n; {
		hour, next := h.at(first + done)
		for stop := min(n, max(next-first, done+1)); done < stop; {
			bin := Age{age.Steps + done, age.AtLeast}.Bin()
			steps := min(stop-done, ageEnd(bin)-age.Steps-done)
			if !f(bin*Hours+hour, done, steps) {
				return
			}
			done += steps
		}
	}
}

// total counts n steps from one on, in half steps. Days of 24 hours that lie in one bin of age are
// counted, not walked through.
func (h *hours) total(first int64, age Age, n int64, into *tally) {
	c := h.clock
	perHour := int64(3600 / c.Period)
	if float64(perHour)*c.Period != 3600 {
		perHour = 0 // an hour is not a number of steps
	}
	day := 24 * perHour
	for done := int64(0); done < n; {
		age := Age{age.Steps + done, age.AtLeast}
		bin := age.Bin()
		left := min(n-done, ageEnd(bin)-age.Steps)
		if perHour > 0 && left > day {
			lead, days := c.wholeDays(first+done, left, day)
			if whole := (days[0] + days[1]) * day; whole > 0 {
				for hour := range Hours {
					into.add(bin*Hours+hour, days[hour/24]*perHour)
				}
				h.walk(first+done, bin, lead, into)
				done += lead + whole
				left -= lead + whole
			}
			left = min(left, 2*day) // of which one may have another length
		}
		h.walk(first+done, bin, left, into)
		done += left
	}
}

// walk counts n steps of one bin of age, hour by hour.
func (h *hours) walk(first int64, bin int, n int64, into *tally) {
	for n > 0 {
		hour, next := h.at(first)
		for steps := min(n, max(next-first, 1)); n > 0; steps = min(n, h.perHour) {
			into.add(bin*Hours+hour, steps)
			first, n = first+steps, n-steps
			if hour++; first < h.first || first >= h.last {
				break // of a date whose hours are not known
			}
		}
	}
}

// wholeDays returns how many of n steps from one on come before the first midnight, and how many
// weekdays and other days of so many steps follow on it, up to one on which the clocks change.
func (c Clock) wholeDays(first, n, day int64) (lead int64, days [2]int64) {
	loc := c.Calendar.Location
	if loc == nil {
		loc = time.UTC
	}
	s := math.Floor(float64(first) * c.Period)
	if math.Abs(s) > farStep {
		return 0, days
	}
	y, m, d := time.Unix(int64(s), 0).In(loc).Date()
	date := smp.Date{Year: y, Month: m, Day: d}.Next()
	midnight := c.Calendar.At(date, 0)
	step := int64(math.Round(float64(midnight.Unix()) / c.Period))
	if float64(step)*c.Period != float64(midnight.Unix()) {
		return 0, days
	}
	lead = step - first
	for at := lead; at+day <= n; at += day {
		next := date.Next()
		end := c.Calendar.At(next, 0)
		// Where clocks are set forward at midnight, that which is missing stands for 23:00 of the day before.
		if end.Sub(midnight) != 24*time.Hour || midnight.Hour() != 0 {
			break
		}
		kind := 0
		if c.Calendar.Kind(date) != smp.Weekday {
			kind = 1
		}
		days[kind]++
		date, midnight = next, end
	}
	return lead, days
}
