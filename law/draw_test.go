package law

import (
	"math"
	"math/rand/v2"
	"testing"
)

// drawing is what the laws of two parameters and fewer do.
type drawing interface {
	Law
	Draw(*rand.Rand) float64
	DrawCovering(*rand.Rand) float64
}

// Of each law 20,000 draws, and as many of the interval that covers a moment, lie
// below the quantiles of the law as often as they should.
func TestDraw(t *testing.T) {
	for i, l := range []drawing{
		Exponential{7}, Weibull{0.7, 3}, Weibull{3, 2}, LogNormal{1, 0.9}, Gamma{0.4, 2}, Gamma{1, 5}, Gamma{6, 0.5},
	} {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		for _, kind := range []struct {
			name     string
			draw     func(*rand.Rand) float64
			quantile func(p float64) (float64, error)
		}{
			{"draw", l.Draw, l.Quantile},
			{"covering draw", l.DrawCovering, func(p float64) (float64, error) { return LengthBiasedQuantile(l, p) }},
		} {
			const n = 20000
			var below [4]int
			levels := [...]float64{0.1, 0.5, 0.9, 0.99}
			var at [4]float64
			for k, p := range levels {
				var err error
				if at[k], err = kind.quantile(p); err != nil {
					t.Fatal(err)
				}
			}
			for range n {
				x := kind.draw(r)
				for k := range levels {
					if x <= at[k] {
						below[k]++
					}
				}
			}
			for k, p := range levels {
				if z := (float64(below[k])/n - p) / math.Sqrt(p*(1-p)/n); math.Abs(z) > 4 {
					t.Errorf("%s of %#v: %d of %d below the quantile of %v, %.1f standard errors off", kind.name, l, below[k], n, p, z)
				}
			}
		}
	}
}

// Without a source, and for a shape that is none, a draw is no number and ends.
func TestDrawOutsideDomain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, l := range []drawing{Exponential{7}, Weibull{0.7, 3}, LogNormal{1, 0.9}, Gamma{0.4, 2}} {
		if !math.IsNaN(l.Draw(nil)) || !math.IsNaN(l.DrawCovering(nil)) {
			t.Errorf("%s draws without a source", l.Name())
		}
	}
	for _, shape := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if v := (Gamma{shape, 1}).Draw(r); !math.IsNaN(v) {
			t.Errorf("gamma of shape %v: %v", shape, v)
		}
	}
}
