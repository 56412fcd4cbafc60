package alloc

import (
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/internal/given"
)

// MostGenerated bounds the jobs of a [Generator], which keeps a byte of each.
const MostGenerated = 100_000_000

// A Generator makes a synthetic batch after section 5.2, a job at a time: jobs
// of three classes with demands and revenues drawn uniformly from table 1, and
// primary capacities that add up to
//
//	C = pf · Σ_jobs mean demand over the levels
//
// for each dependency, split over the resources by the capacity law; backup
// capacities are ⌊bf · primary⌋. Classes follow the mix as closely as whole
// numbers allow, in random order. A low primary factor may leave less capacity
// than the least demands take.
//
// Beyond the paper: prices by resource and base fees by job, uniform between a
// half and three halves of their means, optional admission, and a budget. They
// are drawn apart, so that they leave the rest of the batch as it is.
//
// The capacities need the sum over all jobs. So the jobs are drawn when the
// generator is made, for the sum alone, and from the same seed once more by
// each call of [Generator.Jobs]: memory does not grow with what a job holds.
type Generator struct {
	Dependencies []string
	Resources    []Resource
	Budget       *float64 // nil without one

	o       GeneratorOptions
	classes []uint8  // of the jobs
	jobs    rand.PCG // before the first job
	ties    rand.PCG
}

// NewGenerator draws the resources of a batch. Errors: *DomainError, and that
// of ctx.
func NewGenerator(ctx context.Context, o GeneratorOptions) (*Generator, error) {
	ctx = given.Context(ctx)
	if err := o.check(); err != nil {
		return nil, err
	}
	source := rand.NewPCG(o.Seed, 0x2545f4914f6cdd1d)
	rng := rand.New(source)
	g := &Generator{
		Dependencies: append([]string(nil), o.Dependencies...),
		o:            o,
		classes:      o.pools(),
		ties:         *rand.NewPCG(o.Seed, 0x3c6ef372fe94f82b),
	}
	for i := len(g.classes) - 1; i > 0; i-- { // rand.Shuffle, which no context stops
		if i%(1<<16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		j := rng.Uint64N(uint64(i + 1))
		g.classes[i], g.classes[j] = g.classes[j], g.classes[i]
	}
	g.jobs = *source
	var sums generatorSums
	jobs, ties, err := g.each(ctx, func(j *generatedJob) bool {
		sums.add(j)
		return true
	})
	if err != nil {
		return nil, err
	}
	return g, g.resources(ctx, jobs, ties, &sums)
}

// Jobs hands out the jobs in order. A job and what it holds are good until the
// next. The error, if any, is that of ctx, and the last.
func (g *Generator) Jobs(ctx context.Context) iter.Seq2[*Job, error] {
	ctx = given.Context(ctx)
	return func(yield func(*Job, error) bool) {
		width := digits(g.o.Jobs, 4)
		job := &Job{Levels: make(map[string][]Level, len(g.Dependencies))}
		k := 0
		_, _, err := g.each(ctx, func(j *generatedJob) bool {
			job.ID, job.Class = fmt.Sprintf("job%0*d", width, k), j.class.name
			job.BaseFee, job.Admission = j.fee, ""
			if j.optional {
				job.Admission = Optional
			}
			for d, name := range g.Dependencies {
				job.Levels[name] = j.levels[d]
			}
			k++
			return yield(job, nil)
		})
		if err != nil {
			yield(nil, err)
		}
	}
}

// A generatedJob is one draw.
type generatedJob struct {
	class    *class
	levels   [][]Level // by dependency
	fee      int64
	optional bool
}

// each draws the jobs until yield is false, and returns the sources of chance
// as they are after the last.
func (g *Generator) each(ctx context.Context, yield func(*generatedJob) bool) (jobs, ties *rand.PCG, err error) {
	of, apart := g.jobs, g.ties
	rng, tied := rand.New(&of), rand.New(&apart)
	j := &generatedJob{levels: make([][]Level, len(g.Dependencies))}
	for d := range j.levels {
		j.levels[d] = make([]Level, len(classes[0].demand))
	}
	for k, c := range g.classes {
		if k%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		j.class = &classes[c]
		own, n := 0.0, 0
		for _, levels := range j.levels {
			for i := range levels {
				levels[i] = Level{uniform(rng, j.class.demand[i]), uniform(rng, j.class.revenue[i])}
				own += float64(levels[i].Revenue)
				n++
			}
		}
		j.fee = 0
		if fee := around(tied, g.o.FeeFactor*own/float64(n)); g.o.FeeFactor > 0 {
			j.fee = int64(math.Round(fee))
		}
		j.optional = tied.Float64() < g.o.OptionalShare
		if !yield(j) {
			break
		}
	}
	return &of, &apart, nil
}

// generatorSums are what the resources need to know of all jobs.
type generatorSums struct {
	mean            []float64 // demand over the levels, by dependency
	demand, revenue float64
}

func (s *generatorSums) add(j *generatedJob) {
	if s.mean == nil {
		s.mean = make([]float64, len(j.levels))
	}
	own := 0.0
	for d, levels := range j.levels {
		for _, l := range levels {
			s.mean[d] += float64(l.Demand) / float64(len(levels))
			s.demand += float64(l.Demand)
			own += float64(l.Revenue)
		}
	}
	s.revenue += own
}

// resources draws capacities and prices, and the budget from both.
func (g *Generator) resources(ctx context.Context, jobs, ties *rand.PCG, sums *generatorSums) error {
	rng, tied := rand.New(jobs), rand.New(ties)
	width := digits(g.o.Resources, 2)
	g.Resources = make([]Resource, 0, g.o.Resources*len(g.Dependencies))
	for d, name := range g.Dependencies {
		capacities, err := g.o.capacities(ctx, rng, g.o.PrimaryFactor*sums.mean[d])
		if err != nil {
			return err
		}
		for j, c := range capacities {
			if j%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			g.Resources = append(g.Resources, Resource{
				ID:              fmt.Sprintf("%s-%0*d", name, width, j),
				Dependency:      name,
				PrimaryCapacity: c,
				BackupCapacity:  int64(math.Floor(g.o.BackupFactor * float64(c))),
			})
		}
	}
	total := 0.0
	for j := range g.Resources {
		r := &g.Resources[j]
		if price := around(tied, g.o.PriceFactor*sums.revenue/sums.demand); g.o.PriceFactor > 0 {
			r.Price = math.Round(price*1000) / 1000
		}
		total += r.Price * float64(r.PrimaryCapacity)
	}
	if g.o.BudgetFactor > 0 {
		budget := math.Round(g.o.BudgetFactor * total)
		g.Budget = &budget
	}
	return nil
}

// pools returns the class of every job, by largest remainder.
func (o *GeneratorOptions) pools() []uint8 {
	pools := make([]uint8, 0, o.Jobs)
	through := 0.0
	for c, share := range o.Mix {
		through += share
		for len(pools) < int(math.Round(through*float64(o.Jobs))) {
			pools = append(pools, uint8(c))
		}
	}
	for len(pools) < o.Jobs {
		pools = append(pools, uint8(len(o.Mix)-1))
	}
	return pools
}

// capacities draws the primary capacities of one dependency.
func (o *GeneratorOptions) capacities(ctx context.Context, rng *rand.Rand, total float64) ([]int64, error) {
	mean := total / float64(o.Resources)
	draws := make([]float64, o.Resources)
	var drawn float64
	for j := range draws {
		if j%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
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
	return capacities, nil
}

// around draws uniformly between a half and three halves of a mean.
func around(rng *rand.Rand, mean float64) float64 { return mean * (0.5 + rng.Float64()) }

func uniform(rng *rand.Rand, lohi [2]int64) int64 { return lohi[0] + rng.Int64N(lohi[1]-lohi[0]) }

// digits returns how many digits the numbers below n need, at least least.
func digits(n, least int) int { return max(least, len(fmt.Sprint(n-1))) }
