package alloc

import (
	"cmp"
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/given"
)

// A FailureStep is the state after one more failure, backups that it strikes planned anew.
type FailureStep struct {
	Failed      string `json:"failed"`       // resource or risk group
	Switched    int    `json:"switched"`     // pairs of job and dependency that moved to their backup
	StepLoss    int64  `json:"step_loss"`    // revenue lost by this failure
	Loss        int64  `json:"loss"`         // revenue lost since the beginning
	Stopped     int    `json:"stopped"`      // jobs that have lost some dependency since the beginning
	Unprotected int    `json:"unprotected"`  // running jobs with some dependency that has no backup now
	LossAtRisk  int64  `json:"loss_at_risk"` // loss of the new backups: summed over all jobs, each failing once
	Hurried     bool   `json:"-"`            // of the new backups, see [BackupPlan.Hurried]
}

// FailInSuccession lets resources or risk groups fail one after another,
// without repair, and returns the state after each (QoS-GRAF section 5.5,
// table 2). Jobs on what fails move to their backups; those without one stop
// and lose the revenue of that dependency. What has moved keeps the backup
// capacity it uses, and backups for all that still runs are planned anew on
// the rest. A nil backup is planned first.
//
// The backups for a failure stay where they are if it strikes none of the jobs and resources concerned, and they still
// fit: what may be chosen only becomes less, so that what lost least does so still. The published methods, which
// need not find that, plan all of them anew.
//
// Errors: *BatchError for a name that is no resource or risk group or has
// failed before, and those of [System.Backup].
func (s *System) FailInSuccession(ctx context.Context, primary, backup Choices, failures []string,
	o BackupOptions) ([]FailureStep, error) {
	ctx = given.Context(ctx)
	if err := s.made("FailInSuccession"); err != nil {
		return nil, err
	}
	o.Mode = cmp.Or(o.Mode, Soft)
	if backup == nil {
		plan, err := s.Backup(ctx, primary, o)
		if err != nil {
			return nil, err
		}
		backup = plan.Choices
	} else if r := Verify(s.Batch, primary, backup, !o.NoSharing); !r.Feasible {
		v := r.Violations[0]
		return nil, &BatchError{Place: "backup " + v.Place, Problem: v.Rule + ": " + v.Detail, Kind: ErrOutOfRange}
	}
	unitAt := s.unitsNamed(failures)
	running := make(Choices, len(primary))
	capacity := make([][]int64, len(s.deps))
	for d := range s.deps {
		running[d] = append([]Choice(nil), primary[d]...)
		capacity[d] = append([]int64(nil), s.deps[d].backup...)
	}
	o.plans = len(failures)
	down := make([]bool, len(s.names))
	lost := make([]bool, len(s.Batch.Jobs))
	stopped, orders := 0, make([][]int32, len(s.deps))
	var steps []FailureStep
	for i, name := range failures {
		u := unitAt[name]
		if u < 0 {
			return nil, &BatchError{
				Place:   fmt.Sprintf("failures[%d]", i),
				Problem: fmt.Sprintf("%q is neither a resource nor a risk group", name),
				Name:    name,
				Kind:    ErrUnknownResource,
			}
		}
		if down[u] {
			return nil, &BatchError{Place: fmt.Sprintf("failures[%d]", i),
				Problem: fmt.Sprintf("%q has failed before", name), Kind: ErrDuplicateID}
		}
		down[u] = true
		step := FailureStep{Failed: s.names[u]}
		stays := &standing{backup: backup, gained: make(map[failing]bool), orders: orders}
		for d := range s.deps {
			dep := &s.deps[d]
			for k, b := range dep.job {
				c := running[d][b]
				if c.Level == 0 || s.units[c.Resource] != u {
					continue
				}
				level := func(l int32) int32 { return dep.first[k] + l - 1 }
				step.StepLoss += dep.revenue[level(c.Level)]
				to := backup[d][b]
				running[d][b] = to
				if to.Level == 0 {
					if !lost[b] {
						lost[b] = true
						stopped++
					}
					continue
				}
				stays.gained[failing{dep: int32(d), unit: s.units[to.Resource]}] = true
				step.Switched++
				step.StepLoss -= dep.revenue[level(to.Level)]
				capacity[d][dep.local[to.Resource]] -= dep.demand[level(to.Level)]
			}
		}
		plan, err := s.backup(ctx, running, o, capacity, down, stays)
		if err != nil {
			return steps, err
		}
		if err := s.checkBackups(running, plan.Choices, capacity, down, o.NoSharing); err != nil {
			return steps, err
		}
		backup = plan.Choices
		if i > 0 {
			step.Loss = steps[i-1].Loss
		}
		step.Loss += step.StepLoss
		step.Stopped = stopped
		step.Unprotected = s.bare(running, backup)
		step.LossAtRisk, step.Hurried = plan.Loss, plan.Hurried
		steps = append(steps, step)
	}
	return steps, nil
}

// unitsNamed maps names of resources and risk groups to failure units, others to -1.
func (s *System) unitsNamed(names []string) map[string]int32 {
	at := make(map[string]int32, len(names))
	for _, name := range names {
		at[name] = -1
	}
	for j, u := range s.units {
		if _, asked := at[s.Batch.Resources[j].ID]; asked {
			at[s.Batch.Resources[j].ID] = u
		}
	}
	for u, name := range s.names {
		if known, asked := at[name]; asked && known < 0 {
			at[name] = int32(u)
		}
	}
	return at
}

// bare counts the running jobs that have no backup in some dependency.
func (s *System) bare(running, backup Choices) int {
	n := 0
	for b := range s.Batch.Jobs {
		for d := range s.deps {
			if running[d][b].Level > 0 && backup[d][b].Level == 0 {
				n++
				break
			}
		}
	}
	return n
}

// A standing is the backups of before a failure, and which failures they lack jobs for: those of the units that jobs
// have moved to.
type standing struct {
	backup Choices
	gained map[failing]bool // by dependency and unit
	orders [][]int32        // by dependency, what was up by its capacity: hardly another order than now; nil: not known
}

// kept copies the backups for a failing to a plan if they stand, and reports whether they do. used is of all resources
// of the dependency, and 0.
func (s *System) kept(w *standing, f failing, jobs []int32, plan *BackupPlan, running []Choice, capacity []int64,
	down []bool, used []int64) bool {
	d := &s.deps[f.dep]
	if w.gained[failing{dep: f.dep, unit: f.unit}] {
		return false
	}
	fits := true
	for _, k := range jobs[f.from:f.to] {
		if to := w.backup[f.dep][d.job[k]]; to.Level > 0 {
			j := d.local[to.Resource]
			used[j] += d.demand[d.first[k]+to.Level-1]
			fits = fits && !down[d.unit[j]] && used[j] <= capacity[j]
		}
	}
	for _, k := range jobs[f.from:f.to] {
		b := d.job[k]
		to := w.backup[f.dep][b]
		if to.Level > 0 {
			used[d.local[to.Resource]] = 0
		}
		if !fits {
			continue
		}
		plan.Choices[f.dep][b] = to
		plan.Dependencies[f.dep].Loss += d.revenue[d.first[k]+running[b].Level-1]
		if to.Level > 0 {
			plan.Dependencies[f.dep].Loss -= d.revenue[d.first[k]+to.Level-1]
		}
	}
	return fits
}

// checkBackups is what [Verify] checks of backups, for jobs that already run
// on part of the backup capacity while some resources are down.
func (s *System) checkBackups(running, backup Choices, capacity [][]int64, down []bool, noSharing bool) error {
	sums := make([]int64, len(s.names)) // by the unit that fails, of one resource
	for d := range s.deps {
		dep := &s.deps[d]
		last, before := unplaced(len(dep.resource)), make([]int32, len(dep.job)) // jobs by resource, as lists
		for k, b := range dep.job {
			from, to := running[d][b], backup[d][b]
			if to.Level == 0 {
				continue
			}
			u, v := s.units[from.Resource], s.units[to.Resource]
			j := dep.local[to.Resource]
			if from.Level < to.Level || u == v || down[v] || j < 0 {
				return fmt.Errorf("alloc: FailInSuccession: backup of %s for %s fails its check",
					s.Batch.Jobs[b].ID, dep.name)
			}
			before[k], last[j] = last[j], int32(k)
		}
		unit := func(k int32) int32 {
			if noSharing {
				return 0
			}
			return s.units[running[d][dep.job[k]].Resource]
		}
		for j, end := range last {
			for k := end; k >= 0; k = before[k] {
				u := unit(k)
				if sums[u] += dep.demand[dep.first[k]+backup[d][dep.job[k]].Level-1]; sums[u] > capacity[d][j] {
					return fmt.Errorf("alloc: FailInSuccession: backups on %s exceed its capacity",
						s.Batch.Resources[dep.resource[j]].ID)
				}
			}
			for k := end; k >= 0; k = before[k] {
				sums[unit(k)] = 0
			}
		}
	}
	return nil
}
