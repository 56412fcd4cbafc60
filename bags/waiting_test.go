package bags

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/law"
)

// The law of a result that waits for its machine lies within the Dvoretzky, Kiefer,
// Wolfowitz band of as many draws of the machine itself, at a confidence of 1 - 1e-6,
// and a fiftieth of what is missing or three thousandths, for the lattice: of stays
// far shorter than a task, of equal machines, and of one absence in a hundred results.
func TestWaitingAgainstDraws(t *testing.T) {
	const draws = 40000
	band := math.Sqrt(math.Log(2/1e-6) / (2 * draws))
	for _, k := range []struct {
		name     string
		up, down law.Law
		times    times
		step     float64
	}{
		{"many short stays", law.Exponential{Scale: 60}, law.Exponential{Scale: 30}, times{{1, 3600}}, 30},
		{
			"heavy tails", law.LogNormal{Mu: 6.3, Sigma: 2.2}, law.LogNormal{Mu: 6.8, Sigma: 1.8},
			times{{0.2, 2400}, {0.5, 3600}, {0.3, 6000}}, 100,
		},
		{"rare", law.Weibull{Shape: 0.5, Scale: 200000}, law.Exponential{Scale: 4000}, times{{1, 1200}}, 50},
	} {
		found, fresh := newWaiting(course{k.up, k.down}, k.times).laws(k.step, flowCells)
		r := rand.New(rand.NewPCG(1, 1))
		for isFresh, g := range []grid{found, fresh} {
			ends := make([]float64, draws)
			for i := range ends {
				ends[i] = drawWaiting(r, k.up, k.down, k.times, isFresh == 1)
			}
			slices.Sort(ends)
			for i := range g.f {
				// The lattice spreads what is there over a cell.
				early, _ := slices.BinarySearch(ends, (float64(i)-1)*k.step)
				late, _ := slices.BinarySearch(ends, (float64(i)+1)*k.step)
				off := band + 0.003 + 0.02*(1-g.f[i])
				if low, high := float64(early)/draws-off, float64(late)/draws+off; !(g.f[i] >= low && g.f[i] <= high) {
					t.Fatalf("%s, fresh %d: %v by %v s, want %v to %v", k.name, isFresh, g.f[i], float64(i)*k.step, low, high)
				}
			}
		}
	}
}

// drawWaiting follows one machine until it has done a task.
func drawWaiting(r *rand.Rand, up, down law.Law, w times, fresh bool) float64 {
	at, left := 0.0, w[len(w)-1].speed
	for p, k := r.Float64(), 0; k < len(w); k++ {
		if p -= w[k].share; p < 0 {
			left = w[k].speed
			break
		}
	}
	stay, _ := up.Quantile(r.Float64())
	if !fresh {
		stay, _ = law.LengthBiasedQuantile(up, r.Float64())
		stay *= r.Float64()
	}
	for stay < left {
		away, _ := down.Quantile(r.Float64())
		at += stay + away
		left -= stay
		stay, _ = up.Quantile(r.Float64())
	}
	return at + left
}
