package bags

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// unlikeBag are listed tasks whose work is lognormal.
func unlikeBag(tasks int, sigma float64) *bags.Bag {
	r, b := sim.Stream(14, tasks), &bags.Bag{Name: "unlike"}
	for range tasks {
		b.Tasks = append(b.Tasks, bags.Task{Work: 6e5 * math.Exp(sigma*r.NormFloat64())})
	}
	return b
}

// answered returns what finish says of a bag, checked by so many runs, and the law of the formula.
func answered(
	t *testing.T, b *bags.Bag, p *hosts.Platform, server string, runs int,
) (*FinishAnswer, *bags.FinishLaw, *bot.Case) {
	t.Helper()
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, Server: server, Replications: runs, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	c, err := (&SimulateQuestion{Bag: b, Hosts: p, Server: server}).kase()
	if err != nil {
		t.Fatal(err)
	}
	f, err := bags.Finish(&bags.Setup{Bag: *b, Hosts: p, Server: c.Server})
	if err != nil {
		t.Fatal(err)
	}
	return a, f, c
}

// Under BOINC the law of unlike tasks is drawn: by the formula the median is far too early, as it has
// machines that are given short tasks do more of them. Elsewhere the formula is right.
func TestUnlikeTasksAreDrawn(t *testing.T) {
	p := &hosts.Platform{Name: "laws", Count: 80, Up: law.Exponential{Scale: 20_000}, Down: law.Exponential{Scale: 4000},
		Speed: hosts.Speed{Mean: 1000}}
	for _, server := range ServerNames() {
		for _, tasks := range longtest.Of([]int{300}, []int{40, 300, 1500}) {
			b := unlikeBag(tasks, 1)
			a, f, c := answered(t, b, p, server, longtest.Of(60, 400))
			want := *a.Simulation.Finish.P50.Mean
			off := f.Quantile(0.5)/want - 1
			t.Logf("%s, %d tasks: %d drawn, median %.0f s, simulated %.0f s, the formula %+.1f %% off", server, tasks, a.Drawn,
				*a.Finish.P50, want, 100*off)
			boinc := c.Server == bot.BOINC
			told, of, share := *a.Finish.P50, a.Simulation.Finish.P50, longtest.Of(0.08, 0.05)
			if a.Drawn > 0 != boinc || told < *of.Low*(1-share) || told > *of.High*(1+share) {
				t.Errorf("%s, %d tasks: %d drawn, median %.0f s, simulated %.0f s", server, tasks, a.Drawn, *a.Finish.P50, want)
			}
			if boinc && (off > -0.06 || off < -unlikeOff) {
				t.Errorf("%s, %d tasks: the median of the formula is %+.2f off, told up to %.2f early", server, tasks, off, unlikeOff)
			}
		}
	}
	alike := bags.Bag{Size: bags.Spread{Mean: 500}, Work: bags.Spread{Mean: 6e5, SD: 5e4}}
	if unlikeTasks(&bot.Case{Bag: alike, Hosts: p, Server: bot.BOINC}) {
		t.Error("tasks that hardly differ are called unlike")
	}
	if random, _ := NamedBag("random"); unlikeTasks(&bot.Case{Bag: *random, Hosts: p, Server: bot.BOINC}) {
		t.Error("the random bags of SpeQuloS are called unlike")
	}
}

// Of as many machines as take too long to be drawn the formula is told, with a warning.
func TestUnlikeTasksOfManyMachines(t *testing.T) {
	p, _ := NamedHosts("seti")
	a, err := Done(context.Background(), &FinishQuestion{Bag: unlikeBag(20_000, 1), Hosts: p, Server: "boinc"})
	if err != nil {
		t.Fatal(err)
	}
	if a.Drawn > 0 || !strings.Contains(strings.Join(a.Warnings, " "), "the tasks differ in size") {
		t.Errorf("%d drawn, %q", a.Drawn, a.Warnings)
	}
}

// Where a few tasks are far longer than others the law, which spreads their work over all, has help
// in time that never is. Sooner and sooner help is tried until one is: it was told that none could be,
// after five designs of which the last was by a tenth sooner than the first.
func TestHelpOfUnlikeTasksIsFound(t *testing.T) {
	p, _ := NamedHosts("nd")
	b, r := &bags.Bag{Name: "unlike"}, sim.Stream(14, 304)
	for range 304 {
		b.Tasks = append(b.Tasks, bags.Task{Work: 2e5 + 9.8e6*r.Float64()})
	}
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, By: new(3 * 3600.0)})
	if err != nil {
		t.Fatal(err)
	}
	if d := a.Design; d.Judged == nil || d.Judged.Chance < 0.95 || d.Workers < 30 || d.Hours > 250 {
		t.Errorf("%+v, judged %+v", d, d.Judged)
	}
}
