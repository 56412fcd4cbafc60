package varying

import (
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/queueing"
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
	work        *busyWork
	interval    int
	most, least float64 // within the interval
}

// LoadCourses returns the course of the load in each interval of the cycle, for
// services with the given mean (s) and SCV; the law is that of [IntervalLoads].
// Time O(intervals).
// Errors: *DomainError. Source: Eick, Massey, Whitt 1993, eq. 6.
func LoadCourses(c Cycle, service, scv float64) ([]LoadCourse, error) {
	k := queueing.Domain{Func: "LoadCourses"}
	checkCycle(&k, c, service, scv)
	if k.Err != nil {
		return nil, k.Err
	}
	b := newCycleWork(c).busy(service, scv)
	all := make([]LoadCourse, len(c.Rate))
	const run = 1024 // intervals that are looked at in one go
	parallel.Do((len(all)+run-1)/run, func(n int) {
		for i := n * run; i < min((n+1)*run, len(all)); i++ {
			all[i] = b.course(i)
		}
	})
	for i := range all {
		k.Magnitude("load", all[i].most)
	}
	return all, k.Err
}

// Peak returns the greatest m(t) within the interval, erlang.
func (l LoadCourse) Peak() float64 { return l.most }

// Least returns the least m(t) within the interval, erlang.
func (l LoadCourse) Least() float64 { return l.least }

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

func (l LoadCourse) aboveAll(shares []float64) []float64 {
	loads := make([]float64, len(shares))
	if l.work == nil {
		return loads
	}
	w, i := l.work, l.interval
	length := w.edge[i+1] - w.edge[i]
	var cells byMost
	for k, s := range shares {
		switch {
		case s == 0:
			loads[k] = l.most
			continue
		case s == 1:
			loads[k] = l.least
			continue
		case w.monotone():
			loads[k] = w.passed(i, s)
			continue
		case cells == nil:
			cells, _ = l.cells()
			cells.order()
		}
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

// monotone reports whether m(t) rises or falls all through each interval, in closed form.
func (b *busyWork) monotone() bool { return len(b.phases) == 1 && !b.phases[0].fixed }

// passed returns what a monotone m(t) is above for a share of interval i.
func (b *busyWork) passed(i int, share float64) float64 {
	if falls := b.starts[0][i] > b.rate[i]*b.phases[0].mean; !falls {
		share = 1 - share
	}
	return b.at(i, b.edge[i]+share*(b.edge[i+1]-b.edge[i]))
}

// course returns the course of the load in interval i, with its ends.
func (b *busyWork) course(i int) LoadCourse {
	l := LoadCourse{work: b, interval: i}
	if b.monotone() {
		l.most, l.least = b.passed(i, 0), b.passed(i, 1)
		return l
	}
	l.least = math.Inf(1)
	l.each(func(_, before, now float64) {
		most := math.Max(before, now)
		l.most, l.least = math.Max(l.most, most), math.Min(l.least, most)
	})
	return l
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

// byMost are cells, those of the greatest load first.
type byMost []courseCell

func (c byMost) Len() int           { return len(c) }
func (c byMost) Less(i, j int) bool { return c[i].most > c[j].most }
func (c byMost) Swap(i, j int)      { c[i], c[j] = c[j], c[i] }

// order sorts cells. Most courses rise or fall all through, and then there is nothing to sort.
func (c byMost) order() {
	if n := len(c); n > 0 && c[0].most < c[n-1].most {
		slices.Reverse(c)
	}
	if !sort.IsSorted(c) {
		sort.Sort(c)
	}
}

// cells cuts the interval at all corners of the course.
func (l LoadCourse) cells() (cells []courseCell, length float64) {
	cells = make([]courseCell, 0, courseCells+len(courseNear)+8)
	l.each(func(width, before, now float64) {
		cells = append(cells, courseCell{width, math.Max(before, now), (before + now) / 2})
	})
	w, i := l.work, l.interval
	return cells, w.edge[i+1] - w.edge[i]
}

// each calls f for the cells of the interval in their order, with the load at either end.
func (l LoadCourse) each(f func(width, before, now float64)) {
	w, i := l.work, l.interval
	from, to := w.edge[i], w.edge[i+1]
	length := to - from
	times := make([]float64, 1, courseCells+len(courseNear)+8)
	times[0] = from
	for _, s := range courseNear { // all before the first of the even parts ends
		times = append(times, from+s*length)
	}
	for k := range courseCells {
		times = append(times, from+length*float64(k+1)/courseCells)
	}
	cornerless := len(times)
	for _, p := range w.phases {
		if p.fixed { // a fixed time after each step has a corner
			times = w.corners(times, p.mean, from, to)
		}
	}
	if len(times) > cornerless {
		slices.Sort(times)
	}
	times[len(times)-1] = to
	var now, lagged int // where the arrivals up to a time and a fixed service before it were found last
	before := w.atNear(i, times[0], &now, &lagged)
	for k, t := range times[1:] {
		load := w.atNear(i, t, &now, &lagged)
		if width := t - times[k]; width > 0 {
			f(width, before, load)
		}
		before = load
	}
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
	var now, lagged int
	return b.atNear(i, t, &now, &lagged)
}

// atNear is at, which begins to look for the arrivals where it found those of a time shortly before.
func (b *busyWork) atNear(i int, t float64, now, lagged *int) float64 {
	sum := 0.0
	for k, p := range b.phases {
		if p.fixed {
			sum += p.share * (b.arrivalsNear(t, now) - b.arrivalsNear(t-p.mean, lagged))
			continue
		}
		h := (t - b.edge[i]) / p.mean
		m := b.starts[k][i] * math.Exp(-h)
		if b.rate[i] > 0 {
			m += b.rate[i] * p.share * p.mean * -math.Expm1(-h)
		}
		sum += m
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
