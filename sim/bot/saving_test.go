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

// Tasks under Checkpoint that all find a machine at once, where few are lost: shorter than the gap
// between two saves they begin anew, and of longer ones any part of it is lost. By half a gap for
// each the 95 % point was 14 % early in the first of these.
func TestLossesBetweenSaves(t *testing.T) {
	runs := longtest.Of(400, 2000)
	for _, k := range []struct{ tasks, seconds, up, down float64 }{
		{78, 132, 43_200, 670},
		{30, 450, 30_000, 1200},
		{20, 900, 43_200, 1200},
		{60, 1500, 10_000, 2000},
	} {
		c := &Case{
			Bag: bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.seconds * 1000}},
			Hosts: &hosts.Platform{Count: 250, Up: law.Exponential{Scale: k.up}, Down: law.Exponential{Scale: k.down},
				Speed: hosts.Speed{Mean: 1000}},
			Server: Checkpoint,
		}
		f, err := bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server})
		if err != nil {
			t.Fatal(err)
		}
		ends := make([]float64, runs)
		for i := range ends {
			ends[i] = simulate(t, c, i).End
		}
		slices.Sort(ends)
		for _, q := range []struct{ p, bound float64 }{{0.5, 0.03}, {0.95, 0.05}} {
			low, at, high := between(ends, q.p)
			got := f.Quantile(q.p)
			t.Logf("%.0f tasks of %.0f s, p%.0f: %.0f s, simulated %.0f s (%.0f to %.0f), off by %+.1f %%", k.tasks, k.seconds,
				100*q.p, got, at, low, high, 100*(got/at-1))
			if math.IsNaN(got) || got < low*(1-q.bound) || got > high*(1+q.bound) {
				t.Errorf("%.0f tasks of %.0f s: p%.0f is %.0f s, simulated %.0f to %.0f s", k.tasks, k.seconds, 100*q.p, got, low, high)
			}
		}
	}
}
