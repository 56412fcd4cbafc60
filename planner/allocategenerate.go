package planner

import (
	"context"
	"errors"
	"fmt"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/units"
	"github.com/capplan/capplan/workload"
)

// A GenerateQuestion asks for a synthetic batch after QoS-GRAF section 5.2.
type GenerateQuestion struct {
	Jobs          int               `json:"jobs"`
	Resources     int               `json:"resources"`      // of each dependency
	PrimaryFactor float64           `json:"primary_factor"` // primary capacity / summed mean demand
	BackupFactor  float64           `json:"backup_factor"`  // backup capacity / primary capacity
	Mix           [3]float64        `json:"mix"`            // weights of small, medium and large jobs
	CapacityLaw   alloc.CapacityLaw `json:"capacity_law,omitempty"`
	PriceFactor   float64           `json:"price_factor,omitempty"`  // mean price of capacity / mean revenue per unit of demand
	Optional      float64           `json:"optional,omitempty"`      // share of jobs whose admission is optional
	FeeFactor     float64           `json:"fee_factor,omitempty"`    // mean base fee / mean revenue of a job's levels
	BudgetFactor  float64           `json:"budget_factor,omitempty"` // budget / price of all primary capacity; 0: none
	Seed          uint64            `json:"seed"`
}

// generateFlags are the flags by the argument of the generator.
var generateFlags = map[string]string{"Jobs": "jobs", "Resources": "resources", "PrimaryFactor": "primary-factor", "BackupFactor": "backup-factor", "Mix": "mix", "Law": "capacity-law",
	"PriceFactor": "price-factor", "OptionalShare": "optional", "FeeFactor": "fee-factor", "BudgetFactor": "budget-factor"}

// mostGenerated keeps a batch within a GiB while it is made and written.
const mostGenerated = 300_000

// GenerateBatch makes a batch, with the command line that makes it again as its
// comment; the same question makes the same batch. An argument outside its
// domain is an *InputError.
func GenerateBatch(ctx context.Context, q *GenerateQuestion) (*workload.BatchFile, error) {
	for _, n := range []struct {
		field string
		v     int
	}{{"jobs", q.Jobs}, {"resources", q.Resources}} {
		if n.v < 1 || n.v > mostGenerated {
			return nil, &InputError{n.field, fmt.Sprintf("%d, want 1 to %d", n.v, mostGenerated)}
		}
	}
	law := q.CapacityLaw
	if law == "" {
		law = alloc.Relative
	}
	b, err := alloc.Generate(ctx, alloc.GeneratorOptions{
		Jobs: q.Jobs, Resources: q.Resources, PrimaryFactor: q.PrimaryFactor, BackupFactor: q.BackupFactor, Mix: q.Mix, Law: law, Seed: q.Seed,
		PriceFactor: q.PriceFactor, OptionalShare: q.Optional, FeeFactor: q.FeeFactor, BudgetFactor: q.BudgetFactor,
	})
	var domain *alloc.DomainError
	if errors.As(err, &domain) {
		return nil, &InputError{generateFlags[domain.Arg], fmt.Sprintf("%v, want %s", domain.Value, domain.Want)}
	}
	if err != nil {
		return nil, err
	}
	beyond := ""
	for _, o := range []struct {
		flag string
		v    float64
	}{{"price-factor", q.PriceFactor}, {"optional", q.Optional}, {"fee-factor", q.FeeFactor}, {"budget-factor", q.BudgetFactor}} {
		if o.v != 0 {
			beyond += fmt.Sprintf(" --%s %v", o.flag, o.v)
		}
	}
	f := &workload.BatchFile{
		Budget: (*units.Number)(b.Budget),
		Comment: fmt.Sprintf("capplan allocate generate --jobs %d --resources %d --primary-factor %v --backup-factor %v --mix %v,%v,%v --capacity-law %s%s --seed %d",
			q.Jobs, q.Resources, q.PrimaryFactor, q.BackupFactor, q.Mix[0], q.Mix[1], q.Mix[2], law, beyond, q.Seed),
		Dependencies: b.Dependencies, Resources: make([]workload.BatchResource, len(b.Resources)), Jobs: make([]workload.BatchJob, len(b.Jobs)),
	}
	for i, r := range b.Resources {
		backup := units.Count(r.BackupCapacity)
		f.Resources[i] = workload.BatchResource{ID: r.ID, Dependency: r.Dependency, PrimaryCapacity: units.Count(r.PrimaryCapacity), BackupCapacity: &backup}
		if r.Price > 0 {
			price := units.Number(r.Price)
			f.Resources[i].Price = &price
		}
	}
	for i := range b.Jobs {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		j := &b.Jobs[i]
		f.Jobs[i] = workload.BatchJob{ID: j.ID, Class: j.Class, Levels: make(workload.ByDependency[[]workload.BatchLevel], 0, len(b.Dependencies)), Admission: string(j.Admission)}
		if j.BaseFee > 0 {
			fee := units.Count(j.BaseFee)
			f.Jobs[i].BaseFee = &fee
		}
		for _, name := range b.Dependencies {
			levels := make([]workload.BatchLevel, len(j.Levels[name]))
			for n, l := range j.Levels[name] {
				levels[n] = workload.BatchLevel{Demand: units.Count(l.Demand), Revenue: units.Count(l.Revenue)}
			}
			f.Jobs[i].Levels = append(f.Jobs[i].Levels, workload.Dependent[[]workload.BatchLevel]{Dependency: name, Value: levels})
		}
		*j = alloc.Job{} // one of the two is enough
	}
	return f, nil
}
