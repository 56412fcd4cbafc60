package pool

// perJob is how many seconds a job takes to simulate, with its copies and the
// machines that come and go meanwhile; measured on 200 public machines.
const perJob = 2e-5

// Seconds implements [sim.Paced].
func (p Pool) Seconds(horizon float64) float64 {
	if p.Check() != nil || !(horizon < forever) {
		return 0
	}
	if log, ok := p.Jobs.(Log); ok {
		return perJob * float64(len(log))
	}
	return perJob * p.Jobs.MeanRate() * horizon
}
