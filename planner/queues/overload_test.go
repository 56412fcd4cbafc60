package queues

import (
	"testing"

	"github.com/capplan/capplan/internal/longtest"
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

// Of waits that are rare and come in bursts a run may meet one small burst, which tells nothing of the others: one in
// four seeds was said to differ from Crommelin's formula, and one in eleven to seven from Erlang's, beyond chance.
func TestVerdictsOfRareWaits(t *testing.T) {
	differ, seeds := 0, longtest.Of(30, 90)
	for seed := range seeds {
		q := &QueueQuestion{Queue: MDC, Servers: 175, Simulate: &simulate.Question{Seed: uint64(1000 + seed)},
			Traffic: sizing.Traffic{Rate: units.Exactly[units.Rate](350), ServiceTime: units.Exactly[units.Duration](0.38)}}
		a, err := Queue(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if s := a.Simulation; s.Agrees != nil && !*s.Agrees {
			differ++
		}
	}
	if differ > seeds/30+1 {
		t.Errorf("%d of %d seeds differ, want one in a hundred", differ, seeds)
	}
}
