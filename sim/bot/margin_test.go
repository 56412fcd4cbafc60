package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
)

// Designs of the closed form with the margin of finish, 3 %, are in time with the chance
// wanted, but for what chance leaves open, in bags with deadlines and clouds that are drawn
// by a seed. Of the 12 of TestDesignAgainstGrid and of 17 that were drawn by another seed,
// five were late without a margin, two with 2 %, one with 3 % (97.5 % of its runs in time
// where 99 % were wanted), none with 5 %. These 23 are all in time, each on runs of its own.
func TestDrawnDesignsHold(t *testing.T) {
	const margin = 0.03
	draws, runs := longtest.Of(3, 30), longtest.Of(30, 200)
	r := rand.New(rand.NewPCG(2028, 1123))
	pick := func(of ...float64) float64 { return of[r.IntN(len(of))] }
	named := func(of ...string) string { return of[r.IntN(len(of))] }
	rounded := func(v float64) float64 { return math.Round(100*v) / 100 }
	for n := 0; n < draws; {
		d := drawnBag{hosts: named("nd", "g5klyo", "g5kgre", "spot10", "spot100")}
		d.server = []Server{XWHEP, BOINC, Checkpoint}[r.IntN(3)]
		d.class = named("small", "big", "small", "big", "small")
		d.size = rounded(math.Exp(r.Float64() * math.Log(0.3)))
		d.work = rounded(math.Exp((2*r.Float64() - 1) * math.Log(2)))
		share, chance := r.Float64(), pick(0.9, 0.95, 0.99)
		cloud := bags.Cloud{Speed: pick(1000, 3000, 6000), Boot: pick(60, 120, 300), Look: spequlos.Period}
		s := d.setup(t)
		f, err := bags.Finish(s)
		if err != nil {
			t.Fatal(err)
		}
		by := math.Round(f.Ideal + share*(f.Quantile(0.95)-f.Ideal))
		if f.Chance(by) >= chance || !(by > 0) || math.IsInf(by, 1) {
			continue
		}
		n++
		h, ok, err := f.Cheapest(context.Background(), bags.Target{By: by / (1 + margin), Chance: chance}, cloud)
		if err != nil {
			t.Fatal(err)
		}
		if !ok || h.Workers == 0 {
			continue
		}
		strategy := StrategyOf(h.Help, spequlos.Reschedule)
		c := &Case{Bag: s.Bag, Hosts: s.Hosts, Server: s.Server, Strategy: &strategy, Credits: 1e12,
			Cloud: Cloud{Speed: hosts.Speed{Mean: cloud.Speed}, Boot: cloud.Boot}}
		met := 0.0
		for i := range runs {
			if o := simulateOf(t, c, uint64(2000+n), i); o.Done() && o.End <= by {
				met += 1 / float64(runs)
			}
		}
		t.Logf("%+v by %.0f s: %+v, in time %.3f of %.2f", d, by, h.Help, met, chance)
		if low := chance - 3*math.Sqrt(chance*(1-chance)/float64(runs)); met < low {
			t.Errorf("%+v by %.0f s: %+v is in time in %.3f of the runs, wanted %.2f", d, by, h.Help, met, chance)
		}
	}
}
