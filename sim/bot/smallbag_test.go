package bot

import (
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Of a small bag it is by no means sure when its share is done, nor how many of the tasks
// left then end without help: the design of the closed form is in time all the same as
// often as it says, but for chance. By the mean course alone the four were late in 11 to
// 19 % of runs, promised in time for sure; with luck left out one still in 14 %.
func TestDesignOfSmallBags(t *testing.T) {
	for _, k := range []struct {
		name                  string
		server                Server
		tasks                 float64
		minutes, up, down, by float64
		machines              int
	}{
		{"starts with the first task", BOINC, 30, 180, 270, 27, 281, 200},
		{"three rounds of two workers", XWHEP, 50, 180, 300, 60, 660, 60},
		{"one worker for a quarter", XWHEP, 50, 10, 200, 20, 32, 60},
		{"long stays", XWHEP, 100, 180, 3600, 360, 467, 200},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			c := designCase{
				setup: bags.Setup{
					Bag: bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.minutes * 60000}},
					Hosts: &hosts.Platform{Count: k.machines, Up: law.Exponential{Scale: k.up * 60},
						Down: law.Exponential{Scale: k.down * 60}, Speed: hosts.Speed{Mean: 1000, SD: 250}},
					Server: k.server,
				},
				cloud: Cloud{Speed: hosts.Speed{Mean: CloudSpeed.Mean}, Boot: DefaultBoot},
				by:    k.by * 60, chance: 0.95, seed: 1,
			}
			all := c.designed(t, 0.05)
			if len(all) == 0 {
				t.Fatal("no design")
			}
			best := all[0]
			for _, h := range all {
				if h.Hours < best.Hours {
					best = h
				}
			}
			const runs = 300
			got := c.try(t, best.Help, runsOf{runs: runs, mayBeLate: runs}, math.Inf(1))
			late, want := float64(got.late)/runs, 1-c.chance
			t.Logf("%+v, %.3g h: %.3g late, %.3g h", best.Help, best.Hours, late, got.hours/runs)
			if late > want+3*math.Sqrt(want*c.chance/runs) {
				t.Errorf("%+v: late in %.3g of %d runs, want %.3g", best.Help, late, runs, want)
			}
		})
	}
}
