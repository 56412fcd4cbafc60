package bags

import (
	"math"
)

// quorum is the law under BOINC: of the mean number of units that are not done,
// each being done by t for itself.
func (m *model) quorum() *FinishLaw {
	done, _ := m.rate()
	copies := float64(m.rules.Results)
	followed, before := m.n, 0.0
	if most := math.Ceil(mostWaves * max(1, m.there) / copies); m.lastArrival() == 0 && followed > most {
		before = (followed - most) * copies / done
		followed = most
	}
	span := 4*m.slowest() + 2*m.rules.Ask + m.lastArrival() + min(followed*copies/done, 1e9)
	q := &quorum{model: m, laws: newWaiting(m.course, m.doing()), followed: followed, before: before,
		out: make([]*handedOut, len(m.factors))}
	return widened(span, before, q.within)
}

// A quorum is a bag under BOINC of which some units are followed, and the others are
// done before.
type quorum struct {
	*model
	laws             *waiting
	followed, before float64
	told             bool         // which machines do how many results, of tasks that arrive late
	out              []*handedOut // by factor, in the finest steps in which all are given out
}

// within is the law over a span.
func (q *quorum) within(span float64) *FinishLaw {
	step := span / float64(flowCells-1)
	if w := q.times[0].speed; len(q.times) == 1 && w > step { // machines in step stay so
		step = w / math.Floor(w/step)
		span = step * (flowCells - 1)
	}
	laws := q.laws.laws(step, flowCells)
	if q.lastArrival() > 0 && !q.told {
		q.told = true
		q.laws = newWaiting(q.course, q.doingLate(q.handOut(laws, q.laws.shares(), q.followed)))
		laws = q.laws.laws(step, flowCells)
	}
	f := &FinishLaw{law: grid{(q.before + span) / float64(gridCells-1), make([]float64, gridCells)}}
	var all []sized
	for k, factor := range q.factors {
		if out := q.out[k]; out == nil || out.step > step || out.last >= out.step*(flowCells-1) {
			q.out[k] = q.handOut(laws, q.laws.shares(), factor*q.followed)
		}
		out, shift := q.out[k], factor*q.before
		if q.lastArrival() == 0 {
			shift += max(0, q.firstAsk()-firstAsked(out.step, q.rules.Ask))
			if q.n*float64(q.rules.Results) > q.there && factor == 1 {
				f.Waves, f.Fluid = true, q.before+out.last
				f.busy, f.spread = f.Fluid, q.fluidSpread(f.Fluid)
			}
		} else if factor == 1 {
			f.busy, f.spread = out.busy, math.Hypot(out.spread, q.fluidSpread(out.busy))
		}
		followed := factor * q.followed
		all = append(all, sized{factor * q.n, left(q.undone(laws, out, followed), factor*q.n, followed, shift)})
	}
	q.spread(f, all, q.before+span)
	return f
}

// undone is the mean number of units that are not done. The results of a unit are
// given out one after the other, to machines of which some have just come and others
// have stayed for long: in a wave in which most of them finish to many of the old, and
// between the waves to those that soon leave again.
func (q *quorum) undone(laws [ages + 1]resultLaw, out *handedOut, followed float64) grid {
	left := grid{laws[0].kept.step, make([]float64, len(laws[0].kept.f))}
	again := q.again(mixed(laws, out.mix), q.rules.Deadline+out.again)
	for i := range left.f {
		left.f[i] = followed
	}
	for k, results := range out.starts {
		if results == 0 {
			continue
		}
		started := results / float64(q.rules.Results)
		unit := q.unit(mixed(laws, out.mixes[k]), again)
		first := float64(k) * out.step
		for i := int(first/left.step) + 1; i < len(left.f); i++ {
			left.f[i] -= started * unit.at(float64(i)*left.step-first)
		}
	}
	for i := range left.f {
		left.f[i] = max(0, left.f[i])
	}
	return left
}

// doing are the times of results: where machines do several each the fast ones do
// more. One that first asks at a and takes w has begun 1 + ⌊(T − a)/w⌋ by T, when all
// are given out, as many as there are in all.
func (m *model) doing() times {
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
			sum += m.there * n.share * begun(n.speed, by)
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
	w := make(times, len(m.times))
	sum := 0.0
	for i, n := range m.times {
		w[i] = node{n.share * begun(n.speed, high), n.speed}
		sum += w[i].share
	}
	for i := range w {
		w[i].share /= sum
	}
	return w
}

// doingLate are the times of results where tasks arrive one by one, by how they are
// given out: a machine that begins to work at s and takes w has begun 1 + ⌊A (T − s)/w⌋
// of them by T, when none wait any more.
func (m *model) doingLate(out *handedOut) times {
	w := make(times, len(m.times))
	sum := 0.0
	for i, n := range m.times {
		begun := 0.0
		for k, a := range out.fresh {
			left := max(0, out.busy-(float64(k)+0.5)*out.step)
			begun += a * (1 + math.Floor(left*m.s.Hosts.Availability()/n.speed))
		}
		w[i] = node{n.share * begun, n.speed}
		sum += w[i].share
	}
	if sum == 0 {
		return m.times
	}
	for i := range w {
		w[i].share /= sum
	}
	return w
}

// mixed is the law of a result on machines of a mix.
func mixed(laws [ages + 1]resultLaw, shares mix) grid {
	out := grid{laws[0].kept.step, make([]float64, len(laws[0].kept.f))}
	for k, share := range shares {
		if share == 0 {
			continue
		}
		kept, broken := laws[k].kept.f, laws[k].broken.f
		for i := range out.f {
			out.f[i] += share * (kept[i] + broken[i])
		}
	}
	return out
}

// again is the chance that none of the results is there that were given out in place
// of one that is overdue, each after the deadline and the wait for a machine.
func (m *model) again(result grid, after float64) grid {
	g := grid{result.step, make([]float64, len(result.f))}
	for i := range g.f {
		t := float64(i) * g.step
		g.f[i] = 1
		for k := 1; t-float64(k)*after > 0 && k < 50; k++ {
			g.f[i] *= 1 - result.at(t-float64(k)*after)
		}
	}
	return g
}

// unit is the law of the quorum-th of a unit's results, of which none is there again.
func (m *model) unit(result, again grid) grid {
	g := grid{result.step, make([]float64, len(result.f))}
	n, q := m.rules.Results, m.rules.Quorum
	ways := make([]float64, n+1)
	for k := range ways {
		ways[k] = binomial(n, k)
	}
	for i := range g.f {
		missing := max(0, 1-result.f[i]) * again.f[i]
		if missing == 0 {
			g.f[i] = 1
			continue
		}
		term := math.Pow(1-missing, float64(q)) * math.Pow(missing, float64(n-q))
		for k := q; k <= n; k++ {
			g.f[i] += ways[k] * term
			term *= (1 - missing) / missing
		}
	}
	return g
}

func binomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Round(math.Exp(a - b - c))
}
