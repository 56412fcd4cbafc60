package attempts

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/dsp/fourier"
	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/parallel"
)

// waitingTimes is the number of task times for which absences are summed; between them the law is
// interpolated. The work of each is cut into at least workCells cells, and into cellsInOneStay in a
// mean stay up to mostWorkCells.
const (
	waitingTimes   = 8
	workCells      = 40
	mostWorkCells  = 120
	cellsInOneStay = 2
)

// An interrupted says how stays end while a task of a given time is worked on: by cell of its work
// the probability that one does, divided between the corners of the cell so that the mean is kept.
type interrupted struct {
	place int // index among the times
	time  float64
	stay  []float64 // P(a > x) at the corners
	fresh []float64 // for a machine that has just come: probability that its stay ends after j cells of work
	last  []float64 // the part of it at the upper corner of the last cell
	aged  [Ages]age // for machines found up, by how long they have stayed
}

// An age is how stays end that have lasted for a certain number of tasks.
type age struct {
	share float64   // share of the machines found up
	left  []float64 // probability that the stay ends with j cells of work left
	kept  float64   // probability that the stay lasts
}

// Ages is the number of classes into which machines are divided by how long they have stayed, in
// times of a task. EvenAges are those that have stayed for less than one, for one to two, and so
// on, the last for any longer. A machine that has been away during its result is in the first
// class, and one that has not is one class older with the next result: if stays vary much, machines
// that ask between the others are those whose stays are short. If tasks arrive late most are done
// by machines that have come since and do many in a stay, one after another; WideAges are for them.
// Of machines found at a moment the slow ones are young in tasks, but those that have come since
// begin at the same time, and a result is done by a fast one as often at any age.
const Ages = 6

var EvenAges = [Ages]int{0, 1, 2, 3, 4, 5}

// WideAges returns ages for machines that do up to so many results one after the other.
func WideAges(most float64) [Ages]int {
	out := [Ages]int{0, 1}
	for k := 2; k < Ages; k++ {
		out[k] = max(out[k-1]+1, int(math.Round(math.Pow(most, float64(k-1)/(Ages-2)))))
	}
	return out
}

// A Waiting sums the absences of machines that hold results.
type Waiting struct {
	course Course
	from   [Ages]int
	late   bool // most results are done by machines that have come since
	parts  []interrupted
}

// NewWaiting cuts the work of each time of a task; from holds the lengths of stay at which the
// classes of machines begin, late says that tasks arrive late.
func NewWaiting(c Course, w Times, from [Ages]int, late bool) *Waiting {
	out := &Waiting{course: c, from: from, late: late}
	if c.Down == nil {
		return out
	}
	for k, n := range Merged(w, waitingTimes) {
		out.parts = append(out.parts, c.interrupt(n.Speed, from))
		out.parts[k].place = k
	}
	return out
}

// interrupt cuts the work of a task into cells.
func (c Course) interrupt(time float64, from [Ages]int) interrupted {
	cells := int(min(mostWorkCells, max(workCells, math.Ceil(cellsInOneStay*time/c.Up.Mean()))))
	width := time / float64(cells)
	p := interrupted{
		time:  time,
		stay:  make([]float64, cells+1),
		fresh: make([]float64, cells+1),
		last:  make([]float64, cells+1),
	}
	for j := range p.stay {
		p.stay[j] = c.Stay(float64(j) * width)
	}
	below := 0.0 // ∫ P(a > x) dx up to the cell
	for i := range cells {
		above := c.Up.Mean() * (1 - c.Residual(float64(i+1)*width))
		mass := p.stay[i] - p.stay[i+1]
		at := 0.5 // the part of the cell after which a stay that ends in it ends on average
		if mass > 1e-12 {
			at = min(1, max(0, (above-below-width*p.stay[i+1])/(width*mass)))
		}
		p.fresh[i] += mass * (1 - at)
		p.fresh[i+1] += mass * at
		p.last[i+1] = mass * at
		below = above
	}
	p.age(c, cells, width, from)
	return p
}

// age computes how stays end by how long they have lasted. The age of a stay found under way has
// the same law as what is left of it, so that with R(x) = P(what is left > x)
//
//	P(what is left > x | age from a to b) = (R(a + x) − R(b + x))/(R(a) − R(b))
func (p *interrupted) age(c Course, cells int, width float64, from [Ages]int) {
	for k := range p.aged {
		a := &p.aged[k]
		a.left = make([]float64, cells+1)
		left := make([]float64, cells+1) // P(of age k, and the stay goes on for j cells)
		for j := range left {
			left[j] = c.Residual(float64(from[k]*cells+j) * width)
			if k+1 < Ages {
				left[j] -= c.Residual(float64(from[k+1]*cells+j) * width)
			}
		}
		longer := func(j int) float64 { return left[j] }
		if a.share = longer(0); !(a.share > 1e-12) { // no machine stays that long
			a.share, a.kept = 0, p.stay[cells]
			for i := range cells {
				a.lose(cells, i, p.stay[i]-p.stay[i+1], 0.5)
			}
			continue
		}
		a.kept = longer(cells) / a.share
		for i := range cells {
			mass, at := longer(i)-longer(i+1), 0.5
			if k == 0 && i < steepCells && mass > 1e-12 { // many of the youngest leave at once
				between := (float64(i) + 0.5) * width
				early := longer(i) - (c.Residual(between) - c.Residual(p.time+between))
				at = 0.75 - 0.5*early/mass
			}
			a.lose(cells, i, mass/a.share, min(1, max(0, at)))
		}
	}
}

// steepCells is the number of cells, for the youngest machines, in which the mean time of leaving
// is computed from halves.
const steepCells = 6

// lose lets stays end in a cell of the work, on average at a part of it.
func (a *age) lose(cells, cell int, mass, at float64) {
	mass = max(0, mass)
	a.left[cells-cell] += mass * (1 - at)
	a.left[cells-cell-1] += mass * at
}

// A ResultLaw is the law of the time of a result: Kept of those without an absence, Broken of the
// others. Ends holds the masses of Kept by cell, each divided between two cells so that its time is
// kept: machines in step stay so.
type ResultLaw struct {
	Kept, Broken Grid
	Ends         []float64
}

func newResultLaw(step float64, cells int) ResultLaw {
	return ResultLaw{Grid{step, Fresh(cells)}, Grid{step, Fresh(cells)}, Fresh(cells)}
}

// end lets a share end after a time in cells, and in the next cell at the earliest.
func (l *ResultLaw) end(late, share float64) {
	late = max(1, late)
	k := int(late)
	for i, part := range []float64{1 - (late - float64(k)), late - float64(k)} {
		if k+i < len(l.Ends) {
			l.Ends[k+i] += share * part
		}
	}
}

// Laws returns, for several groups of machines, each with its times within those of the Waiting,
// the laws of the time of a result that waits on its machine while that is away: the time of the
// task plus an absence for each stay that ends meanwhile. The first law of a group is for a machine
// that has just come, the others are for the ages. With d(s) the transform of an absence,
// the transform of all absences during work x is
//
//	g(x) = P(a > x) + d ∫₀ˣ g(x − y) dP(a <= y)              fresh
//	e(x) = P(R > x) + d ∫₀ˣ g(x − y) dP(R <= y)              of an age
//
// where a is a stay and R the rest of one. It is computed by steps of work, and inverted on a
// lattice of time with a damped discrete transform; there is no bound on how often a machine
// leaves. Source: Cox, Renewal Theory, 1962, section 4; Abate, Whitt, Numerical inversion of
// probability generating functions, OR Letters 12, 1992.
func (w *Waiting) Laws(step float64, cells int, parts []Times) [][Ages + 1]ResultLaw {
	out := make([][Ages + 1]ResultLaw, len(parts))
	for p := range out {
		for k := range out[p] {
			out[p][k] = newResultLaw(step, cells)
		}
	}
	if w.course.Down == nil {
		for p, times := range parts {
			for _, n := range times {
				for k := range out[p] {
					out[p][k].end(n.Speed/step, n.Share)
					for i := range cells {
						if n.Speed <= float64(i)*step {
							out[p][k].Kept.F[i] += n.Share
						}
					}
				}
			}
		}
		return out
	}
	damping := math.Pow(aliased, 1/float64(cells))
	away := fourier.NewFFT(cells).Coefficients(nil, damped(absences(w.course.Down, step, cells), damping))
	for i := range away { // a machine that is gone for good keeps its result
		away[i] *= complex(1-w.course.Gone, 0)
	}
	space := Rooms.Get().(*Room)
	defer space.Leave()
	sums := make([][Ages + 1][]float64, len(w.parts))
	for p := range sums {
		for k := range sums[p] {
			sums[p][k] = space.Cut(cells + 1)[:cells+1]
		}
	}
	parallel.Do(len(w.parts), func(p int) {
		t := transformOf(cells)
		w.parts[p].absent(away, &t.absent)
		for k, c := range t.absent {
			below(sums[p][k], damped(t.fft.Sequence(t.masses, c), 1/damping), 1/float64(cells))
		}
		transforms.Put(t)
	})
	kept := space.Zeros(cells + 1)
	for i := range kept[1:] {
		kept[i+1] = 1
	}
	parallel.Do(len(parts)*(Ages+1), func(i int) {
		times, k := parts[i/(Ages+1)], i%(Ages+1)
		shares, law := w.SharesOf(times), &out[i/(Ages+1)][k]
		for _, n := range times {
			low, high, part := w.between(n.Speed)
			late, share := n.Speed/step, n.Share
			if k > 0 && !w.late { // the slower a machine, the younger it is counted in tasks
				share *= ((1-part)*low.aged[k-1].share + part*high.aged[k-1].share) / max(shares[k-1], 1e-300)
			}
			lasts := (1-part)*low.lasts(k) + part*high.lasts(k)
			law.end(late, share*lasts)
			spread(law.Kept.F, kept, late, share*lasts)
			spread(law.Broken.F, sums[low.place][k], late, share*(1-part))
			spread(law.Broken.F, sums[high.place][k], late, share*part)
		}
	})
	return out
}

// between returns the two parts whose times enclose a time, and how far it lies towards the second.
func (w *Waiting) between(time float64) (low, high *interrupted, part float64) {
	at := sort.Search(len(w.parts)-1, func(k int) bool { return w.parts[k].time >= time })
	low, high, part = &w.parts[max(0, at-1)], &w.parts[at], 1
	if span := high.time - low.time; span > 0 {
		part = min(1, max(0, (time-low.time)/span))
	}
	return low, high, part
}

// lasts returns the probability that a stay lasts for the whole task: for k = 0 a stay that begins
// with it, else one of age k.
func (p *interrupted) lasts(k int) float64 {
	if k == 0 {
		return p.stay[len(p.stay)-1]
	}
	return p.aged[k-1].kept
}

// SharesOf returns the shares of the ages among machines of these times that are found up.
func (w *Waiting) SharesOf(times Times) (out [Ages]float64) {
	if w.course.Down == nil {
		out[Ages-1] = 1
		return out
	}
	for _, n := range times {
		low, high, part := w.between(n.Speed)
		for k := range out {
			out[k] += n.Share * ((1-part)*low.aged[k].share + part*high.aged[k].share)
		}
	}
	return out
}

// OlderOf returns, for each age but the last, the chance that a machine of these times is of the next age after a
// result during which it stays. Of the machines of an age from x to y a share of
//
//	P(a > y) w / ∫ P(a > u) du,  x <= u < y
//
// is beyond it after the time w of a result. Were it one over the results from x to y, too many would outlast a wide
// age in which most stays end (V63 of TestFinishOfLateResults in package planner/bags).
func (w *Waiting) OlderOf(times Times) (out [Ages]float64) {
	if w.course.Down == nil {
		return out
	}
	shares := w.SharesOf(times)
	for _, n := range times {
		low, high, part := w.between(n.Speed)
		for k := range Ages - 1 {
			lasts := (1-part)*low.lasts(k+1) + part*high.lasts(k+1)
			comes := w.course.Stay(float64(w.from[k+1])*n.Speed) * n.Speed / w.course.Up.Mean()
			if there := shares[k] * lasts; there > 0 {
				out[k] += n.Share * comes / there
			}
		}
	}
	return out
}

// below sets sums to the running sums of the masses, scaled.
func below(sums, mass []float64, scale float64) {
	sums[0] = 0
	for i, m := range mass {
		sums[i+1] = sums[i] + max(0, m*scale)
	}
}

// spread adds a share of a law, given by sums of masses each spread over its cell, that begins
// after a time in cells.
func spread(f, sums []float64, late, share float64) {
	if share < 1e-12 {
		return
	}
	first := max(0, int(math.Ceil(late-0.5)))
	at := float64(first) + 0.5 - late
	k := int(at)
	n := min(len(f)-first, len(sums)-1-k)
	if n <= 0 {
		return
	}
	part := at - float64(k)
	floats.AddScaled(f[first:first+n], share*(1-part), sums[k:k+n])
	floats.AddScaled(f[first:first+n], share*part, sums[k+1:k+1+n])
}
