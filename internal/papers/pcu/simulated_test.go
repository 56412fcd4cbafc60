package pcu

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
)

// Of a small pool every point is there, and nothing is said of what is printed.
func TestReproduceSimulatedPool(t *testing.T) {
	for name, want := range map[string]struct {
		points int    // rows with an x
		drawn  string // quantity of the first drawing
		claims int
	}{
		"pcu-figure-4":            {25, "correlation", 0},
		"pcu-figure-6-simulated":  {84, "throughput", 3},
		"pcu-figure-7-simulated":  {30, "goodput", 3},
		"pcu-figure-8":            {53, "migrations in an epoch", 5},
		"pcu-figure-10-simulated": {40, "down-time of a job", 5},
		"pcu-figure-12-simulated": {36, "down-time of a job", 2},
		"pcu-figure-14":           {120, "utilization over that of DAS-2", 0},
		"pcu-figure-15":           {120, "work on public machines", 3},
	} {
		a := papertest.Ask(t, Reproducibles(), paper.Question{Name: name, Seed: 1, Seeds: 2, Scale: .01})
		points, claims := 0, 0
		for _, r := range a.Rows {
			if r.X != nil {
				points++
			}
			if r.Quantity == "claim" {
				claims++
			}
			if r.Verdict == paper.Agrees || r.Verdict == paper.Differs {
				if !strings.HasPrefix(r.Quantity, "cut of the capacity") && !strings.HasPrefix(r.Quantity, "greatest gain in utilization") {
					t.Errorf("%s: %+v: a verdict of a small pool", name, r)
				}
			}
		}
		if points != want.points || claims != want.claims || a.Drawn[0].Quantity != want.drawn {
			t.Errorf("%s: %d points, %d claims, drawn %q, want %+v", name, points, claims, a.Drawn[0].Quantity, want)
		}
		if len(a.Warnings) == 0 || a.Seed == nil {
			t.Errorf("%s: warnings %q, seed %v", name, a.Warnings, a.Seed)
		}
	}
}

// At a tenth of its size: the order of the policies where e_max is 1, and that a
// second replica takes most of the down-time for failures.
func TestSimulatedPoolHoldsTogether(t *testing.T) {
	longtest.Skip(t)
	ten := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-figure-10-simulated", Seed: 1, Seeds: 2, Scale: .1})
	one := papertest.Plotted(t, ten, "down-time of a job", "failures", 1)
	two := papertest.Plotted(t, ten, "down-time of a job", "failures", 2)
	if two > one/4 {
		t.Errorf("down for failures %v s with one replica, %v s with two", one, two)
	}
	if e1, e4 := papertest.Plotted(t, ten, "elongation", "simulated", 1), papertest.Plotted(t, ten, "elongation", "simulated", 4); e4 >= e1 {
		t.Errorf("elongation %v with one replica, %v with four", e1, e4)
	}
}

// The generated log has the load that it is made for: 20 % of 400 machines, in
// those of the pool 80·1.5/3.5 erlangs, over many days.
func TestDAS2Log(t *testing.T) {
	const days = 200
	log := das2Log(sim.Stream(1, 0, 1), days*86400)
	work, night, last := 0.0, 0, 0.0
	for _, j := range log {
		work += j.Work
		if hour := math.Mod(j.At, 86400) / 3600; hour >= 1 && hour < 5 {
			night++
		}
		if j.At < last || j.Work <= 0 {
			t.Fatalf("%+v after %v", j, last)
		}
		last = j.At
	}
	if load := work / (days * 86400); math.Abs(load/(80*1.5/3.5)-1) > .1 {
		t.Errorf("load %v erl, want %v", load, 80*1.5/3.5)
	}
	if share := float64(night) / float64(len(log)); share > .08 {
		t.Errorf("%v of the jobs come in a sixth of the day, at night", share)
	}
	if kept := everyNth(log, .25); math.Abs(float64(len(kept))/float64(len(log))-.25) > 1e-4 {
		t.Errorf("kept %d of %d", len(kept), len(log))
	}
	if got := everyNth(pool.Log{{At: 1}, {At: 2}}, .5); len(got) != 1 {
		t.Errorf("kept %v of two", got)
	}
}

// The stored rows of figure 4 are shown where nothing else is asked, their verdicts are
// those of their intervals and in the list, and the runs of another seed have the sign
// that is stored for them.
func TestStoredFigure4(t *testing.T) {
	stored := rowsOfFigure4()
	if stored.Seeds < 100 || len(stored.Rows) != 5*len(pcuLimits) {
		t.Fatalf("%d seeds, %d rows", stored.Seeds, len(stored.Rows))
	}
	shown := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-figure-4", Seed: 1})
	if len(shown.Rows) != len(stored.Rows) || !strings.Contains(shown.Reproduced, "100 runs") {
		t.Errorf("%d rows shown: %s", len(shown.Rows), shown.Reproduced)
	}
	s := &poolStudy{question: &paper.Question{}}
	means := map[string]float64{}
	var tally paper.VerdictTally
	differences := map[float64]paper.Row{}
	for _, r := range stored.Rows {
		means[r.Quantity+r.Series] = *r.Computed
		if r.Printed == nil {
			continue
		}
		differences[*r.X] = r
		tally.Count(r.Verdict)
		if want := s.sign(*r.Computed, *r.Low, *r.High); r.Verdict != want {
			t.Errorf("e_max %v: %s, want %s of %v to %v", *r.X, r.Verdict, want, *r.Low, *r.High)
		}
		if d := means["correlationpreemptive"] - means["correlationstatic"]; math.Abs(*r.Computed-d) > 1e-9 {
			t.Errorf("e_max %v: the difference is %v, of the means %v", *r.X, *r.Computed, d)
		}
	}
	if want := paper.Listed()["pcu-figure-4"]; want == nil || *want != tally {
		t.Errorf("stored %+v, listed %+v", tally, want)
	}
	limits, runs := []float64{2}, 4
	if longtest.Wanted() {
		limits, runs = []float64{.25, 1, 2, 4}, 6
	}
	for _, most := range limits {
		var again paper.Reproduction
		study := pools((&paper.Question{Seed: 2, Seeds: runs}), &again, 2)
		if err := study.policies(context.Background(), most); err != nil {
			t.Fatal(err)
		}
		got, want := again.Rows[len(again.Rows)-1], differences[most]
		half := math.Hypot((*got.High-*got.Low)/2, (*want.High-*want.Low)/2)
		signed := *got.Low**got.High > 0 // a few runs may tell no sign
		if math.Abs(*got.Computed-*want.Computed) > 2*half || signed && *got.Computed**want.Computed < 0 {
			t.Errorf("e_max %v: %v to %v, stored %v to %v", most, *got.Low, *got.High, *want.Low, *want.High)
		}
	}
}
