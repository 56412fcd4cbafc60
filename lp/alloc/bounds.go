package alloc

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// Bounds are upper bounds on the revenue of a batch, by dependency and summed.
type Bounds struct {
	Published    float64            `json:"lp_bound_published"` // rows as printed, eq. 3-8 relaxed
	LP           float64            `json:"lp_bound"`           // exactly one level: the multiple-choice knapsack relaxed
	Eligible     float64            `json:"lp_bound_eligible"`  // and a level only on the resources it fits
	Integer      *int64             `json:"integer_bound"`      // the summed capacity in whole numbers; nil when not proven
	Dependencies []DependencyBounds `json:"dependencies"`
}

// Best returns the least of the bounds that hold for every assignment.
func (b *Bounds) Best() float64 {
	t := 0.0
	for i := range b.Dependencies {
		t += b.Dependencies[i].Best()
	}
	return t
}

// DependencyBounds are the bounds of one dependency.
type DependencyBounds struct {
	Dependency  string  `json:"dependency"`
	Capacity    int64   `json:"capacity"`     // of all its resources
	LeastDemand int64   `json:"least_demand"` // of all jobs at their least level
	MostDemand  int64   `json:"most_demand"`  // of all jobs at their greatest level
	Published   float64 `json:"lp_bound_published"`
	LP          float64 `json:"lp_bound"`
	Eligible    float64 `json:"lp_bound_eligible"`
	Integer     *int64  `json:"integer_bound"`
	ShadowPrice float64 `json:"shadow_price"` // revenue that one more unit of capacity would bring
}

// Best returns the least of the bounds that hold for every assignment.
func (b *DependencyBounds) Best() float64 {
	best := math.Floor(b.Eligible + 1e-9*math.Abs(b.Eligible))
	if b.Integer != nil {
		best = math.Min(best, float64(*b.Integer))
	}
	return best
}

// BoundOptions say how far to go for the bounds.
type BoundOptions struct {
	// MaxStates limits the dynamic programming of the integer bound, per
	// dependency; 0 means 4,000,000 (about 100 MB), negative leaves the
	// integer bound out.
	MaxStates int
}

func (o BoundOptions) maxStates() int {
	if o.MaxStates == 0 {
		return 4_000_000
	}
	return o.MaxStates
}

// Bounds returns the four bounds on the primary revenue and the shadow prices
// of capacity. Revenue and demand do not depend on the resource, so that the
// explicit linear program over jobs, levels and resources pools:
//
//	max Σ R_ik x_ik,  Σᵢ x_ik = 1,  Σ D_ik x_ik ≤ C = Σⱼ Cⱼ
//
// has its value, U_ijk = x_ik Cⱼ/C being feasible there. Published is the
// weaker value of the printed rows, Eligible the value when a level may use
// only the resources it fits, Integer that in whole numbers over the summed
// capacity. Lists of eligible resources are not used: the bounds hold with
// them but are weaker than they could be. Time is linear in the number of
// levels but for Integer.
//
// When the least demands do not fit the error is an *InfeasibleError.
// Source: QoS-GRAF section 4.1; Sinha, Zoltners 1979.
func (s *System) Bounds(ctx context.Context, o BoundOptions) (*Bounds, error) {
	b := &Bounds{Dependencies: make([]DependencyBounds, len(s.deps))}
	err := parallel(ctx, len(s.deps), func(d int) error {
		var err error
		b.Dependencies[d], err = s.dependencyBounds(&s.deps[d], o)
		return err
	})
	if err != nil {
		return nil, err
	}
	var integer int64
	proven := true
	for _, d := range b.Dependencies {
		b.Published += d.Published
		b.LP += d.LP
		b.Eligible += d.Eligible
		if d.Integer == nil {
			proven = false
			continue
		}
		integer += *d.Integer
	}
	if proven {
		b.Integer = &integer
	}
	return b, nil
}

func (s *System) dependencyBounds(d *dependency, o BoundOptions) (DependencyBounds, error) {
	p := d.primaryProblem()
	b := DependencyBounds{Dependency: d.name, Capacity: sum(p.cap), LeastDemand: p.least()}
	for _, l := range p.last {
		b.MostDemand += p.dem[l-1]
	}
	if b.LeastDemand > b.Capacity {
		return b, &InfeasibleError{Dependency: d.name, Need: b.LeastDemand, Have: b.Capacity}
	}
	full := p.relax(b.Capacity)
	b.LP, b.ShadowPrice = full.bound, full.price
	b.Published, _ = p.published(b.Capacity, nil)
	t, culprits := p.trimmed()
	if len(culprits) > 0 {
		return b, &InfeasibleError{Dependency: d.name, Jobs: s.jobNames(d, culprits)}
	}
	n := newNested(t)
	if row, need := n.infeasible(); row >= 0 {
		return b, &InfeasibleError{Dependency: d.name, Need: need, Have: int64(n.room[row]), Largest: n.bins[row]}
	}
	b.Eligible = n.bound(t.relax(b.Capacity), b.Capacity)
	if states := o.maxStates(); states > 0 {
		if v, proven := t.integer(b.Capacity, states); proven {
			b.Integer = &v
		}
	}
	return b, nil
}

// integer returns the value of the pooled knapsack in whole numbers.
func (p *problem) integer(capacity int64, states int) (int64, bool) {
	jobs := make([]int32, p.jobs())
	for k := range jobs {
		jobs[k] = int32(k)
	}
	var ks knapsack
	return ks.solve(p, jobs, capacity, make([]int32, len(jobs)), states)
}

// parallel calls f for 0..n−1 on all cores and returns the error of the least
// index that failed.
func parallel(ctx context.Context, n int, f func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = ctx.Err(); errs[i] == nil {
					errs[i] = f(i)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
