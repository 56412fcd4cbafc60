package bot

import "math"

// Seconds that the simulation of a run takes, for each result of a task, for each time that a machine comes
// or goes, and for each state of a machine that is only counted.
const (
	perResult = 3e-7
	perChange = 3e-7
	perState  = 6e-8
)

// Seconds implements [sim.Paced]. Machines come and go for as long as the bag takes at the least, and under
// XWHEP for as long as a run is not given up; none has more than the Most events.
func (s *Study) Seconds(float64) float64 {
	c := s.Case
	if c.Check() != nil {
		return 0
	}
	count := Count{Hosts: c.Hosts}
	lasts := c.least()
	if c.Server == XWHEP {
		lasts = max(lasts, c.given())
	}
	seconds := perResult*c.Bag.MeanSize()*c.Results() + perChange*count.States(min(lasts, c.horizon()))
	if s.Most > 0 && c.Horizon == 0 {
		seconds = min(seconds, perChange*float64(s.Most))
	}
	if c.Strategy != nil && !s.HelpOnly {
		seconds *= 2 // with the cloud and without
	}
	if math.IsInf(seconds, 1) {
		return 0
	}
	return seconds
}

// States is about how many states of machines a run draws: the first of each, and those after it.
func (c *Count) States(horizon float64) float64 {
	if c.Hosts == nil || c.Hosts.Check() != nil {
		return 0
	}
	machines := float64(c.Hosts.Machines())
	if len(c.Hosts.Records) > 0 { // whose laws leave short states out
		changes := 0.0
		for _, r := range c.Hosts.Records {
			if up := r.Up(); up > 0 && up < r.Span {
				changes += float64(len(r.Changes)) / r.Span
			}
		}
		return machines + changes*horizon
	}
	up, down, err := c.Hosts.Laws()
	if err != nil || down == nil { // never leaves
		return machines
	}
	return machines * (1 + 2*horizon/(up.Mean()+down.Mean()))
}

// Seconds implements [sim.Paced].
func (c *Count) Seconds(horizon float64) float64 { return perState * c.States(horizon) }
