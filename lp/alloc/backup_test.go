package alloc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/lp"
)

// given returns the primaries for which the reference backups were computed.
func primariesGiven(t testing.TB, s *System, a answers) Choices {
	t.Helper()
	var list []Assignment
	for dep, m := range a.MLBA {
		for _, x := range m.Primary {
			list = append(list, Assignment{Job: x.Job, Dependency: dep, Resource: x.Resource, Level: x.Level})
		}
	}
	c, err := s.Choices(list)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// sameLoss compares a bound on a loss with a reference: both may be infeasible;
// the error is measured against the revenue, of which the loss is a difference.
func sameLoss(t *testing.T, what string, got, want *float64, revenue int64) {
	t.Helper()
	switch {
	case (got == nil) != (want == nil):
		t.Errorf("%s: feasible = %v, want %v", what, got != nil, want != nil)
	case got != nil && math.Abs(*got-*want) > 1e-9*float64(revenue):
		t.Errorf("%s = %.9f, want %.9f", what, *got, *want)
	}
}

func TestBackupAgainstHiGHS(t *testing.T) {
	for _, name := range batches {
		s, a := load(t, name)
		primary := primariesGiven(t, s, a)
		b, err := s.Backup(context.Background(), primary, BackupOptions{})
		if err != nil {
			t.Fatal(err)
		}
		homeless := map[string]int{}
		for _, h := range b.Homeless {
			homeless[h.Dependency]++
		}
		for _, d := range b.Dependencies {
			want := a.MLBA[d.Dependency]
			what := fmt.Sprintf("%s %s ", name, d.Dependency)
			sameLoss(t, what+"lp_bound_published", d.Bounds.Published, want.Published, want.Revenue)
			sameLoss(t, what+"lp_bound", d.Bounds.LP, want.Soft, want.Revenue)
			sameLoss(t, what+"lp_bound_eligible", d.Bounds.Eligible, want.EligibleSoft, want.Revenue)
			if homeless[d.Dependency] != want.Homeless {
				t.Errorf("%shomeless = %d, want %d", what, homeless[d.Dependency], want.Homeless)
			}
			opt := *want.SoftMIP.Optimum
			t.Logf("%sloss %d optimum %d bound %v", what, d.Loss, opt, d.Bounds.Best)
			if d.Loss < opt || d.Bounds.Best > float64(opt) {
				t.Errorf("%sloss %d and bound %v contradict the optimum %d", what, d.Loss, d.Bounds.Best, opt)
			}
			if name == "i02" && d.Bounds.Best != float64(opt) {
				t.Errorf("%sbound = %v, want the proof by exhaustion of %d", what, d.Bounds.Best, opt)
			}
			if float64(d.Loss) > 1.01*float64(opt) {
				t.Errorf("%sloss = %d, want within 1 %% of the optimum %d", what, d.Loss, opt)
			}
		}
	}
}

func TestStrictBackupAgainstHiGHS(t *testing.T) {
	for _, name := range batches {
		s, a := load(t, name)
		for dep, want := range a.MLBA {
			// One dependency at a time: each may be infeasible by itself.
			one := *s
			for d := range s.deps {
				if s.deps[d].name == dep {
					one.deps = s.deps[d : d+1]
				}
			}
			batch := *s.Batch
			batch.Dependencies = []string{dep}
			one.Batch = &batch
			var list []Assignment
			for _, x := range want.Primary {
				list = append(list, Assignment{Job: x.Job, Dependency: dep, Resource: x.Resource, Level: x.Level})
			}
			primary, err := one.Choices(list)
			if err != nil {
				t.Fatal(err)
			}
			what := fmt.Sprintf("%s %s ", name, dep)
			for _, solver := range generalSolvers() {
				if name == "i02" || name == "i17" {
					exactStrict(t, what+solver.Name()+" ", &one, primary, solver, want.StrictMIP.Optimum)
				}
			}
			b, err := one.Backup(context.Background(), primary, BackupOptions{Mode: Strict})
			if want.StrictMIP.Optimum == nil {
				if !errors.Is(err, ErrInfeasible) && !errors.Is(err, ErrNotFound) {
					t.Errorf("%serr = %v, want infeasible", what, err)
				}
				t.Log(what, err)
				continue
			}
			if err != nil {
				t.Errorf("%s%v", what, err)
				continue
			}
			sameLoss(t, what+"lp_bound strict", b.Bounds.LP, want.Strict, want.Revenue)
			sameLoss(t, what+"lp_bound_eligible strict", b.Bounds.Eligible, want.EligibleStrict, want.Revenue)
			if opt := *want.StrictMIP.Optimum; b.Loss < opt || float64(b.Loss) > 1.01*float64(opt) {
				t.Errorf("%sloss = %d, want within 1 %% of the optimum %d", what, b.Loss, opt)
			}
		}
	}
}

// exactStrict tests the method exact: the optimum itself, or the proof that
// there is none.
func exactStrict(t *testing.T, what string, s *System, primary Choices, solver lp.Solver, optimum *int64) {
	t.Helper()
	b, err := s.Backup(context.Background(), primary, BackupOptions{Mode: Strict, Options: Options{Method: Exact, Solver: solver, Effort: 1e-9}})
	switch {
	case optimum == nil:
		if !errors.Is(err, ErrInfeasible) {
			t.Errorf("%sexact: err = %v, want infeasible", what, err)
		}
	case err != nil:
		t.Errorf("%sexact: %v", what, err)
	case b.Loss != *optimum || !b.Optimal:
		t.Errorf("%sexact: loss %d, optimal %v, want %d", what, b.Loss, b.Optimal, *optimum)
	}
}
