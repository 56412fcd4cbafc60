package alloc

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/capplan/capplan/lp"
)

// PrimaryModel returns MRPA of one dependency as an explicit program: a
// variable for every job, level and resource that the job may use and the
// level fits, one row per job (exactly one) and one per resource (capacity).
// Its size is that product: it serves to check the algorithms of this package
// with a general solver, and to finish what they leave open on moderate
// batches. The variables have no upper bound of 1, which the rows imply. choices tells which job, resource and level each variable is. An
// unknown name returns a *BatchError.
func (s *System) PrimaryModel(name string) (m *lp.Model, choices []ModelChoice, err error) {
	for i := range s.deps {
		if s.deps[i].name == name {
			m, choices = s.primaryModel(&s.deps[i])
			return m, choices, nil
		}
	}
	return nil, nil, &BatchError{fmt.Sprintf("dependency %q", name), "not among the dependencies", ErrUnknownDependency}
}

// A ModelChoice is what a variable of [System.PrimaryModel] stands for.
type ModelChoice struct {
	Job int // index in Batch.Jobs
	Choice
}

func (s *System) primaryModel(d *dependency) (*lp.Model, []ModelChoice) {
	m := &lp.Model{Name: d.name, Maximize: true}
	var choices []ModelChoice
	m.Rows = make([]lp.Row, len(d.job)+len(d.resource))
	for j := range d.resource {
		m.Rows[len(d.job)+j] = lp.Row{Lower: math.Inf(-1), Upper: float64(d.primary[j])}
	}
	for k, job := range d.job {
		m.Rows[k] = lp.Row{Lower: 1, Upper: 1}
		for l := d.first[k]; l < d.first[k+1]; l++ {
			for j := range d.resource {
				if d.demand[l] > d.primary[j] || !d.mayUse(int32(k), int32(j)) {
					continue
				}
				at := len(m.Variables)
				m.Variables = append(m.Variables, lp.Variable{Cost: float64(d.revenue[l]) - d.unitPrice(j)*float64(d.demand[l]), Upper: math.Inf(1), Integer: true})
				choices = append(choices, ModelChoice{int(job), Choice{d.resource[j], l - d.first[k] + 1}})
				m.Rows[k].Terms = append(m.Rows[k].Terms, lp.Term{Variable: at, Coefficient: 1})
				if d.demand[l] > 0 {
					r := &m.Rows[len(d.job)+j]
					r.Terms = append(r.Terms, lp.Term{Variable: at, Coefficient: float64(d.demand[l])})
				}
			}
		}
	}
	return m, choices
}

// unitPrice is what a unit of demand costs on resource j.
func (d *dependency) unitPrice(j int) float64 {
	if d.price == nil {
		return 0
	}
	return d.price[j]
}

// improve hands a dependency whose answer is not proven to a general solver.
// What the solver finds replaces the answer when it earns more, and its bound
// is kept when it is lower. Trouble of the solver leaves the answer as it is.
func (s *System) improve(ctx context.Context, solver lp.Solver, limit time.Duration, i int, plan *Plan) error {
	d, dp := &s.deps[i], &plan.Dependencies[i]
	if dp.Net >= dp.Bound || ctx.Err() != nil {
		return nil
	}
	m, choices := s.primaryModel(d)
	sol, err := solver.Solve(ctx, m, lp.Settings{TimeLimit: limit})
	if err != nil {
		return fmt.Errorf("alloc: Allocate: exact: %s: %w", d.name, err)
	}
	bound := dp.Bound
	if !math.IsNaN(sol.Bound) {
		proven := sol.Bound + 1e-6*math.Max(1, math.Abs(sol.Bound)*1e-3)
		if d.price == nil {
			proven = math.Floor(proven)
		}
		bound = math.Min(bound, proven)
	}
	enough := 0.5
	if d.price != nil {
		enough = 1e-9 * math.Abs(dp.Net)
	}
	if sol.X != nil && sol.Objective > dp.Net+enough {
		out := plan.Choices[i]
		for v, x := range sol.X {
			if x > 0.5 {
				out[choices[v].Job] = choices[v].Choice
			}
		}
		*dp = s.describe(d, out)
	}
	dp.Bound = math.Max(bound, dp.Net)
	dp.Gap = gap(dp.Bound, dp.Net)
	return nil
}
