package alloc

import (
	"fmt"
	"math"
)

// A Plan is an assignment of primaries.
type Plan struct {
	Method   Method   `json:"method"`
	Revenue  int64    `json:"revenue"`   // of levels and base fees
	BaseFees int64    `json:"base_fees"` // part of the revenue
	Spending float64  `json:"spending"`  // price of the capacity used
	Net      float64  `json:"net"`       // revenue − spending: what is made greatest
	Rejected []string `json:"rejected"`  // optional jobs that are left out
	Bounds   *Bounds  `json:"bounds"`
	Bound    float64  `json:"bound"`   // best proven on the net revenue, by exhaustion included
	Gap      float64  `json:"gap"`     // (bound − net) / bound; 0 when that is 0
	Optimal  bool     `json:"optimal"` // proven
	Stopped  bool     `json:"stopped"` // not proven, for time ran out or the context ended
	// not searched as long as a smaller batch, for its size, and more than 0.01 % from the bound: more
	// Effort searches longer
	Hurried bool     `json:"hurried"`
	Open    []string `json:"open"` // of Exact: by dependency, why the solver left it unproven
	// dependencies that Options.Fallback answered, the method having no place for every job
	Fallback     []string         `json:"fallback"`
	Dependencies []DependencyPlan `json:"dependencies"`
	Choices      Choices          `json:"-"`

	solver float64 // bound of a general solver, where it was asked; else 0
}

// A DependencyPlan is what one dependency earns.
type DependencyPlan struct {
	Dependency string  `json:"dependency"`
	Revenue    int64   `json:"revenue"`  // of levels
	Spending   float64 `json:"spending"` // price of the capacity used
	Net        float64 `json:"net"`      // revenue − spending
	// best proven on the net revenue, without budget and as if admission were its own; that itself
	// when it is optimal
	Bound      float64          `json:"bound"`
	Gap        float64          `json:"gap"`      // (bound − net) / bound
	Levels     []int            `json:"levels"`   // jobs by level, from level 1 on
	ByClass    map[string]int64 `json:"by_class"` // revenue by class of job
	Unused     []float64        `json:"unused"`   // share of every resource's capacity, in the order of the batch
	MeanUnused float64          `json:"mean_unused"`
	MostUnused float64          `json:"most_unused"`
}

// total sums up a plan and checks it.
func (s *System) total(o Options, bounds *Bounds, plan *Plan) error {
	r := Verify(s.Batch, plan.Choices, nil, true)
	if !r.Feasible {
		return fmt.Errorf("alloc: Allocate: the answer of %s fails its check: %v", o.Method, r.Violations)
	}
	var levels int64
	plan.Bound = float64(s.fees)
	for i := range plan.Dependencies {
		levels += plan.Dependencies[i].Revenue
		plan.Bound += plan.Dependencies[i].Bound
	}
	if bounds.tied {
		if plan.Bound = bounds.Best(); plan.solver != 0 {
			plan.Bound = math.Min(plan.Bound, plan.solver)
		}
	}
	if r.Revenue != levels+r.BaseFees {
		return fmt.Errorf("alloc: Allocate: the answer of %s fails its check: revenue %d, not %d",
			o.Method, r.Revenue, levels+r.BaseFees)
	}
	plan.Revenue, plan.BaseFees, plan.Spending = r.Revenue, r.BaseFees, r.Spending
	plan.Net = float64(r.Revenue) - r.Spending
	plan.Rejected = s.rejected(plan.Choices)
	plan.Optimal = plan.Net >= plan.Bound-1e-9*math.Abs(plan.Bound)
	if plan.Gap = gap(plan.Bound, plan.Net); plan.Optimal {
		plan.Gap = 0
	}
	return nil
}

// rejected lists the jobs without any level.
func (s *System) rejected(c Choices) []string {
	list := []string{}
	for b := range s.Batch.Jobs {
		served := false
		for d := range s.deps {
			served = served || c[d][b].Level > 0
		}
		if !served {
			list = append(list, s.Batch.Jobs[b].ID)
		}
	}
	return list
}

func gap(bound, value float64) float64 {
	if bound == 0 {
		return 0
	}
	return (bound - value) / math.Abs(bound)
}

// describe sums up the primaries of one dependency.
func (s *System) describe(d *dependency, choices []Choice) DependencyPlan {
	r := DependencyPlan{Dependency: d.name, ByClass: map[string]int64{}}
	used := make([]int64, len(d.resource))
	for _, k := range d.job {
		c := choices[k]
		if c.Level == 0 {
			continue
		}
		at := d.first[d.at[k]] + c.Level - 1
		l := Level{d.demand[at], d.revenue[at]}
		for len(r.Levels) < int(c.Level) {
			r.Levels = append(r.Levels, 0)
		}
		r.Levels[c.Level-1]++
		r.Revenue += l.Revenue
		r.ByClass[s.Batch.Jobs[k].Class] += l.Revenue
		used[d.local[c.Resource]] += l.Demand
	}
	for j, u := range used {
		if d.price != nil {
			r.Spending += d.price[j] * float64(u)
		}
		share := 0.0
		if d.primary[j] > 0 {
			share = float64(d.primary[j]-u) / float64(d.primary[j])
		}
		r.Unused = append(r.Unused, share)
		r.MeanUnused += share / float64(len(used))
		r.MostUnused = math.Max(r.MostUnused, share)
	}
	r.Net = float64(r.Revenue) - r.Spending
	return r
}
