package varying

import (
	"github.com/capplan/capplan/queueing"
	"math"
	"slices"
	"sort"
)

// A LoadCourse is how the modified offered load
//
//	m(t) = ∫₀^∞ λ(t−u) P(S > u) du
//
// runs within one interval of a cycle: the mean number of servers that would be
// busy if there were infinitely many. After a step of the rate it moves to the
// step's own load λ·E[S] within a few service times, and on an interval of hours
// a service of milliseconds leaves no trace of the step before.
type LoadCourse struct {
	work     *busyWork
	interval int
}

// LoadCourses returns the course of the load in each interval of the cycle, for
// services with the given mean (s) and SCV; the law is that of [IntervalLoads].
// Time O(intervals), the courses themselves are computed when they are asked.
// Errors: *DomainError. Source: Eick, Massey, Whitt 1993, eq. 6.
func LoadCourses(c Cycle, service, scv float64) ([]LoadCourse, error) {
	k := queueing.Domain{Func: "LoadCourses"}
	checkCycle(&k, c, service, scv)
	if k.Err != nil {
		return nil, k.Err
	}
	b := newCycleWork(c).busy(service, scv)
	all := make([]LoadCourse, len(c.Rate))
	for i := range all {
		all[i] = LoadCourse{b, i}
		k.Magnitude("load", all[i].Peak())
	}
	return all, k.Err
}

// Peak returns the greatest m(t) within the interval, erlang.
func (l LoadCourse) Peak() float64 { return l.above(0) }

// Mean returns the mean of m(t) over the interval, erlang.
func (l LoadCourse) Mean() float64 {
	if l.work == nil {
		return 0
	}
	cells, length := l.cells()
	sum := 0.0
	for _, c := range cells {
		sum += c.mean * c.width
	}
	return sum / length
}

// Above returns the loads that m(t) is above for no more than the given shares
// of the interval, each in 0..1: 0 gives the peak and 1 the least m(t).
// Errors: *DomainError.
func (l LoadCourse) Above(shares ...float64) ([]float64, error) {
	k := queueing.Domain{Func: "LoadCourse.Above"}
	for _, s := range shares {
		k.Fraction("share", s)
	}
	if k.Err != nil {
		return nil, k.Err
	}
	return l.aboveAll(shares), nil
}

func (l LoadCourse) above(share float64) float64 { return l.aboveAll([]float64{share})[0] }

func (l LoadCourse) aboveAll(shares []float64) []float64 {
	loads := make([]float64, len(shares))
	if l.work == nil {
		return loads
	}
	w, i := l.work, l.interval
	length := w.edge[i+1] - w.edge[i]
	if len(w.phases) == 1 && !w.phases[0].fixed { // monotone, in closed form
		falls := w.starts[0][i] > w.rate[i]*w.phases[0].mean
		for k, s := range shares {
			if !falls {
				s = 1 - s
			}
			loads[k] = w.at(i, w.edge[i]+s*length)
		}
		return loads
	}
	cells, _ := l.cells()
	sort.Slice(cells, func(i, j int) bool { return cells[i].most > cells[j].most })
	for k, s := range shares {
		passed := 0.0
		for _, c := range cells {
			loads[k] = c.most
			if passed += c.width; passed > s*length*(1+1e-12) {
				break
			}
		}
	}
	return loads
}

// A courseCell is a short stretch of an interval, and m(t) there.
type courseCell struct{ width, most, mean float64 }

// courseCells are the even parts of an interval; after a step the load moves
// within a service, which the finer ones of courseNear follow, as shares of the
// interval.
const courseCells = 64

var courseNear = []float64{
	1e-7, 3e-7, 1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 2e-4, 4e-4, 7e-4, 1e-3, 1.4e-3, 2e-3, 2.8e-3, 4e-3, 5.6e-3, 8e-3, 1.1e-2,
}

// cells cuts the interval at all corners of the course.
func (l LoadCourse) cells() (cells []courseCell, length float64) {
	w, i := l.work, l.interval
	from, to := w.edge[i], w.edge[i+1]
	length = to - from
	times := make([]float64, 0, courseCells+len(courseNear)+8)
	for _, s := range courseNear {
		times = append(times, from+s*length)
	}
	for k := range courseCells + 1 {
		times = append(times, from+length*float64(k)/courseCells)
	}
	for _, p := range w.phases {
		if p.fixed { // a fixed time after each step has a corner
			times = w.corners(times, p.mean, from, to)
		}
	}
	slices.Sort(times)
	times[len(times)-1] = to
	before := w.at(i, times[0])
	for k, t := range times[1:] {
		now := w.at(i, t)
		if width := t - times[k]; width > 0 {
			cells = append(cells, courseCell{width, math.Max(before, now), (before + now) / 2})
		}
		before = now
	}
	return cells, length
}

// busyWork is a cycle with the phases of its services.
type busyWork struct {
	*cycleWork
	phases []phase
	// starts has for each exponential phase its m at the edges: it follows
	// m' = p·λ − m/τ, in closed form on an interval, and starts where it ends.
	starts [][]float64
}

func (w *cycleWork) busy(service, scv float64) *busyWork {
	b := &busyWork{cycleWork: w, phases: servicePhases(service, scv)}
	n := len(w.rate)
	b.starts = make([][]float64, len(b.phases))
	for k, p := range b.phases {
		if p.fixed {
			continue
		}
		m, decay := 0.0, 1.0
		for i, r := range w.rate {
			d := math.Exp(-(w.edge[i+1] - w.edge[i]) / p.mean)
			m = m*d + r*p.share*p.mean*(1-d)
			decay *= d
		}
		m0 := m / (1 - decay)
		if decay == 1 { // a service so long that a cycle leaves no trace
			m0 = w.count[n] / w.period * p.share * p.mean
		}
		b.starts[k] = make([]float64, n+1)
		b.starts[k][0] = m0
		for i, r := range w.rate {
			h := (w.edge[i+1] - w.edge[i]) / p.mean
			b.starts[k][i+1] = b.starts[k][i]*math.Exp(-h) + r*p.share*p.mean*-math.Expm1(-h)
		}
	}
	return b
}

// at returns m(t) at a time within interval i.
func (b *busyWork) at(i int, t float64) float64 {
	sum := 0.0
	for k, p := range b.phases {
		if p.fixed {
			sum += p.share * (b.arrivals(t) - b.arrivals(t-p.mean))
			continue
		}
		h := (t - b.edge[i]) / p.mean
		sum += b.starts[k][i]*math.Exp(-h) + b.rate[i]*p.share*p.mean*-math.Expm1(-h)
	}
	return sum
}

// corners adds to times those within (from, to) that are the lag after an edge.
func (w *cycleWork) corners(times []float64, lag, from, to float64) []float64 {
	first := math.Floor((from - lag) / w.period)
	for turn := range 3 { // an interval is at most a turn long
		shift := (first+float64(turn))*w.period + lag
		for e := sort.SearchFloat64s(w.edge, from-shift); e < len(w.edge) && w.edge[e]+shift < to; e++ {
			if t := w.edge[e] + shift; t > from {
				times = append(times, t)
			}
		}
	}
	return times
}
