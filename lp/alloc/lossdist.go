package alloc

import (
	"math/rand/v2"
	"slices"
	"sort"
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
	at := make([][]victim, len(s.names))
	for d := range s.deps {
		for k, b := range s.deps[d].job {
			if c := primary[d][b]; c.Level > 0 {
				u := s.units[c.Resource]
				at[u] = append(at[u], victim{int32(d), int32(k)})
			}
		}
	}
	single = &LossDistribution{Complete: true}
	units := len(s.names)
	for u := range units {
		single.Losses = append(single.Losses, s.lossOf(primary, backup, at, int32(u), -1))
	}
	single.figures()
	if o.Pairs == 0 {
		return single, nil, nil
	}
	pairs = &LossDistribution{Complete: units*(units-1)/2 <= o.Pairs}
	if pairs.Complete {
		for u := range units {
			for v := u + 1; v < units; v++ {
				pairs.Losses = append(pairs.Losses, s.lossOf(primary, backup, at, int32(u), int32(v)))
			}
		}
	} else {
		rng := rand.New(rand.NewPCG(o.Seed, 0x6c62272e07bb0142))
		for range o.Pairs {
			u := rng.IntN(units)
			v := rng.IntN(units - 1)
			if v >= u {
				v++
			}
			pairs.Losses = append(pairs.Losses, s.lossOf(primary, backup, at, int32(u), int32(v)))
		}
	}
	pairs.figures()
	return single, pairs, nil
}

// victim is a job of a dependency whose primary fails.
type victim struct{ dep, job int32 }

// lossOf returns what the failure of u, and of v unless it is −1, costs.
func (s *System) lossOf(primary, backup Choices, at [][]victim, u, v int32) FailureLoss {
	r := FailureLoss{Failed: []string{s.names[u]}}
	hit := at[u]
	if v >= 0 {
		r.Failed = append(r.Failed, s.names[v])
		hit = append(append([]victim(nil), at[u]...), at[v]...)
	}
	demands := make(map[int32]int64)
	byBin := make(map[int32][]victim)
	for _, h := range hit {
		d := &s.deps[h.dep]
		c, to := primary[h.dep][d.job[h.job]], backup[h.dep][d.job[h.job]]
		r.Loss += d.revenue[d.first[h.job]+c.Level-1]
		if to.Level == 0 || s.units[to.Resource] == u || s.units[to.Resource] == v {
			r.Stopped++
			continue
		}
		demands[to.Resource] += d.demand[d.first[h.job]+to.Level-1]
		byBin[to.Resource] = append(byBin[to.Resource], h)
	}
	for bin, list := range byBin {
		d := &s.deps[list[0].dep]
		room := d.backup[d.local[bin]]
		level := func(h victim) int32 { return d.first[h.job] + backup[h.dep][d.job[h.job]].Level - 1 }
		if demands[bin] > room {
			density := func(h victim) float64 {
				return float64(d.revenue[level(h)]) / float64(max(1, d.demand[level(h)]))
			}
			sort.Slice(list, func(a, b int) bool {
				x, y := density(list[a]), density(list[b])
				return x > y || x == y && list[a].job < list[b].job
			})
		}
		for _, h := range list {
			l := level(h)
			for l >= d.first[h.job] && d.demand[l] > room {
				l--
			}
			if l < d.first[h.job] {
				r.Stopped++
				continue
			}
			room -= d.demand[l]
			r.Loss -= d.revenue[l]
		}
	}
	return r
}

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
