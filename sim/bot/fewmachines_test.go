package bot

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// On few machines the closed form is early by no more than it says.
func TestFinishOnFewMachines(t *testing.T) {
	machines, tasks, runs := []int{1, 4, 12}, []float64{1, 10}, 60
	if longtest.Wanted() {
		machines, tasks, runs = []int{1, 2, 3, 5, 7, 10, 15, 20, 30, 49}, []float64{1, 2, 5, 10, 20, 50, 200}, 300
	}
	for _, count := range machines {
		median, high, ok := bags.FewMachines(count)
		if !ok {
			t.Fatalf("%d machines are said to be many", count)
		}
		worst := [2]float64{}
		for _, server := range []Server{XWHEP, Checkpoint, BOINC} {
			for _, hours := range []float64{2, 8} { // of a stay, and half of that away
				for _, n := range tasks {
					if n > 40*float64(count) || server == BOINC && count < 3 {
						continue
					}
					p := &hosts.Platform{Count: count, Up: law.Exponential{Scale: 3600 * hours}, Down: law.Exponential{Scale: 1800 * hours},
						Speed: hosts.Speed{Mean: 1000, SD: 250}}
					b := bags.Bag{Size: bags.Spread{Mean: n}, Work: bags.Spread{Mean: 2400e3}}
					f, err := bags.Finish(&bags.Setup{Bag: b, Hosts: p, Server: server})
					if err != nil {
						t.Fatal(err)
					}
					var ends []float64
					for i := range runs {
						ends = append(ends, simulate(t, &Case{Bag: b, Hosts: p, Server: server}, i).End)
					}
					slices.Sort(ends)
					for i, q := range []struct{ p, bound float64 }{{0.5, median}, {0.95, high}} {
						at := q.p * float64(runs)
						low := ends[int(at-2*math.Sqrt(at*(1-q.p)))]
						got := f.Quantile(q.p)
						worst[i] = min(worst[i], got/ends[int(at)]-1)
						if got < low*(1-q.bound) {
							t.Errorf("%v, %d machines, stays of %g h, %g tasks: p%.0f is %.0f s, simulated %.0f (from %.0f)",
								server, count, hours, n, 100*q.p, got, ends[int(at)], low)
						}
					}
				}
			}
		}
		t.Logf("%d machines: median up to %.0f %% early, 95 %% point up to %.0f %%", count, -100*worst[0], -100*worst[1])
	}
	if _, _, ok := bags.FewMachines(50); ok {
		t.Error("50 machines are said to be few")
	}
}
