package planner

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// Where waits and abandonment are uncertain too mixes are judged by a thousand
// draws, and the chance that one meets its objective is that of rates up to the
// greatest at which its own queue does.
func TestPlanJudgesWaits(t *testing.T) {
	for name, impatient := range map[string]bool{"wait": false, "abandon": true} {
		q := &scenario.Question{
			Load:       &scenario.Load{Rate: rangeOf[units.Rate](t, "0.5..0.9/s")},
			Service:    &scenario.Service{Time: rangeOf[units.Duration](t, "20s")},
			Objectives: &scenario.Objectives{},
			Machines: []scenario.MachineType{
				{Name: "rack", Price: rangeOf[units.Price](t, "1/h")},
				{Name: "spot", Kind: scenario.Public, Price: rangeOf[units.Price](t, "0.2/h"), Speed: rangeOf[units.Number](t, "0.8"),
					Availability: rangeOf[units.Fraction](t, "90%"), Replicas: new(units.Count(1)), Limit: new(units.Count(12))},
			},
			Costs: &scenario.Costs{Shortfall: &units.Money{Price: units.Price(3. / 3600)}}, Samples: new(units.Count(longtest.Of(250, 4000))), Seed: new(units.Count(3)), // of which 1000 are judged
		}
		model := unlike.Queue{ServiceTime: 20, WhenFull: unlike.Queued}
		met := func(f queueing.Figures) bool { return f.WaitTail(5) <= 0.05 }
		judged := longtest.Of(250., 1000)
		if impatient {
			judged = longtest.Of(120., 300)
			q.Samples = new(units.Count(judged))
			q.Service.Patience, q.Objectives.MaxAbandon = new(units.Duration(30)), new(units.Fraction(0.02))
			model.WhenFull, model.Patience = unlike.Impatient, 30
			met = func(f queueing.Figures) bool { return f.Abandonment <= 0.02 }
		} else {
			q.Objectives.MaxWait = new(units.Duration(5))
		}
		a := planned(t, q)
		u := a.Uncertainty
		if float64(u.Judged) != judged || math.Abs(u.ChanceError-0.5/math.Sqrt(judged)) > 1e-12 {
			t.Errorf("%s: %d judged, standard error %v", name, u.Judged, u.ChanceError)
		}
		between := 0
		for _, c := range append(u.Candidates, a.Frontier.Points...) {
			low, high := 0.4, 1.
			for range 11 { // to .0003 of the rate
				m := unlike.Varying{Queue: model}
				m.ArrivalRate = (low + high) / 2
				m.Beside = []unlike.Group{{Servers: float64(c.Counts[0]), Speed: 1}}
				m.Coming = []unlike.Coming{{Machines: float64(c.Counts[1]), Up: 0.9, Speed: 0.8, PerJob: 1}}
				if f, err := m.At(0); err == nil && met(f) {
					low = m.ArrivalRate
				} else {
					high = m.ArrivalRate
				}
			}
			want := math.Min(math.Max((low-0.5)/0.4, 0), 1)
			if math.Abs(*c.Chance-want) > 4*math.Sqrt(want*(1-want)/judged)+1e-6 {
				t.Errorf("%s: %v meet with chance %v, want %v", name, c.Counts, *c.Chance, want)
			}
			if want > 0.05 && want < 0.95 {
				between++
			}
		}
		if between < 5 {
			t.Errorf("%s: %d mixes tell something", name, between)
		}
	}
}
