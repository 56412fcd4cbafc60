package alloc

import (
	"cmp"
	"math/rand/v2"
	"slices"
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
	l, units := &losing{s: s, backup: backup, primary: primary, at: make([][]victim, len(s.names))}, len(s.names)
	for d := range s.deps {
		for k, b := range s.deps[d].job {
			if c := primary[d][b]; c.Level > 0 {
				u := s.units[c.Resource]
				l.at[u] = append(l.at[u], victim{int32(d), int32(k)})
			}
		}
	}
	single = &LossDistribution{Complete: true, Losses: make([]FailureLoss, units)}
	for u := range units {
		single.Losses[u] = l.of(s.names[u:u+1:u+1], int32(u), -1)
	}
	single.figures()
	if o.Pairs == 0 {
		return single, nil, nil
	}
	all := units * (units - 1) / 2
	n := min(all, o.Pairs)
	pairs = &LossDistribution{Complete: all <= o.Pairs, Losses: make([]FailureLoss, 0, n)}
	names := make([]string, 0, 2*n)
	add := func(u, v int) {
		names = append(names, s.names[u], s.names[v])
		pairs.Losses = append(pairs.Losses, l.of(names[len(names)-2:len(names):len(names)], int32(u), int32(v)))
	}
	if pairs.Complete {
		for u := range units {
			for v := u + 1; v < units; v++ {
				add(u, v)
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
			add(u, v)
		}
	}
	pairs.figures()
	return single, pairs, nil
}

// victim is a job of a dependency whose primary fails.
type victim struct{ dep, job int32 }

// A losing computes what failures cost, one after another.
type losing struct {
	s               *System
	primary, backup Choices
	at              [][]victim // by failure unit, those whose primary lies there
	moved           []moved
}

// A moved is a victim that goes on, at most at a level, on a resource.
type moved struct {
	victim
	to, level int32
	density   float64 // revenue per unit of demand
}

// of returns what the failure of u, and of v unless it is −1, costs.
func (l *losing) of(names []string, u, v int32) FailureLoss {
	r := FailureLoss{Failed: names}
	l.moved = l.moved[:0]
	l.strike(&r, u, u, v)
	if v >= 0 {
		l.strike(&r, v, u, v)
	}
	if len(l.moved) > 1 {
		slices.SortFunc(l.moved, func(a, b moved) int {
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(b.density, a.density), cmp.Compare(a.job, b.job))
		})
	}
	room := int64(0)
	for i, m := range l.moved {
		d := &l.s.deps[m.dep]
		if i == 0 || m.to != l.moved[i-1].to {
			room = d.backup[d.local[m.to]]
		}
		at, first := m.level, d.first[m.job]
		for at >= first && d.demand[at] > room {
			at--
		}
		if at < first {
			r.Stopped++
			continue
		}
		room -= d.demand[at]
		r.Loss -= d.revenue[at]
	}
	return r
}

// strike takes the revenue of those whose primary lies in a unit, and finds those of them whose backup lies in neither
// u nor v.
func (l *losing) strike(r *FailureLoss, unit, u, v int32) {
	s := l.s
	for _, h := range l.at[unit] {
		d := &s.deps[h.dep]
		b, first := d.job[h.job], d.first[h.job]
		r.Loss += d.revenue[first+l.primary[h.dep][b].Level-1]
		to := l.backup[h.dep][b]
		if to.Level == 0 || s.units[to.Resource] == u || s.units[to.Resource] == v {
			r.Stopped++
			continue
		}
		at := first + to.Level - 1
		density := float64(d.revenue[at]) / float64(max(1, d.demand[at]))
		l.moved = append(l.moved, moved{h, to.Resource, at, density})
	}
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
