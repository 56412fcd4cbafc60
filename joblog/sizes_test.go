package joblog

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/law"
)

func sizeLogL(t law.TwoStage, sizes []int) float64 {
	sum := 0.0
	for _, s := range sizes {
		sum += math.Log(t.Probability(s))
	}
	return sum
}

// twoStages is the law of all sizes alike, those of one processor with the others.
func twoStages(t *testing.T, sizes []int) *TwoStageFit {
	t.Helper()
	bins, err := countSizes(sizes)
	if err != nil {
		t.Fatal(err)
	}
	return fitTwoStage(bins)
}

// The search in testdata/laws.py leaves all four parameters free. Its
// log-likelihood is the reference; parameters agree where they are determined.
func TestTwoStageReference(t *testing.T) {
	samples := refSamples(t)
	for _, r := range numtest.Table(t, "testdata/sizes.csv") {
		name := r.Text("sample")
		sizes := toSizes(samples[name])
		f := twoStages(t, sizes)
		numtest.Close(t, name+" logL", f.LogLikelihood, r.Float("log_likelihood"), 1e-9)
		numtest.Close(t, name+" logL as a sum", f.LogLikelihood, sizeLogL(f.TwoStage, sizes), 1e-12)
		if name != "das2" && name != "broad" {
			continue // l, m or h is free within a bin
		}
		for c, got := range map[string]float64{"l": f.L, "m": f.M, "h": f.H, "q": f.Q, "mean": f.LawMean, "ks": f.KS} {
			numtest.Close(t, name+" "+c, got, r.Float(c), 1e-5)
		}
	}
}

// A grid over all four parameters never beats the closed form, and comes close
// to it.
func TestTwoStageGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	inside := 0
	for trial := range 8 {
		sizes := make([]int, 12)
		for i := range sizes {
			sizes[i] = 1 + rng.IntN(6)
		}
		if trial%2 == 0 { // dense below, so that a knee inside a bin pays
			for i := range sizes {
				sizes[i] = 1 + rng.IntN(1+rng.IntN(6))
			}
		}
		if slices.Max(sizes) == slices.Min(sizes) {
			continue
		}
		f := twoStages(t, sizes)
		edge := math.Exp2(f.M) + 0.5
		if math.Abs(edge-math.Round(edge)) > 1e-9 {
			inside++
		}
		best := math.Inf(-1)
		const step = 0.14
		for l := -1.0; l < 2.7; l += step {
			for m := l + step; m < 2.75; m += step {
				for h := m + step; h < 2.78; h += step {
					for q := 0.05; q < 1; q += 0.09 {
						best = max(best, sizeLogL(law.TwoStage{L: l, M: m, H: h, Q: q}, sizes))
					}
				}
			}
		}
		if best > f.LogLikelihood+1e-9 {
			t.Errorf("%v: grid finds %v, fit %+v", sizes, best, f)
		}
		if best < f.LogLikelihood-1.2 {
			t.Errorf("%v: grid finds no more than %v, fit claims %v", sizes, best, f.LogLikelihood)
		}
	}
	if inside == 0 {
		t.Error("no trial had its knee inside a bin")
	}
}

func TestFitSizes(t *testing.T) {
	f, err := FitSizes([]int{1, 1, 2, 3, 4, 4, 16, 7, 1, 6})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "p_one", f.POne, 0.3, 1e-15)
	numtest.Close(t, "p_pow2", f.PPow2, 0.4, 1e-15)
	p := twoStages(t, []int{2, 3, 4, 4, 16, 7, 6})
	numtest.Close(t, "m", f.Parallel.M, p.M, 0)
	numtest.Close(t, "mean", f.LawMean, 0.3+0.7*p.LawMean, 1e-15)
	for _, c := range []struct {
		sizes []int
		mean  float64
	}{{[]int{1, 1, 1}, 1}, {[]int{1, 8, 8, 1}, 4.5}, {[]int{5, 5}, 5}} {
		f, err := FitSizes(c.sizes)
		if err != nil || f.Parallel != nil || len(f.Warnings) != 1 {
			t.Errorf("%v: %+v, %v", c.sizes, f, err)
			continue
		}
		numtest.Close(t, "mean", f.LawMean, c.mean, 1e-15)
	}
	if _, err := FitSizes([]int{3}); !errors.Is(err, ErrTooFew) {
		t.Errorf("one size: %v", err)
	}
	var d *source.DomainError
	if _, err := FitSizes([]int{3, 0}); !errors.As(err, &d) {
		t.Errorf("size 0: %v", err)
	}
}
