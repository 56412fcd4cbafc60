package progress

import (
	"math"
	"sort"
)

// Attempts are what machines do for a task, one after the other.
type Attempts struct {
	Stays func(t float64) float64 // chance that a machine stays for longer than t
	Save  float64                 // s of work between two saves
	Wait  float64                 // s, from the loss of a task until its next attempt
}

// A Pace is how the saved work of a task grows.
type Pace struct {
	Rate                float64   // per second
	Stay                float64   // s, the mean of an attempt
	wait, g, gg, xg, xx float64   // moments of an attempt, see [Attempts.Pace]
	ends, alike         []float64 // s; see [Pace.unlike]
}

// paceCells is the number of cells, of lengths that grow by equal factors, into which that of an attempt is cut.
const paceCells = 600

// Pace returns the pace of many attempts. If an attempt of length x saves g of work on a machine of mean speed and is
// followed by a wait d, it is E g/(E x + d).
func (a *Attempts) Pace() Pace {
	var x, xx, g, gg, xg float64
	end := a.Save
	for a.Stays(end) > 1e-10 {
		end *= 2
	}
	first := a.Save / 50
	for k := 0; k < 60 && a.Stays(first) < 0.99; k++ {
		first /= 2
	}
	grow := math.Pow(end/first, 1.0/(paceCells-1))
	var ends, lasts []float64 // and the integral of the chance that an attempt lasts
	for from, to, stays, lasting := 0.0, first, a.Stays(0), 0.0; from < end; from, to = to, to*grow {
		later := a.Stays(to)
		p, mid, saved := stays-later, (from+to)/2, (a.saved(to)-a.saved(from))/(to-from)
		x += p * mid
		xx += p * (from*from + from*to + to*to) / 3
		g += p * saved
		gg += p * saved * saved
		xg += p * mid * saved
		lasting += (to - from) * (stays + later) / 2
		ends, lasts = append(ends, to), append(lasts, lasting)
		stays = later
	}
	out := Pace{Rate: g / (x + a.Wait), Stay: x, wait: a.Wait, g: g, gg: gg, xg: xg, xx: xx, ends: ends}
	before, same, sum, square := 0.0, 1.0, 0.0, 0.0
	for i, to := range ends {
		next := max(0, 1-lasts[i]/lasts[len(lasts)-1])
		width, was := to-before, sum
		sum += width * (same + next) / 2
		square += width * (was + sum)
		out.alike = append(out.alike, square)
		before, same = to, next
	}
	return out
}

// unlike returns the variance of the work that machines do in a time of attempts, over that of their speeds: with the
// chance e(u) that two moments u apart are in the same attempt
//
//	2 ∫₀ᵗ (t − u) e(u) du,    e(u) = ∫ P(x > s) ds/E x,  s > u
func (p *Pace) unlike(t float64) float64 {
	k := sort.SearchFloat64s(p.ends, t)
	if last := len(p.ends) - 1; k > last {
		return p.alike[last] + (t-p.ends[last])*p.xx/p.Stay
	}
	from, below := 0.0, 0.0
	if k > 0 {
		from, below = p.ends[k-1], p.alike[k-1]
	}
	return below + (t-from)/(p.ends[k]-from)*(p.alike[k]-below)
}

// saved returns the integral of the work that is saved in an attempt over its length, up to x.
func (a *Attempts) saved(x float64) float64 {
	n := math.Floor(x / a.Save)
	return a.Save * (n*(n-1)/2*a.Save + n*(x-n*a.Save))
}

// A Spent is the work that tasks have come by on average.
type Spent struct {
	Work, Busy float64 // all, and while all machines work
	Lost       float64 // its variance as attempts differ in length and work is lost with each
	// Over is by how much the work of the last attempt goes beyond the end of a task on average: it counts in Work,
	// but the task is done before.
	Over float64
}

// after returns what is spent after some more work, while tasks have a machine for a share of the time. Between two
// attempts they then wait for d, and with the names of [Attempts.Pace] the variance of an attempt on machines of mean
// speed is E (g − r X)².
func (p *Pace) after(s Spent, work, share float64) Spent {
	d := max(p.wait, p.Stay*(1/share-1))
	r := p.g / (p.Stay + d)
	lost := p.gg - 2*r*(p.xg+d*p.g) + r*r*(p.xx+2*d*p.Stay+d*d)
	if s.Work += work; p.wait == 0 {
		s.Busy += work
	}
	return Spent{s.Work, s.Busy, s.Lost + work*lost/p.g, lost / p.g / 2}
}
