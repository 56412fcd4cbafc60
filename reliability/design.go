package reliability

import "fmt"

// DesignParams put the questions of PCU 4.6 into one chain: how many replicas,
// how often all of them fail, how long an epoch, what load on the link. One
// unit of time throughout.
type DesignParams struct {
	Component             // a public resource
	Target        float64 // P, chance that a job has a replica alive, 0..1; unused if Replicas > 0
	Replicas      int     // k; 0 takes the least that meets Target
	PublicJobs    float64 // jobs on public resources at a time, > 0
	Migrations    float64 // x, migrations begun in an epoch, > 0
	MigrationTime float64 // T > 0
	Model         EpochModel
	Link          LinkParams // Replicas and Epoch are filled in by the chain
}

// A Design is the chain with every step shown. A step that was not reached is
// zero.
type Design struct {
	Replicas    int          // k that the later steps use
	Count       ReplicaCount // how it was found; zero if given
	AllDown     SteadyState  // of the replicas of one job
	FailureRate float64      // y = PublicJobs times the rate of AllDown
	Epoch       EpochAnswer
	Link        LinkLimits // at that epoch
}

// JointDesign chains the answers:
//
//	k = log(1-P)/log(1-p)  →  y = n k (1-p)^k / MTTR  →  δ*(x, T, y)  →  λ_b(k, δ*)
//
// where n is the number of jobs on public resources. The repair time of a
// resource is taken as given: that detection within the epoch lengthens it is
// left out. On an error (infeasible steps: *EpochError, *LinkError) the steps
// before it are filled in.
func JointDesign(p DesignParams) (Design, error) {
	const fn = "JointDesign"
	var d Design
	if err := all(p.Component.check(fn), atLeast(fn, "Replicas", p.Replicas, 0),
		positive(fn, "PublicJobs", p.PublicJobs)); err != nil {
		return d, err
	}
	var err error
	if d.Replicas = p.Replicas; d.Replicas == 0 {
		if d.Count, err = Replicas(p.Component, p.Target); err != nil {
			return d, fmt.Errorf("reliability: %s: replicas: %w", fn, err)
		}
		d.Replicas = d.Count.Replicas
	}
	if d.AllDown, err = AllDown(p.Component, d.Replicas); err != nil {
		return d, fmt.Errorf("reliability: %s: all down: %w", fn, err)
	}
	d.FailureRate = p.PublicJobs * d.AllDown.OutageRate
	d.Epoch, err = BestEpoch(EpochParams{p.Migrations, p.MigrationTime, d.FailureRate, p.Model})
	if err != nil {
		return d, fmt.Errorf("reliability: %s: epoch: %w", fn, err)
	}
	link := p.Link
	link.Replicas, link.Epoch = d.Replicas, d.Epoch.Epoch
	if d.Link, err = Link(link); err != nil {
		return d, fmt.Errorf("reliability: %s: link: %w", fn, err)
	}
	return d, nil
}
