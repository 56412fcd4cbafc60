package bot

import (
	"context"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
)

// Help of a bag of 100 tasks under BOINC that is to begin just in time holds: of one that began
// later, its first tasks all at once, 94 % were promised and 70 % of 300 runs in time. Workers that
// are there from the beginning on do one wave after the other: as if they began them evenly all help
// was refused, where 100 of them are in time in all runs, and 50 in nine of ten.
func TestJustInTimeUnderBOINC(t *testing.T) {
	const by, chance, runs = 13500, 0.9, 100
	s := drawnBag{"H2", "nd", BOINC, "small", 0.1, 1.68}.setup(t)
	f, err := bags.Finish(s)
	if err != nil {
		t.Fatal(err)
	}
	h, ok, err := f.Cheapest(context.Background(), bags.Target{By: by / 1.03, Chance: chance},
		bags.Cloud{Speed: 1000, Boot: 300, Look: spequlos.Period})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v %+v", ok, h.Help)
	if !ok {
		t.Fatal("no help")
	}
	strategy := StrategyOf(h.Help, spequlos.Reschedule)
	c := &Case{Bag: s.Bag, Hosts: s.Hosts, Server: s.Server, Credits: 1e12, Strategy: &strategy,
		Cloud: Cloud{Speed: hosts.Speed{Mean: 1000}, Boot: 300}}
	met := 0
	for i := range runs {
		if o := simulateOf(t, c, 55, i); o.Done() && o.End <= by {
			met++
		}
	}
	if met < 81 { // three standard errors
		t.Errorf("%+v: %d of %d in time", h.Help, met, runs)
	}
}
