package backtest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// The windows that serve a moment are those of the days that a history names, through changes of the clocks, over
// gaps and for records that begin later than others.
func TestMomentHasTheDaysOfTheHistory(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(13, 28))
	begin := time.Date(2026, 3, 20, 0, 0, 0, 0, berlin).Unix() / 600
	c := smp.NewCalendar(berlin, []smp.Date{{Year: 2026, Month: 4, Day: 3}})
	found := 0
	for range 300 {
		q := &ReplayQuestion{Days: r.IntN(5)}
		p := &replay{evaluation: &evaluation{q: &EvaluateQuestion{}}, q: q, horizon: 1 + r.IntN(300)}
		for range 3 {
			h := &smp.History{Period: 600}
			for at := begin + r.Int64N(2000); at < begin+6000; {
				run := smp.Run{State: r.IntN(5), First: at, Steps: 1 + r.Int64N(400)}
				if err := h.Add(run); err != nil {
					t.Fatal(err)
				}
				if at = run.End(); r.IntN(5) == 0 {
					at += r.Int64N(900)
				}
			}
			p.hosts = append(p.hosts, &machines.Labelled{History: h, Calendar: c})
		}
		m := p.moment(begin + 3000 + r.Int64N(33000)) // up to November
		for _, l := range p.hosts {
			days, err := p.daysBefore(l, m.step)
			if err != nil {
				t.Fatal(err)
			}
			now := l.Moment(m.step)
			clock := now.Sub(c.At(c.Date(now), 0))
			var firsts, loads []int64
			for _, d := range days {
				firsts = append(firsts, l.History.StepAt(c.At(d.Date, min(clock, longestClock))))
				loads = append(loads, l.History.StepAt(c.At(d.Date, clock)))
			}
			gotFirsts, gotLoads := m.known(l, p.horizon, q.Days)
			if !slices.Equal(gotFirsts, firsts) || !slices.Equal(gotLoads, loads) {
				t.Fatalf("at %v, %d steps: %v and %v, want %v and %v", now, p.horizon, gotFirsts, gotLoads, firsts, loads)
			}
			found += len(days)
		}
	}
	if found < 2000 {
		t.Errorf("only %d days", found)
	}
}
