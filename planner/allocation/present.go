package allocation

import (
	"math"

	"github.com/capplan/capplan/lp/alloc"
)

// bounds fills in what holds for every assignment. The bounds of the dependencies
// are those as if each were alone, so that their sum may be above that of all.
func (a *Answer) bounds(b *alloc.Bounds) {
	a.RevenueBounds = RevenueBounds{b.LP, b.Published, b.Eligible, b.Integer}
	a.BudgetPrice = b.BudgetPrice
	a.ShadowPrice = make(map[string]float64, len(b.Dependencies))
	for _, d := range b.Dependencies {
		a.ShadowPrice[d.Dependency] = d.ShadowPrice
		a.Dependencies = append(a.Dependencies, AllocatedDependency{
			Dependency: d.Dependency, RevenueBounds: RevenueBounds{d.LP, d.Published, d.Eligible, d.Integer},
			ShadowPrice: d.ShadowPrice, Capacity: d.Capacity, LeastDemand: d.LeastDemand, MostDemand: d.MostDemand,
			Levels: []int{}, ByClass: map[string]int64{},
		})
	}
}

// assign fills in the primaries. The figures are not those of the search but
// counted again by [alloc.Verify], so that what is shown is what the assignment
// comes to.
func (a *Answer) assign(s *alloc.System, chosen alloc.Choices) {
	// A price is of a unit of capacity, and a faster resource serves more demand
	// with it.
	price := make([]float64, len(s.Batch.Resources)) // of a unit of demand
	for i, r := range s.Batch.Resources {
		price[i] = r.Price
		if r.Speed > 0 {
			price[i] /= r.Speed
		}
	}
	r := alloc.Verify(s.Batch, chosen, nil, true)
	net := float64(r.Revenue) - r.Spending
	a.Revenue, a.BaseFees, a.Spending, a.NetRevenue, a.Admitted, a.Rejected =
		&r.Revenue, &r.BaseFees, &r.Spending, &net, new(len(s.Batch.Jobs)-r.Rejected), &r.Rejected
	served := make([]bool, len(s.Batch.Jobs))
	for i := range a.Dependencies {
		d := &a.Dependencies[i]
		d.Revenue, d.Spending = new(int64), new(float64)
		for k, c := range chosen[i] {
			if c.Level == 0 {
				continue
			}
			served[k] = true
			levels, _ := s.Batch.LevelsOf(k, i)
			l := levels[c.Level-1]
			*d.Spending += price[c.Resource] * float64(l.Demand)
			*d.Revenue += l.Revenue
			d.Used += l.Demand
			d.ByClass[s.Batch.Jobs[k].Class] += l.Revenue
			for len(d.Levels) < int(c.Level) {
				d.Levels = append(d.Levels, 0)
			}
			d.Levels[c.Level-1]++
		}
		own := float64(*d.Revenue) - *d.Spending
		// A dependency that shares admission or a budget with others has no bound
		// of its own to be held to.
		if d.NetRevenue = &own; a.tied() {
			continue
		}
		d.Gap = revenueGap(d.Best(), own)
	}
	for k := range served {
		if !served[k] {
			a.RejectedJobs = append(a.RejectedJobs, s.Batch.Jobs[k].ID)
		}
	}
	a.Gap = revenueGap(a.Best(), net)
	a.ProvenGap = revenueGap(a.ProvenBound, net)
	a.Optimal = new(*a.ProvenGap == 0)
}

// Costs reports whether anything is spent or could be: then the net revenue is
// not the revenue. Without a price the two are the same, and only one is shown.
func (a *Answer) Costs() bool {
	return a.Budget != nil || (a.Spending != nil && *a.Spending > 0)
}

// tied reports whether optional admission or a budget ties the dependencies. The
// bound as printed in QoS-GRAF is for neither, and so is nil exactly then.
func (a *Answer) tied() bool { return a.Published == nil }

// revenueGap returns (bound − revenue)/bound, 0 within rounding of the bound.
// Revenues are whole numbers, of which no rounding is forgiven; with prices they
// are sums of floats, of which some is.
func revenueGap(bound, revenue float64) *float64 {
	gap := 0.0
	if bound != 0 {
		gap = (bound - revenue) / math.Abs(bound)
	}
	whole := bound == math.Trunc(bound) && revenue == math.Trunc(revenue)
	if math.Abs(gap) < 1e-13 || (!whole && math.Abs(gap) < 1e-9) {
		gap = 0
	}
	return &gap
}

// presentChoices states choices by names. A level of 0 has no resource.
func presentChoices(s *alloc.System, chosen alloc.Choices) []AllocatedJob {
	out := make([]AllocatedJob, 0, s.Pairs())
	resources := make([]string, 0, s.Pairs()) // a million of them at once, not one by one
	for c := range s.EachAssignment(chosen) {
		j := AllocatedJob{Job: c.Job, Dependency: c.Dependency, Level: c.Level, Demand: c.Demand, Revenue: c.Revenue}
		if c.Level > 0 {
			resources = append(resources, c.Resource)
			j.Resource = &resources[len(resources)-1]
		}
		out = append(out, j)
	}
	return out
}

// printedBound is the bound of the rows as printed, nil where they are no bound. They want every job
// protected; where a job may be left without a backup, as in soft mode, less than they say can be
// lost. What lies below the bound of exactly one level or none is a weaker bound by whatever rows.
func printedBound(b alloc.LossBounds) *float64 {
	if b.Published != nil && b.LP != nil && *b.Published > *b.LP+1e-9*math.Abs(*b.LP) {
		return nil
	}
	return b.Published
}

// presentBackup states a plan of backups without the assignments. A job is unprotected if any of its
// dependencies is.
func presentBackup(s *alloc.System, p *alloc.BackupPlan) *BackupAnswer {
	b := &BackupAnswer{
		Mode:           p.Mode,
		Loss:           p.Loss,
		LPBound:        p.Bounds.LP,
		PublishedBound: printedBound(p.Bounds),
		EligibleBound:  p.Bounds.Eligible,
		ProvenBound:    p.Bounds.Best, Gap: p.Gap, Optimal: p.Optimal, Stopped: p.Stopped,
		UnprotectedPairs: len(p.Unprotected), NoBackupSite: len(p.Homeless), SharingFactor: p.SharingFactor,
		UnprotectedJobs: make([]string, 0, len(p.Unprotected)),
	}
	// A job whose dependencies are unprotected counts once.
	seen := map[string]bool{}
	for _, u := range p.Unprotected {
		if len(p.Dependencies) > 1 {
			if seen[u.Job] {
				continue
			}
			seen[u.Job] = true
		}
		b.UnprotectedJobs = append(b.UnprotectedJobs, u.Job)
	}
	b.Unprotected = len(b.UnprotectedJobs)
	p.Unprotected, p.Homeless = nil, nil // up to two for each job and dependency, and no more wanted
	return b
}
