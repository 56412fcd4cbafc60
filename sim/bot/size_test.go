package bot

import (
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// A bag whose number of tasks is uncertain takes machines that are busy with it until its
// end for as many times longer as it has more of them.
func TestFinishOfUncertainSize(t *testing.T) {
	runs := longtest.Of(40, 400)
	p := &hosts.Platform{Count: 100, Up: law.Exponential{Scale: 14400}, Down: law.Exponential{Scale: 3600},
		Speed: hosts.Speed{Mean: 1000, SD: 200}}
	for _, server := range []Server{XWHEP, BOINC, Checkpoint} {
		for _, arrival := range []law.Law{nil, law.Exponential{Scale: 1800}} {
			b := bags.Bag{Size: bags.Spread{Mean: 1500, SD: 300}, Work: bags.Spread{Mean: 6e5}, Arrival: arrival}
			f, err := bags.Finish(&bags.Setup{Bag: b, Hosts: p, Server: server})
			if err != nil {
				t.Fatal(err)
			}
			var ends []float64
			for i := range runs {
				ends = append(ends, simulate(t, &Case{Bag: b, Hosts: p, Server: server}, i).End)
			}
			slices.Sort(ends)
			for _, q := range []struct{ p, bound float64 }{{0.05, 0.1}, {0.5, 0.05}, {0.95, 0.1}} {
				low, at, high := between(ends, q.p)
				got := f.Quantile(q.p)
				t.Logf("%v, late %v, p%.0f: closed form %.0f, simulated %.0f (%.0f to %.0f), off by %+.1f %%",
					server, arrival != nil, 100*q.p, got, at, low, high, 100*(got/at-1))
				if got < low*(1-q.bound) || got > high*(1+q.bound) {
					t.Errorf("%v, late %v: p%.0f is %.0f s, simulated %.0f to %.0f s", server, arrival != nil, 100*q.p, got, low, high)
				}
			}
		}
	}
}
