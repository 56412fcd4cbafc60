package allocation

import (
	"math/rand/v2"

	"github.com/capplan/capplan/lp/alloc"
)

// A measuring takes the numbers of a figure from a case.
type measuring func(*studyCase) ([]measured, error)

// ofPlans measures the primaries of each method that has an answer.
func ofPlans(rows func(*studyCase, primaryCase) []measured) measuring {
	return func(c *studyCase) (out []measured, err error) {
		plans, err := c.plans()
		for _, p := range plans {
			out = append(out, rows(c, p)...)
		}
		return out, err
	}
}

// ofBackups measures the backups of each method for the same primaries.
func ofBackups(withoutSharing bool, rows func(*studyCase, *alloc.Plan, backupCase) []measured) measuring {
	return func(c *studyCase) (out []measured, err error) {
		primary, cases, err := c.backups(withoutSharing)
		for _, b := range cases {
			out = append(out, rows(c, primary, b)...)
		}
		return out, err
	}
}

// measureRevenue is the total revenue of each method and its bound. The bound is
// that of the linear program, above which no method can come.
func measureRevenue(c *studyCase) ([]measured, error) {
	plans, err := c.plans()
	if err != nil {
		return nil, err
	}
	var out []measured
	for _, p := range plans {
		out = append(out, measured{key(p.name, "revenue"), float64(p.Revenue)})
	}
	bounds, err := c.system.Bounds(c.ctx, alloc.BoundOptions{})
	if err != nil {
		return nil, err
	}
	return append(out, measured{key(StudyBound, "revenue"), bounds.LP}), nil
}

// measureClasses is the revenue by class, for each dependency and all.
func measureClasses(_ *studyCase, p primaryCase) (out []measured) {
	k := key(p.name, "revenue")
	for _, class := range classNames {
		total := 0.0
		for _, d := range p.Dependencies {
			out = append(out, measured{k.by(d.Dependency, class), float64(d.ByClass[class])})
			total += float64(d.ByClass[class])
		}
		out = append(out, measured{k.by("", class), total})
	}
	return out
}

// measureLevels is how many jobs of a class get a level of the first
// dependency.
func measureLevels(c *studyCase, p primaryCase) []measured {
	return c.countLevels(p.name, p.Choices, 1)
}

// countLevels counts jobs by class and level of the first dependency, from a
// level on.
func (c *studyCase) countLevels(method string, chosen alloc.Choices, from int) []measured {
	dependency := c.batch.Dependencies[0]
	n := map[string]map[int]int{}
	for k := range c.batch.Jobs {
		class := c.batch.Jobs[k].Class
		if n[class] == nil {
			n[class] = map[int]int{}
		}
		n[class][int(chosen[0][k].Level)]++
	}
	var out []measured
	for _, class := range classNames {
		for level := from; level <= 4; level++ {
			out = append(out, measured{key(method, "jobs").by(dependency, class).at(level), float64(n[class][level])})
		}
	}
	return out
}

// measureJobs is what each job earns of the first dependency. A row is a job, so
// that one batch is as much as a figure can show.
func measureJobs(c *studyCase, p primaryCase) (out []measured) {
	dependency := c.batch.Dependencies[0]
	for _, class := range classNames {
		for k := range c.batch.Jobs {
			if j := &c.batch.Jobs[k]; j.Class == class {
				at := key(p.name, "revenue").by(dependency, class).at(int(p.Choices[0][k].Level))
				at.Job = j.ID
				out = append(out, measured{at, float64(c.revenue(dependency, k, p.Choices[0][k]))})
			}
		}
	}
	return out
}

// measureUnused is the unused share of capacity, the mean over the resources
// of a dependency and the most of any, by dependency and over all.
func measureUnused(_ *studyCase, p primaryCase) (out []measured) {
	mean, most := key(p.name, "mean_unused"), key(p.name, "most_unused")
	sum, greatest := 0.0, 0.0
	for _, d := range p.Dependencies {
		out = append(out, measured{mean.by(d.Dependency, ""), d.MeanUnused},
			measured{most.by(d.Dependency, ""), d.MostUnused})
		sum, greatest = sum+d.MeanUnused, max(greatest, d.MostUnused)
	}
	return append(out, measured{mean, sum / max(1, float64(len(p.Dependencies)))}, measured{most, greatest})
}

// measureLoss is the loss of the backups of each method, each job failing once,
// and the least that is possible. Backups without sharing are dearer, and the
// least loss with sharing is no bound on theirs.
func measureLoss(c *studyCase) ([]measured, error) {
	return c.losses("loss", func(*alloc.Plan) float64 { return 1 })
}

// measureLossShare is the loss in the revenue of the primaries.
func measureLossShare(c *studyCase) ([]measured, error) {
	return c.losses("loss_share", func(primary *alloc.Plan) float64 { return float64(primary.Revenue) })
}

// losses are those of [measureLoss] in parts of what over says of the primaries.
func (c *studyCase) losses(quantity string, over func(*alloc.Plan) float64) ([]measured, error) {
	primary, cases, err := c.backups(true)
	if err != nil {
		return nil, err
	}
	var out []measured
	least, whole := 0.0, over(primary)
	for _, b := range cases {
		out = append(out, measured{key(b.name, quantity), float64(b.plan.Loss) / whole})
		if b.name != noSharing { // bounds on the loss with sharing
			least = max(least, b.plan.Bounds.Best)
		}
	}
	return append(out, measured{key(StudyLeastLoss, quantity), least / whole}), nil
}

// measureLossClasses is the loss by class, for each dependency and all.
func measureLossClasses(c *studyCase, primary *alloc.Plan, b backupCase) (out []measured) {
	for _, class := range classNames {
		total := 0.0
		for d, dependency := range c.batch.Dependencies {
			loss := int64(0)
			for k := range c.batch.Jobs {
				if c.batch.Jobs[k].Class == class {
					loss += c.revenue(dependency, k, primary.Choices[d][k]) - c.revenue(dependency, k, b.plan.Choices[d][k])
				}
			}
			out = append(out, measured{key(b.name, "loss").by(dependency, class), float64(loss)})
			total += float64(loss)
		}
		out = append(out, measured{key(b.name, "loss").by("", class), total})
	}
	return out
}

// measureBackupLevels is how many jobs of a class have a backup at a level of
// the first dependency, 0 being none.
func measureBackupLevels(c *studyCase) ([]measured, error) {
	primary, cases, err := c.backups(false)
	if err != nil {
		return nil, err
	}
	out := c.countLevels("primary", primary.Choices, 0)
	for _, b := range cases {
		out = append(out, c.countLevels(b.name, b.plan.Choices, 0)...)
	}
	return out, nil
}

// measureBackupRevenue is what all backups together would earn. It is what
// primaries would earn if all jobs went to their backups.
func measureBackupRevenue(c *studyCase) ([]measured, error) {
	primary, cases, err := c.backups(false)
	if err != nil {
		return nil, err
	}
	out := []measured{}
	least := 0.0
	for _, b := range cases {
		out = append(out, measured{key(b.name, "backup_revenue"), float64(primary.Revenue - b.plan.Loss)})
		least = max(least, b.plan.Bounds.Best)
	}
	return append(out, measured{key(StudyLeastLoss, "backup_revenue"), float64(primary.Revenue) - least}), nil
}

// measureSharing is the backup demand assigned to a resource over its backup
// capacity, the mean over resources.
func measureSharing(_ *studyCase, _ *alloc.Plan, b backupCase) []measured {
	return []measured{{key(b.name, "sharing_factor"), b.plan.SharingFactor}}
}

// measureFailures is what is left after each failure in turn: the loss since
// the beginning, in dollars and in the primary revenue, and the jobs that have
// stopped or run unprotected. The resources that fail are drawn from all
// without repair, the same for each method.
func measureFailures(c *studyCase) ([]measured, error) {
	primary, cases, err := c.backups(false)
	if err != nil {
		return nil, err
	}
	// The constant is another stream than that of the batch, which the seed alone
	// would repeat.
	rng := rand.New(rand.NewPCG(c.seed, 0x9e3779b97f4a7c15))
	var names []string
	for _, i := range rng.Perm(len(c.batch.Resources))[:len(c.q.Over)] {
		names = append(names, c.batch.Resources[i].ID)
	}
	var out []measured
	for i, b := range cases {
		steps, err := c.system.FailInSuccession(c.ctx, primary.Choices, b.plan.Choices, names,
			alloc.BackupOptions{Options: c.options(c.q.Methods[i])})
		if err != nil {
			return nil, err
		}
		for n, s := range steps {
			for _, m := range []measured{
				{key(b.name, "loss"), float64(s.Loss)},
				{key(b.name, "loss_share"), float64(s.Loss) / float64(primary.Revenue)},
				{key(b.name, "stopped"), float64(s.Stopped)},
				{key(b.name, "unprotected"), float64(s.Unprotected)},
			} {
				m.key.X = n + 1
				out = append(out, m)
			}
		}
	}
	return out, nil
}
