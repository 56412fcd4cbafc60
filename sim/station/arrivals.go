package station

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
)

// A source is who comes of one class, and with what.
type source struct {
	class                   *Class
	gaps, service, patience *rand.Rand
	curve                   *curve
}

// A curve finds the arrivals of a Poisson process whose rate changes with time, by
// inversion of the mean number of arrivals. Time is from the start of the first
// interval.
type curve struct {
	edge, rate []float64
	period     float64
	mass       float64 // mean number of arrivals in a period
}

func newCurve(c *varying.Cycle) *curve {
	v := &curve{rate: c.Rate}
	for _, t := range append(c.Start[:len(c.Start):len(c.Start)], c.End) {
		v.edge = append(v.edge, t-c.Start[0])
	}
	v.period = v.edge[len(v.edge)-1]
	for i, r := range c.Rate {
		v.mass += r * (v.edge[i+1] - v.edge[i])
	}
	return v
}

// interval returns in which interval a time lies, and how far into the period.
func (v *curve) interval(now float64) (i int, at float64) {
	at = now - v.period*math.Floor(now/v.period)
	i = sort.SearchFloat64s(v.edge, at)
	if i == len(v.edge) || v.edge[i] > at {
		i--
	}
	return min(max(i, 0), len(v.rate)-1), at
}

// after returns when the mean number of arrivals since now reaches mean.
func (v *curve) after(now, mean float64) float64 {
	whole := math.Floor(mean / v.mass)
	mean -= whole * v.mass
	start := now + whole*v.period
	i, at := v.interval(now)
	passed := 0.0
	for {
		span := v.edge[i+1] - at
		if n := v.rate[i] * span; mean < n {
			return start + passed + mean/v.rate[i]
		} else if mean -= n; passed > 2*v.period {
			return start + passed // rounding ate the rest
		}
		passed += span
		if i++; i == len(v.rate) {
			i = 0
		}
		at = v.edge[i]
	}
}

// draw draws from a law, which is at fault where that is no time.
func (d *desk) draw(l Law, r *rand.Rand) float64 { return d.time(l, l.Draw(r)) }

// time is what was drawn from a law, or 0.
func (d *desk) time(l Law, x float64) float64 {
	if x >= 0 {
		return x
	}
	if d.fault == nil {
		d.fault = &sim.DomainError{
			Func:  "Station",
			Arg:   fmt.Sprintf("a time drawn from %T", l),
			Value: x,
			Want:  "a time >= 0",
		}
	}
	return 0
}

// coming returns when the next customer comes, or one who thinks comes again.
func (d *desk) coming(s *source) float64 {
	switch {
	case s.curve != nil:
		return s.curve.after(d.now, s.gaps.ExpFloat64())
	case s.class.Sources > 0:
		return d.now + d.draw(s.class.Think, s.gaps)
	}
	return d.now + d.draw(s.class.Gaps, s.gaps)
}
