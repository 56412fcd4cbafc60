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

// Machines that leave for good are fewer and fewer. Beside 300 runs of each the formula had left that
// out of what goes before the last sixty waves (median and 95 % point 6 and 10 % early), had let them
// leave later than they do (16 % early), and under BOINC had left out that they keep their results (95 %
// point 80 % early) and that they leave at all (14 d for bags that are never done).
func TestMachinesThatLeaveForGood(t *testing.T) {
	for _, k := range []struct {
		server         Server
		tasks, seconds float64
		departure      float64
		runs           int
		medianOnly     bool // some are never done
	}{
		{XWHEP, 20000, 120, 0.05, longtest.Of(20, 200), false},
		{Checkpoint, 20000, 120, 0.05, longtest.Of(20, 200), false},
		{XWHEP, 1000, 6000, 0.1, longtest.Of(100, 400), true},
		{Checkpoint, 1000, 6000, 0.1, longtest.Of(100, 400), true},
		{BOINC, 500, 3000, 0.1, longtest.Of(100, 400), false},
	} {
		c := &Case{
			Bag: bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: 1000 * k.seconds}},
			Hosts: &hosts.Platform{Count: 50, Up: law.Exponential{Scale: 18000}, Down: law.Exponential{Scale: 3600},
				Speed: hosts.Speed{Mean: 1000, SD: 250}, Departure: k.departure},
			Server: k.server,
		}
		f, err := bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server})
		if err != nil {
			t.Fatal(err)
		}
		ends := make([]float64, k.runs)
		for i := range ends {
			ends[i] = simulate(t, c, i).End
		}
		slices.Sort(ends)
		for _, q := range []struct{ p, bound float64 }{{0.5, 0.05}, {0.95, 0.1}} {
			if k.medianOnly && q.p > 0.5 {
				continue
			}
			sd := math.Sqrt(q.p * (1 - q.p) / float64(k.runs))
			at := func(p float64) float64 { return ends[min(k.runs-1, int(p*float64(k.runs)))] }
			got, low, high := f.Quantile(q.p), at(q.p-2*sd), at(q.p+2*sd)
			t.Logf("%+v p%.0f: %.5g s, simulated %.5g s (%.5g to %.5g)", k, 100*q.p, got, at(q.p), low, high)
			if got < low*(1-q.bound) || got > high*(1+q.bound) {
				t.Errorf("%+v: p%.0f is %.5g s, simulated %.5g to %.5g s", k, 100*q.p, got, low, high)
			}
		}
	}
}
