package bagstudy

import (
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"testing"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/sim/bot"
)

var (
	updateBags       = flag.Int("update-bags", 0, "run so many seeds of all bags, help by 9C-C-R, and write bags.json")
	updateStrategies = flag.Int("update-strategies", 0, "with -update-bags: seeds of the other strategies")
)

// go test ./internal/papers/bagstudy -run TestUpdateBags -update-bags 100 -update-strategies
// 100 makes the stored table anew; it takes some 30 minutes of a core.
func TestUpdateBags(t *testing.T) {
	if *updateBags == 0 {
		return
	}
	ctx := context.Background()
	progress := func(part, parts int) { t.Logf("%d of %d", part, parts) }
	table, err := makeBags(ctx, []spequlos.Strategy{MainStrategy}, *updateBags, 1, progress)
	if err == nil {
		err = table.CountHosts(ctx, *updateBags, 1)
	}
	if err == nil && *updateStrategies > 0 {
		var cells []Cell
		cells, err = Run(ctx, Environments(), spequlos.Strategies(), *updateStrategies, 1, progress)
		if err == nil {
			table.removals(cells, spequlos.Strategies())
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(table, "", "") // lines without indent, as leases.json
	if err == nil {
		err = os.WriteFile("bags.json", append(papertest.Shortened(text), '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The stored table is what the runs come to: the first seed of some environments, or
// of all where long tests are wanted, is run again.
func TestStoredBags(t *testing.T) {
	table := Stored()
	again := 0
	for _, e := range append(Environments(), departing()) {
		if !longtest.Wanted() && (e.Bag.Name != "random" || e.Trace.Name == "seti") {
			continue
		}
		r, err := e.run(context.Background(), []spequlos.Strategy{MainStrategy}, table.Seed, 0)
		if err != nil {
			t.Fatal(err)
		}
		again++
		numtest.Close(t, e.Name()+" without", r[bagFinish], table.First[e.Name()+" without"], 1e-12)
		numtest.Close(t, e.Name()+" with", r[of(bagFinish, MainStrategy)], table.First[e.Name()+" with"], 1e-12)
	}
	if again < 10 || table.Seeds < 100 || table.StrategySeeds < 100 {
		t.Errorf("%d environments again, %d seeds stored, %d of strategies", again, table.Seeds, table.StrategySeeds)
	}
}

// Seeds of one's own are run at once, of one environment here: the bag with help is
// that of the runner, and what is spent is at most what was ordered.
func TestBagRun(t *testing.T) {
	for _, e := range Environments() {
		if e.Name() != "spot10 xwhep big" {
			continue
		}
		r, err := e.run(context.Background(), spequlos.Strategies(), 5, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range spequlos.Strategies() {
			spent := r[of(bagSpent, s)]
			if !(spent >= 0 && spent <= 100+1e-9) {
				t.Errorf("%v spends %v %%", s, spent)
			}
			if v := r[of(bagRemoval, s)]; !math.IsNaN(v) && r[bagTail] != 1 || v > 100+1e3 {
				t.Errorf("%v removes %v %% of no tail", s, v)
			}
			if !(r[of(bagFinish, s)] > 0) {
				t.Errorf("%v: done at %v", s, r[of(bagFinish, s)])
			}
		}
	}
}

// Means by seed leave out what is not defined; a share that all have keeps an
// interval: of 20 of 20 by Wilson 83.9 to 100 %, of 10 of 20 29.9 to 70.1 %.
func TestBagShares(t *testing.T) {
	cells := []Cell{
		{Environment{Server: bot.BOINC}, []outcome{{"v": 1}, {"v": math.NaN()}}},
		{Environment{Server: bot.BOINC}, []outcome{{"v": 3}, {"v": 5}}},
		{Environment{Server: bot.XWHEP}, []outcome{{"v": 100}, {"v": 100}}},
	}
	got := bySeed(cells, ofServer(bot.BOINC), func(c *Cell, seed int) float64 { return c.Runs[seed]["v"] })
	if got[0] != 2 || got[1] != 5 {
		t.Errorf("means %v, want 2 and 5", got)
	}
	all, half := make([]float64, 20), make([]float64, 20)
	for i := range all {
		all[i] = 100
		half[i] = float64(i%2) * 100
	}
	for _, c := range []struct {
		got  means.Interval
		want means.Interval
	}{{shareInterval(all), means.Interval{100, 83.8875, 100}}, {shareInterval(half), means.Interval{50, 29.9298, 70.0702}}} {
		for i := range c.want {
			numtest.Close(t, "interval", c.got[i], c.want[i], 1e-5)
		}
	}
}

func TestBagEnvironments(t *testing.T) {
	if len(Environments()) != 36 {
		t.Errorf("%d environments", len(Environments()))
	}
}
