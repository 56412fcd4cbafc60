package planner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// manyTypes is a scenario of so many types of machines, public ones in groups, whose jobs give
// up, with a range of rates.
func manyTypes(types int, erlangs float64, more string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "load: {rate: %.6g..%.6g..%.6g/min}\nservice: {time: 600s, patience: 600s}\n",
		erlangs*0.09, erlangs*0.1, erlangs*0.12)
	fmt.Fprintf(&text, "objectives: {max_abandon: 3%%%s}\nmachines:\n", more)
	rng := rand.New(rand.NewPCG(22, 1))
	for i := range types {
		speed := 0.5 + 2*rng.Float64()
		if i%5 == 0 {
			fmt.Fprintf(&text, "  - {name: t%d, kind: dedicated, speed: %.2f, price: %.3f/h}\n", i, speed, 0.4*speed)
			continue
		}
		fmt.Fprintf(&text, "  - {name: t%d, kind: public, speed: %.2f, price: %.3f/h, mttf: %dh, mttr: 40min, groups: %d, group_availability: 99.9%%}\n",
			i, speed, speed*(0.1+0.15*rng.Float64()), 10+rng.IntN(100), 2+rng.IntN(3))
	}
	return text.String()
}

// worked plans a scenario with a share of the work, and returns the steps that its searches made
// and were given.
func worked(t *testing.T, text string, share float64) (a *PlanAnswer, made, given float64) {
	t.Helper()
	q, err := ReadScenario(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := newPremises(q)
	p.work = mixes.NewWork(share)
	a, err = p.plan(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	made, given = 0, 0
	for _, one := range []mixes.Allowance{p.work.Mix, p.work.Beside, p.work.Moved, p.work.Frontier, p.work.Drawn, p.work.Held} {
		made += one.Given - one.Left
		given += one.Given
	}
	return a, made, given
}

// A plan whose searches end early still names a mix that meets the objectives, says so and by
// how much another may be cheaper at most, and is the same on any number of processors.
func TestPlanWorkEnds(t *testing.T) {
	text := manyTypes(2, 40, ", max_public_share: 60%")
	q, err := ReadScenario(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := Nominal(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	short, made, given := worked(t, text, 0.01)
	for _, o := range short.Mix.Objectives {
		if !o.Met {
			t.Errorf("%+v", o)
		}
	}
	if over := short.Mix.Cost/whole.Mix.Cost - 1; !(over >= -1e-9 && over < 0.1) {
		t.Errorf("%v more than the whole search finds", over)
	}
	if all := strings.Join(slices.Concat(short.Mix.Warnings, short.Warnings), "\n"); !strings.Contains(all,
		fmt.Sprintf("costs at most %.3g%% more than the cheapest", 100*(short.Mix.Cost/short.Mix.LowerBound-1))) ||
		!strings.Contains(all, "of the searches for sensitivities reached their limit of work") {
		t.Errorf("warnings: %s", all)
	}
	if made > 5e8 {
		t.Errorf("%.3g steps, of %.3g given", made, given)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	one, _, _ := worked(t, text, 0.01)
	x, _ := json.Marshal(short)
	if y, _ := json.Marshal(one); !bytes.Equal(x, y) {
		t.Error("one processor makes another plan")
	}
}

// What forty types in groups take, whose jobs give up, stays within what a plan gives its
// searches: before they ended such a plan took 23 s, and others minutes.
func TestPlanWorkOfManyTypes(t *testing.T) {
	longtest.Skip(t)
	if _, made, given := worked(t, manyTypes(40, 450, ""), 1); made > 1.25*given {
		t.Errorf("%.3g steps, want at most 1.25 times %.3g", made, given)
	}
}

// Where the sensitivities use up what work there is, those of the load and of the machines that most
// is spent on are told, and it is said that others are left out.
func TestSensitivitiesAreLeftOut(t *testing.T) {
	short, _, _ := worked(t, manyTypes(6, 40, ""), 0.02)
	some := short.Sensitivity.Inputs
	// The rate, the service time, price and speed of six types, MTTF and MTTR of the four public ones, the limit.
	want := fmt.Sprintf("sensitivities are computed for %d of 23 inputs", len(some))
	if said := strings.Join(short.Warnings, "\n"); len(some) == 0 || !strings.Contains(said, want) {
		t.Errorf("no warning %q in %q", want, said)
	}
	if !slices.ContainsFunc(some, func(w Swing) bool { return w.Input == "load.rate" }) {
		t.Errorf("without the load: %+v", some)
	}
	// No type is told of before one that more is spent on.
	spent := func(i int) float64 { return short.Mix.Machines[i].Cost }
	told := func(i int) bool {
		of := fmt.Sprintf("machines[%d].", i)
		return slices.ContainsFunc(some, func(w Swing) bool { return strings.HasPrefix(w.Input, of) })
	}
	for i := range short.Mix.Machines {
		for j := range short.Mix.Machines {
			if spent(i) > spent(j) && told(j) && !told(i) {
				t.Errorf("of machines[%d], for %v/h, and not of machines[%d], for %v/h", j, spent(j), i, spent(i))
			}
		}
	}
}
