package intergrid

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/sim/lease"
)

// The stored table is what the runs come to: the first seed of some of its cells,
// or of all where long tests are wanted, is run again.
func TestStoredLeases(t *testing.T) {
	table := storedTable()
	var firsts []map[string]float64
	text, err := os.ReadFile(storedFirsts)
	if err == nil {
		err = json.Unmarshal(text, &firsts)
	}
	if n := len(table.Cells); err != nil || len(firsts) != n+len(table.Face.Cells) {
		t.Fatalf("%d first seeds of %d cells, %v", len(firsts), n, err)
	}
	for i := range table.Cells {
		table.Cells[i].First = firsts[i]
	}
	for i := range table.Face.Cells {
		table.Face.Cells[i].First = firsts[len(table.Cells)+i]
	}
	again := 0
	for _, u := range leaseUnits(defaultReferenceSpeed, "abcd", true) {
		if !longtest.Wanted() && (u.e.letter != "c" || u.at != u.e.at[0] || u.read.name == faceValue.name) {
			continue
		}
		w, err := u.e.workload(u.at)
		if err != nil {
			t.Fatal(err)
		}
		from := table
		if u.read.name == faceValue.name {
			from = table.Face
		}
		r, err := runLeases(context.Background(), u.read.system(w, u.p), 1, table.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range from.Cells {
			if c.Experiment != u.e.letter || c.Policy != u.p.String() || math.Abs(c.X-u.e.value(w)) > 1e-12*c.X {
				continue
			}
			again++
			for name, want := range c.First {
				numtest.Close(t, c.Experiment+" "+c.Policy+" "+name, r[name][0], want, 1e-12)
			}
		}
	}
	if again < len(leasePolicies) {
		t.Errorf("%d cells were made again", again)
	}
	if table.Seeds < 100 || len(table.Cells) < 24*len(leasePolicies) || len(table.Pairs) != len(leaseClaims) {
		t.Errorf("%d seeds, %d cells, %d differences", table.Seeds, len(table.Cells), len(table.Pairs))
	}
}

// 1, 2, 3 have the mean 2 and the interval 2 ± 4.3027/√3.
func TestLeaseInterval(t *testing.T) {
	v, ok := means.Of([]float64{1, math.NaN(), 3, 2})
	half := 4.302652729696142 / math.Sqrt(3)
	if !ok || v[0] != 2 || math.Abs(v[1]-(2-half)) > 1e-9 || math.Abs(v[2]-(2+half)) > 1e-9 {
		t.Errorf("%v", v)
	}
	if v, ok := means.Of([]float64{5}); !ok || v[0] != 5 || !math.IsNaN(v[1]) {
		t.Errorf("one value: %v %v", v, ok)
	}
	if _, ok := means.Of([]float64{math.NaN()}); ok {
		t.Error("no value has an interval")
	}
}

func made(experiment string, x float64, p lease.Policy, vms, times []float64) leaseRun {
	c := leaseCell{Experiment: experiment, X: x, Policy: p.String(), Seeds: len(vms)}
	return leaseRun{c, leaseRuns{lease.VMsPreempted: vms, response: times}}
}

// Differences are paired by seed and averaged over the points that a claim is
// about; a line is fitted for each seed.
func TestLeaseDifferences(t *testing.T) {
	runs := []leaseRun{
		made("d", 0.1, rnd, []float64{1000, 1000}, []float64{10, 12}),
		made("d", 0.1, rtdp, []float64{0, 0}, []float64{0, 2}),
		made("d", 0.15, rnd, []float64{9, 8, 7}, []float64{0.09, 2.08, 5}),
		made("d", 0.15, rtdp, []float64{5, 7}, []float64{0.05, 2.07}),
		made("d", 0.2, rnd, []float64{10, 20}, []float64{0.1, 2.2}),
		made("d", 0.2, rtdp, []float64{4, 25}, []float64{0.04, 2.25}),
	}
	c := leaseClaim{experiment: "d", of: lease.VMsPreempted, more: rnd, less: rtdp, from: 0.12}
	got := c.differences(runs)
	if len(got) != 2 || got[0] != (4+6)/2. || got[1] != (1-5)/2. {
		t.Errorf("differences %v, want 5, -2", got)
	}
	// Response = 0 + 0.01 VMs in the first seed and 2 + 0.01 in the second.
	l := regress(runs, 2)
	if l == nil {
		t.Fatal("no line")
	}
	numtest.Close(t, "intercept", l.Intercept[0], 1, 1e-9)
	numtest.Close(t, "slope", l.Slope[0], 0.01, 1e-9)
	numtest.Close(t, "correlation", l.Correlation[0], 1, 1e-12)
	if l.Preempted != [2]float64{0, 1000} || l.Response != [2]float64{0, 12} {
		t.Errorf("domain %v, %v", l.Preempted, l.Response)
	}
}

func TestLeaseSign(t *testing.T) {
	some, none := leaseClaim{low: 1, high: 2}, leaseClaim{}
	for _, c := range []struct {
		claim leaseClaim
		d     *means.Interval
		want  paper.Verdict
	}{
		{some, &means.Interval{5, 1, 9}, paper.Agrees},
		{some, &means.Interval{5, -1, 9}, paper.CannotBeTold},
		{some, &means.Interval{-5, -9, -1}, paper.Differs},
		{some, nil, paper.CannotBeTold},
		{some, &means.Interval{5, math.NaN(), math.NaN()}, paper.CannotBeTold},
		{none, &means.Interval{5, -1, 9}, paper.Agrees},
		{none, &means.Interval{5, 1, 9}, paper.Differs},
		{none, &means.Interval{-5, -9, -1}, paper.Differs},
	} {
		if got := c.claim.sign(c.d); got != c.want {
			t.Errorf("%v of a claim %v..%v: %s, want %s", c.d, c.claim.low, c.claim.high, got, c.want)
		}
	}
}

// Every experiment has the points that it says, at the rates and means of the text.
func TestLeaseExperiments(t *testing.T) {
	for _, e := range leaseExperiments {
		for _, at := range e.at {
			w, err := e.workload(at)
			if err != nil {
				t.Fatal(err)
			}
			switch e.letter {
			case "a":
				numtest.Close(t, "rate", 1/w.External.Gap.Mean(), 0.15, 1e-12)
			case "b":
				numtest.Close(t, "duration", w.External.Duration.Mean(), math.Exp(at+1.7*1.7/2), 1e-12)
			case "c":
				numtest.Close(t, "rate", 1/w.External.Gap.Mean(), at, 1e-12)
				numtest.Close(t, "duration", w.External.Duration.Mean(), 420, 1e-12)
			case "d":
				numtest.Close(t, "local rate", meanLocalRate(w), at, 1e-9)
				numtest.Close(t, "rate", 1/w.External.Gap.Mean(), 0.148, 0.002)
			}
		}
	}
}

// A figure has a point for each policy and x, each printed difference by sign and
// by size, each share that the text prints, and runs made now where seeds are asked for.
func TestReproduceLeases(t *testing.T) {
	for name, c := range map[string]struct{ cells, claims, seeds int }{
		"intergrid-figure-5a":  {25, 6, 0},
		"intergrid-figure-6b":  {70, 6, 0},
		"intergrid-figure-7d":  {60, 7, 0},
		"intergrid-figure-8gh": {60, 5, 0},
		"intergrid-table-3":    {0, 15, 0},
		"intergrid-figure-4":   {0, 2, 0},
		"intergrid-figure-5c":  {30, 4, 2},
	} {
		if c.seeds > 0 && !longtest.Wanted() {
			continue // ten seconds; one seed of it is run below
		}
		a, err := paper.Reproduce(context.Background(), &paper.Question{Name: name, Seeds: c.seeds, Seed: 1}, Reproducibles())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		cells, claims := 0, 0
		for _, r := range a.Rows {
			switch {
			case r.Printed != nil:
				claims++
			case r.X != nil:
				cells++
				if r.Computed == nil || r.Low == nil || *r.Low > *r.Computed || *r.High < *r.Computed {
					t.Errorf("%s: %+v", name, r)
				}
			}
		}
		if cells != c.cells || claims != c.claims || a.Seed == nil {
			t.Errorf("%s: %d points and %d claims, want %d and %d", name, cells, claims, c.cells, c.claims)
		}
	}
	a, err := paper.Reproduce(context.Background(), &paper.Question{Name: "intergrid-figure-5c", Seeds: 1, Seed: 3}, Reproducibles())
	if err != nil || a.Rows[0].Low != nil || a.Rows[0].Computed == nil || a.Verdicts.Agrees > 0 {
		t.Errorf("one seed: %v, %+v", err, a.Rows[0])
	}
	speed := 50_000.0
	if _, err := paper.Reproduce(context.Background(), &paper.Question{Name: "intergrid-figure-5c", Seeds: 1, ReferenceSpeed: &speed}, Reproducibles()); err == nil || !strings.Contains(err.Error(), "no split at this speed") {
		t.Errorf("at %v MIPS: %v", speed, err)
	}
}
