package progress

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/mathext"
)

// Tasks are so many of a kind and of some work that arrive at a time.
type Tasks struct {
	At, Number, Work float64
	Kind             int
}

// A Crowd is tasks and the machines that they share.
type Crowd struct {
	Alone, Busy Pace                    // while machines are idle, and while all work
	Machines    func(t float64) float64 // how many there are
	CV          float64                 // of their speeds
	Work        float64                 // of a task of mean work
}

// A Course is how many tasks are left over time.
type Course struct {
	Busy  float64     // s, until when there are more tasks than machines
	times []float64   // s
	left  [][]float64 // by kind, and of all kinds
}

// steps is the number of parts of the largest work in each of which tasks are followed.
const steps = 800

// nearly is the share of the time until the next tasks arrive after which they count as there.
const nearly = 0.8

// apart is the number of moments in an attempt at which tasks are counted while each has a machine. Between those one
// attempt apart the law of two tasks of five attempts each was spread, and its median 6 % late (P12 of
// TestFinishOfManyStays in package planner/bags).
const apart = 8

// points is the number of points of an integral over a part, close together where it begins.
const points = 12

// Follow follows tasks of so many kinds, in the order of their arrival, until fewer than least are left or a time is
// over. While there are more tasks than machines a lost one waits behind all others, so that each gets an attempt in
// turn, and all that have come at once have come by about the same work: with n tasks on m machines
//
//	d work/dt = min(rate alone, rate busy m/n)
//
// It is followed in parts of an attempt, since some of the tasks are one attempt ahead of the others.
func (c *Crowd) Follow(tasks []Tasks, kinds int, least, until float64) *Course {
	out := &Course{left: make([][]float64, kinds+1)}
	most := 0.0
	for _, of := range tasks {
		most = max(most, of.Work)
	}
	part := max(most/steps, c.Busy.Stay*c.Busy.Rate)
	since, come := make([]Spent, len(tasks)), 0
	left := make([]float64, kinds+1)
	count := func(s Spent) (there float64) {
		clear(left)
		for i, of := range tasks {
			n := of.Number
			if i < come {
				from := since[i]
				n *= 1 - c.done(Spent{s.Work - from.Work, s.Busy - from.Busy, s.Lost - from.Lost, s.Over}, of.Work)
				there += n
			}
			left[of.Kind] += n
			left[kinds] += n
		}
		return there
	}
	var now Spent
	for t, busy := 0.0, false; ; {
		for ; come < len(tasks) && tasks[come].At <= t; come++ {
			since[come] = now
		}
		there := count(now)
		out.times = append(out.times, t)
		for k, n := range left {
			out.left[k] = append(out.left[k], n)
		}
		if busy {
			out.Busy = t
		}
		if left[kinds] < least || t >= until {
			return out
		}
		machines := max(c.Machines(t), 1e-9)
		p, share, work := &c.Alone, 1.0, max(most/steps, part/apart)
		if busy = there > machines; busy {
			p, share, work = &c.Busy, min(machines/there, c.Alone.Rate/c.Busy.Rate), part
		}
		step := work / (share * p.Rate)
		if come < len(tasks) && t+step > tasks[come].At {
			work *= (tasks[come].At - t) / step
			step = tasks[come].At - t
		}
		to := t + step
		if busy { // on average there are fewer within the part, if small tasks are done in it
			mean := 0.0
			for k := range points {
				u := (float64(k) + 0.5) / points
				mean += 2 * u / points * count(p.after(now, u*u*work, share))
			}
			less := max(machines, mean) / there
			share /= less
			if come < len(tasks) && to == tasks[come].At && less > nearly {
				work /= less
			} else {
				to = t + less*step
			}
		}
		if there > 0 {
			now = p.after(now, work, share)
		}
		t = to
	}
}

// Left returns how many tasks of a kind are left at a time, or of all kinds for the number of kinds.
func (c *Course) Left(kind int, t float64) float64 {
	left := c.left[kind]
	k := sort.SearchFloat64s(c.times, t)
	switch {
	case k == 0:
		return left[0]
	case k == len(left):
		return left[k-1]
	}
	return left[k-1] + (t-c.times[k-1])/(c.times[k]-c.times[k-1])*(left[k]-left[k-1])
}

// done returns the chance that a task of so much work is done: what is spent on it cannot fall, and has a gamma law.
func (c *Crowd) done(s Spent, work float64) float64 {
	if s.Work <= 0 {
		return 0
	}
	// Within the first attempt all come by about the same.
	u := s.Work / c.Busy.Stay
	first := u * u / (1 + u*u)
	at, busy := s.Work+first*(3+u*u)/(1+u*u)*s.Over, s.Busy/s.Work
	variance := first*s.Lost + c.CV*c.CV*(busy*c.Busy.unlike(at)+(1-busy)*c.Alone.unlike(at))
	switch z := (at - work) / math.Sqrt(variance); {
	case z < -8:
		return 0
	case z > 40:
		return 1
	}
	return mathext.GammaIncRegComp(at*at/variance, work*at/variance)
}
