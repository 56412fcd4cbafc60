package bags

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/shift"
	"github.com/capplan/capplan/internal/parallel"
)

// quorum returns the law under BOINC, from the mean number of units that are not done. Each unit is
// taken to be done by t independently of the others.
func (m *model) quorum() *FinishLaw {
	done := m.done
	copies := float64(m.rules.Results)
	followed, ahead := m.n, 0.0
	if most := math.Ceil(mostWaves * max(1, m.there) / copies); m.lastArrival() == 0 && followed > most {
		ahead = (followed - most) * copies / done
		followed = most
	}
	span := 4*m.times.Slowest() + 2*m.rules.Ask + m.lastArrival() + min(followed*copies/done, 1e9)
	before, _ := m.ahead(ahead)
	q := &quorum{model: m, followed: followed, constant: ahead, before: before, out: make(map[float64]*handedOut)}
	q.parts, q.shares = m.pacesOf()
	q.setAges()
	q.laws = attempts.NewWaiting(m.course, slices.Concat(q.parts...), q.from, m.lastArrival() > 0)
	w := &widening{span: span, before: before, law: q.within}
	return w.widened()
}

// A quorum is a bag under BOINC. It follows the last units, and takes the others to be done at a
// constant rate before.
type quorum struct {
	*model
	laws             *attempts.Waiting
	parts            []attempts.Times   // times of a result, by pace
	shares           []float64          // shares of the machines, by pace
	from             [attempts.Ages]int // bounds of the ages of machines
	followed, before float64
	constant         float64                // s, what before would be if no machine were gone for good
	hasParts         bool                   // parts says how many results machines do of tasks that arrive late
	out              map[float64]*handedOut // by factor of the number of results
}

// within returns the law over a span.
func (q *quorum) within(span float64) *FinishLaw {
	step := span / float64(flowCells-1)                       // so that machines in step stay so
	if w := q.times[0].Speed; len(q.times) == 1 && w > step { // machines in step stay so
		step = w / math.Floor(w/step)
		span = step * (flowCells - 1)
	}
	paces := q.paces(step)
	if q.lastArrival() > 0 && !q.hasParts {
		q.hasParts = true
		q.parts[0] = q.doingLate(q.handOut(paces, q.from, q.followed, 1))
		q.laws = attempts.NewWaiting(q.course, q.parts[0], q.from, true)
		paces = q.paces(step)
	}
	f := &FinishLaw{law: attempts.Grid{Step: (q.before + span) / float64(gridCells-1), F: make([]float64, gridCells)}}
	if last := q.handedBy(1, step, paces).last; q.n*float64(q.rules.Results) > q.there && q.inStep(q.before+last) {
		f.Waves, f.Fluid = true, q.before+last
		most := &doneByCell{room: attempts.Rooms.Get().(*attempts.Room)}
		defer most.room.Leave()
		q.stepping(f, q.fluidSpread(f.Fluid), q.before+span, luckNodes, func(factor float64) func(float64) float64 {
			followed, out := factor*q.followed, q.handedBy(factor, step, paces)
			if most.out == nil {
				most.out, most.before, most.filling = out, make([][]float64, len(out.starts)), true
			}
			undone := q.undone(paces, out, followed, most)
			most.filling = false
			if factor == 1 {
				f.handing = q.handing(out, undone)
			}
			before, _ := q.ahead(factor * q.constant)
			late := max(0, q.firstAsk()-attempts.FirstAsked(out.step, q.rules.Ask))
			left := q.left(undone, factor*q.n, followed, before+late, factor*q.constant)
			behind := q.stragglers(paces, out, factor*q.n-followed, before, span)
			return func(t float64) float64 { return left(t) + behind(t) }
		})
		return f
	}
	all, follow := make([]shift.Bag, len(q.factors)), make([]func(), len(q.factors))
	for i, out := range q.handedByAll(q.factors, step, paces) {
		factor := q.factors[i]
		before, _ := q.ahead(factor * q.constant)
		if q.lastArrival() == 0 {
			before += max(0, q.firstAsk()-attempts.FirstAsked(out.step, q.rules.Ask))
			if q.n*float64(q.rules.Results) > q.there && factor == 1 {
				f.Waves, f.Fluid = true, q.before+out.last
				f.busy, f.spread = f.Fluid, q.fluidSpread(f.Fluid)
			}
		} else if factor == 1 {
			f.busy = out.busy
			f.spreads = out.spreads(q.fluidSpread(out.busy), float64(q.s.Hosts.Machines()))
			f.spread = f.spreads.At(out.busy)
			f.first = out.first()
		}
		followed := factor * q.followed
		follow[i] = func() {
			undone := q.undone(paces, out, followed, nil)
			left := q.left(undone, factor*q.n, followed, before, factor*q.constant)
			behind := q.stragglers(paces, out, factor*q.n-followed, before, span)
			all[i] = shift.Bag{Tasks: factor * q.n, Undone: func(t float64) float64 { return left(t) + behind(t) }}
			if factor == 1 {
				f.handing = q.handing(out, undone)
			}
		}
	}
	parallel.Do(len(all), func(i int) { follow[i]() })
	q.spread(f, all, f.reach(q.before, span))
	return f
}

// handedBy returns how a factor of the results is handed out, in the finest steps in which all of them
// are.
func (q *quorum) handedBy(factor, step float64, paces []pace) *handedOut {
	return q.handedByAll([]float64{factor}, step, paces)[0]
}

// handedByAll is handedBy for several factors at once.
func (q *quorum) handedByAll(factors []float64, step float64, paces []pace) []*handedOut {
	all := make([]*handedOut, len(factors))
	parallel.Do(len(all), func(i int) {
		all[i] = q.out[factors[i]]
		if out := all[i]; out == nil || out.step > step || out.last >= out.step*(flowCells-1) {
			_, there := q.ahead(factors[i] * q.constant)
			all[i] = q.handOut(paces, q.from, factors[i]*q.followed, there)
		}
	})
	for i, factor := range factors {
		q.out[factor] = all[i]
	}
	return all
}

// mostAges is the greatest number of results up to which the ages of machines are told apart.
const mostAges = 256

// setAges sets the bounds of the ages by which machines are told apart. If tasks arrive late, machines begin at a
// rate r and each works on, within two mean stays, until the work W is done at √(2 W/r), or longer until most tasks
// have arrived. With the same wide bounds for all, machines of 17 and of 60 results were of one age, and the median
// of R29 of TestFinishOfLateResults in package planner/bags was 8 % late.
func (q *quorum) setAges() {
	if q.from = attempts.EvenAges; q.lastArrival() == 0 {
		return
	}
	rate, most := q.there/q.rules.Backoff, math.Inf(1)
	if q.course.Down != nil {
		rate += float64(q.s.Hosts.Machines()) * q.s.Hosts.GroupAvailability() / q.cycle
		most = 2 * q.course.Up.Mean()
	}
	arrived := q.s.Bag.lastTask()
	if q.s.Bag.Arrival != nil && len(q.s.Bag.Tasks) == 0 {
		arrived, _ = q.s.Bag.Arrival.Quantile(0.9)
	}
	time, results := q.meanTime(), q.n*float64(q.rules.Results)
	q.from = attempts.WideAges(min(mostAges, min(most, max(arrived, math.Sqrt(2*results*time/rate)))/time))
}

// doing returns the times of results, weighted by how many results the machines do: fast machines do more.
func (m *model) doing() attempts.Times {
	results := m.n * float64(m.rules.Results)
	if results <= m.there || m.lastArrival() > 0 {
		return m.times
	}
	return m.times.Doing(m.there, results, m.rules.Ask)
}

// doingLate is doing for tasks that arrive one by one: a machine that begins to work at s and takes w for a result has
// begun 1 + ⌊M/w⌋ of them by T, when none wait any more, where M is how long it is there from s to T. When M was its
// share A of that time, slow machines did too many results: the median of R28 of TestFinishOfLateResults in package
// planner/bags was 8 % late.
func (m *model) doingLate(out *handedOut) attempts.Times {
	there := make([]float64, len(out.fresh))
	for k := range there {
		there[k] = m.course.There(max(0, out.busy-(float64(k)+0.5)*out.step))
	}
	return m.times.Weighted(func(time float64) float64 {
		begun := 0.0
		for k, machines := range out.fresh {
			begun += machines * (1 + math.Floor(there[k]/time))
		}
		return begun
	})
}

// ofAll returns, by pace, the laws of all results: those kept and those broken off.
func ofAll(paces []pace, in *attempts.Room) [][attempts.Ages + 1][]float64 {
	all := make([][attempts.Ages + 1][]float64, len(paces))
	for p := range paces {
		for k, l := range paces[p].laws {
			f := in.Cut(len(l.Kept.F))[:len(l.Kept.F)]
			floats.AddTo(f, l.Kept.F, l.Broken.F)
			all[p][k] = f
		}
	}
	return all
}

// mixed sets out to the law of a result on machines of a mix.
func mixed(out []float64, laws [][attempts.Ages + 1][]float64, shares []mix) {
	clear(out)
	for p := range shares {
		for k, share := range shares[p] {
			if share > 0 {
				floats.AddScaled(out, share, laws[p][k][:len(out)])
			}
		}
	}
}
