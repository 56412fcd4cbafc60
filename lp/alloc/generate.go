package alloc

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
)

// A CapacityLaw says how the generator splits the primary capacity over the
// resources. The paper draws it from a normal distribution with "variance
// σ = 0.75", which can be read in two ways.
type CapacityLaw string

const (
	Literal  CapacityLaw = "literal"  // variance 0.75 units²: all but equal
	Relative CapacityLaw = "relative" // sd 0.75 of the mean, cut off at 0.2 of it, then scaled to the total
)

// GeneratorOptions describe a synthetic batch.
type GeneratorOptions struct {
	Dependencies  []string    // nil means compute, network, storage
	Jobs          int         // K ≥ 1
	Resources     int         // J ≥ 1 for each dependency
	PrimaryFactor float64     // pf > 0: primary capacity / summed mean demand
	BackupFactor  float64     // bf ≥ 0: backup capacity / primary capacity
	Mix           [3]float64  // shares of small, medium, large jobs ≥ 0; all 0 means 0.2, 0.7, 0.1
	Law           CapacityLaw // empty means Relative
	PriceFactor   float64     // ≥ 0: mean price of capacity / (summed revenue / summed demand of all levels)
	OptionalShare float64     // 0..1 of jobs whose admission is optional
	FeeFactor     float64     // ≥ 0: mean base fee / mean revenue of a job's levels
	BudgetFactor  float64     // ≥ 0: budget / price of all primary capacity; 0: no budget
	Seed          uint64
}

// class is one column of table 1: the ranges [lo, hi) of demand and revenue
// by level.
type class struct {
	name            string
	demand, revenue [4][2]int64
}

// classes is QoS-GRAF table 1.
var classes = [3]class{
	{"small", [4][2]int64{{20, 100}, {100, 200}, {200, 400}, {400, 500}}, [4][2]int64{{1000, 2000}, {2000, 3000}, {3000, 4000}, {4000, 5000}}},
	{"medium", [4][2]int64{{200, 400}, {400, 500}, {500, 2000}, {2000, 5000}}, [4][2]int64{{2000, 4000}, {4000, 6000}, {8000, 10000}, {12000, 15000}}},
	{"large", [4][2]int64{{1000, 2000}, {2000, 5000}, {5000, 8000}, {8000, 10000}}, [4][2]int64{{12000, 15000}, {20000, 24000}, {25000, 27000}, {27000, 30000}}},
}

// Generate returns a synthetic batch after section 5.2: jobs of three classes
// with demands and revenues drawn uniformly from table 1, and primary
// capacities that add up to
//
//	C = pf · Σ_jobs mean demand over the levels
//
// for each dependency, split over the resources by the capacity law; backup
// capacities are ⌊bf · primary⌋. Classes follow the mix as closely as whole
// numbers allow, in random order. The same seed gives the same batch. A low
// primary factor may leave less capacity than the least demands take. It ends
// early with the error of ctx.
//
// Beyond the paper: prices by resource and base fees by job, uniform between a
// half and three halves of their means, optional admission, and a budget. They
// are drawn apart, so that they leave the rest of the batch as it is.
func Generate(ctx context.Context, o GeneratorOptions) (*Batch, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0x2545f4914f6cdd1d))
	b := &Batch{Dependencies: append([]string(nil), o.Dependencies...)}
	mean := make([]float64, len(b.Dependencies))
	pools := o.pools()
	rng.Shuffle(len(pools), func(i, j int) { pools[i], pools[j] = pools[j], pools[i] })
	b.Jobs = make([]Job, o.Jobs)
	for k := range b.Jobs {
		if k%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c := classes[pools[k]]
		b.Jobs[k] = Job{ID: fmt.Sprintf("job%0*d", digits(o.Jobs, 4), k), Class: c.name, Levels: make(map[string][]Level, len(b.Dependencies))}
		for d, name := range b.Dependencies {
			levels := make([]Level, len(c.demand))
			for i := range levels {
				levels[i] = Level{uniform(rng, c.demand[i]), uniform(rng, c.revenue[i])}
				mean[d] += float64(levels[i].Demand) / float64(len(levels))
			}
			b.Jobs[k].Levels[name] = levels
		}
	}
	for d, name := range b.Dependencies {
		for j, c := range o.capacities(rng, o.PrimaryFactor*mean[d]) {
			b.Resources = append(b.Resources, Resource{
				ID: fmt.Sprintf("%s-%0*d", name, digits(o.Resources, 2), j), Dependency: name,
				PrimaryCapacity: c, BackupCapacity: int64(math.Floor(o.BackupFactor * float64(c))),
			})
		}
	}
	o.tie(b)
	return b, nil
}

// tie adds prices, optional admission, base fees and budget.
func (o *GeneratorOptions) tie(b *Batch) {
	rng := rand.New(rand.NewPCG(o.Seed, 0x3c6ef372fe94f82b))
	around := func(mean float64) float64 { return mean * (0.5 + rng.Float64()) }
	var demand, revenue float64
	for k := range b.Jobs {
		own, n := 0.0, 0
		for _, name := range b.Dependencies {
			for _, l := range b.Jobs[k].Levels[name] {
				demand += float64(l.Demand)
				own += float64(l.Revenue)
				n++
			}
		}
		revenue += own
		if fee := around(o.FeeFactor * own / float64(n)); o.FeeFactor > 0 {
			b.Jobs[k].BaseFee = int64(math.Round(fee))
		}
		if rng.Float64() < o.OptionalShare {
			b.Jobs[k].Admission = Optional
		}
	}
	total := 0.0
	for j := range b.Resources {
		r := &b.Resources[j]
		if price := around(o.PriceFactor * revenue / demand); o.PriceFactor > 0 {
			r.Price = math.Round(price*1000) / 1000
		}
		total += r.Price * float64(r.PrimaryCapacity)
	}
	if o.BudgetFactor > 0 {
		budget := math.Round(o.BudgetFactor * total)
		b.Budget = &budget
	}
}

// check fills in the defaults and looks at the ranges.
func (o *GeneratorOptions) check() error {
	bad := func(arg string, v any, want string) error { return &DomainError{"Generate", arg, v, want} }
	if o.Dependencies == nil {
		o.Dependencies = []string{"compute", "network", "storage"}
	}
	if o.Law == "" {
		o.Law = Relative
	}
	total := 0.0
	for _, share := range o.Mix {
		if !(share >= 0) || math.IsInf(share, 1) {
			return bad("Mix", o.Mix, "finite shares >= 0")
		}
		total += share
	}
	if total == 0 {
		o.Mix = [3]float64{0.2, 0.7, 0.1}
		total = 1
	}
	for i := range o.Mix {
		o.Mix[i] /= total
	}
	const most = 1_000_000 // 2.5 GB
	switch {
	case len(o.Dependencies) == 0:
		return bad("Dependencies", 0, "at least one")
	case o.Jobs < 1 || o.Jobs > most:
		return bad("Jobs", o.Jobs, fmt.Sprintf("1 to %d", most))
	case o.Resources < 1 || o.Resources > most:
		return bad("Resources", o.Resources, fmt.Sprintf("1 to %d", most))
	case !(o.PrimaryFactor > 0) || o.PrimaryFactor > 1000:
		return bad("PrimaryFactor", o.PrimaryFactor, "0 < factor <= 1000")
	case !(o.BackupFactor >= 0) || o.BackupFactor > 1000:
		return bad("BackupFactor", o.BackupFactor, "0 <= factor <= 1000")
	case !(o.PriceFactor >= 0) || o.PriceFactor > 1000:
		return bad("PriceFactor", o.PriceFactor, "0 <= factor <= 1000")
	case !(o.OptionalShare >= 0) || o.OptionalShare > 1:
		return bad("OptionalShare", o.OptionalShare, "0 <= share <= 1")
	case !(o.FeeFactor >= 0) || o.FeeFactor > 1000:
		return bad("FeeFactor", o.FeeFactor, "0 <= factor <= 1000")
	case !(o.BudgetFactor >= 0) || o.BudgetFactor > 1000:
		return bad("BudgetFactor", o.BudgetFactor, "0 <= factor <= 1000")
	case o.Law != Literal && o.Law != Relative:
		return bad("Law", o.Law, "literal or relative")
	}
	return nil
}

// pools returns the class of every job, by largest remainder.
func (o *GeneratorOptions) pools() []int {
	pools := make([]int, 0, o.Jobs)
	through := 0.0
	for c, share := range o.Mix {
		through += share
		for len(pools) < int(math.Round(through*float64(o.Jobs))) {
			pools = append(pools, c)
		}
	}
	for len(pools) < o.Jobs {
		pools = append(pools, len(o.Mix)-1)
	}
	return pools
}

// capacities draws the primary capacities of one dependency.
func (o *GeneratorOptions) capacities(rng *rand.Rand, total float64) []int64 {
	mean := total / float64(o.Resources)
	draws := make([]float64, o.Resources)
	var drawn float64
	for j := range draws {
		if o.Law == Literal {
			draws[j] = math.Max(0, mean+math.Sqrt(0.75)*rng.NormFloat64())
		} else {
			for draws[j] = -1; draws[j] < 0.2*mean; {
				draws[j] = mean * (1 + 0.75*rng.NormFloat64())
			}
		}
		drawn += draws[j]
	}
	capacities := make([]int64, o.Resources)
	for j, v := range draws {
		if o.Law == Relative {
			v *= total / drawn
		}
		capacities[j] = int64(math.Round(v))
	}
	return capacities
}

func uniform(rng *rand.Rand, lohi [2]int64) int64 { return lohi[0] + rng.Int64N(lohi[1]-lohi[0]) }

// digits returns how many digits the numbers below n need, at least least.
func digits(n, least int) int { return max(least, len(fmt.Sprint(n-1))) }
