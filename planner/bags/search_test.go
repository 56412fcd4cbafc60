package bags

import (
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// A search that is stopped leaves what was answered before, and the help that it has
// found by then; one that is not tells of runs that had no part in its choice.
func TestSearchIsStopped(t *testing.T) {
	by := 7200.0
	for name, k := range map[string]struct {
		after   int // runs of the search
		credits float64
		found   bool
	}{
		"at once":      {0, 1e12, false},
		"in its midst": {330, 1e12, true},
		"never":        {1 << 30, 1e12, true},
		// What a search that was stopped has found says nothing of cheaper help.
		"in its midst, with few credits": {330, 0.295, false},
	} {
		ctx, stop := context.WithCancel(context.Background())
		q := &FinishQuestion{
			Bag: &bags.Bag{Name: "tasks", Size: bags.Spread{Mean: 100}, Work: bags.Spread{Mean: 1200 * 1000}},
			Hosts: &hosts.Platform{Count: 50, Up: law.Exponential{Scale: 14400}, Down: law.Exponential{Scale: 3600},
				Speed: hosts.Speed{Mean: 1000, SD: 250}},
			By: &by, Seed: 1, Replications: 59, Search: true, Credits: &k.credits,
			Progress: func(done, of int) {
				if of > 59 && done > k.after {
					stop()
				}
			},
		}
		a, err := Done(ctx, q)
		stop()
		if err != nil || a.Simulation == nil || a.Simulation.Runs != 59 {
			t.Fatalf("%s: %+v, %v", name, a, err)
		}
		stopped := strings.Contains(strings.Join(a.Warnings, " "), "the search was stopped")
		if (a.Search != nil) != k.found || stopped != (name != "never") {
			t.Errorf("%s: search %+v, warnings %q", name, a.Search, a.Warnings)
		}
		if a.Search != nil && (a.Search.Interrupted != stopped || a.Search.Chance < 0.95 || a.Search.Workers < 1) {
			t.Errorf("%s: search %+v", name, a.Search)
		}
	}
}
