package bags

import (
	"math"

	"github.com/capplan/capplan/law"
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
	return widened(span, before, func(span float64) *FinishLaw { return m.quorumWithin(span, followed, before) })
}

// quorumWithin is the law where so many units are followed over a span, and the
// others are done before.
func (m *model) quorumWithin(span, followed, before float64) *FinishLaw {
	step := span / float64(flowCells-1)
	copies := float64(m.rules.Results)
	w := merged(m.doing(), flowSpeeds)
	found, fresh := waiting(m.course, w, 0, step, flowCells), waiting(m.course, w, 1, step, flowCells)
	starts, share, again, last := m.handOut(found, fresh, followed)
	result := mixed(found, fresh, share)
	unit := m.unit(result, again)
	left := make([]float64, flowCells)
	for i := range left {
		left[i] = followed
		for k := range i {
			if starts[k] > 0 {
				left[i] -= starts[k] / copies * unit.f[i-k]
			}
		}
		left[i] = max(0, left[i])
	}
	out := &FinishLaw{law: grid{(before + span) / float64(gridCells-1), make([]float64, gridCells)}}
	shift := before
	if m.lastArrival() == 0 {
		shift += max(0, m.firstAsk()-firstAsked(step, m.rules.Ask))
		if m.n*copies > m.there {
			out.Waves, out.Fluid = true, before+last
		}
	}
	m.spread(out, m.left(grid{step, left}, followed, before, shift), before+span)
	return out
}

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

// fewAsks are so few in a cell that a result may wait for the next.
const fewAsks = 3

// mixed is the law of what is of the second with a chance.
func mixed(a, b grid, share float64) grid {
	out := grid{a.step, make([]float64, len(a.f))}
	for i := range out.f {
		out.f[i] = (1-share)*a.f[i] + share*b.f[i]
	}
	return out
}

// handOut follows how results are given out, in cells of their laws' step: how many
// start in each, which share of them on machines that have just come, how long one
// that is given out again waits for a machine, and when the last is given out. A
// result's law is found where its machine was there, on which, on the clock of its
// work, a random moment of a stay has come; and fresh where it came just then.
//
// A machine that has finished asks at once, one that comes and holds nothing too;
// idle ones within a minute or so at the beginning, and later within the backoff. Of
// tasks that arrive one by one, a rate μ of asks over all and L results that wait,
// μ L/(1 + L) find one.
func (m *model) handOut(found, fresh grid, followed float64) (starts []float64, share, again, last float64) {
	step, cells := found.step, len(found.f)
	arrivals := m.arriving(step, followed)
	copies := float64(m.rules.Results)
	starts = make([]float64, cells)
	of, ofFresh := ends(found), ends(fresh)
	taking, takingFresh := make([]float64, cells), make([]float64, cells)
	mean := -0.5 // of a result, in cells
	for _, v := range found.f {
		mean += 1 - v
	}
	comes, away, leaving := m.comings(step, cells)
	idle := m.there
	waits, given, givenFresh := 0.0, 0.0, 0.0
	atOnce := m.lastArrival() == 0
	for i := range starts {
		waits += copies * arrivals[i]
		asks := comes[i]
		for k := range i {
			asks += taking[k]*of[i-k] + takingFresh[k]*ofFresh[i-k]
		}
		turn := min(1, step/m.rules.Backoff)
		if at := float64(i) * step; atOnce && at < 1.5*m.rules.Ask {
			turn = 1 - stillQuiet(at+step, m.rules.Ask)/stillQuiet(at, m.rules.Ask)
		}
		idle += asks
		asks += (idle - asks) * turn
		batch := 1.0 // results that a machine does within a cell
		if given > 0 && mean < 1 {
			batch = 1 / mean
		}
		got := min(waits, asks*batch)
		if asks < fewAsks && !atOnce {
			got = min(got, waits*-math.Expm1(-asks*batch/(1+waits)))
		}
		starts[i] = got
		waits -= got
		given += got
		taken := min(got, asks)
		if asks > 0 {
			takingFresh[i] = taken * comes[i] / asks
			taking[i] = taken - takingFresh[i]
			givenFresh += got * comes[i] / asks
		}
		idle -= taken
		if given < copies*followed*(1-1e-6) {
			last = float64(i+1) * step
		}
		if left := idle * leaving; left > 0 {
			idle -= left
			for k := i + 1; k < cells; k++ {
				comes[k] += left * away[k-i]
			}
		}
	}
	rate := idle / m.rules.Backoff
	if away != nil {
		rate += idle / m.course.up.Mean()
	}
	return starts, givenFresh / max(given, 1e-300), 1 / max(rate, 1e-9), last
}

// comings are, by cell, how many of the machines that are away at the beginning
// come back; how long one is away that leaves; and the chance to leave in a cell.
func (m *model) comings(step float64, cells int) (comes, away []float64, leaving float64) {
	comes = make([]float64, cells)
	if m.course.down == nil {
		return comes, nil, 0
	}
	all := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	away = make([]float64, cells)
	for i := range comes {
		left := law.Survival(m.course.down, float64(i)*step)
		comes[i], away[i] = all*step*left, 1-left
	}
	comes[0] /= 2
	return comes, differences(away), -math.Expm1(-step / m.course.up.Mean())
}

// ends are the chances that a result that starts with a cell ends with a later one:
// what ends within a cell does so half at its beginning, half at its end, and no
// sooner than a cell later.
func ends(g grid) []float64 {
	out := differences(g.f)
	out[1] += out[1] + out[0]
	for k := 1; k+1 < len(out); k++ {
		out[k] = (out[k] + out[k+1]) / 2
	}
	return out
}

// differences are the masses of a distribution function by cell.
func differences(f []float64) []float64 {
	out := make([]float64, len(f))
	for k, v := range f {
		out[k] = v
		if k > 0 {
			out[k] -= f[k-1]
		}
	}
	return out
}

// unit is the law of the quorum-th of a unit's results, each given out once more
// after the deadline if it is missing, to a machine that is waited for.
func (m *model) unit(result grid, wait float64) grid {
	g := grid{result.step, make([]float64, len(result.f))}
	n, q := m.rules.Results, m.rules.Quorum
	again := m.rules.Deadline + wait
	for i := range g.f {
		t := float64(i) * g.step
		missing := 1.0
		for k := 0; t-float64(k)*again > 0 && k < 50; k++ {
			missing *= 1 - result.at(t-float64(k)*again)
		}
		p := 1 - missing
		for k := q; k <= n; k++ {
			g.f[i] += binomial(n, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
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
