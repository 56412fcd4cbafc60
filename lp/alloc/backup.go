package alloc

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
)

// A BackupMode says whether a job may be left without a backup.
type BackupMode string

const (
	Soft   BackupMode = "soft"   // an unprotected job loses all the revenue of its primary
	Strict BackupMode = "strict" // every job must be protected
)

// BackupOptions say how to look for backups.
type BackupOptions struct {
	Options
	Mode      BackupMode // empty means Soft
	NoSharing bool       // backup capacity is not shared between jobs that never fail together

	plans int // that are made one after another, with the search of one; 0: one
}

// A BackupPlan is an assignment of backups to given primaries.
type BackupPlan struct {
	Method  Method     `json:"method"`
	Mode    BackupMode `json:"mode"`
	Loss    int64      `json:"loss"` // summed over all jobs, each failing once
	Bounds  LossBounds `json:"bounds"`
	Gap     float64    `json:"gap"` // (loss − best bound) / loss; 0 when the loss is 0
	Optimal bool       `json:"optimal"`
	Stopped bool       `json:"stopped"` // not proven, for time ran out or the context ended
	// not searched as long as for fewer failures, and more than 0.01 % of the revenue from the bound: more
	// Effort searches longer
	Hurried bool `json:"hurried"`
	// of Exact: by dependency and failure, why the solver left it unproven
	Open []string `json:"open"`
	// by dependency and failure, what Options.Fallback answered
	Fallback    []string     `json:"fallback"`
	Unprotected []Assignment `json:"unprotected"` // primaries without a backup
	Homeless    []Assignment `json:"homeless"`    // primaries that no backup site could ever hold
	// mean over resources of backup demand assigned / backup capacity
	SharingFactor float64            `json:"sharing_factor"`
	Dependencies  []BackupDependency `json:"dependencies"`
	Choices       Choices            `json:"-"`
}

// LossBounds are lower bounds on the loss.
type LossBounds struct {
	// rows as printed, eq. 12-18 relaxed; may be negative; nil when infeasible. They protect every
	// job: in soft mode no bound where it is above LP
	Published *float64 `json:"lp_bound_published"`
	// exactly one level not above the primary's; nil when infeasible (strict)
	LP       *float64 `json:"lp_bound"`
	Eligible *float64 `json:"lp_bound_eligible"` // and only levels that fit, nested rows; nil when infeasible (strict)
	Best     float64  `json:"best"`              // in whole numbers and by exhaustion where proven, by failure
}

// A BackupDependency is the part of one dependency.
type BackupDependency struct {
	Dependency    string     `json:"dependency"`
	Loss          int64      `json:"loss"`
	Bounds        LossBounds `json:"bounds"`
	Unprotected   int        `json:"unprotected"`
	SharingFactor float64    `json:"sharing_factor"`
	Sharing       []float64  `json:"sharing"` // by resource of the dependency, in the order of the batch
	Levels        []int      `json:"levels"`  // jobs by level of the backup, from 0 (unprotected) on
}

// Backup chooses a backup resource and level for every primary (MLBA), so
// that the revenue lost when jobs move from primary to backup is least. A
// backup lies in another failure unit than its primary and not above its
// level, and jobs whose primaries fail together must fit the backup capacity
// side by side; all others share it. So the problem falls apart into one
// packing problem for each dependency and failure, solved on all cores. The
// answer has been checked by [Verify].
//
// Errors: *BatchError when the primaries are no answer to the batch,
// *DomainError for an option; in strict mode *InfeasibleError with the
// culprits, or *NotFoundError.
func (s *System) Backup(ctx context.Context, primary Choices, o BackupOptions) (*BackupPlan, error) {
	ctx = given.Context(ctx)
	if err := s.made("Backup"); err != nil {
		return nil, err
	}
	if r := Verify(s.Batch, primary, nil, true); !r.Feasible {
		v := r.Violations[0]
		return nil, &BatchError{Place: "primary " + v.Place, Problem: v.Rule + ": " + v.Detail, Kind: ErrOutOfRange}
	}
	capacity := make([][]int64, len(s.deps))
	for d := range s.deps {
		capacity[d] = s.deps[d].backup
	}
	plan, err := s.backup(ctx, primary, o, capacity, make([]bool, len(s.names)), nil)
	if err != nil {
		return nil, err
	}
	r := Verify(s.Batch, primary, plan.Choices, !o.NoSharing)
	if !r.Feasible || r.Loss != plan.Loss {
		return nil, fmt.Errorf("alloc: Backup: the answer of %s fails its check: %v", o.Method, r.Violations)
	}
	return plan, nil
}

// backup plans for running primaries, given the backup capacity left by
// dependency and resource and the failure units that are down. Of what stands from before a failure, nil for nothing,
// it keeps what it may, and then tells choices and loss only.
func (s *System) backup(ctx context.Context, primary Choices, o BackupOptions, capacity [][]int64,
	down []bool, stands *standing) (*BackupPlan, error) {
	var err error
	if o.Options, err = o.check(); err != nil {
		return nil, err
	}
	switch o.Mode {
	case "":
		o.Mode = Soft
	case Soft, Strict:
	default:
		return nil, &DomainError{"Backup", "Mode", o.Mode, "soft or strict"}
	}
	limited, cancel := o.limited(ctx)
	defer cancel()
	plan := &BackupPlan{Method: o.Method, Mode: o.Mode, Choices: s.empty()}
	failings, jobs, most := s.failings(primary, o.NoSharing)
	plan.Dependencies = make([]BackupDependency, len(s.deps))
	if stands != nil && !o.NoSharing && !o.Method.published() {
		used := make([][]int64, len(s.deps))
		for d := range used {
			used[d] = make([]int64, len(s.deps[d].resource))
		}
		failings = slices.DeleteFunc(failings, func(f failing) bool {
			return s.kept(stands, f, jobs, plan, primary[f.dep], capacity[f.dep], down, used[f.dep])
		})
	}
	o.turns = &turns{}
	o.turns.left.Store(int64(len(failings)))
	crowds := make([]*crowd, len(s.deps))
	for d := range crowds {
		if stands == nil {
			crowds[d] = s.crowd(d, capacity[d], down, nil)
			continue
		}
		crowds[d] = s.crowd(d, capacity[d], down, stands.orders[d])
		stands.orders[d] = crowds[d].order
	}
	sites := 0 // that are looked at, if each failure is beside all that fit its jobs best
	for _, f := range failings {
		n := int(f.to - f.from)
		sites += min(n*(n+1), len(crowds[f.dep].order))
	}
	sums := make([]losses, len(s.deps))
	plan.Open, plan.Fallback = []string{}, []string{}
	var homeless []victim // a list of a million assignments that grows would take twice as much
	// What is known of a task goes into the sums: a million of them at once would take as much as the batch.
	const atOnce = 512
	steps, hurried := int(float64(backupSteps)*min(o.Effort, 1000)/float64(max(1, o.plans))), false
	earned, over := int64(0), 0.0 // revenue of the primaries, and what is lost above the bounds
	tasks := make([]task, min(atOnce, len(failings)))
	for from := 0; from < len(failings); from += atOnce {
		now := failings[from:min(from+atOnce, len(failings))]
		stint := stintOf(steps, len(now), len(failings)-from)
		err := parallel.Each(context.WithoutCancel(ctx), aside(most), len(now), func(i int) error {
			d := now[i].dep
			tasks[i] = s.task(now[i], jobs, primary[d], crowds[d], sites)
			own := *stint
			tasks[i].stint = &own
			return s.protect(limited, o, &tasks[i], uint64(from+i), primary[d], capacity[d], down, plan.Choices[d])
		})
		if err != nil {
			return nil, err
		}
		for i := range now {
			t := &tasks[i]
			steps -= stint.left - max(t.stint.left, 0)
			hurried = hurried || t.stint.over()
			earned += t.earned
			over += float64(t.earned-t.value) - t.bounds.best
			sums[t.dep].add(t.bounds)
			plan.Dependencies[t.dep].Loss += t.earned - t.value
			if stands == nil {
				for _, k := range t.homeless {
					homeless = append(homeless, victim{int32(t.dep), k})
				}
			}
			plan.Open = append(plan.Open, said([]string{t.open})...)
			plan.Fallback = append(plan.Fallback, said([]string{t.fallback})...)
		}
	}
	plan.Hurried = hurried && !o.Method.published() && over > 1e-4*float64(earned)
	if stands != nil {
		for d := range plan.Dependencies {
			plan.Loss += plan.Dependencies[d].Loss
		}
		return plan, nil
	}
	tasks = nil
	plan.Homeless = make([]Assignment, 0, len(homeless))
	for _, h := range homeless {
		plan.Homeless = append(plan.Homeless, s.assignment(int(h.dep), h.job, primary))
	}
	s.summarize(plan, sums, primary, capacity, down)
	plan.Stopped = limited.Err() != nil && !plan.Optimal
	return plan, nil
}

// protect solves one task and writes its choices.
func (s *System) protect(ctx context.Context, o BackupOptions, t *task, seed uint64, primary []Choice, capacity []int64,
	down []bool, out []Choice) error {
	d := &s.deps[t.dep]
	t.homeless = s.homeless(t, primary, capacity, down)
	failure := ""
	if t.unit >= 0 {
		failure = s.names[t.unit]
	}
	if o.Mode == Strict && len(t.homeless) > 0 {
		return &InfeasibleError{Dependency: d.name, Failure: failure, Jobs: s.jobNames(d, t.homeless)}
	}
	if o.Method == LPRound && s.alone(t, o.Mode == Soft, primary, capacity, down, out) {
		return nil
	}
	p, bins := s.pack(t, primary, capacity, down, o.Mode == Soft)
	err := s.lossBounds(ctx, t, p, o, primary)
	var sol solution
	var waiting []int32
	if err == nil {
		var proven bool
		bound := float64(t.earned) - t.bounds.best
		var substituted bool
		o.stint = t.stint
		sol, waiting, proven, substituted = solveBy(ctx, o.Options, p, bound, seed)
		if substituted {
			t.fallback = strings.TrimSuffix(d.name+", "+failure, ", ")
		}
		if o.Method == Exact && proven {
			o.turns.left.Add(-1)
		} else if o.Method == Exact {
			var general error
			if sol, bound, proven, t.open, general = generally(ctx, o.Options, p, sol, bound); general != nil {
				return fmt.Errorf("alloc: Backup: exact: %s: %w", d.name, general)
			}
			if t.open != "" {
				t.open = fmt.Sprintf("%s when %s fails: %s", d.name, failure, t.open)
			}
			t.bounds.best = math.Max(t.bounds.best, float64(t.earned)-bound)
			if sol.level != nil {
				waiting, proven = nil, float64(sol.value) >= bound
			}
		}
		switch {
		case len(waiting) > 0 && proven:
			err = &InfeasibleError{Dependency: d.name, Exhausted: true, Jobs: s.jobNames(d, pick(t.jobs, waiting))}
		case len(waiting) > 0:
			missed := &NotFoundError{Dependency: d.name}
			if o.Method.published() {
				missed.Method = o.Method
			}
			err = missed
		case proven:
			t.bounds.best = float64(t.earned - sol.value)
		}
	}
	if err != nil {
		return s.culprits(ctx, err, o, t, primary, capacity, down, waiting)
	}
	t.value = sol.value
	for i, k := range t.jobs {
		if sol.bin[i] < 0 {
			continue
		}
		level := sol.level[i] - p.first[i] + 1
		if p.skip && (p.keep == nil || !p.keep[i]) {
			level--
		}
		out[d.job[k]] = Choice{d.resource[bins[sol.bin[i]]], level}
	}
	return nil
}

// culprits completes the error of a strict task with the jobs that the best
// soft answer leaves unprotected.
func (s *System) culprits(ctx context.Context, err error, o BackupOptions, t *task, primary []Choice, capacity []int64,
	down []bool, waiting []int32) error {
	d := &s.deps[t.dep]
	p, _ := s.pack(t, primary, capacity, down, true)
	var jobs []int32
	if sol, _, _, _ := solveBy(ctx, o.Options, p, float64(t.earned), 0); sol.bin != nil {
		for i, j := range sol.bin {
			if j < 0 {
				jobs = append(jobs, t.jobs[i])
			}
		}
	}
	if len(jobs) == 0 {
		for _, i := range waiting {
			jobs = append(jobs, t.jobs[i])
		}
	}
	failure := d.name
	if t.unit >= 0 {
		failure = s.names[t.unit]
	}
	switch e := err.(type) {
	case *InfeasibleError:
		e.Failure, e.Culprits = failure, s.jobNames(d, jobs)
	case *NotFoundError:
		e.Failure, e.Jobs = failure, s.jobNames(d, jobs)
	}
	return err
}

// summarize adds up the dependencies.
func (s *System) summarize(plan *BackupPlan, sums []losses, primary Choices, capacity [][]int64, down []bool) {
	bare := 0
	for d := range s.deps {
		for _, b := range s.deps[d].job {
			if primary[d][b].Level > 0 && plan.Choices[d][b].Level == 0 {
				bare++
			}
		}
	}
	plan.Unprotected = make([]Assignment, 0, bare)
	var total losses
	resources, shares := 0, 0.0
	for d := range s.deps {
		dep, out := &s.deps[d], &plan.Dependencies[d]
		out.Dependency, out.Bounds = dep.name, sums[d].bounds()
		total.add(sums[d])
		used := make([]int64, len(dep.resource))
		out.Sharing = make([]float64, 0, len(dep.resource))
		for k, b := range dep.job {
			if primary[d][b].Level == 0 {
				continue
			}
			c := plan.Choices[d][b]
			for len(out.Levels) <= int(c.Level) {
				out.Levels = append(out.Levels, 0)
			}
			out.Levels[c.Level]++
			if c.Level == 0 {
				out.Unprotected++
				plan.Unprotected = append(plan.Unprotected, s.assignment(d, int32(k), primary))
				continue
			}
			used[dep.local[c.Resource]] += dep.demand[dep.first[k]+c.Level-1]
		}
		n := 0
		for j, u := range used {
			share := 0.0
			if c := capacity[d][j]; c > 0 && !down[dep.unit[j]] {
				share = float64(u) / float64(c)
				out.SharingFactor += share
				n++
			}
			out.Sharing = append(out.Sharing, share)
		}
		resources += n
		shares += out.SharingFactor
		out.SharingFactor /= math.Max(1, float64(n))
		plan.Loss += out.Loss
	}
	plan.Bounds = total.bounds()
	plan.SharingFactor = shares / math.Max(1, float64(resources))
	plan.Optimal = float64(plan.Loss) <= plan.Bounds.Best
	if plan.Loss > 0 {
		plan.Gap = (float64(plan.Loss) - plan.Bounds.Best) / float64(plan.Loss)
	}
}

// assignment is the primary of one job in words.
func (s *System) assignment(d int, k int32, primary Choices) Assignment {
	dep := &s.deps[d]
	c := primary[d][dep.job[k]]
	l := dep.first[k] + c.Level - 1
	return Assignment{
		Job: s.Batch.Jobs[dep.job[k]].ID, Dependency: dep.name, Resource: s.Batch.Resources[c.Resource].ID,
		Level: int(c.Level), Demand: dep.demand[l], Revenue: dep.revenue[l],
	}
}
