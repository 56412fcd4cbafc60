package qosgraf

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/lp/alloc"
)

// The example of two jobs comes out as printed.
func TestReproduceSharing(t *testing.T) {
	a := papertest.Ask(t, Reproducibles(), paper.Question{Name: "qos-graf-figure-3"})
	for _, quantity := range []string{"worst loss", "overbooking"} {
		printed, computed := papertest.Compared(a, quantity)
		if len(printed) != 2 || !slices.Equal(printed, computed) {
			t.Errorf("%s: printed %v, computed %v", quantity, printed, computed)
		}
	}
}

// What holds of the text's claims over few batches, and the printed table.
func TestReproduceQoSGRAF(t *testing.T) {
	ten := []int{10} // of each dependency: the claims are not kept with 4
	a := papertest.Ask(t, Reproducibles(), paper.Question{Name: "qos-graf-figure-7a", Seeds: 3, Seed: 1, Resources: ten})
	printed, computed := papertest.Compared(a, "MRPA below the optimum")
	if len(printed) < 6 {
		t.Errorf("%d points", len(printed))
	}
	for i, v := range computed {
		if v < 0 || v > printed[i] {
			t.Errorf("MRPA is %v below the optimum, the paper says at most %v", v, printed[i])
		}
	}
	a = papertest.Ask(t, Reproducibles(), paper.Question{Name: "qos-graf-figure-8a", Seeds: 3, Seed: 1, Resources: ten})
	for quantity, most := range map[string]float64{"MLBA over the least loss": 1.05, "UNIT_BIG over the least loss": 3} {
		_, computed := papertest.Compared(a, quantity)
		for _, v := range computed {
			if v < 1 || v > most {
				t.Errorf("%s: %v, want 1 to %v", quantity, v, most)
			}
		}
	}
	a = papertest.Ask(t, Reproducibles(), paper.Question{Name: "qos-graf-table-2", Seeds: 1, Seed: 1, Resources: ten})
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

// The ratio of two means and its interval, against the sums by hand:
// x − 2y = 0, 1, −1 over a mean of 2 is 2 ± t·sqrt(2/2/3)/2, t = 4.3027.
func TestRatioOfMeans(t *testing.T) {
	r, half := ratioOfMeans([]float64{2, 5, 5}, []float64{1, 2, 3})
	if want := 4.302652729696142 * math.Sqrt(1.0/3) / 2; math.Abs(r-2) > 1e-15 || math.Abs(half-want) > 1e-9 {
		t.Errorf("%v ± %v, want 2 ± %v", r, half, want)
	}
}
