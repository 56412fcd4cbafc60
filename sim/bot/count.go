package bot

import (
	"math"
	"sync"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/sim"
)

// Figures of a Count.
const (
	Present  = "present"  // machines up, at a random moment
	Variance = "variance" // of that number, about the mean by the law
	Fewest   = "fewest"   // over a run
	Most     = "most"
)

// A Count is a platform as a model of package sim: the number of machines up, at evenly spaced
// moments of a run.
type Count struct {
	Hosts   *hosts.Platform
	Moments int // >= 2

	once     sync.Once
	mean, sd float64
}

// Law returns the mean and the standard deviation of the number by the law, as [hosts.Platform.Present] does: once,
// because of recorded machines all changes are sorted. They are NaN without machines.
func (c *Count) Law() (mean, sd float64) {
	if c == nil || c.Hosts == nil {
		return math.NaN(), math.NaN()
	}
	c.once.Do(func() { c.mean, c.sd = c.Hosts.Present() })
	return c.mean, c.sd
}

// Figures lists the figures of the count.
func (c *Count) Figures() []sim.Figure {
	return []sim.Figure{
		{Name: Present, Kind: sim.Tally},
		{Name: Variance, Kind: sim.Tally, Free: true},
		{Name: Fewest, Kind: sim.Tally, Free: true},
		{Name: Most, Kind: sim.Tally, Free: true},
	}
}

// Replicate counts the machines over one run, up to its horizon.
func (c *Count) Replicate(r *sim.Replication) error {
	if r == nil {
		return &DomainError{"Count", "replication", math.NaN(), "one of sim.Run"}
	}
	counts, events, err := c.Series(r.Stream, r.Horizon, r.Err)
	if err != nil {
		return err
	}
	r.Events += events
	mean, _ := c.Law()
	fewest, most := math.Inf(1), 0.0
	for _, n := range counts {
		r.Observe(0, n)
		r.Observe(1, (n-mean)*(n-mean))
		fewest, most = min(fewest, n), max(most, n)
	}
	r.Observe(2, fewest)
	r.Observe(3, most)
	return nil
}

// mostMoments bounds the moments of a count, because all are kept.
const mostMoments = 10_000_000

// Series returns how many machines are up at each of the moments, and how many states of machines
// were drawn. The horizon must be finite.
func (c *Count) Series(chance Chance, horizon float64, stop func() error) (counts []float64, events uint64, err error) {
	if c.Moments > mostMoments {
		return nil, 0, &DomainError{"Count.Series", "moments", float64(c.Moments), "at most 1e7"}
	}
	if c.Moments < 2 || !(horizon > 0) || math.IsInf(horizon, 1) {
		return nil, 0, &DomainError{"Count.Series", "horizon", horizon, "a finite time > 0, and at least 2 moments"}
	}
	if c.Hosts == nil || chance == nil {
		return nil, 0, &DomainError{"Count.Series", "hosts", math.NaN(), "a platform, and random numbers"}
	}
	run, err := c.Hosts.Begin(hosts.Chance(chance))
	if err != nil {
		return nil, 0, err
	}
	counts = make([]float64, c.Moments)
	step := horizon / float64(c.Moments-1)
	for i := range c.Hosts.Machines() {
		h := run.Host(i)
		for k := 0; ; h.Next() {
			if events++; events%8192 == 0 && stop != nil {
				if err := stop(); err != nil {
					return nil, 0, err
				}
			}
			// Moments k, k+1, ... before the state ends.
			end := c.Moments
			if last := h.Until / step; last < float64(c.Moments) {
				end = max(k, int(math.Ceil(last)))
			}
			if h.Up && k < end { // by how many more than at the moment before
				counts[k]++
				if end < c.Moments {
					counts[end]--
				}
			}
			if k = end; k == c.Moments {
				break
			}
		}
	}
	for k := range counts[1:] {
		counts[k+1] += counts[k]
	}
	return counts, events, nil
}
