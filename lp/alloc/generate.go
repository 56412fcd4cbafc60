package alloc

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/given"
)

// A CapacityLaw says how the generator splits the primary capacity over the
// resources. The paper draws it from a normal distribution with "variance
// σ = 0.75", which can be read in two ways.
type CapacityLaw string

const (
	Literal  CapacityLaw = "literal"  // variance 0.75 units²: all but equal
	Relative CapacityLaw = "relative" // sd 0.75 of the mean, cut off at 0.2 of it, then scaled to the total
)

// DefaultLaw is what is printed. Over figures 7 and 8 and table 2, each with 2
// to 10 resources and 20 batches, the two readings meet the paper's numbers as
// often (256 and 258 of 574), but within 1.05 of the least loss (figure 8a) and
// the unused capacity (figure 7e) they do so in 100 and 94 cases and fail in 15
// and 39: resources that are all but equal are nearer to what the paper saw. The
// verdicts of both at 10 and 4 resources stand beside each other in what reproduce
// can do, and TestListedVerdicts of internal/papers holds them.
const DefaultLaw = Literal

// GeneratorOptions describe a synthetic batch.
type GeneratorOptions struct {
	Dependencies  []string    // nil means compute, network, storage
	Jobs          int         // K ≥ 1
	Resources     int         // J ≥ 1 for each dependency
	PrimaryFactor float64     // pf > 0: primary capacity / summed mean demand
	BackupFactor  float64     // bf ≥ 0: backup capacity / primary capacity
	Mix           [3]float64  // shares of small, medium, large jobs ≥ 0; all 0 means 0.2, 0.7, 0.1
	Law           CapacityLaw // empty means DefaultLaw
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
	{"small", [4][2]int64{{20, 100}, {100, 200}, {200, 400}, {400, 500}},
		[4][2]int64{{1000, 2000}, {2000, 3000}, {3000, 4000}, {4000, 5000}}},
	{"medium", [4][2]int64{{200, 400}, {400, 500}, {500, 2000}, {2000, 5000}},
		[4][2]int64{{2000, 4000}, {4000, 6000}, {8000, 10000}, {12000, 15000}}},
	{"large", [4][2]int64{{1000, 2000}, {2000, 5000}, {5000, 8000}, {8000, 10000}},
		[4][2]int64{{12000, 15000}, {20000, 24000}, {25000, 27000}, {27000, 30000}}},
}

// Generate returns the whole batch of a [Generator]. The same seed gives the
// same batch. It ends early with the error of ctx. Jobs are at most a million,
// and jobs times dependencies four, some 200 bytes each.
func Generate(ctx context.Context, o GeneratorOptions) (*Batch, error) {
	ctx = given.Context(ctx)
	const most, needs = 1_000_000, 4_000_000
	if o.Jobs > most {
		return nil, &DomainError{"Generate", "Jobs", o.Jobs, fmt.Sprintf("1 to %d", most)}
	}
	if most := needs / max(o.Jobs, 1); len(o.Dependencies) > most {
		return nil, &DomainError{"Generate", "Dependencies",
			len(o.Dependencies), fmt.Sprintf("at most %d with this many jobs", most)}
	}
	g, err := NewGenerator(ctx, o)
	if err != nil {
		return nil, err
	}
	b := &Batch{Dependencies: g.Dependencies, Resources: g.Resources, Budget: g.Budget, Jobs: make([]Job, 0, o.Jobs)}
	for j, err := range g.Jobs(ctx) {
		if err != nil {
			return nil, err
		}
		job := *j
		job.Levels = make(map[string][]Level, len(j.Levels))
		for name, levels := range j.Levels {
			job.Levels[name] = slices.Clone(levels)
		}
		b.Jobs = append(b.Jobs, job)
	}
	return b, nil
}

// check fills in the defaults and looks at the ranges.
func (o *GeneratorOptions) check() error {
	bad := func(arg string, v any, want string) error { return &DomainError{"Generate", arg, v, want} }
	if o.Dependencies == nil {
		o.Dependencies = []string{"compute", "network", "storage"}
	}
	o.Law = cmp.Or(o.Law, DefaultLaw)
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
	const most = 1_000_000
	switch {
	case len(o.Dependencies) == 0:
		return bad("Dependencies", 0, "at least one")
	case o.Jobs < 1 || o.Jobs > MostGenerated:
		return bad("Jobs", o.Jobs, fmt.Sprintf("1 to %d", MostGenerated))
	case o.Resources < 1 || o.Resources > most:
		return bad("Resources", o.Resources, fmt.Sprintf("1 to %d", most))
	case o.Resources > 4*most/len(o.Dependencies):
		return bad("Dependencies",
			len(o.Dependencies), fmt.Sprintf("at most %d with this many resources", 4*most/o.Resources))
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
