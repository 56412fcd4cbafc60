package bot

// Seconds that the simulation of a run takes, for each result of a task and for each state of a
// machine that is counted.
const (
	perResult = 1e-6
	perState  = 6e-8
)

// Seconds implements [sim.Paced]. It leaves out the coming and going of machines, which lasts until
// the bag is done.
func (s *Study) Seconds(float64) float64 {
	if s.Case.Check() != nil {
		return 0
	}
	results := s.Case.Bag.MeanSize()
	if s.Case.Server == BOINC {
		results *= float64(s.Case.Rules.WithDefaults().Results)
	}
	if s.Case.Strategy != nil {
		results *= 2 // with the cloud and without
	}
	return perResult * results
}

// States is about how many states of machines a run draws: the first of each, and those after it.
func (c *Count) States(horizon float64) float64 {
	if c.Hosts == nil || c.Hosts.Check() != nil {
		return 0
	}
	machines := float64(c.Hosts.Machines())
	up, down, err := c.Hosts.Laws()
	if err != nil || down == nil { // never leaves
		return machines
	}
	return machines * (1 + 2*horizon/(up.Mean()+down.Mean()))
}

// Seconds implements [sim.Paced].
func (c *Count) Seconds(horizon float64) float64 { return perState * c.States(horizon) }
