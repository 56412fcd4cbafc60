package bot

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Designs of few workers hold a chance of 99 % without a margin: one worker cannot do more tasks
// when more are left than usual. They were in time in 96.3 %, 93.0 % and 98.3 % of the runs.
func TestFewWorkersHold(t *testing.T) {
	const runs, chance = 300, 0.99
	for i, k := range []struct {
		server                             Server
		machines                           int
		up, down, tasks, minutes, boot, by float64
	}{
		{Checkpoint, 81, 5226, 2133, 157, 5.3, 300, 1406},
		{XWHEP, 273, 11408, 1807, 366, 6.1, 60, 1786},
		{Checkpoint, 125, 14400, 1450, 537, 7.6, 120, 2902},
	} {
		c := &Case{
			Bag: bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.minutes * 60000}},
			Hosts: &hosts.Platform{Count: k.machines, Up: law.Exponential{Scale: k.up},
				Down: law.Exponential{Scale: k.down}, Speed: hosts.Speed{Mean: 1000, SD: 200}},
			Server: k.server, Credits: 1e12,
			Cloud: Cloud{Speed: hosts.Speed{Mean: 6000}, Boot: k.boot},
		}
		f, err := bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server})
		if err != nil {
			t.Fatal(err)
		}
		h, ok, err := f.Cheapest(context.Background(), bags.Target{By: k.by, Chance: chance},
			bags.Cloud{Speed: 6000, Boot: k.boot, Look: spequlos.Period})
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		strategy := StrategyOf(h.Help, spequlos.Reschedule)
		c.Strategy = &strategy
		met := 0.0
		for n := range runs {
			if o := simulateOf(t, c, uint64(700+i), n); o.Done() && o.End <= k.by {
				met += 1. / runs
			}
		}
		t.Logf("%v of %d machines: %+v for %.2f h, in time %.3f", k.server, k.machines, h.Help, h.Hours, met)
		if low := chance - 2*math.Sqrt(chance*(1-chance)/runs); met < low {
			t.Errorf("%v of %d machines: %+v is in time in %.3f of the runs", k.server, k.machines, h.Help, met)
		}
	}
}
