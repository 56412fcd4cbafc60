package alloc

import (
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// A FailureLoss is what one failure, or two at once, costs.
type FailureLoss struct {
	Failed  []string `json:"failed"` // one or two resources or risk groups
	Loss    int64    `json:"loss"`
	Stopped int      `json:"stopped"` // pairs of job and dependency that go on nowhere
}

// A LossDistribution is the loss over a set of failures, each as likely as
// the others.
type LossDistribution struct {
	Losses   []FailureLoss `json:"losses"`
	Complete bool          `json:"complete"` // every failure of the kind is there; else a sample
	Mean     float64       `json:"mean"`
	Median   int64         `json:"median"`
	P95      int64         `json:"p95"` // least loss that 95 % of the failures don't exceed
	Worst    int64         `json:"worst"`
}

// LossOptions say which failures to look at.
type LossOptions struct {
	Pairs int    // failures of two at once: all when there are no more than this, else a sample of this size
	Seed  uint64 // of the sample
}

// Losses returns the distribution of the revenue lost over all single failures
// of a resource or risk group, and over failures of two at once (nil for
// Pairs = 0). One failure finds every backup in place. Of two, backups that lie
// in the other are lost, and backups that share capacity may no longer fit
// together: then those with more revenue per unit of demand are served first,
// each at the highest level up to its backup's that still fits.
func (s *System) Losses(primary, backup Choices, o LossOptions) (single, pairs *LossDistribution, err error) {
	if err := s.made("Losses"); err != nil {
		return nil, nil, err
	}
	if o.Pairs < 0 {
		return nil, nil, &DomainError{"Losses", "Pairs", o.Pairs, "at least 0"}
	}
	if r := Verify(s.Batch, primary, backup, true); !r.Feasible || backup == nil {
		place, detail := "backup", "is missing"
		if len(r.Violations) > 0 {
			place, detail = r.Violations[0].Place, r.Violations[0].Detail
		}
		return nil, nil, &BatchError{Place: place, Problem: detail, Kind: ErrOutOfRange}
	}
	l, units := s.losing(primary, backup), len(s.names)
	single = &LossDistribution{Complete: true, Losses: make([]FailureLoss, units)}
	for u := range units {
		single.Losses[u] = FailureLoss{s.names[u : u+1 : u+1], l.alone[u].loss, l.alone[u].stopped}
	}
	single.figures()
	if o.Pairs == 0 {
		return single, nil, nil
	}
	all := units * (units - 1) / 2
	n := min(all, o.Pairs)
	pairs = &LossDistribution{Complete: all <= o.Pairs, Losses: make([]FailureLoss, n)}
	drawn := make([][2]int32, 0, n)
	if pairs.Complete {
		for u := range units {
			for v := u + 1; v < units; v++ {
				drawn = append(drawn, [2]int32{int32(u), int32(v)})
			}
		}
	} else {
		rng := rand.New(rand.NewPCG(o.Seed, 0x6c62272e07bb0142))
		for range n {
			u := rng.IntN(units)
			v := rng.IntN(units - 1)
			if v >= u {
				v++
			}
			drawn = append(drawn, [2]int32{int32(u), int32(v)})
		}
	}
	names := make([]string, 2*n)
	const some = 256
	parallel.Do((n+some-1)/some, func(part int) {
		for i := part * some; i < min(n, (part+1)*some); i++ {
			u, v := drawn[i][0], drawn[i][1]
			names[2*i], names[2*i+1] = s.names[u], s.names[v]
			cost := l.both(u, v)
			pairs.Losses[i] = FailureLoss{names[2*i : 2*i+2 : 2*i+2], cost.loss, cost.stopped}
		}
	})
	pairs.figures()
	return single, pairs, nil
}

// victim is a job of a dependency whose primary fails.
type victim struct{ dep, job int32 }

// figures fills in mean, median, 95th percentile and worst.
func (l *LossDistribution) figures() {
	n := len(l.Losses)
	if n == 0 {
		return
	}
	sorted := make([]int64, n)
	for i, f := range l.Losses {
		sorted[i] = f.Loss
		l.Mean += float64(f.Loss) / float64(n)
	}
	slices.Sort(sorted)
	l.Median, l.P95, l.Worst = sorted[(n-1)/2], sorted[(95*n+99)/100-1], sorted[n-1]
}
