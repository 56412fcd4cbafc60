package joblog

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/law"
)

// A Model is the DAS-2 workload model as InterGrid uses it: independent gaps,
// run times and sizes.
type Model struct {
	Gap  law.Weibull   // of gaps in s
	Run  law.LogNormal // of run times in s
	Size law.TwoStage
	// POne is the chance of a job on one processor, PPow2 that of a size
	// 2^round(r); otherwise the size is 2^r, rounded. POne + PPow2 <= 1.
	POne  float64
	PPow2 float64
	// MaxProcs bounds the sizes: larger draws are drawn again. 0 is no bound.
	MaxProcs int
}

// DAS2 returns the model with values of the Grid row of InterGrid table 2:
// gaps of α = 3.8 s, β = 0.5 (mean 7.6 s), run times a = 4.6, b = 1.7 (mean
// 422 s, the table's 420 s), sizes l = 0.8, m = 3, h = 6, q = 0.9, P_one = 0.2,
// P_pow2 = 0.5.
func DAS2() Model {
	return Model{
		Gap:  law.Weibull{Scale: 3.8, Shape: 0.5},
		Run:  law.LogNormal{Mu: 4.6, Sigma: 1.7},
		Size: law.TwoStage{L: 0.8, M: 3, H: 6, Q: 0.9},
		POne: 0.2, PPow2: 0.5, MaxProcs: 64,
	}
}

// Validate returns a *DomainError for the first parameter out of its domain.
func (m Model) Validate() error {
	const fn = "Generate"
	gap, run, size := m.Gap, m.Run, m.Size
	outside := func(arg string, value any, want string) error {
		return &source.DomainError{Func: fn, Arg: arg, Value: value, Want: want}
	}
	switch {
	case !finite(gap.Scale, gap.Shape, gap.Mean()) || gap.Scale <= 0 || gap.Shape <= 0:
		return outside("Gap", gap, "scale > 0 s, shape > 0 and a finite mean")
	case !finite(run.Mu, run.Sigma, run.Mean()) || run.Sigma <= 0:
		return outside("Run", run, "finite a, b > 0 and a finite mean")
	case !finite(size.L, size.M, size.H, size.Q) || size.L < -1 || size.L >= size.M || size.M >= size.H ||
		size.H > 29 || size.Q < 0 || size.Q > 1:
		return outside("Size", size, "-1 <= l < m < h <= 29 and 0 <= q <= 1")
	case !(m.POne >= 0 && m.POne <= 1):
		return outside("POne", m.POne, "a probability")
	case !(m.PPow2 >= 0 && m.POne+m.PPow2 <= 1):
		return outside("PPow2", m.PPow2, fmt.Sprintf("0..%v, the rest of POne", 1-m.POne))
	case m.MaxProcs < 0:
		return outside("MaxProcs", m.MaxProcs, "a number of processors, or 0 for no bound")
	case m.MaxProcs > 0 && !(m.Size.CDF(math.Log2(float64(m.MaxProcs))-0.5) >= 0.01):
		return outside("MaxProcs", m.MaxProcs, "a bound that at least 1% of the size draws keep, or 0 for none")
	}
	return nil
}

// Generate draws n ≥ 1 jobs from the model. The first is submitted at 0 s; times
// are not rounded, a run time is above 0 and status is 1. The same seed gives
// the same jobs. n < 1 or a parameter out of its domain gives a *DomainError.
//
// Sizes follow Lublin: a power of two is 2^round(r), where InterGrid eq. 28
// rounds up for its mean.
func Generate(ctx context.Context, m Model, n int, seed uint64) ([]Job, error) {
	ctx = given.Context(ctx)
	if n < 1 || n > 1e8 {
		return nil, source.Outside("Generate", "n", n, "1..1e8 jobs")
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	src := rand.NewPCG(seed, 0)
	rng := rand.New(src)
	gap := distuv.Weibull{K: m.Gap.Shape, Lambda: m.Gap.Scale, Src: src}
	run := distuv.LogNormal{Mu: m.Run.Mu, Sigma: m.Run.Sigma, Src: src}
	jobs := make([]Job, n)
	submit := 0.0
	for i := range jobs {
		if i%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, fmt.Errorf("Generate: stopped after %d jobs: %w", i, err)
			}
		}
		if i > 0 {
			submit += gap.Rand()
		}
		size := m.drawSize(rng)
		jobs[i] = Job{
			Number: int64(i + 1), Submit: submit, Wait: -1, Run: run.Rand(),
			Allocated: size, CPU: -1, Memory: -1, Requested: size,
			RequestedTime: -1, RequestedMemory: -1, Status: 1,
			User: -1, Group: -1, Executable: -1, Queue: -1, Partition: -1,
			Preceding: -1, ThinkTime: -1, Processors: size,
		}
	}
	return jobs, nil
}

func (m Model) drawSize(rng *rand.Rand) int {
	u := rng.Float64()
	if u < m.POne {
		return 1
	}
	for {
		r := m.Size.Draw(rng)
		if u < m.POne+m.PPow2 {
			r = math.Max(0, math.Round(r))
		}
		if s := int(math.Max(1, math.Round(math.Exp2(r)))); m.MaxProcs == 0 || s <= m.MaxProcs {
			return s
		}
	}
}
