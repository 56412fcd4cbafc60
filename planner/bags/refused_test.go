package bags

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// drawnTight is a drawn bag that is to be done by a time near that which a worker takes for a task;
// every third on few machines, and every third of tasks that arrive at random.
func drawnTight(t *testing.T, r *rand.Rand) wanted {
	t.Helper()
	for {
		w := drawnWanted(t, r)
		task := w.q.Bag.Work.Mean / *w.q.CloudSpeed
		by := math.Round((*w.q.Boot + 60 + task) * math.Exp(r.Float64()*math.Log(3)))
		switch kind := r.IntN(3); kind {
		case 0:
			w.q.Hosts.Count = 8 + r.IntN(30)
			w.q.Bag.Size.Mean = math.Round(float64(w.q.Hosts.Count) * (0.5 + 4*r.Float64()))
		case 1:
			w.q.Bag.Arrival = law.Weibull{Shape: 0.57, Scale: 0.05 * by}
		}
		w.c.Bag = *w.q.Bag
		l, _, err := lawOf(context.Background(), w.c, true)
		if err != nil {
			t.Fatal(err)
		}
		if l.Chance(by) < w.with {
			*w.q.By, w.by = by, by
			return w
		}
	}
}

// Help is refused only where none is in time: not that of a worker for each task from any of some
// starts on, in runs that the judge did not see, but for chance. Before it was judged 8 of 98 refusals
// of the list were wrong. By BOINC it is that of a worker for each result.
func TestRefusalsAreRight(t *testing.T) {
	const runs = 300
	r := rand.New(rand.NewPCG(5, 1313))
	refused, wrong, draws := 0, 0, longtest.Of(16, 200)
	for n := range draws {
		w := drawnTight(t, r)
		if longtest.Wanted() && !longtest.Chosen(n, 16) {
			continue
		}
		_, err := Done(context.Background(), w.q)
		var no *ask.InfeasibleError
		switch {
		case err == nil:
			continue
		case !errors.As(err, &no):
			t.Fatal(err)
		}
		refused++
		mayBeLate := int(math.Floor((1-w.with)*runs + 1e-9))
		for _, start := range []float64{0, 0.1, 0.3, 0.5, 0.7, 0.9} {
			h := bags.Help{Start: start, Workers: int(math.Ceil((1 - start) * w.q.Bag.Size.Mean * w.c.Results()))}
			v := w.onGrid(t, h, w.by, 811, inOrder(runs), mayBeLate, math.Inf(1))
			if v.late > mayBeLate {
				continue
			}
			t.Logf("%d: of %d runs of %+v %d are late, %.2f wanted: %v", n, v.runs, h, v.late, w.with, no.Reason)
			if (distuv.Binomial{N: runs, P: 1 - w.with}).CDF(float64(v.late)) < 0.05 {
				wrong++
			}
			break
		}
	}
	t.Logf("of %d bags %d refused, %d wrongly", draws, refused, wrong)
	if wrong > 0 {
		t.Errorf("of %d bags %d refused, %d wrongly", draws, refused, wrong)
	}
}

// Of tasks that have not arrived by then nothing is simulated: the chance that they have is told, held
// here against draws of the bag.
func TestLateTasksAreRefused(t *testing.T) {
	b, _ := NamedBag("random")
	p, _ := NamedHosts("nd")
	by, in := 1500.0, 0
	_, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, By: &by})
	var no *ask.InfeasibleError
	if !errors.As(err, &no) || strings.Contains(no.Reason, "runs") || !strings.Contains(no.Reason, "the chance "+
		"that all tasks have arrived by then is") {
		t.Errorf("%v", err)
	}
	const draws = 400
	r := rand.New(rand.NewPCG(1, 2))
	for range draws {
		tasks, err := b.Draw(r)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(tasks, func(k bags.Task) bool { return k.Arrival > by }) {
			in++
		}
	}
	got, want := arrived(b, by), float64(in)/draws
	t.Logf("arrived %.3f, drawn %.3f: %v", got, want, err)
	if math.Abs(got-want) > 3*math.Sqrt(want*(1-want)/draws) {
		t.Errorf("arrived %.3f, drawn %.3f", got, want)
	}
}

// A listed task that no worker and no machine does in time is refused without a run, and says so.
func TestRefusedForItsLargestTask(t *testing.T) {
	q := fewTasks(new(1e5))
	q.Server = "checkpoint"
	speed := q.Hosts.Speed.Mean
	q.Bag = &bags.Bag{Tasks: []bags.Task{{Work: 100 * speed}, {Work: 1e6 * speed}}}
	_, err := Done(context.Background(), q)
	var no *ask.InfeasibleError
	if !errors.As(err, &no) || !strings.Contains(no.Reason, "its largest task takes") {
		t.Errorf("%v", err)
	}
}

// Fewer runs are afforded where machines come and go a hundred million times in each.
func TestAffordableRuns(t *testing.T) {
	q := fewTasks(new(1e7))
	for _, c := range []struct {
		stay float64
		few  bool
	}{{3600, false}, {10, true}} {
		h := *q.Hosts
		h.Up, h.Down = law.Exponential{Scale: c.stay}, law.Exponential{Scale: c.stay}
		q.Hosts, h.Count = &h, 200
		j := &judge{c: &bot.Case{Hosts: &h}, by: *q.By}
		if runs := j.affordable(100); (runs < fewestJudged) != c.few {
			t.Errorf("machines that stay for %v s: %d runs", c.stay, runs)
		}
	}
}

// Machines that hardly ever stay for a task do not keep workers from doing it. The law of the bag ends after
// millions of years, and its steps are too long to see that they do: such bags were refused.
func TestHelpWhereMachinesNeverFinish(t *testing.T) {
	bag := &bags.Bag{Name: "long", Size: bags.Spread{Mean: 1000}, Work: bags.Spread{Mean: 3.6e7}}
	for _, up := range []float64{60, 1200, 3600} {
		machines := &hosts.Platform{Name: lawHosts, Count: 1e5, Speed: Desktop,
			Up: law.Exponential{Scale: up}, Down: law.Exponential{Scale: 60}}
		for _, by := range []float64{1e5, 2e5} {
			a, err := Done(t.Context(), &FinishQuestion{Bag: bag, Hosts: machines, By: &by})
			if err != nil {
				t.Errorf("stays of %g s, by %g s: %v", up, by, err)
				continue
			}
			// A worker does 3.6e7/3000 s of work for a task after a look and a boot.
			least := 1000 * 12000 / (by - 180)
			if n := float64(a.Design.Workers); n < least || n > 1.3*least || len(a.Frontier) < 3 {
				t.Errorf("stays of %g s, by %g s: %v workers, want some more than %.0f; frontier %v",
					up, by, n, least, a.Frontier)
			}
		}
	}
}

// By BOINC a task is done when two of its three results are. A worker for each task does these one after the other,
// which is late here, but two for each at once are in time: such bags were refused.
func TestBOINCHelpsWithAWorkerForEachResult(t *testing.T) {
	bag := &bags.Bag{Name: "long", Size: bags.Spread{Mean: 60}, Work: bags.Spread{Mean: 9e6}}
	machines := &hosts.Platform{Name: lawHosts, Count: 20, Speed: Desktop,
		Up: law.Exponential{Scale: 40_000}, Down: law.Exponential{Scale: 2000}}
	by := 5500.0 // after two minutes a result takes 3000 s
	a, err := Done(t.Context(), &FinishQuestion{Bag: bag, Hosts: machines, Server: "boinc", By: &by})
	if err != nil {
		t.Fatal(err)
	}
	if n := a.Design.Workers; n <= 60 || n > 180 || a.Design.Judged == nil || a.Design.Judged.Chance < 0.95 {
		t.Errorf("%d workers, %+v", n, a.Design.Judged)
	}
}
