package bot

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
)

// lateDesigns are bags under BOINC with a deadline that is a share of their own 95 % point. By
// K0 help of tasks whose results wait was mended, and KD showed that the time until few
// machines have come is the more uncertain the sooner; KA to KJ were drawn by a seed and
// written down before they were run, and LA to LD are the classes whose tasks come at once.
var lateDesigns = []struct {
	drawnBag
	share, chance, speed, boot float64
}{
	{drawnBag{"K0", "spot10", BOINC, "random", 1, 1}, 0.6, 0.95, 3000, 120},
	{drawnBag{"KA", "spot100", BOINC, "random", 0.74, 0.95}, 0.7, 0.95, 1000, 60},
	{drawnBag{"KB", "nd", BOINC, "random", 1.43, 0.54}, 0.6, 0.99, 1000, 60},
	{drawnBag{"KC", "g5klyo", BOINC, "random", 1.58, 1.37}, 0.9, 0.99, 1000, 300},
	{drawnBag{"KD", "g5kgre", BOINC, "random", 1.21, 1.51}, 0.9, 0.95, 6000, 120},
	{drawnBag{"KE", "nd", BOINC, "random", 1.99, 1.12}, 0.7, 0.95, 3000, 300},
	{drawnBag{"KF", "spot10", BOINC, "random", 0.53, 1.02}, 0.5, 0.99, 6000, 120},
	{drawnBag{"KG", "seti", BOINC, "random", 0.77, 0.6}, 0.8, 0.95, 6000, 120},
	{drawnBag{"KH", "g5klyo", BOINC, "random", 0.99, 1.49}, 0.8, 0.9, 3000, 60},
	{drawnBag{"KI", "g5kgre", BOINC, "random", 1.51, 1.68}, 0.6, 0.99, 6000, 300},
	{drawnBag{"KJ", "spot10", BOINC, "random", 1.26, 1.38}, 0.5, 0.9, 6000, 300},
	{drawnBag{"LA", "spot10", BOINC, "big", 1, 1}, 0.6, 0.95, 3000, 120},
	{drawnBag{"LB", "nd", BOINC, "small", 1, 1}, 0.7, 0.95, 3000, 120},
	{drawnBag{"LC", "spot100", BOINC, "big", 1, 1}, 0.7, 0.95, 3000, 120},
	{drawnBag{"LD", "g5klyo", BOINC, "small", 1, 1}, 0.8, 0.95, 3000, 120},
}

// Help that begins while results wait holds what is promised, with the margin of finish, and
// takes the hours that are told. A worker is given one of the results of a task, and another
// worker another: of K0 2.2 results of the cloud were given out for each task that it did, and
// while the law knew of one 95 % were promised and 75 % of the runs in time; of KJ 97 % and
// 28 %, of KE 95 % and 68 %, of LA and LC 96 % and none, of LB 95 % and 2 %, of LD 96 % and
// 68 %. And help at once begins when the first of few idle machines asks.
func TestHelpOfLateTasks(t *testing.T) {
	runs := longtest.Of(100, 300)
	for i, d := range lateDesigns {
		if !longtest.Wanted() && i%5 > 0 && i != 12 {
			continue
		}
		s := d.setup(t)
		f, err := bags.Finish(s)
		if err != nil {
			t.Fatal(err)
		}
		by := d.share * f.Quantile(0.95)
		h, ok, err := f.Cheapest(context.Background(), bags.Target{By: by / 1.03, Chance: d.chance},
			bags.Cloud{Speed: d.speed, Boot: d.boot, Look: spequlos.Period})
		if err != nil {
			t.Fatal(err)
		}
		if !ok { // as the last task has come by then with less than the chance
			t.Logf("%s: none in time", d.name)
			continue
		}
		strategy := StrategyOf(h.Help, spequlos.Reschedule)
		c := &Case{Bag: s.Bag, Hosts: s.Hosts, Server: s.Server, Strategy: &strategy, Credits: 1e12,
			Cloud: Cloud{Speed: hosts.Speed{Mean: d.speed}, Boot: d.boot}}
		met, hours := 0.0, 0.0
		for i := range runs {
			o := simulate(t, c, i)
			if o.Done() && o.End <= by {
				met += 1 / float64(runs)
			}
			hours += o.CloudTime / 3600 / float64(runs)
		}
		t.Logf("%s by %.0f s: %+v, in time %.3f of %.2f, told %.3f; %.2f hours, told %.2f", d.name, by, h.Help, met,
			d.chance, h.Chance(by), hours, h.Hours)
		if low := d.chance - 3*math.Sqrt(d.chance*(1-d.chance)/float64(runs)); met < low {
			t.Errorf("%s by %.0f s: %+v is in time in %.3f of the runs, wanted %.2f", d.name, by, h.Help, met, d.chance)
		}
		if math.Abs(hours-h.Hours) > 0.02+0.1*h.Hours {
			t.Errorf("%s by %.0f s: %+v takes %.2f hours, told %.2f", d.name, by, h.Help, hours, h.Hours)
		}
	}
}
