package alloc

import (
	"cmp"
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/parallel"
)

// Bounds are upper bounds on the net revenue of a batch: revenue and base fees
// less the price of the capacity used. Where nothing ties the dependencies they
// are the sums over them and the base fees.
type Bounds struct {
	// rows as printed, eq. 3-8 relaxed; nil with optional admission or a budget, which the paper
	// does not know
	Published *float64 `json:"lp_bound_published"`
	// exactly one level: the multiple-choice knapsack relaxed
	LP       float64 `json:"lp_bound"`
	Eligible float64 `json:"lp_bound_eligible"` // and a level only on the resources it fits
	// the summed capacity in whole numbers; nil when not proven, and with prices, optional
	// admission or a budget
	Integer  *int64 `json:"integer_bound"`
	BaseFees int64  `json:"base_fees"` // part of the other bounds: of all jobs
	// net revenue that one more unit of budget would bring; nil without a budget
	BudgetPrice  *float64           `json:"budget_price"`
	Dependencies []DependencyBounds `json:"dependencies"`

	prices []float64 // with what ties the dependencies: shadow prices within the whole
	tied   bool
}

// Best returns the least of the bounds that hold for every assignment.
func (b *Bounds) Best() float64 {
	if b.tied {
		return math.Min(b.LP, b.Eligible)
	}
	t := float64(b.BaseFees)
	for i := range b.Dependencies {
		t += b.Dependencies[i].Best()
	}
	return t
}

// DependencyBounds are the bounds of one dependency, on its net revenue without
// base fees. Where dependencies are tied these are the bounds as if it were
// alone, with admission of its own and without a budget; only the shadow price
// is that within the whole.
type DependencyBounds struct {
	Dependency  string   `json:"dependency"`
	Capacity    int64    `json:"capacity"`     // of all its resources
	LeastDemand int64    `json:"least_demand"` // of all jobs at their least level
	MostDemand  int64    `json:"most_demand"`  // of all jobs at their greatest level
	Published   *float64 `json:"lp_bound_published"`
	LP          float64  `json:"lp_bound"`
	Eligible    float64  `json:"lp_bound_eligible"`
	Integer     *int64   `json:"integer_bound"`
	ShadowPrice float64  `json:"shadow_price"` // revenue that one more unit of capacity would bring, itself at no price

	fractions bool // net revenues are no whole numbers
}

// Best returns the least of the bounds that hold for every assignment.
func (b *DependencyBounds) Best() float64 {
	if b.fractions {
		return b.Eligible
	}
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
// only the resources it fits and the job is eligible for, Integer that in whole
// numbers over the summed capacity. Prices by resource keep the pool: the
// cheapest capacity is used first. Time is linear in the number of levels but
// for Integer; a sort with prices.
//
// With lists of eligible resources, or prices where large levels matter,
// Eligible is the least value of a Lagrange function with a multiplier for each
// group of resources that all jobs and levels find alike, and so is LP, with a
// multiplier for each dependency and the budget, where optional admission or a
// budget ties the dependencies. Both equal the linear programs' values, up to a
// limit of the work on batches with very many such groups: then they are upper
// bounds that are not quite least. So is the nested form of Eligible, where many
// resources are too small for some levels (300 million levels are looked at).
//
// When the least demands do not fit, or cost more than the budget, the error is
// an *InfeasibleError.
// Source: QoS-GRAF section 4.1; Sinha, Zoltners 1979.
func (s *System) Bounds(ctx context.Context, o BoundOptions) (*Bounds, error) {
	ctx = given.Context(ctx)
	if err := s.made("Bounds"); err != nil {
		return nil, err
	}
	b, err := s.bounds(ctx, o)
	err = cmp.Or(err, ctx.Err())
	if err != nil {
		return nil, err
	}
	return b, nil
}

// bounds is Bounds, but when ctx is done it only leaves out the integer bound,
// which takes longest.
func (s *System) bounds(ctx context.Context, o BoundOptions) (*Bounds, error) {
	b := &Bounds{Dependencies: make([]DependencyBounds, len(s.deps))}
	err := parallel.Each(context.WithoutCancel(ctx), aside(s.largest()), len(s.deps), func(d int) error {
		var err error
		b.Dependencies[d], err = s.dependencyBounds(ctx, d, o)
		return err
	})
	if err != nil {
		return nil, err
	}
	if b.BaseFees = s.fees; s.tied() {
		return b, s.tiedBounds(ctx, b)
	}
	integer := s.fees
	published := float64(s.fees)
	b.Published, b.LP, b.Eligible = &published, published, published
	proven := true
	for _, d := range b.Dependencies {
		published += *d.Published
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

func (s *System) dependencyBounds(ctx context.Context, at int, o BoundOptions) (DependencyBounds, error) {
	d := &s.deps[at]
	p := d.primaryProblem()
	b := DependencyBounds{Dependency: d.name, Capacity: sum(p.cap), LeastDemand: p.least(), fractions: p.price != nil}
	for _, l := range p.last {
		b.MostDemand += p.dem[l-1]
	}
	if s.optional != nil {
		return b, s.optionalBounds(ctx, at, p, &b)
	}
	if b.LeastDemand > b.Capacity {
		return b, &InfeasibleError{Dependency: d.name, Need: b.LeastDemand, Have: b.Capacity}
	}
	full := p.relax(b.Capacity)
	b.LP, b.ShadowPrice = full.bound, full.price
	if published, ok := p.published(b.Capacity, nil); ok {
		b.Published = &published
	}
	t, culprits := p.trimmed()
	if len(culprits) > 0 {
		return b, &InfeasibleError{Dependency: d.name, Jobs: s.jobNames(d, culprits)}
	}
	n := newNested(t, nestedWork/len(s.deps))
	if row, need := n.infeasible(); row >= 0 {
		return b, &InfeasibleError{Dependency: d.name, Need: need, Have: int64(n.room[row]), Largest: n.bins[row]}
	}
	pooled := full
	if !t.same(p) {
		pooled = t.relax(b.Capacity)
	}
	if t.sites != nil || (t.price != nil && !n.holds(pooled.price, b.Capacity)) {
		from := newDual(s, []int{at}, []*problem{t}, true)
		b.Eligible = math.Min(pooled.bound, from.solve(ctx, from.uniform(pooled.price), dualWork/5).bound)
	} else if t.price != nil {
		b.Eligible = pooled.bound
	} else {
		b.Eligible = n.bound(pooled, b.Capacity)
	}
	b.Eligible = math.Min(b.Eligible, b.LP)
	if states := o.maxStates(); states > 0 && p.price == nil && ctx.Err() == nil {
		if v, _, proven := t.integer(ctx, b.Capacity, states, states/len(s.deps)); proven {
			b.Integer = &v
		}
	}
	return b, nil
}

// integer returns the value of the pooled knapsack in whole numbers, and how many steps of a stint it took. It keeps so
// many states at most, and makes the steps that limit states may take.
func (p *problem) integer(ctx context.Context, capacity int64, most, limit int) (value int64, steps int, proven bool) {
	jobs := numeric.Indices[int32](p.jobs())
	ks := knapsack{ctx: ctx, limit: stateSteps * min(max(limit, 1), 1<<40)}
	value, proven = ks.solve(p, jobs, capacity, make([]int32, len(jobs)), most)
	return value, max(len(ks.states), ks.steps/stepsOfMerge), proven
}
