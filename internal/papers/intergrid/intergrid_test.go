package intergrid

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/planner/routes"
)

// The means of Weibull laws are αΓ(1 + 1/β): 14 s for 7.0 and 0.5; of table 2's
// local laws 2, 1.6 and 1.2 times Γ(27/7) (scipy.special.gamma).
func TestReproduceInterGrid(t *testing.T) {
	a := papertest.Ask(t, Reproducibles(), paper.Question{Name: "intergrid-workload"})
	_, external := papertest.Compared(a, "external requests")
	if math.Abs(external[1]-1./14) > 1e-12 || math.Abs(external[0]-1/7.6) > 1e-12 {
		t.Errorf("external rates %v, want 1/7.6 and 1/14 among them", external)
	}
	for name, scale := range map[string]float64{"C64": 2, "C128": 1.6, "C256": 1.2} {
		_, v := papertest.Compared(a, "local requests of "+name)
		if want := 1 / (scale * 5.029144702140307); math.Abs(v[0]/want-1) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, v[0], want)
		}
	}
	// PAP is never slower than another policy, and its shares add up to 1. With
	// several servers and 0.15/s every cluster has its part somewhere; as printed
	// one has all.
	for _, name := range []string{"intergrid-sizes", "intergrid-durations", "intergrid-external", "intergrid-local"} {
		best, shares, used := map[float64]float64{}, map[float64]float64{}, map[string]bool{}
		a := papertest.Ask(t, Reproducibles(), paper.Question{Name: name})
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

// What the text says in words is judged by the numbers of the figure, and one that
// chance may have made cannot be told.
func TestTells(t *testing.T) {
	for _, c := range []struct {
		difference, half float64
		want             paper.Verdict
	}{{2, 1, paper.Agrees}, {-2, 1, paper.Differs}, {0.5, 1, paper.CannotBeTold}, {-0.5, 1, paper.CannotBeTold}, {1, math.NaN(), paper.CannotBeTold}} {
		a := &paper.Reproduction{}
		if tells(a, c.difference, c.half, "quantity", "", ""); a.Rows[0].Verdict != c.want {
			t.Errorf("%v ± %v: %q, want %q", c.difference, c.half, a.Rows[0].Verdict, c.want)
		}
	}
}
