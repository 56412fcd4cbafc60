package machines

import (
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A DayRibbon is one day for a drawing: hours from midnight.
type DayRibbon struct {
	Date   string
	Hours  []float64 // of the samples
	Load   []float64
	From   []float64 // hours, by stay
	To     []float64
	State  []int // 0 for S1 to 4 for S5
	Light  float64
	Heavy  float64
	States []string
}

// Ribbon returns the day of a date such as 2024-01-05; without one the day
// with the most changes of state, the earliest of equals. A record without any
// change gives its first day.
func (a *LabelAnswer) Ribbon(date string) (*DayRibbon, error) {
	l := a.labelled
	if l == nil || len(l.History.Runs) == 0 {
		return nil, ask.Inputf("trace", "no states were labelled")
	}
	runs := l.History.Runs
	day := l.Calendar.Date(l.Moment(runs[0].First))
	if date != "" {
		t, err := time.Parse(time.DateOnly, date)
		if err != nil {
			return nil, ask.Inputf("date", "%q, want a date such as 2024-01-05", date)
		}
		day = smp.DateOf(t)
	} else {
		changes, most := map[smp.Date]int{}, 0
		for _, r := range runs[1:] {
			d := l.Calendar.Date(l.Moment(r.First))
			if changes[d]++; changes[d] > most {
				most = changes[d]
			}
		}
		for _, r := range runs {
			if d := l.Calendar.Date(l.Moment(r.First)); most > 0 && changes[d] == most {
				day = d
				break
			}
		}
	}
	// The day ends at the next midnight, which is 23 or 25 hours away where clocks change.
	begin := l.Calendar.At(day, 0)
	end := l.Calendar.At(day.Next(), 0)
	hour := func(unix float64) float64 { return (unix - float64(begin.Unix())) / 3600 }
	r := &DayRibbon{
		Date:   day.String(),
		Light:  l.Thresholds.Light,
		Heavy:  l.Thresholds.Heavy,
		States: smp.FiveStates().Names,
	}
	for _, s := range a.host.Samples {
		if s.Time >= float64(begin.Unix()) && s.Time < float64(end.Unix()) {
			r.Hours, r.Load = append(r.Hours, hour(s.Time)), append(r.Load, s.Load)
		}
	}
	for _, s := range runs {
		from := max(float64(s.First)*a.Step, float64(begin.Unix()))
		to := min(float64(s.End())*a.Step, float64(end.Unix()))
		if from < to {
			r.From, r.To, r.State = append(r.From, hour(from)), append(r.To, hour(to)), append(r.State, s.State)
		}
	}
	if len(r.From) == 0 {
		return nil, ask.Inputf("date", "%s is not in the record, %s to %s", r.Date, a.First, a.Last)
	}
	return r, nil
}
