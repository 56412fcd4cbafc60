package bot

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// A designCase is a bag with a deadline that wants help.
type designCase struct {
	name       string
	setup      bags.Setup
	cloud      Cloud
	by, chance float64
	seed       uint64 // of its runs
}

// asked are cases a to e on machines of other laws than those of the table.
func asked() []designCase {
	var all []designCase
	for _, k := range []struct {
		name     string
		server   Server
		tasks    float64
		minutes  float64
		machines int
		up, down law.Law
		cv       float64
		by       float64 // s
	}{
		{"a", XWHEP, 400, 20, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 7872},
		{"b", BOINC, 500, 30, 300, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 14170},
		{"c", Checkpoint, 600, 60, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 23742},
		{"d", XWHEP, 2000, 12, 300, law.LogNormal{Mu: 6.5, Sigma: 2}, law.LogNormal{Mu: 7, Sigma: 1.5}, 0.2, 10972},
		{"e", XWHEP, 900, 30, 400, law.Weibull{Shape: 0.9, Scale: 20000}, law.Exponential{Scale: 7200}, 0.15, 8875},
	} {
		all = append(all, designCase{
			name: k.name,
			setup: bags.Setup{
				Bag:    bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.minutes * 60000}},
				Hosts:  &hosts.Platform{Count: k.machines, Up: k.up, Down: k.down, Speed: hosts.Speed{Mean: 1000, SD: 1000 * k.cv}},
				Server: k.server,
			},
			cloud:  Cloud{Speed: hosts.Speed{Mean: CloudSpeed.Mean}, Boot: DefaultBoot},
			by:     k.by,
			chance: 0.95,
			seed:   1,
		})
	}
	return all
}

// designCases are these and those that were drawn.
func designCases(t *testing.T) []designCase {
	t.Helper()
	all := asked()
	for _, d := range drawnDesigns {
		cloud := Cloud{Speed: hosts.Speed{Mean: d.speed}, Boot: d.boot}
		all = append(all, designCase{d.name, *d.setup(t), cloud, d.by, d.chance, 1})
	}
	for i, d := range gridDesigns {
		s := d.setup(t)
		f, err := bags.Finish(s)
		if err != nil {
			t.Fatal(err)
		}
		by := math.Round(f.Ideal + d.by*(f.Quantile(0.95)-f.Ideal))
		cloud := Cloud{Speed: hosts.Speed{Mean: d.speed}, Boot: d.boot}
		all = append(all, designCase{d.name, *s, cloud, by, d.chance, uint64(100 + i)})
	}
	return all
}

// simulated is what is simulated of the case.
func (k *designCase) simulated() *Case {
	return &Case{Bag: k.setup.Bag, Hosts: k.setup.Hosts, Server: k.setup.Server, Cloud: k.cloud}
}

// designed are the designs of the closed form with a margin, as package planner/bags
// begins with them.
func (k *designCase) designed(t *testing.T, margin float64) []*bags.Helped {
	t.Helper()
	f, err := bags.Finish(&k.setup)
	if err != nil {
		t.Fatal(err)
	}
	cloud := bags.Cloud{Speed: k.cloud.Speed.Mean, Boot: k.cloud.Boot, Look: spequlos.Period}
	for _, sooner := range []float64{1, 0.95, 0.9, 0.8, 0.7, 0.5} {
		target := bags.Target{By: sooner * k.by / (1 + margin), Chance: k.chance}
		all, err := f.Designs(context.Background(), target, cloud)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) > 0 && all[0].Workers > 0 {
			return all
		}
	}
	return nil
}

// A tried is help as it went in runs on the same machines, until it was late more
// often or took more hours in all than it may.
type tried struct {
	runs, late int
	hours      float64 // in all
}

// A runsOf says on which runs help is tried, and how many may be late.
type runsOf struct{ skip, runs, mayBeLate int }

func (d *designCase) try(t *testing.T, h bags.Help, of runsOf, hours float64) tried {
	t.Helper()
	c := *d.simulated()
	c.Credits = 1e9
	strategy := StrategyOf(h, spequlos.Reschedule)
	c.Strategy = &strategy
	var out tried
	for out.runs < of.runs && out.late <= of.mayBeLate && out.hours <= hours {
		o := simulateOf(t, &c, d.seed, of.skip+out.runs)
		out.runs++
		out.hours += o.CloudTime / 3600
		if o.End > d.by {
			out.late++
		}
	}
	return out
}

// Refined by simulation the design is beaten by no start and number of workers of a
// grid by more than 2 % of its cost, all being in time on the same runs as often as is
// wanted with a confidence of 95 %, and on as many others in the share wanted. The designs of package bags, which hold a margin of
// 5 %, are in time too, but for chance, and none is cheaper where it is in time as often;
// they have their price, which is logged.
func TestDesignAgainstGrid(t *testing.T) {
	all := designCases(t)
	if !longtest.Wanted() {
		all = all[:1]
	}
	for i, k := range all {
		if longtest.Wanted() && !longtest.Chosen(i, 4) {
			continue
		}
		t.Run(k.name, func(t *testing.T) { k.againstGrid(t) })
	}
}

func (k *designCase) againstGrid(t *testing.T) {
	c, from := k.simulated(), k.designed(t, 0)
	r, err := Refine(context.Background(), &Refinement{
		Case: c, Target: bags.Target{By: k.by, Chance: k.chance}, From: from, Runs: LeastRuns(k.chance), Seed: k.seed})
	if err != nil || r.Best == nil || r.Best.Workers > 0 && r.Again == nil {
		t.Fatalf("%s: %+v, %v", k.name, r, err)
	}
	best, runs := r.Best, r.Runs
	t.Logf("%s %v: %d workers from %v on, %c: %.3f h, after %d trials and %d runs, %d of each", k.name, k.setup.Server,
		best.Workers, best.Start, best.How, best.Hours, len(r.Trials), r.Simulated, runs)
	if best.Late > r.MayBeLate || r.Again != nil && r.Again.InTime() < k.chance {
		t.Errorf("%s: late in %d and again in %d of %d runs", k.name, best.Late, r.Again.Late, runs)
	}
	total := best.Hours * float64(runs)
	most := int(float64(runs) * (1 - k.chance))
	cheapest, tries := math.Inf(1), 0
	for _, start := range []float64{0.01, 0.5, 0.8, 0.9, 0.96, 0.975, 0.985, 0.99, 0.995} {
		for w := 1; w <= best.Workers+best.Workers/2+2; w += 1 + w/4 {
			tries++
			h := bags.Help{Start: start, Workers: w}
			v := k.try(t, h, runsOf{0, runs, r.MayBeLate}, total)
			if v.runs < runs || v.late > r.MayBeLate || v.hours >= total {
				continue
			}
			if again := k.try(t, h, runsOf{runs, runs, most}, math.Inf(1)); again.late > most {
				continue
			}
			cheapest = min(cheapest, v.hours)
			if v.hours < 0.98*total {
				t.Errorf("%s: %d workers from %v on took %.3f h, %.3f h found", k.name, w, start,
					v.hours/float64(runs), best.Hours)
			}
		}
	}
	t.Logf("%s: the cheapest of %d in the grid takes %.4f of it", k.name, tries, cheapest/total)
	safe := k.designed(t, 0.05)
	if len(safe) == 0 {
		t.Logf("%s: by the closed form none, with its margin", k.name)
		return
	}
	plain := slices.MinFunc(safe, func(a, b *bags.Helped) int { return cmp.Compare(a.Hours, b.Hours) })
	v := k.try(t, plain.Help, runsOf{0, runs, runs}, math.Inf(1))
	t.Logf("%s: by the closed form %d from %v on: %.3f h, late in %d", k.name, plain.Workers, plain.Start,
		v.hours/float64(runs), v.late)
	n := float64(runs)
	if most := n*(1-k.chance) + 2*math.Sqrt(n*k.chance*(1-k.chance)); float64(v.late) > most {
		t.Errorf("%s: the closed form is late in %d of %d runs", k.name, v.late, runs)
	}
	again := k.try(t, plain.Help, runsOf{runs, runs, most}, math.Inf(1))
	if v.late <= r.MayBeLate && again.late <= most && v.hours < 0.98*total {
		t.Errorf("%s: the closed form takes %.3f h, %.3f h found", k.name, v.hours/n, best.Hours)
	}
}

// The bounds of so many late runs, against the binomial sums in fractions (Python's
// fractions): P(X <= k) of so many runs is at most .05 for k and more for k + 1.
func TestMostLate(t *testing.T) {
	for _, k := range []struct {
		runs   int
		chance float64
		want   int
	}{{58, 0.95, -1}, {59, 0.95, 0}, {93, 0.95, 1}, {124, 0.95, 2}, {236, 0.95, 6}, {1000, 0.95, 38}, {299, 0.99, 0}, {10, 0.5, 1}} {
		if got := mostLate(k.runs, k.chance); got != k.want {
			t.Errorf("%d runs at %v: %d may be late, want %d", k.runs, k.chance, got, k.want)
		}
	}
	for _, p := range []float64{0.5, 0.9, 0.95, 0.99, 0.999} {
		if n := LeastRuns(p); mostLate(n, p) < 0 || mostLate(n-1, p) >= 0 {
			t.Errorf("at %v %d runs are said to be the fewest", p, n)
		}
	}
}

// What is asked for is refused where it has no sense, and a context that ends is heard.
func TestRefineRefuses(t *testing.T) {
	k := asked()[0]
	c, from := k.simulated(), k.designed(t, 0)
	target := bags.Target{By: 7872, Chance: 0.95}
	for name, q := range map[string]*Refinement{
		"nothing":  nil,
		"no case":  {Target: target, Runs: 100},
		"no time":  {Case: c, Target: bags.Target{Chance: 0.95}, Runs: 100},
		"certain":  {Case: c, Target: bags.Target{By: 9, Chance: 1}, Runs: 100},
		"few runs": {Case: c, Target: target, From: from, Runs: 58},
	} {
		var domain *DomainError
		if _, err := Refine(context.Background(), q); !errors.As(err, &domain) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Refine(ended, &Refinement{Case: c, Target: target, From: from, Runs: 59}); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended: %v", err)
	}
	// Stopped after help was found, that is what there is.
	stopped, stop := context.WithCancel(context.Background())
	trials := 0
	r, err := Refine(stopped, &Refinement{Case: c, Target: target, From: from, Runs: 59, Seed: 1,
		Progress: func(n int) {
			if trials = n; n > 400 {
				stop()
			}
		}})
	if err != nil && !errors.Is(err, context.Canceled) || err == nil && (!r.Interrupted || r.Best == nil || r.Again != nil) {
		t.Errorf("stopped after %d runs: %+v, %v", trials, r, err)
	}
}

// A search ends when its effort is spent, with the cheapest help until then; one that needs less is the same.
func TestRefineEndsWithItsEffort(t *testing.T) {
	k := asked()[0]
	q := Refinement{Case: k.simulated(), Target: bags.Target{By: 7872, Chance: 0.95}, From: k.designed(t, 0), Runs: 59,
		Seed: 1}
	var all *Refined
	for _, c := range []struct {
		effort float64
		ended  bool
	}{{0, false}, {1e12, false}, {1, true}, {3e5, true}} {
		q.Effort = c.effort
		r, err := Refine(t.Context(), &q)
		if err != nil || r.Interrupted != c.ended {
			t.Fatalf("effort %v: %+v, %v", c.effort, r, err)
		}
		if all == nil {
			all = r
		}
		if same := r.Simulated == all.Simulated; same == c.ended || (r.Best != nil) != (c.effort != 1) ||
			!c.ended && r.Best.Help != all.Best.Help {
			t.Errorf("effort %v: %d runs, %+v; without a bound %d, %+v", c.effort, r.Simulated, r.Best, all.Simulated, all.Best)
		}
	}
}
