package allocation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A GenerateQuestion asks for a synthetic batch after QoS-GRAF section 5.2.
// Demands, levels and revenues follow the tables of the paper; prices, admission,
// fees and a budget are ours and 0 by default.
type GenerateQuestion struct {
	Jobs          int               `json:"jobs"`
	Resources     int               `json:"resources"`      // of each dependency
	PrimaryFactor float64           `json:"primary_factor"` // primary capacity / summed mean demand
	BackupFactor  float64           `json:"backup_factor"`  // backup capacity / primary capacity
	Mix           [3]float64        `json:"mix"`            // weights of small, medium and large jobs
	CapacityLaw   alloc.CapacityLaw `json:"capacity_law,omitempty"`
	// mean price of capacity / mean revenue per unit of demand
	PriceFactor  float64 `json:"price_factor,omitempty"`
	Optional     float64 `json:"optional,omitempty"`      // share of jobs whose admission is optional
	FeeFactor    float64 `json:"fee_factor,omitempty"`    // mean base fee / mean revenue of a job's levels
	BudgetFactor float64 `json:"budget_factor,omitempty"` // budget / price of all primary capacity; 0: none
	Seed         uint64  `json:"seed"`
}

// generateFields are the fields of the question by the argument of the generator.
var generateFields = map[string]string{
	"Jobs":          "jobs",
	"Resources":     "resources",
	"PrimaryFactor": "primary_factor",
	"BackupFactor":  "backup_factor",
	"Mix":           "mix",
	"Law":           "capacity_law",
	"PriceFactor":   "price_factor",
	"OptionalShare": "optional",
	"FeeFactor":     "fee_factor",
	"BudgetFactor":  "budget_factor"}

// mostInMemory keeps the batch of [GenerateBatch] within a GiB.
const mostInMemory = 300_000

// A GeneratedBatch is a batch whose jobs are made as they are asked for.
type GeneratedBatch struct {
	*BatchFile // all but the jobs
	generator  *alloc.Generator
}

// GenerateBatch makes a batch, with the question that makes it again as its
// comment; the same question makes the same batch. An argument outside its
// domain is an *ask.InputError; so are more than 300,000 jobs, for which
// [StreamBatch] has room.
func GenerateBatch(ctx context.Context, q *GenerateQuestion) (*BatchFile, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if q.Jobs > mostInMemory {
		return nil, ask.Inputf("jobs", "%d, want 1 to %d", q.Jobs, mostInMemory)
	}
	g, err := StreamBatch(ctx, q)
	if err != nil {
		return nil, err
	}
	g.BatchFile.Jobs = make([]BatchJob, 0, q.Jobs)
	for j, err := range g.Jobs(ctx) {
		if err != nil {
			return nil, err
		}
		// The job of the stream is reused for the next, and so all that it holds
		// is copied.
		job := *j
		if job.BaseFee != nil {
			job.BaseFee = new(*job.BaseFee)
		}
		job.Levels = slices.Clone(job.Levels)
		for i := range job.Levels {
			job.Levels[i].Value = slices.Clone(job.Levels[i].Value)
		}
		g.BatchFile.Jobs = append(g.BatchFile.Jobs, job)
	}
	return g.BatchFile, nil
}

// mostHeldResources bounds the resources of each of the three dependencies: allocate reads no more of them.
const mostHeldResources = MostResources / 3

// StreamBatch is [GenerateBatch] for batches of any number of jobs: a byte of
// memory for each. The same question makes the same jobs as GenerateBatch.
func StreamBatch(ctx context.Context, q *GenerateQuestion) (*GeneratedBatch, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if q.Resources > mostHeldResources {
		return nil, ask.Inputf("resources", "%d, want 1 to %d", q.Resources, mostHeldResources)
	}
	law := cmp.Or(q.CapacityLaw, alloc.DefaultLaw)
	g, err := alloc.NewGenerator(ctx, alloc.GeneratorOptions{
		Jobs:          q.Jobs,
		Resources:     q.Resources,
		PrimaryFactor: q.PrimaryFactor,
		BackupFactor:  q.BackupFactor,
		Mix:           q.Mix,
		Law:           law,
		PriceFactor:   q.PriceFactor,
		OptionalShare: q.Optional,
		FeeFactor:     q.FeeFactor,
		BudgetFactor:  q.BudgetFactor,
		Seed:          q.Seed,
	})
	if domain, ok := errors.AsType[*alloc.DomainError](err); ok {
		return nil, ask.Inputf(generateFields[domain.Arg], "%v, want %s", domain.Value, domain.Want)
	}
	if err != nil {
		return nil, err
	}
	question := *q
	question.CapacityLaw = law
	asked, err := json.Marshal(&question)
	if err != nil {
		return nil, err
	}
	f := &BatchFile{
		Comment:      "QoS-GRAF 5.2 of " + string(asked),
		Dependencies: g.Dependencies,
		Resources:    make([]BatchResource, len(g.Resources)),
	}
	for i, r := range g.Resources {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		f.Resources[i] = BatchResource{
			ID:              r.ID,
			Dependency:      r.Dependency,
			PrimaryCapacity: units.Count(r.PrimaryCapacity),
			BackupCapacity:  new(units.Count(r.BackupCapacity)),
		}
		if r.Price > 0 {
			f.Resources[i].Price = &units.Amount{Number: units.Number(r.Price)}
		}
	}
	if g.Budget != nil {
		f.Budget = &units.Amount{Number: units.Number(*g.Budget)}
	}
	g.Resources = nil // one of the two is enough
	return &GeneratedBatch{f, g}, nil
}

// Jobs makes the jobs, the same each time. A job and what it holds are good
// until the next. The error, if any, is that of ctx, and the last.
func (g *GeneratedBatch) Jobs(ctx context.Context) iter.Seq2[*BatchJob, error] {
	ctx = given.Context(ctx)
	return func(yield func(*BatchJob, error) bool) {
		to := &BatchJob{Levels: make(ByDependency[[]BatchLevel], len(g.Dependencies))}
		for i, name := range g.Dependencies {
			to.Levels[i].Dependency = name
		}
		var fee units.Count
		for j, err := range g.generator.Jobs(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			to.ID, to.Class, to.Admission, to.BaseFee = j.ID, j.Class, string(j.Admission), nil
			if j.BaseFee > 0 {
				fee = units.Count(j.BaseFee)
				to.BaseFee = &fee
			}
			for i := range to.Levels {
				levels := to.Levels[i].Value[:0]
				for _, l := range j.Levels[to.Levels[i].Dependency] {
					levels = append(levels, BatchLevel{Demand: units.Count(l.Demand), Revenue: units.Count(l.Revenue)})
				}
				to.Levels[i].Value = levels
			}
			if !yield(to, nil) {
				return
			}
		}
	}
}
