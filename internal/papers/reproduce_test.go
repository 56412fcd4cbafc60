package papers

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/routes"
)

func reproduced(t *testing.T, q Question) *Reproduction {
	t.Helper()
	a, err := Reproduce(context.Background(), &q)
	if err != nil {
		t.Fatalf("%s: %v", q.Name, err)
	}
	return a
}

// Everything that needs no trace is computed, says what differs, and has a
// number or a reason in every row; the same question gives the same bytes.
func TestReproduceAll(t *testing.T) {
	seen := map[string]bool{}
	papers := map[string]int{}
	for _, r := range Reproducibles() {
		if seen[r.Name] || r.Name == "" || r.Source == "" || r.Title == "" || r.Differs == "" {
			t.Errorf("%+v: want a name of its own, source, title and what differs", r)
		}
		seen[r.Name] = true
		paper, _, _ := strings.Cut(r.Source, " ")
		papers[strings.TrimSuffix(paper, ",")]++
		if !r.Computed {
			q := &Question{Name: r.Name, Seed: 1}
			var input *ask.InputError
			if _, err := Reproduce(context.Background(), q); !errors.As(err, &input) {
				t.Errorf("%s: %v, want an *InputError", r.Name, err)
			}
			continue
		}
		t.Run(r.Name, func(t *testing.T) { computedAgain(t, r) })
	}
	for _, p := range []string{"PCU", "InterGrid", "QoS-GRAF", "iShare", "SpeQuloS"} {
		if papers[p] == 0 {
			t.Errorf("nothing of %s is listed: %v", p, papers)
		}
	}
}

// computedAgain computes a figure, small, and where time is no matter once more.
func computedAgain(t *testing.T, r Reproducible) {
	t.Helper()
	// The figures of InterGrid 5.2 are one simulation read in twenty ways, and so
	// are those of SpeQuloS by strategy: the first stands for the others, which the
	// script of reproduce draws.
	stored := strings.HasPrefix(r.Name, "intergrid-figure-") && r.Name != "intergrid-figure-5a" ||
		r.Name == "intergrid-table-3" || r.Name == "intergrid-readings" ||
		slices.Contains([]string{"spequlos-figure-4b", "spequlos-figure-4c", "spequlos-figure-5"}, r.Name)
	if stored {
		return
	}
	if r.Reproduced == "" {
		t.Errorf("%s does not say what is reproduced", r.Name)
	}
	q := Question{Name: r.Name, Seeds: 2, Seed: 1, Scale: .02, Laboratory: machines.LaboratoryQuestion{Machines: 2, Days: 14}}
	if !longtest.Wanted() {
		switch {
		case r.Name == "approximations":
			return // TestMeasuredIsCurrent of planner/approximations measures them all
		case strings.HasPrefix(r.Name, "qos-graf-"), r.Name == "spequlos-figure-6a", r.Name == "spequlos-table-1":
			q.Seeds = 1 // one seed has every row that two have
		case strings.HasPrefix(r.Name, "spequlos-"):
			q.Seeds = 0 // the other bags are the same runs anew: the stored ones have the same rows
		}
	}
	a := reproduced(t, q)
	if len(a.Rows) == 0 {
		t.Errorf("%s has no rows", r.Name)
	}
	for _, row := range a.Rows {
		if row.Computed == nil && row.Note == "" && row.Series == string(routes.PAP) {
			t.Errorf("%s: %+v has neither a number nor a reason", r.Name, row)
		}
	}
	first, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	// Figure 10 measures times. Approximations run anew take minutes;
	// TestSimulatedInShards shows that they are the same whoever runs them.
	if r.Name == "ishare-figure-10" || r.Name == "approximations" || !longtest.Wanted() {
		return
	}
	if second, _ := json.Marshal(reproduced(t, q)); string(second) != string(first) {
		t.Errorf("%s: two runs differ", r.Name)
	}
}

// compared returns printed and computed of the rows of a quantity.
func compared(a *Reproduction, quantity string) (printed, computed []float64) {
	for _, r := range a.Rows {
		if r.Quantity != quantity || r.Printed == nil {
			continue
		}
		printed = append(printed, *r.Printed)
		if r.Computed == nil {
			computed = append(computed, math.NaN())
		} else {
			computed = append(computed, *r.Computed)
		}
	}
	return printed, computed
}

// The examples of PCU section 4.6, worked by hand:
// 100e6/(2·8e6) − 100/120 = 5.41667; ln 0.05/ln(2/7) = 2.39130; with xT = 500/3 s
// the epoch is (s(1 − yT) + xTq)/(q + sy/2) of s = √(xT), q = √(y/2).
func TestReproducePCU(t *testing.T) {
	a := reproduced(t, Question{Name: "pcu-examples"})
	s, q := math.Sqrt(500./3), math.Sqrt(1./400)
	for quantity, want := range map[string][2][]float64{
		"greatest arrival rate": {{5.4}, {6.25 - 100./120}},
		"best epoch":            {{180, 180, 180}, {math.NaN(), (s*0.5 + 500./3*q) / (q + s/400), 2000}},
		"replicas":              {{2.39}, {math.Log(0.05) / math.Log(2./7)}},
	} {
		printed, computed := compared(a, quantity)
		if !slices.Equal(printed, want[0]) {
			t.Errorf("%s: printed %v, want %v", quantity, printed, want[0])
		}
		for i, v := range computed {
			if w := want[1][i]; !(math.Abs(v-w) <= 1e-9*w) && !(math.IsNaN(v) && math.IsNaN(w)) {
				t.Errorf("%s: computed %v, want %v", quantity, v, w)
			}
		}
	}
	// B(1290, 1200) = 4.14275072e-4 (mpmath), at a rate of 1200/5000 per s.
	f := reproduced(t, Question{Name: "pcu-figure-6"})
	for _, r := range f.Rows {
		if r.Series == "dedicated and public" && *r.X == 1200 {
			if want := 0.24 * (1 - 4.14275072e-4); math.Abs(*r.Computed/want-1) > 1e-11 {
				t.Errorf("throughput at 1200 erl is %.12g, want %.12g", *r.Computed, want)
			}
			return
		}
	}
	t.Error("no point at 1200 erl")
}

// The means of Weibull laws are αΓ(1 + 1/β): 14 s for 7.0 and 0.5; of table 2's
// local laws 2, 1.6 and 1.2 times Γ(27/7) (scipy.special.gamma).
func TestReproduceInterGrid(t *testing.T) {
	a := reproduced(t, Question{Name: "intergrid-workload"})
	_, external := compared(a, "external requests")
	if math.Abs(external[1]-1./14) > 1e-12 || math.Abs(external[0]-1/7.6) > 1e-12 {
		t.Errorf("external rates %v, want 1/7.6 and 1/14 among them", external)
	}
	for name, scale := range map[string]float64{"C64": 2, "C128": 1.6, "C256": 1.2} {
		_, v := compared(a, "local requests of "+name)
		if want := 1 / (scale * 5.029144702140307); math.Abs(v[0]/want-1) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, v[0], want)
		}
	}
	// PAP is never slower than another policy, and its shares add up to 1. With
	// several servers and 0.15/s every cluster has its part somewhere; as printed
	// one has all.
	for _, name := range []string{"intergrid-sizes", "intergrid-durations", "intergrid-external", "intergrid-local"} {
		best, shares, used := map[float64]float64{}, map[float64]float64{}, map[string]bool{}
		a := reproduced(t, Question{Name: name})
		for _, r := range a.Rows {
			if r.Computed == nil {
				continue
			}
			switch {
			case r.Quantity == "share as printed":
				if (*r.Computed == 1) != (r.Series == "C128") {
					t.Errorf("%s as printed: %v for %s", name, *r.Computed, r.Series)
				}
			case r.Quantity == "share":
				shares[*r.X] += *r.Computed
				used[r.Series] = used[r.Series] || *r.Computed > 0.05
			case r.Series == string(routes.PAP):
				best[*r.X] = *r.Computed
			case *r.Computed < best[*r.X]*(1-1e-12):
				t.Errorf("%s at %v: %s takes %v, PAP %v", name, *r.X, r.Series, *r.Computed, best[*r.X])
			}
		}
		if len(best) < 9 || len(shares) != len(best) || len(used) != 3 || !used["C64"] || !used["C128"] || !used["C256"] {
			t.Errorf("%s has %d points, %d with shares, %v in use", name, len(best), len(shares), used)
		}
		for x, v := range shares {
			if math.Abs(v-1) > 1e-9 {
				t.Errorf("%s at %v: shares add up to %v", name, x, v)
			}
		}
	}
}

// The example of two jobs comes out as printed.
func TestReproduceSharing(t *testing.T) {
	a := reproduced(t, Question{Name: "qos-graf-figure-3"})
	for _, quantity := range []string{"worst loss", "overbooking"} {
		printed, computed := compared(a, quantity)
		if len(printed) != 2 || !slices.Equal(printed, computed) {
			t.Errorf("%s: printed %v, computed %v", quantity, printed, computed)
		}
	}
}

// What holds of the text's claims over few batches, and the printed table.
func TestReproduceQoSGRAF(t *testing.T) {
	ten := []int{10} // of each dependency: the claims are not kept with 4
	a := reproduced(t, Question{Name: "qos-graf-figure-7a", Seeds: 3, Seed: 1, Resources: ten})
	printed, computed := compared(a, "MRPA below the optimum")
	if len(printed) < 6 {
		t.Errorf("%d points", len(printed))
	}
	for i, v := range computed {
		if v < 0 || v > printed[i] {
			t.Errorf("MRPA is %v below the optimum, the paper says at most %v", v, printed[i])
		}
	}
	a = reproduced(t, Question{Name: "qos-graf-figure-8a", Seeds: 3, Seed: 1, Resources: ten})
	for quantity, most := range map[string]float64{"MLBA over the least loss": 1.05, "UNIT_BIG over the least loss": 3} {
		_, computed := compared(a, quantity)
		for _, v := range computed {
			if v < 1 || v > most {
				t.Errorf("%s: %v, want 1 to %v", quantity, v, most)
			}
		}
	}
	a = reproduced(t, Question{Name: "qos-graf-table-2", Seeds: 1, Seed: 1, Resources: ten})
	var loss []float64
	for _, r := range a.Rows {
		if r.Quantity == "loss" && r.Series == string(alloc.UnitBig) {
			loss = append(loss, *r.Printed)
		}
	}
	if !slices.Equal(loss, []float64{45290, 156016, 285353, 510482}) {
		t.Errorf("printed losses of UNIT_BIG %v", loss)
	}
}

func TestReproduceRefuses(t *testing.T) {
	zero := 0.0
	for field, q := range map[string]Question{
		"name":            {Name: "pcu-figure-66"},
		"name ":           {},
		"name  ":          {Name: "pcu-figure-1-3"},
		"machines":        {Name: "ishare-figure-11", Laboratory: machines.LaboratoryQuestion{Machines: -1}},
		"days":            {Name: "ishare-table-2", Laboratory: machines.LaboratoryQuestion{Days: 1 << 40}},
		"reference-speed": {Name: "intergrid-sizes", ReferenceSpeed: &zero},
		"seeds":           {Name: "qos-graf-figure-7b", Seeds: -1},
	} {
		var input *ask.InputError
		_, err := Reproduce(context.Background(), &q)
		if !errors.As(err, &input) || input.Field != strings.TrimSpace(field) {
			t.Errorf("%+v: %v, want an error of %s", q, err, field)
		}
	}
	speed := 5e4
	if _, err := Reproduce(context.Background(), &Question{Name: "intergrid-local", ReferenceSpeed: &speed}); err == nil || !strings.Contains(err.Error(), "saturated by its local requests") {
		t.Errorf("a speed at which nothing can be routed: %v", err)
	}
}
