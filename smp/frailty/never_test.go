package frailty

import (
	"context"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/smp"
)

// TestBandWhereNothingFailed: of machines that never failed in T steps together, the lower
// end of the band is no higher than by the quantile of Gamma(1/2, T), and about the exact
// limit of no event; the chance itself is about the mean over that law. Before, the
// likelihood was greatest where nearly no machine ever fails: 99.9 %, from 99.9 to 100 %, of
// four hours after one machine of 2.4 days.
func TestBandWhereNothingFailed(t *testing.T) {
	for _, n := range []int{1, 3, 10, 300} {
		for _, groups := range []bool{false, true} {
			for _, steps := range []int64{50, 700, 20_000} {
				bandWhereNothingFailed(t, n, steps, groups)
			}
		}
	}
}

func bandWhereNothingFailed(t *testing.T, n int, steps int64, groups bool) {
	const ahead = 48
	records := make([]Record, n)
	for i := range records {
		r := &records[i]
		r.Name = fmt.Sprintf("m%03d", i)
		if groups {
			r.Group = fmt.Sprint(i % 2)
		}
		h := &smp.History{Period: 300, Runs: []smp.Run{{State: smp.S1, First: 0, Steps: steps + 1}}}
		if err := r.Add(Clock{Period: 300}, smp.FiveStates(), h, 0, steps+1); err != nil {
			t.Fatal(err)
		}
	}
	m, err := Fit(context.Background(), Clock{Period: 300}, records, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	w := Window{First: 100_000, Age: Age{Steps: 60, AtLeast: true}, Steps: ahead}
	a, err := m.Aheads(smp.Calendar{}, w)
	if err != nil {
		t.Fatal(err)
	}
	v, err := m.Uncertainty(smp.Calendar{}, w)
	if err != nil {
		t.Fatal(err)
	}
	x, _ := m.Machine("m000")
	band, err := m.Band(x, a[ahead].Expected, v, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	total := float64(n) * float64(steps)
	jeffreys := distuv.Gamma{Alpha: 0.5, Beta: total}
	if limit := math.Exp(-ahead * jeffreys.Quantile(0.95)); !(band.Low <= limit) {
		t.Errorf("%d machines of %d steps, groups %v: from %.5f, want at most %.5f", n, steps, groups, band.Low, limit)
	}
	if exact := math.Log(0.05) / total * ahead; n == 1 && math.Abs(math.Log(band.Low)/exact-1) > 0.05 {
		t.Errorf("%d steps: from %.5f, want about %.5f", steps, band.Low, math.Exp(exact))
	}
	mean := math.Sqrt(total / (total + ahead)) // E exp(−ahead θ), θ ~ Gamma(1/2, T)
	if p := m.Foresee(x, a[ahead]); math.Abs(math.Log(p)/math.Log(mean)-1) > 0.3 || p < band.Low || p > band.High {
		t.Errorf("%d machines of %d steps, groups %v: %.5f in %.5f to %.5f, want about %.5f",
			n, steps, groups, p, band.Low, band.High, mean)
	}
}
