package bags

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// Where 45 workers and 146 machines do five or six tasks each, the cheapest help by the formula is
// told to be in time for sure and is late in half of the runs: it is judged, and another is sought.
func TestFewWavesAreJudged(t *testing.T) {
	b := bags.Bag{Name: "waves", Size: bags.Spread{Mean: 821}, Work: bags.Spread{Mean: 549e3}}
	p := &hosts.Platform{Count: 153, Up: law.Weibull{Shape: 0.7, Scale: 29_000}, Down: law.Exponential{Scale: 1750},
		Speed: hosts.Speed{Mean: 1000, SD: 100}}
	by, with, speed, boot := 3465.0, 0.9, 1000.0, 120.0
	inTime := func(h bags.Help) (share float64) {
		strategy := bot.StrategyOf(h, spequlos.Reschedule)
		c := &bot.Case{Bag: b, Hosts: p, Credits: 1e12, Strategy: &strategy,
			Cloud: bot.Cloud{Speed: hosts.Speed{Mean: speed}, Boot: boot}}
		const runs = 60
		for i := range runs {
			o, err := bot.Simulate(c, func(e ...uint64) *rand.Rand { return sim.Stream(5, i, e...) }, nil)
			if err != nil {
				t.Fatal(err)
			}
			if o.Done() && o.End <= by {
				share += 1.0 / runs
			}
		}
		return share
	}
	l, err := bags.Finish(&bags.Setup{Bag: b, Hosts: p})
	if err != nil {
		t.Fatal(err)
	}
	held := bags.Target{By: by / (1 + defaultMargin), Chance: with}
	formula, ok, err := l.Cheapest(context.Background(), held, bags.Cloud{Speed: speed, Boot: boot, Look: spequlos.Period})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	t.Logf("by the formula %+v: told %.3f, in time in %.2f", formula.Help, formula.Chance(by), inTime(formula.Help))
	a, err := Done(context.Background(), &FinishQuestion{Bag: &b, Hosts: p, By: &by, With: &with, CloudSpeed: &speed,
		Boot: &boot})
	if err != nil {
		t.Fatal(err)
	}
	d := a.Design
	if d.Judged == nil {
		t.Fatalf("%+v is not judged", d)
	}
	got := inTime(bags.Help{Start: d.Start, Workers: d.Workers})
	t.Logf("judged %+v: %v, in time in %.2f for %.1f h", d.Strategy, d.Judged, got, d.Hours)
	if d.Judged.Chance < with || got < 0.8 {
		t.Errorf("judged %+v: %v, in time in %.2f", d.Strategy, d.Judged, got)
	}
}

// What takes too long to be judged is warned of.
func TestFewWavesOfManyMachines(t *testing.T) {
	b := &bags.Bag{Size: bags.Spread{Mean: 30_000}, Work: bags.Spread{Mean: 1.2e6}}
	p := &hosts.Platform{Count: 6000, Up: law.Exponential{Scale: 20_000}, Down: law.Exponential{Scale: 2000},
		Speed: hosts.Speed{Mean: 1000}}
	by := 7200.0
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, By: &by})
	if err != nil {
		t.Fatal(err)
	}
	warned := strings.Contains(strings.Join(a.Warnings, " "), "is only 6 times what a task takes")
	if a.Design.Workers <= sureWorkers || a.Design.Judged != nil || !warned {
		t.Errorf("%+v, %q", a.Design, a.Warnings)
	}
}

// Of one task a machine, each lost to who leaves, the formula is sure of help that is late too often,
// and asked for such that is late more rarely it has no other: then sooner help is sought. It was
// asked for ever surer help, for good where the next number is one.
func TestSureHelpIsSoughtSooner(t *testing.T) {
	b := &bags.Bag{Size: bags.Spread{Mean: 226}, Work: bags.Spread{Mean: 555_174}}
	p := &hosts.Platform{Count: 383, Up: law.Exponential{Scale: 37_814}, Down: law.Exponential{Scale: 8105},
		Speed: hosts.Speed{Mean: 1000}}
	by, with, boot := 874.0, 0.99, 300.0
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, By: &by, With: &with, Boot: &boot})
	if err != nil {
		t.Fatal(err)
	}
	if d := a.Design; d.Judged == nil || d.Judged.Chance < with {
		t.Errorf("%+v, %v", d, d.Judged)
	}
}

// Of large bags few runs are judged: of help that was told to be in time with 99.2 % none was in time
// in any of 60 runs.
func TestFewWavesOfLargeBagsAreJudged(t *testing.T) {
	b := &bags.Bag{Name: "large", Size: bags.Spread{Mean: 7255}, Work: bags.Spread{Mean: 13.1 * 60_000}}
	p := &hosts.Platform{Count: 14323, Up: law.Exponential{Scale: 37_000}, Down: law.Exponential{Scale: 861},
		Speed: hosts.Speed{Mean: 1000, SD: 100}}
	by, with, speed, boot := 1208.0, 0.99, 3000.0, 120.0
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, Server: "checkpoint", By: &by, With: &with,
		CloudSpeed: &speed, Boot: &boot})
	var none *ask.InfeasibleError
	if errors.As(err, &none) && strings.Contains(none.Reason, "separate runs") {
		t.Log(err)
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if j := a.Design.Judged; j == nil || j.Chance < with {
		t.Errorf("%+v is judged %v", a.Design, j)
	}
	t.Logf("%+v: %v", a.Design, a.Design.Judged)
}

// Where machines are done with two rounds of tasks and few are left, the formula starts so many workers
// that these are done in one, 558 from 44 % of the bag on, which is late, and held by runs only one for
// each task, for 514 h; 66 from the beginning are enough, for 50 h of those of a grid.
func TestHelpIsSoughtByRuns(t *testing.T) {
	b, ok := NamedBag("small")
	p, known := NamedHosts("g5kgre")
	by := 3045.0
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, Server: "checkpoint", By: &by})
	if err != nil || !ok || !known {
		t.Fatal(ok, known, err)
	}
	d := a.Design
	t.Logf("%+v, %+v", d, d.Judged)
	if d.Judged == nil || d.Judged.Tried < 2 || d.Judged.Chance < 0.95 || d.Hours > 70 {
		t.Errorf("%+v, %+v", d, d.Judged)
	}
	if !strings.Contains(strings.Join(a.Warnings, " "), "and the cheapest that was in time is given") {
		t.Errorf("%q", a.Warnings)
	}
	// It lies on the frontier, which is that of runs too: by the formula it was eight times as dear.
	plots, err := a.Plots(t.Context())
	if err != nil || len(plots) != 2 || plots[1].Curves[0].Name != "cheapest help by runs" {
		t.Errorf("%d plots, %v", len(plots), err)
	}
	at := slices.IndexFunc(a.Frontier, func(p FrontierPoint) bool { return p.Start == d.Start && p.Workers == d.Workers })
	if at < 1 || at+1 >= len(a.Frontier) || a.Frontier[at].Hours != d.Hours || a.Frontier[at].By > by {
		t.Errorf("%+v of %+v", d, a.Frontier)
	}
	for k, p := range a.Frontier[1:] {
		if before := a.Frontier[k]; p.Hours <= before.Hours || p.By >= before.By {
			t.Errorf("%+v after %+v", p, before)
		}
	}
}
