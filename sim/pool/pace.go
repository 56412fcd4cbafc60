package pool

// Seconds that the simulation takes: for a job with its copies, measured on 200 public machines; for an epoch of the
// scheduler; and for each time that a machine comes or goes which may hold one of the jobs.
const (
	perJob    = 2e-5
	perEpoch  = 2e-6
	perChange = 6e-8
)

// Seconds implements [sim.Paced].
func (p Pool) Seconds(horizon float64) float64 {
	if p.Check() != nil || !(horizon < forever) {
		return 0
	}
	jobs, changes := p.Jobs.MeanRate()*horizon, 0.0
	switch w := p.Jobs.(type) {
	case Log:
		jobs = float64(len(w))
	case Poisson:
		if c := p.Public.Coming; c.On != nil && c.Off != nil {
			held := min(float64(p.Public.Machines), float64(p.Replicas)*w.Rate*w.Work.Mean())
			changes = 2 * held * horizon / (c.On.Mean() + c.Off.Mean())
		}
	}
	return perJob*jobs + perEpoch*horizon/p.Epoch + perChange*changes
}
