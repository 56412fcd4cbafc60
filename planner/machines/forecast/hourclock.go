package forecast

import (
	"math"

	"github.com/capplan/capplan/smp/frailty"
)

// An hourClock is how fast the hours of the week let failures come, from a moment on:
// B(t) = ∫₀ᵗ β(hour of s) ds, t in seconds, piecewise linear.
type hourClock struct {
	at  points // s, growing from 0
	sum points // B there
}

// points grow, with a guide that finds a place among them at once.
type points struct {
	x     []float64
	cell  float64 // the mean distance of two
	guide []int32 // by cell: the first that is not below its beginning
}

// quarter is the grid of hours: time zones differ by multiples of it.
const quarter = 900

// clockSpan is the time, in seconds, up to which hours have different rates; later ones have their
// mean, 1. Time and memory are linear in it.
const clockSpan = 400 * 86400

// newHourClock begins at a moment, in unix seconds. The hour of the week changes
// on a quarter of an hour only, and so B is the sum over quarters.
func newHourClock(m *frailty.Model, f *Fleet, begin float64) *hourClock {
	clock := frailty.Clock{Period: 1, Calendar: f.calendar()} // steps of a second tell the hour best
	at, sum := []float64{0}, []float64{0}
	for t := 0.0; t < clockSpan; {
		next := (math.Floor((begin+t)/quarter)+1)*quarter - begin
		beta := m.Hour[clock.Hour(int64(math.Floor(begin+t)))]
		sum = append(sum, sum[len(sum)-1]+beta*(next-t))
		at = append(at, next)
		t = next
	}
	return &hourClock{guided(at), guided(sum)}
}

// guided makes a guide to points from 0 on, with as many cells as there are points, whatever
// numbers the hours of a file make of them.
func guided(x []float64) points {
	p := points{x: x, cell: x[len(x)-1] / float64(len(x)), guide: make([]int32, len(x))}
	i := 0
	for k := range p.guide {
		for x[i] < float64(k)*p.cell {
			i++
		}
		p.guide[k] = int32(i)
	}
	return p
}

// find returns the first of the points that is not below v, which is below the last.
func (p *points) find(v float64) int {
	i := 0
	if v > 0 {
		i = int(p.guide[min(int(v/p.cell), len(p.guide)-1)])
	}
	for p.x[i] < v {
		i++
	}
	for i > 0 && p.x[i-1] >= v {
		i--
	}
	return i
}

// until returns B(t).
func (c *hourClock) until(t float64) float64 { return follow(&c.at, &c.sum, t) }

// reached returns the t of a B(t).
func (c *hourClock) reached(b float64) float64 { return follow(&c.sum, &c.at, b) }

// follow goes along a line through points that grow in both, and on from its end with
// slope 1.
func follow(from, to *points, at float64) float64 {
	x, y := from.x, to.x
	last := len(x) - 1
	if at >= x[last] {
		return y[last] + at - x[last]
	}
	i := from.find(at)
	if i == 0 {
		return y[0]
	}
	return y[i-1] + (y[i]-y[i-1])*(at-x[i-1])/(x[i]-x[i-1])
}

// stay returns when a spell ends that began before t: the moment at which the failures
// expected at frailty 1 since t have come to amount. Age is that at t, and the result
// in the seconds of t.
//
//	∫ α(age) dB / period = amount
//
// It goes from one bin of ages to the next, in each of which the hazard is
// constant, until the amount is used up.
func (c *hourClock) stay(m *frailty.Model, t float64, age frailty.Age, amount float64) float64 {
	a, begun := float64(age.Steps), c.until(t) // age at t, in steps, and B
	for {
		bin := frailty.Age{Steps: int64(math.Min(a, math.MaxInt64/4)), AtLeast: age.AtLeast}.Bin()
		rate := m.Age[bin] / m.Period
		end := c.reached(begun + amount/rate)
		// The last bin has no end.
		older := math.Inf(1)
		if young := bin % (frailty.Ages / 2); young < frailty.Ages/2-1 {
			older = t + (math.Ldexp(1, young)-a)*m.Period
		}
		if !(end > older) {
			return end
		}
		until := c.until(older)
		amount = math.Max(amount-rate*(until-begun), 0)
		t, begun, a = older, until, math.Ldexp(1, bin%(frailty.Ages/2))
	}
}
