package bags

import "github.com/capplan/capplan/bags/internal/attempts"

// A pace is machines that take about as long for a task, and the laws of their results.
type pace struct {
	share float64 // of the machines
	laws  [attempts.Ages + 1]attempts.ResultLaw
	found [attempts.Ages]float64 // shares of the ages
}

// mostPaces is how many are told apart, of machines in attempts.SpeedNodes steps of speed: with 8, in
// coarser steps, machines of a pace all ended their third result at once, and of 249 tasks on 350
// machines the law had as many left for .2 of a task's time, and half as many as there were before.
const mostPaces = 24

// byPace says whether the machines of each pace are followed for themselves. Slow ones take a
// result in the first wave and are still at it when fast ones have done several: where a task is
// done with the last of its results, and there are more results than machines, the bag waits for
// those, and the last results of few waves are done by the fast ones. Had later results gone to
// slow machines as often, 2800 tasks on 970 machines that never leave, of speeds that spread by a
// quarter, would take 23 % longer, and 130 with the default quorum on 300 machines 19 %. Of many
// waves where results may be missing slow ones matter little, and machines of all paces are
// followed as one, by [model.doing].
func (m *model) byPace() bool {
	results := m.n * float64(m.rules.Results)
	return len(m.times) > 1 && m.lastArrival() == 0 && results > m.there &&
		(m.rules.Quorum == m.rules.Results || results < pacedWaves*m.there)
}

// pacedWaves is in how many waves of results it is told who does the last ones; bags of more hold their
// bounds in TestFinishOfAWave without.
const pacedWaves = 8

// pacesOf are the times of results by pace, with the shares of the machines; one of all machines
// where these are followed as one.
func (m *model) pacesOf() (times []attempts.Times, shares []float64) {
	if !m.byPace() {
		return []attempts.Times{m.doing()}, []float64{1}
	}
	works := workShares(&m.s.Bag, m.work, fewWorks)
	steps := attempts.TimesOf(m.work, attempts.NodesOf(m.s.Hosts.Speed, attempts.SpeedNodes))
	for _, part := range attempts.Parted(steps, mostPaces) {
		share := 0.0
		for _, n := range part {
			share += n.Share
		}
		if share == 0 {
			continue
		}
		alike := make(attempts.Times, len(part))
		for i, n := range part {
			alike[i] = attempts.Node{Share: n.Share / share, Speed: n.Speed}
		}
		times, shares = append(times, spreadTimes(alike, works)), append(shares, share)
	}
	return times, shares
}

// paces are those of the machines, their laws in cells of a step.
func (q *quorum) paces(step float64) []pace {
	out := make([]pace, len(q.parts))
	for p, laws := range q.laws.LawsOf(step, flowCells, q.parts) {
		out[p] = pace{q.shares[p], laws, q.laws.SharesOf(q.parts[p])}
	}
	return out
}

// A giving is how results are given to the machines of a pace.
type giving struct {
	*pace
	taking       [attempts.Ages + 1][]float64 // results by cell
	broken, kept [attempts.Ages + 1]after
	comes        []float64 // machines that come back, by cell
	idle         *idle
	batch        float64 // results that a machine does before it is counted to ask again
	// Of a cell: who asks, how many they are, how many of them did not idle, and the chance of the
	// idle to.
	asking                         mix
	asks, joining, resting, turned float64
}

// newGiving is with so many results still to give and a share of the machines that come back by
// cell, the others gone for good.
func (m *model) newGiving(p *pace, results, there float64, comes []float64) *giving {
	step, cells := p.laws[0].Kept.Step, len(p.laws[0].Kept.F)
	g := &giving{pace: p, comes: make([]float64, cells), idle: m.resting(step, cells)}
	g.idle.thin(0, p.share*there)
	for i, n := range comes {
		g.comes[i] = p.share * there * n
	}
	// The time of a result in cells, and that after which its machine is counted to ask again.
	mean, cycle := -0.5, 0.0
	for k, l := range p.laws {
		g.taking[k] = make([]float64, cells)
		late := ends(l.Broken)
		g.broken[k], g.kept[k] = newAfter(late), newAfter(l.Ends)
		if k > 0 {
			out := 1.0 // of the results so far
			for i, v := range l.Kept.F {
				mean += p.found[k-1] * (1 - v - l.Broken.F[i])
				out -= late[i] + l.Ends[i]
				cycle += p.found[k-1] * out
			}
		}
	}
	g.batch = max(1, cycle/max(mean, 1/results)) // of tasks of next to no time all
	return g
}

// ask counts who asks in a cell: those that come and those that have finished. from are the ages.
func (g *giving) ask(i int, from [attempts.Ages]int) {
	g.asking = mix{g.comes[i]}
	for a, took := range g.taking {
		stayed := g.kept[a].sum(took, i)
		g.asking[1] += g.broken[a].sum(took, i)
		if a == 0 { // for just the time of a task, which is between two ages
			g.asking[1] += stayed / 2
			stayed /= 2
		}
		older := 1.0
		switch {
		case a < 2 || a == attempts.Ages:
		case g.found[a] < leastAged: // no machine stays for as long
			older = 0
		default:
			older = min(1, g.batch/float64(from[a]-from[a-1]))
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

// wake lets a share of the idle ask too, of these ages.
func (g *giving) wake(turn float64, rested [attempts.Ages]float64) {
	g.resting, g.turned = g.idle.machines, turn
	g.asks += g.resting * turn
	for k, share := range rested {
		g.asking[k+1] += g.resting * turn * share
	}
}

// take gives a share of those that ask a result, in a mix, and lets the others idle. Those of the
// idle that leave come back.
func (g *giving) take(i int, share float64, mixed mix, away []float64) {
	for k, part := range mixed {
		g.taking[k][i] = share * g.asks * part
	}
	g.idle.thin(i, 1-g.turned*share)
	g.idle.join(i, g.comes[i]*(1-share), (g.joining-g.comes[i])*(1-share))
	if left := g.idle.leave(i); left > 0 && away != nil {
		for k := i + 1; k < len(g.comes); k++ {
			g.comes[k] += left * away[k-i]
		}
	}
}
