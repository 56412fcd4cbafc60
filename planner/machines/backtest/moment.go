package backtest

import (
	"math"
	"sort"
	"time"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// A moment is when jobs are submitted, with what machines are foreseen from: the windows of its time of day on
// the days before. All machines have the same clock, so that these are found once and not for each machine.
type moment struct {
	step  int64
	kinds []smp.DayKind // the kind of its day, and those taken where no such day is known
	days  map[smp.DayKind]*daysOf

	// Memory.
	firsts, loads []int64
	places        []int
}

// daysOf are the days of a kind, the latest last.
type daysOf struct {
	next   []smp.Date // the day after each
	firsts []int64    // where its window begins
	loads  []int64    // where the loads of its window begin
}

// longestClock is the latest time of day at which a window begins; a day on which clocks are set back is longer.
const longestClock = 24*time.Hour - time.Second

// mostDaysBefore is less than [smp.History.Days] looks through.
const mostDaysBefore = 99_000

// moment lists the days before a step, back to the beginning of the longest record.
func (r *replay) moment(step int64) *moment {
	l := r.hosts[0]
	h, c := l.History, l.Calendar
	now := l.Moment(step)
	date := c.Date(now)
	clock := now.Sub(c.At(date, 0))
	m := &moment{step: step, kinds: []smp.DayKind{c.Kind(date), smp.Weekday, smp.Weekend},
		days: map[smp.DayKind]*daysOf{}}
	for _, k := range m.kinds {
		m.days[k] = &daysOf{}
	}
	begin, limit := int64(math.MaxInt64), h.StepAt(now)
	for _, l := range r.hosts {
		if runs := l.History.Runs; len(runs) > 0 {
			begin = min(begin, runs[0].First)
		}
	}
	// History.Days begins a day before the record.
	d := c.Date(l.Moment(max(begin, step-int64(mostDaysBefore*86400/h.Period))).AddDate(0, 0, -2))
	for ; !date.Before(d); d = d.Next() {
		of, first := m.days[c.Kind(d)], h.StepAt(c.At(d, min(clock, longestClock)))
		if of == nil || first+int64(r.horizon) > limit {
			continue
		}
		of.next, of.firsts = append(of.next, d.Next()), append(of.firsts, first)
		of.loads = append(of.loads, h.StepAt(c.At(d, clock)))
	}
	return m
}

// known returns where the windows of a machine's days before begin, and where their loads do, in memory that
// serves again. It takes the days that [smp.History.Days] would: those of the same kind, or of any other kind
// where there is none.
func (m *moment) known(l *machines.Labelled, horizon, days int) (firsts, loads []int64) {
	h := l.History
	begin := l.Calendar.Date(time.Unix(int64(math.Floor(float64(h.Runs[0].First)*h.Period)), 0))
	m.firsts, m.loads = m.firsts[:0], m.loads[:0]
	for _, k := range m.kinds {
		of := m.days[k]
		from := sort.Search(len(of.next), func(i int) bool { return !of.next[i].Before(begin) })
		m.places = h.KnownWindows(m.places[:0], of.firsts[from:], horizon, days)
		for _, i := range m.places {
			m.firsts, m.loads = append(m.firsts, of.firsts[from+i]), append(m.loads, of.loads[from+i])
		}
		if len(m.places) > 0 {
			break
		}
	}
	return m.firsts, m.loads
}
