package bags

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/internal/parallel"
)

// quorum is the law under BOINC: of the mean number of units that are not done,
// each being done by t for itself.
func (m *model) quorum() *FinishLaw {
	done := m.done
	copies := float64(m.rules.Results)
	followed, ahead := m.n, 0.0
	if most := math.Ceil(mostWaves * max(1, m.there) / copies); m.lastArrival() == 0 && followed > most {
		ahead = (followed - most) * copies / done
		followed = most
	}
	span := 4*m.slowest() + 2*m.rules.Ask + m.lastArrival() + min(followed*copies/done, 1e9)
	before, _ := m.ahead(ahead)
	q := &quorum{model: m, followed: followed, constant: ahead, before: before, out: make(map[float64]*handedOut)}
	q.parts, q.shares = m.pacesOf()
	q.laws = attempts.NewWaiting(m.course, slices.Concat(q.parts...), m.ages())
	w := &widening{span: span, before: before, law: q.within}
	return w.widened()
}

// A quorum is a bag under BOINC of which some units are followed, and the others are
// done before.
type quorum struct {
	*model
	laws             *attempts.Waiting
	parts            []attempts.Times // times by pace
	shares           []float64        // of the machines
	followed, before float64
	constant         float64                // s, that before is were no machine gone for good
	told             bool                   // which machines do how many results, of tasks that arrive late
	out              map[float64]*handedOut // by factor
}

// within is the law over a span.
func (q *quorum) within(span float64) *FinishLaw {
	step := span / float64(flowCells-1)
	if w := q.times[0].Speed; len(q.times) == 1 && w > step { // machines in step stay so
		step = w / math.Floor(w/step)
		span = step * (flowCells - 1)
	}
	paces := q.paces(step)
	if q.lastArrival() > 0 && !q.told {
		q.told = true
		q.parts[0] = q.doingLate(q.handOut(paces, q.followed, 1))
		q.laws = attempts.NewWaiting(q.course, q.parts[0], q.ages())
		paces = q.paces(step)
	}
	f := &FinishLaw{law: attempts.Grid{Step: (q.before + span) / float64(gridCells-1), F: make([]float64, gridCells)}}
	if last := q.given(1, step, paces).last; q.n*float64(q.rules.Results) > q.there && q.inStep(q.before+last) {
		f.Waves, f.Fluid = true, q.before+last
		most := &doneByCell{room: attempts.Rooms.Get().(*attempts.Room)}
		defer most.room.Leave()
		q.stepping(f, q.fluidSpread(f.Fluid), q.before+span, luckNodes, func(factor float64) func(float64) float64 {
			followed, out := factor*q.followed, q.given(factor, step, paces)
			if most.out == nil {
				most.out, most.before, most.filling = out, make([][]float64, len(out.starts)), true
			}
			undone := q.undone(paces, out, followed, most)
			most.filling = false
			if factor == 1 {
				f.handing = q.handing(out, undone)
			}
			late := max(0, q.firstAsk()-firstAsked(out.step, q.rules.Ask))
			before, _ := q.ahead(factor * q.constant)
			return q.left(undone, factor*q.n, followed, before+late)
		})
		return f
	}
	all, follow := make([]sized, len(q.factors)), make([]func(), len(q.factors))
	for i, factor := range q.factors {
		out := q.given(factor, step, paces)
		shift, _ := q.ahead(factor * q.constant)
		if q.lastArrival() == 0 {
			shift += max(0, q.firstAsk()-firstAsked(out.step, q.rules.Ask))
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
			all[i] = sized{factor * q.n, q.left(undone, factor*q.n, followed, shift)}
			if factor == 1 {
				f.handing = q.handing(out, undone)
			}
		}
	}
	parallel.Do(len(all), func(i int) { follow[i]() })
	q.spread(f, all, f.reach(q.before, span))
	return f
}

// given is how a factor of the results is handed out, in the finest steps in which all are.
func (q *quorum) given(factor, step float64, paces []pace) *handedOut {
	out := q.out[factor]
	if out == nil || out.step > step || out.last >= out.step*(flowCells-1) {
		_, there := q.ahead(factor * q.constant)
		out = q.handOut(paces, factor*q.followed, there)
		q.out[factor] = out
	}
	return out
}

// ages are those that machines are told apart by.
func (m *model) ages() [attempts.Ages]int {
	if m.lastArrival() > 0 {
		return attempts.WideAges
	}
	return attempts.EvenAges
}

// doing are the times of results: where machines do several each the fast ones do
// more. One that first asks at a and takes w has begun 1 + ⌊(T − a)/w⌋ by T, when all
// are given out, as many as there are in all.
func (m *model) doing() attempts.Times {
	results := m.n * float64(m.rules.Results)
	if results <= m.there || m.lastArrival() > 0 {
		return m.times
	}
	begun := func(w, by float64) float64 {
		const moments = 8
		sum := 0.0
		for k := range moments {
			if a := asked((float64(k)+0.5)/moments, m.rules.Ask); by >= a {
				sum += 1 + math.Floor((by-a)/w)
			}
		}
		return sum / moments
	}
	all := func(by float64) float64 {
		sum := 0.0
		for _, n := range m.times {
			sum += m.there * n.Share * begun(n.Speed, by)
		}
		return sum
	}
	low, high := 0.0, m.rules.Ask
	for all(high) < results {
		low, high = high, 2*high
	}
	for range 40 {
		if mid := (low + high) / 2; all(mid) < results {
			low = mid
		} else {
			high = mid
		}
	}
	w := make(attempts.Times, len(m.times))
	sum := 0.0
	for i, n := range m.times {
		w[i] = attempts.Node{Share: n.Share * begun(n.Speed, high), Speed: n.Speed}
		sum += w[i].Share
	}
	for i := range w {
		w[i].Share /= sum
	}
	return w
}

// doingLate are the times of results where tasks arrive one by one, by how they are
// given out: a machine that begins to work at s and takes w has begun 1 + ⌊A (T − s)/w⌋
// of them by T, when none wait any more.
func (m *model) doingLate(out *handedOut) attempts.Times {
	w := make(attempts.Times, len(m.times))
	sum := 0.0
	for i, n := range m.times {
		begun := 0.0
		for k, a := range out.fresh {
			left := max(0, out.busy-(float64(k)+0.5)*out.step)
			begun += a * (1 + math.Floor(left*m.s.Hosts.Availability()/n.Speed))
		}
		w[i] = attempts.Node{Share: n.Share * begun, Speed: n.Speed}
		sum += w[i].Share
	}
	if sum == 0 {
		return m.times
	}
	for i := range w {
		w[i].Share /= sum
	}
	return w
}

// ofAll are the laws of results by pace, of those that were kept and of the others.
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

// mixed fills in the law of a result on machines of a mix by pace.
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
