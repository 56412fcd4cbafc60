package attempts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// The law of a result that waits for its machine lies within the Dvoretzky, Kiefer,
// Wolfowitz band of as many draws of the machine itself, at a confidence of 1 - 1e-6,
// and a fiftieth of what is missing or three thousandths, for the lattice: where its
// machine had just come, and by how long it had stayed; of stays far shorter than a
// task, of equal machines, and of one absence in a hundred results.
func TestWaitingAgainstDraws(t *testing.T) {
	draws := longtest.Of(10_000, 40_000)
	for _, k := range []struct {
		name     string
		up, down law.Law
		times    Times
		step     float64
	}{
		{"many short stays", law.Exponential{Scale: 60}, law.Exponential{Scale: 30}, Times{{1, 3600}}, 30},
		{
			"heavy tails", law.LogNormal{Mu: 6.3, Sigma: 2.2}, law.LogNormal{Mu: 6.8, Sigma: 1.8},
			Times{{0.2, 2400}, {0.5, 3600}, {0.3, 6000}}, 100,
		},
		{"rare", law.Weibull{Shape: 0.5, Scale: 200000}, law.Exponential{Scale: 4000}, Times{{1, 1200}}, 50},
	} {
		w := NewWaiting(Course{Up: k.up, Down: k.down}, k.times, EvenAges, false)
		laws := w.Laws(k.step, 320, []Times{k.times})[0]
		r := rand.New(rand.NewPCG(1, 1))
		var ends [Ages + 1][]float64
		for range draws {
			_, end := drawWaiting(r, k.up, k.down, k.times, true)
			ends[0] = append(ends[0], end)
			age, end := drawWaiting(r, k.up, k.down, k.times, false)
			ends[1+age] = append(ends[1+age], end)
		}
		shares := w.SharesOf(k.times)
		for a, l := range laws {
			n := float64(len(ends[a]))
			band := math.Sqrt(math.Log(2/1e-6) / (2 * n))
			if a > 0 && math.Abs(n/float64(draws)-shares[a-1]) > math.Sqrt(math.Log(2/1e-6)/(2*float64(draws))) {
				t.Errorf("%s: a share of %v has age %d, want %v", k.name, shares[a-1], a-1, n/float64(draws))
			}
			if n < 100 {
				continue
			}
			slices.Sort(ends[a])
			for i := range l.Kept.F {
				// The lattice spreads what is there over a cell.
				early, _ := slices.BinarySearch(ends[a], (float64(i)-1)*k.step)
				late, _ := slices.BinarySearch(ends[a], (float64(i)+1)*k.step)
				got := l.Kept.F[i] + l.Broken.F[i]
				off := band + 0.003 + 0.02*(1-got)
				if low, high := float64(early)/n-off, float64(late)/n+off; !(got >= low && got <= high) {
					t.Fatalf("%s, age %d: %v by %v s, want %v to %v", k.name, a-1, got, float64(i)*k.step, low, high)
				}
			}
		}
	}
}

// drawWaiting follows one machine until it has done a task, and tells its age.
func drawWaiting(r *rand.Rand, up, down law.Law, w Times, fresh bool) (age int, at float64) {
	left := w[len(w)-1].Speed
	for p, k := r.Float64(), 0; k < len(w); k++ {
		if p -= w[k].Share; p < 0 {
			left = w[k].Speed
			break
		}
	}
	stay, _ := up.Quantile(r.Float64())
	if !fresh {
		whole, _ := law.LengthBiasedQuantile(up, r.Float64())
		stay = whole * r.Float64()
		age = min(Ages-1, int((whole-stay)/left))
	}
	for stay < left {
		away, _ := down.Quantile(r.Float64())
		at += stay + away
		left -= stay
		stay, _ = up.Quantile(r.Float64())
	}
	return age, at + left
}
