package ishare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// figure7 is the number of failures by hour of the day. A failure counts in every hour that
// it touches, on any machine, as the figure does.
func figure7(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	f, err := recordsOf(ctx, q, a)
	if err != nil {
		return err
	}
	if err := f.fewHours(); err != nil {
		return err
	}
	// counts[kind][hour] holds, for each whole day, the failures that touch the
	// hour on any machine.
	days := [2]map[smp.Date]*[24]int{{}, {}}
	at := func(m *machineRecord, step int64) (map[smp.Date]*[24]int, smp.Date, int) {
		l := m.labelled
		when := l.Moment(step)
		kind := 0
		if m.weekend(step) {
			kind = 1
		}
		return days[kind], l.Calendar.Date(when), when.Hour()
	}
	for i := range f.machine {
		m := &f.machine[i]
		runs := m.labelled.History.Runs
		first, last := runs[0].First, runs[len(runs)-1].End()
		day := max(1, int64(86400/f.period))
		// Days without a failure count with zeros, so that they enter the mean.
		for step := first; step < last; step += day {
			if by, date, _ := at(m, step); by[date] == nil {
				by[date] = new([24]int)
			}
		}
		for _, v := range m.spells {
			if v.State == smp.Up {
				continue
			}
			m.eachHour(v, func(step int64) {
				by, date, hour := at(m, step)
				if by[date] == nil {
					by[date] = new([24]int)
				}
				by[date][hour]++
			})
		}
	}
	a.X = "hour of the day"
	for kind, name := range []string{"weekday", "weekend"} {
		quantity := "failures in the hour, " + name
		for hour := range 24 {
			var n []float64
			for _, counts := range days[kind] {
				n = append(n, float64(counts[hour]))
			}
			if len(n) == 0 {
				continue
			}
			slices.Sort(n) // the order of a map must not reach the sum
			row := paper.Row{
				Quantity: quantity, Series: "mean over days", X: new(float64(hour + 1)),
				Computed: ask.Figure(stat.Mean(n, nil)), Low: ask.Figure(n[0]), High: ask.Figure(n[len(n)-1]),
			}
			if hour == 4 {
				row.Printed = new(20.)
				row.Note = fmt.Sprintf("between 4:00 and 5:00 each of the paper's 20 machines; here there are %d",
					len(f.machine))
			}
			a.Add(row)
		}
		a.Drawn = append(a.Drawn, paper.Panel{Quantity: quantity, YLabel: "failures, " + name})
	}
	hourWords(a)
	return nil
}

// mostHours are the days, and hours of failures, that are gone through: 4 s. The paper has 43,200 hours.
const mostHours = 50_000_000

// fewHours refuses records of too many, which are those of a clock that was not set.
func (f *fleetRecord) fewHours() error {
	hours := 0.0
	for _, m := range f.machine {
		runs := m.labelled.History.Runs
		hours += float64(runs[len(runs)-1].End()-runs[0].First) * f.period / 86400
		for _, v := range m.spells {
			if v.State != smp.Up {
				hours += float64(v.Steps) * f.period / 3600
			}
		}
	}
	if hours <= mostHours {
		return nil
	}
	return ask.Inputf("trace", "the days of the machines and the hours in which they fail come to %.0f million, want at "+
		"most %d million: perhaps the clock of one was not set", math.Ceil(hours/1e6), mostHours/1_000_000)
}

// eachHour calls f with the first step of a failure in each hour of the clock
// that it touches. The hours are those of the machine's clock; 1e-9 keeps a step that begins with
// the hour from being passed over.
func (m *machineRecord) eachHour(v smp.Spell, f func(step int64)) {
	for step := v.First; step < v.End(); {
		f(step)
		when := m.labelled.Moment(step)
		rest := 3600 - float64(when.Minute()*60+when.Second())
		step += max(1, int64(math.Ceil(rest/m.labelled.History.Period-1e-9)))
	}
}
