package pcu

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"math"
	"os"
	"regexp"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/planner/ask"
)

var updatePoints = flag.String("update-points", "",
	"simulate the points of the figures of PCU whose names match anew and write points.json")

// pointFigures are the figures whose points are stored, with how many of their rows
// are points.
var pointFigures = map[string]int{
	"pcu-figure-6-simulated":  84,
	"pcu-figure-7-simulated":  30,
	"pcu-figure-8":            53,
	"pcu-figure-10-simulated": 40,
	"pcu-figure-12-simulated": 36,
	"pcu-figure-14":           120,
}

// What is stored is points alone, all of them, and what is said of them is judged
// anew: the tallies are those of the list.
func TestStoredPoints(t *testing.T) {
	if *updatePoints != "" {
		updateStoredPoints(t, regexp.MustCompile(*updatePoints))
		return
	}
	stored := rowsOfPoints()
	for name, want := range pointFigures {
		points := 0
		for _, r := range stored[name].Rows {
			if r.X != nil {
				points++
			}
			if r.Verdict != "" || r.Printed != nil || r.Quantity == "claim" {
				t.Errorf("%s: %+v is no point", name, r)
			}
		}
		if points != want || stored[name].Seeds < pcuRuns || stored[name].Seed != 1 {
			t.Errorf("%s: %d points of %d runs of seed %d, want %d", name, points, stored[name].Seeds,
				stored[name].Seed, want)
		}
		a := papertest.Ask(t, Reproducibles(), paper.Question{Name: name, Seed: 1})
		if listed := paper.Listed()[name]; listed == nil || *listed != a.Verdicts {
			t.Errorf("%s: judged %+v, listed %+v", name, a.Verdicts, listed)
		}
		if len(a.Drawn) == 0 || a.X == "" || len(a.Panels()) == 0 {
			t.Errorf("%s is not drawn", name)
		}
	}
	for name := range stored {
		if _, ok := pointFigures[name]; !ok {
			t.Errorf("%s is stored and not tested", name)
		}
	}
}

func updateStoredPoints(t *testing.T, which *regexp.Regexp) {
	all := rowsOfPoints()
	for name := range pointFigures {
		if !which.MatchString(name) {
			continue
		}
		a := papertest.Ask(t, Reproducibles(), paper.Question{Name: name, Seed: 1, Seeds: pcuRuns})
		s := storedRows{Seeds: pcuRuns, Seed: 1}
		for _, r := range a.Rows {
			if r.Verdict == "" {
				s.Rows = append(s.Rows, r)
			}
		}
		all[name] = s
	}
	text, err := json.Marshal(all)
	if err == nil {
		text = bytes.ReplaceAll(text, []byte("{"), []byte("\n{")) // a row a line
		err = os.WriteFile("points.json", append(papertest.Shortened(text), '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Each verdict hangs on the points: with one of them moved it is another.
func TestVerdictsFollowPoints(t *testing.T) {
	mean, fastest, err := pcuEquivalents()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		figure           string
		judge            func(*poolStudy)
		verdict          int // which of those that the figure has
		quantity, series string
		x, to            float64
	}{
		{"pcu-figure-6-simulated", func(s *poolStudy) { figure6Claims(s, mean, fastest) }, 0,
			"throughput", "Erlang, mean speed", 400, 1},
		{"pcu-figure-6-simulated", func(s *poolStudy) { figure6Claims(s, mean, fastest) }, 1,
			"simulated over Erlang", "mean speed", 2000, math.NaN()},
		{"pcu-figure-7-simulated", figure7Claims, 0, "goodput", "25 dedicated", 1500, 1e4},
		{"pcu-figure-8", figure8Claims, 0, "migrations in an epoch", "25 dedicated", 1500, 1e4},
		{"pcu-figure-8", figure8Claims, 1, "time of a migration", "25 dedicated, 1 MB", 100, 1e-2},
		{"pcu-figure-8", figure8Claims, 2, "migrations in an epoch", "100 dedicated", 1500, 1e4},
		{"pcu-figure-10-simulated", figure10Claims, 0, "down-time of a job", "failures", 2, 1e6},
		{"pcu-figure-10-simulated", figure10Claims, 1, "elongation", "simulated", 5, 1e6},
		{"pcu-figure-10-simulated", figure10Claims, 2, "down-time of a job", "migrations", 1, 0},
		{"pcu-figure-10-simulated", figure10Claims, 3, "down-time of a job", "migrations", 8, math.NaN()},
		{"pcu-figure-12-simulated", figure12Claims, 0, "down-time of a job", "failures", 600, 0},
		{"pcu-figure-12-simulated", figure12Claims, 1, "down-time of a job", "migrations", 15, 0},
		{"pcu-figure-12-simulated", figure12Claims, 2, "elongation", "simulated", 120, 1e-3},
		{"pcu-figure-14", figure14Claims, 0, "increase of the running time", "1 MB", 100, .5},
		{"pcu-figure-14", figure14Claims, 1, "utilization over that of DAS-2", "1 MB", 100, 3.5},
		{"pcu-figure-14", figure15Claims, 0, "work on public machines", "1 MB", 100, .4},
		{"pcu-figure-14", figure15Claims, 1, "work on public machines", "three times the memory", 100, .4},
	} {
		stored := rowsOfPoints()[k.figure].Rows
		before := judged(stored, k.judge)
		found := false
		for i := range stored {
			if r := &stored[i]; r.Quantity == k.quantity && r.Series == k.series && r.X != nil && *r.X == k.x {
				r.Computed, r.Low, r.High, found = ask.Figure(k.to), nil, nil, true
			}
		}
		after := judged(stored, k.judge)
		if !found || len(before) <= k.verdict || before[k.verdict] == after[k.verdict] {
			t.Errorf("%s: with %s, %s at %v being %v the verdicts are %v, before %v; the %d-th should be another",
				k.figure, k.quantity, k.series, k.x, k.to, after, before, k.verdict)
		}
	}
}

func judged(points []paper.Row, judge func(*poolStudy)) (all []paper.Verdict) {
	a := &paper.Reproduction{Rows: append([]paper.Row(nil), points...)}
	judge(&poolStudy{question: &paper.Question{}, answer: a})
	for _, r := range a.Rows[len(points):] {
		all = append(all, r.Judge())
	}
	return all
}

// Runs of another seed come to the stored points that verdicts on figures 7 and 10
// hang on, to within a tenth or the stored interval.
func TestStoredPointsAnew(t *testing.T) {
	longtest.Skip(t)
	pool := func(name string, simulate func(context.Context, *poolStudy) error) {
		t.Helper()
		var again paper.Reproduction
		s := pools((&paper.Question{Seed: 2, Seeds: 2}), &again, 1)
		if err := simulate(context.Background(), s); err != nil {
			t.Fatal(err)
		}
		kept := &poolStudy{answer: &paper.Reproduction{Rows: rowsOfPoints()[name].Rows}}
		for _, r := range again.Rows {
			want, high := kept.at(r.Quantity, r.Series, *r.X)
			if got := *r.Computed; math.Abs(got-want) > math.Max(0.1*want, 2*(high-want)) {
				t.Errorf("%s: %s, %s at %v: %v, stored %v to %v", name, r.Quantity, r.Series, *r.X, got, want, high)
			}
		}
	}
	pool("pcu-figure-7-simulated", func(ctx context.Context, s *poolStudy) error {
		s.horizon = 24 * 3600
		for _, n := range []int{25, 200} {
			p := poolOf(1500)
			p.Dedicated = n
			r, err := s.run(ctx, p)
			if err != nil {
				return err
			}
			s.point("goodput", dedicatedMachines(n), "erl", 1500, r, "goodput_erl")
			s.point("elongation", dedicatedMachines(n), "", 1500, r, "elongation_of_all")
		}
		return nil
	})
	pool("pcu-figure-10-simulated", func(ctx context.Context, s *poolStudy) error {
		for _, k := range []int{1, 2} {
			p := poolOf(pcuLoad * pcuDedicated)
			p.Replicas = k
			r, err := s.run(ctx, p)
			if err != nil {
				return err
			}
			s.point("down-time of a job", "failures", "s", float64(k), r, "down_failure_s")
			s.point("down-time of a job", "migrations", "s", float64(k), r, "down_migration_s")
			s.point("elongation", "simulated", "", float64(k), r, "elongation_of_all")
		}
		return nil
	})
}
