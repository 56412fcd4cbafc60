package bags

import "github.com/capplan/capplan/bags/internal/attempts"

// A pace is the machines that take about as long for a task, with the laws of their results.
type pace struct {
	share float64 // of the machines
	laws  [attempts.Ages + 1]attempts.ResultLaw
	found [attempts.Ages]float64 // shares of the machines by age
	older [attempts.Ages]float64 // chance that a machine of an age is of the next one after a result
}

// mostPaces is the greatest number of paces, for machines in attempts.SpeedNodes steps of speed.
// With 8 coarser steps all machines of a pace ended their third result at once: for 249 tasks on
// 350 machines the law stayed flat for .2 of a task's time and then halved.
const mostPaces = 24

// byPace reports whether the machines of each pace are followed separately. Slow ones take a result
// in the first wave and are still at it when fast ones have done several. If a task is done with
// the last of its results, and there are more results than machines, the bag waits for the slow
// ones, while the last results of a few waves are done by fast ones. Were later results given to
// slow machines as often, the law would be 23 % late for 2800 tasks on 970 machines that never
// leave and whose speeds spread by a quarter, and 19 % late for 130 tasks with the default quorum
// on 300 machines. In many waves, if results may be missing, slow machines matter little, and all
// paces are followed as one, see [model.doing].
func (m *model) byPace() bool {
	results := m.n * float64(m.rules.Results)
	return len(m.times) > 1 && m.lastArrival() == 0 && results > m.there &&
		(m.rules.Quorum == m.rules.Results || results < pacedWaves*m.there)
}

// pacedWaves is the number of waves of results up to which paces are followed separately. Bags with
// more waves keep within their bounds in TestFinishOfAWave without it.
const pacedWaves = 8

// pacesOf returns the times of results by pace, with their shares of the machines; a single pace if
// all are followed as one.
func (m *model) pacesOf() (times []attempts.Times, shares []float64) {
	if !m.byPace() {
		return []attempts.Times{m.doing()}, []float64{1}
	}
	works := m.works(attempts.FewWorks)
	steps := attempts.TimesOf(m.work, attempts.NodesOf(m.s.Hosts.Speed, attempts.SpeedNodes))
	for _, part := range attempts.Parted(steps, mostPaces) {
		share := 0.0
		for _, n := range part {
			share += n.Share
		}
		if share == 0 {
			continue
		}
		alike := part.Weighted(func(float64) float64 { return 1 / share })
		times, shares = append(times, alike.Spread(works)), append(shares, share)
	}
	return times, shares
}

// paces returns the paces with their laws in cells of a step.
func (q *quorum) paces(step float64) []pace {
	out := make([]pace, len(q.parts))
	for p, laws := range q.laws.Laws(step, flowCells, q.parts) {
		out[p] = pace{q.shares[p], laws, q.laws.SharesOf(q.parts[p]), q.laws.OlderOf(q.parts[p])}
	}
	return out
}

// A giving is how results are given to the machines of one pace.
type giving struct {
	*pace
	taking       [attempts.Ages + 1][]float64 // results given, by cell
	broken, kept [attempts.Ages + 1]attempts.Later
	comes        []float64 // machines that come back, by cell
	idle         *attempts.Idle
	batch        float64 // results that a machine does before it is taken to ask again
	// Of the current cell: who asks, how many ask, how many of these were not idle, how many idle,
	// and the probability that an idle one asks.
	asking                         mix
	asks, joining, resting, turned float64
}

// newGiving returns the machines of a pace with the given number of results still to give. A share
// there of the machines is not gone for good; comes says how many come back in each cell.
func (m *model) newGiving(p *pace, results, there float64, comes []float64) *giving {
	step, cells := p.laws[0].Kept.Step, len(p.laws[0].Kept.F)
	g := &giving{pace: p, comes: make([]float64, cells), idle: m.course.Resting(m.there, step, cells)}
	g.idle.Thin(0, p.share*there)
	for i, n := range comes {
		g.comes[i] = p.share * there * n
	}
	// The mean time of a result without an absence in cells, and the time after which its machine is taken to ask
	// again.
	mean, cycle := 0.0, 0.0
	for k, l := range p.laws {
		g.taking[k] = make([]float64, cells)
		g.broken[k], g.kept[k] = attempts.NewLater(attempts.Ends(l.Broken)), attempts.NewLater(l.Ends)
		if k > 0 {
			kept, out := l.Kept.Last(), l.Kept.Last() // of the results so far
			mean -= p.found[k-1] * kept / 2
			for i, v := range l.Kept.F {
				mean += p.found[k-1] * (kept - v)
				out -= l.Ends[i]
				cycle += p.found[k-1] * max(0, out)
			}
		}
	}
	g.batch = max(1, cycle/max(mean, 1/results)) // tasks that take almost no time are all done at once
	for k, l := range p.laws {                   // and each of a batch may be broken off
		broken := max(1e-300, l.Broken.Last())
		more := min(g.batch, 1/broken)
		g.broken[k].Scale(more)
		g.kept[k].Scale((1 - more*broken) / max(1e-9, 1-broken))
	}
	return g
}

// ask counts who asks in a cell: machines that come and machines that have finished.
func (g *giving) ask(i int) {
	g.asking = mix{g.comes[i]}
	for a, took := range g.taking {
		stayed := g.kept[a].Sum(took, i)
		g.asking[1] += g.broken[a].Sum(took, i)
		if a == 0 { // it stayed for just one task, which lies between two ages
			g.asking[1] += stayed / 2
			stayed /= 2
		}
		older := 1.0
		switch {
		case a < 2 || a == attempts.Ages:
		case g.found[a] < leastAged: // no machine stays that long
			older = 0
		default:
			older = min(1, g.batch*g.older[a-1])
		}
		g.asking[min(max(2, a+1), attempts.Ages)] += stayed * older
		g.asking[max(1, a)] += stayed * (1 - older)
	}
	g.asks = 0
	for _, n := range g.asking {
		g.asks += n
	}
	g.joining = g.asks
}

// wake lets a share of the idle machines, of the given ages, ask too.
func (g *giving) wake(turn float64, rested [attempts.Ages]float64) {
	g.resting, g.turned = g.idle.Machines, turn
	g.asks += g.resting * turn
	for k, share := range rested {
		g.asking[k+1] += g.resting * turn * share
	}
}

// take gives a result to a share of those that ask, mixed as given, and lets the others idle. Idle
// machines that leave come back later.
func (g *giving) take(i int, share float64, mixed mix, away []float64) {
	for k, part := range mixed {
		g.taking[k][i] = share * g.asks * part
	}
	g.idle.Thin(i, 1-g.turned*share)
	g.idle.Join(i, g.comes[i]*(1-share), (g.joining-g.comes[i])*(1-share))
	if left := g.idle.Leave(i); left > 0 && away != nil {
		for k := i + 1; k < len(g.comes); k++ {
			g.comes[k] += left * away[k-i]
		}
	}
}
