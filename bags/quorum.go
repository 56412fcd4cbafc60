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
	q := &quorum{model: m, laws: newWaiting(m.course, m.doing()), followed: followed, before: before}
	return widened(span, before, q.within)
}

// A quorum is a bag under BOINC of which some units are followed, and the others are
// done before.
type quorum struct {
	*model
	laws             *waiting
	followed, before float64
	out              *handedOut // in the finest steps in which all are given out
}

// within is the law over a span.
func (q *quorum) within(span float64) *FinishLaw {
	step := span / float64(flowCells-1)
	found, fresh := q.laws.laws(step, flowCells)
	if q.out == nil || q.out.step > step || q.out.last >= q.out.step*(flowCells-1) {
		q.out = q.handOut(found, fresh, q.followed)
	}
	f := &FinishLaw{law: grid{(q.before + span) / float64(gridCells-1), make([]float64, gridCells)}}
	shift := q.before
	if q.lastArrival() == 0 {
		shift += max(0, q.firstAsk()-firstAsked(q.out.step, q.rules.Ask))
		if q.n*float64(q.rules.Results) > q.there {
			f.Waves, f.Fluid = true, q.before+q.out.last
		}
	}
	q.spread(f, q.left(q.undone(found, fresh), q.followed, q.before, shift), q.before+span)
	return f
}

// undone is the mean number of units that are not done. The results of a unit are
// given out one after the other: where only machines that have just come ask for any,
// between the waves in which the others finish, all of them are on such, which soon
// leave.
func (q *quorum) undone(found, fresh grid) grid {
	left := grid{found.step, make([]float64, len(found.f))}
	again := q.again(mixed(found, fresh, q.out.share), q.rules.Deadline+q.out.again)
	units := make([]*grid, freshSteps+1)
	unit := func(k int) *grid {
		if units[k] == nil {
			share := float64(k) / freshSteps
			g := q.unit(mixed(found, fresh, share*share), again)
			units[k] = &g
		}
		return units[k]
	}
	for i := range left.f {
		left.f[i] = q.followed
	}
	for k, results := range q.out.starts {
		if results == 0 {
			continue
		}
		started := results / float64(q.rules.Results)
		at := math.Sqrt(min(1, q.out.fresh[k])) * freshSteps
		low := min(int(at), freshSteps-1)
		few, many, part := unit(low), unit(low+1), at-float64(low)
		first := float64(k) * q.out.step
		for i := int(first/left.step) + 1; i < len(left.f); i++ {
			t := float64(i)*left.step - first
			left.f[i] -= started * ((1-part)*few.at(t) + part*many.at(t))
		}
	}
	for i := range left.f {
		left.f[i] = max(0, left.f[i])
	}
	return left
}

// freshSteps is at how many shares of machines that have just come the law of a unit
// is made, closer where they are few; between them it is interpolated.
const freshSteps = 16

// doing are the times of results: where machines do several each the fast ones do
// more, in proportion to their speed.
func (m *model) doing() times {
	if m.n*float64(m.rules.Results) <= m.there || m.lastArrival() > 0 {
		return m.times
	}
	w, sum := make(times, len(m.times)), 0.0
	for i, n := range m.times {
		w[i] = node{n.share / n.speed, n.speed}
		sum += w[i].share
	}
	for i := range w {
		w[i].share /= sum
	}
	return w
}

// mixed is the law of what is of the second with a chance.
func mixed(a, b grid, share float64) grid {
	out := grid{a.step, make([]float64, len(a.f))}
	for i := range out.f {
		out.f[i] = (1-share)*a.f[i] + share*b.f[i]
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
		missing := (1 - result.f[i]) * again.f[i]
		for k := q; k <= n; k++ {
			g.f[i] += ways[k] * math.Pow(1-missing, float64(k)) * math.Pow(missing, float64(n-k))
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
