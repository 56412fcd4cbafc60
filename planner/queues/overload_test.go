package queues

import (
	"testing"

	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A station to which more comes than it serves fills before it is what its formula says, however much that takes: the
// runs ended while it filled, and told a share of 54% who give up for 67% where patience is 200 s.
func TestOverloadSettles(t *testing.T) {
	traffic := func(rate units.Rate, service, patience units.Duration) sizing.Traffic {
		t := sizing.Traffic{ServiceTime: units.Exactly(service)}
		if rate > 0 {
			t.Rate = units.Exactly(rate)
		}
		if patience > 0 {
			t.Patience = &patience
		}
		return t
	}
	for name, q := range map[string]*QueueQuestion{
		"patience": {Queue: ErlangA, Servers: 2, Traffic: traffic(6, 1, 200)},
		"places":   {Queue: MMCK, Servers: 10, Traffic: traffic(30, 1, 0), Capacity: new(units.Count(3000))},
		"sources": {Queue: Finite, Servers: 3, Traffic: traffic(0, 0.444, 0), Sources: new(units.Count(500)),
			ThinkTime: new(units.Duration(5))},
	} {
		q.Simulate = &simulate.Question{Seed: 1, Replications: new(units.Count(3))}
		a, err := Queue(t.Context(), q)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if s := a.Simulation; s.Unsettled || s.Agrees == nil || !*s.Agrees {
			for figure, f := range s.Figures {
				if f.Agrees != nil && !*f.Agrees {
					t.Errorf("%s: %s is %v for %v", name, figure, *f.Mean, *f.ClosedForm)
				}
			}
			t.Errorf("%s: unsettled %v after %v s", name, s.Unsettled, s.Horizon)
		}
	}
}
