package bags

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Machines of one speed that begin together finish together, wave after wave. More or less machine
// time than the mean does not move the waves, but decides after how many of them nothing is left.
// The bag is therefore followed for several lucks, each a number of standard deviations of machine
// time below the mean, as a bag of correspondingly more tasks. Between two lucks the logarithm of
// what is left is interpolated.
var luckNodes = []float64{3, 2, 1.2, 0.8, 0.4, 0, -0.4, -0.8, -1.2, -2, -3}

// fewLucks are the lucks for machines of several speeds, whose waves blur.
var fewLucks = []float64{3, 1.5, 0, -3}

// The law is summed in steps of luckStep standard deviations, its branches in steps of luckBranch,
// up to luckEnd.
const (
	luckStep   = 0.1
	luckBranch = 0.5
	luckEnd    = 3.0
)

// keepStep is the share of the machines that must stay until the last task is handed out for waves
// to be told apart.
const keepStep = 0.05

// inStep reports whether machines still finish together when the last task is handed out.
func (m *model) inStep(handedOut float64) bool {
	return len(m.times) == 1 && m.lastArrival() == 0 && handedOut < mostWaves*m.times[0].Speed &&
		m.course.Residual(handedOut) > keepStep
}

// stepping makes the law of machines in step. undone gives what is left of a bag with a factor of
// the mean number of tasks, and is called with falling factors; spread is the relative standard
// deviation of the machine time until the last task is handed out; most is the time up to which the
// law is computed. If the number of tasks n is uncertain, it shares in the luck z:
//
//	f = e^(z s),  s² = spread² + cv²,  E[n | z] = n (1 + z cv²/s)
func (m *model) stepping(
	out *FinishLaw, spread, most float64, nodes []float64, undone func(factor float64) func(t float64) float64,
) {
	cv := 0.0
	if len(m.s.Bag.Tasks) == 0 {
		cv = m.s.Bag.Size.SD / m.s.Bag.Size.Mean
	}
	s, meanLuck := math.Hypot(spread, cv), slices.Index(nodes, 0)
	lefts := make([]func(t float64) float64, len(nodes))
	for k, z := range nodes {
		if s > 0 || k == meanLuck {
			lefts[k] = undone(math.Exp(z * s))
		}
	}
	out.Half, out.Ideal = when(lefts[meanLuck], 0.5*m.n, most), when(lefts[meanLuck], 0.1*m.n, most)/0.9
	m.step(out, s, cv, nodes, lefts)
}

// step makes the law of [model.stepping] from the tasks that are left with each luck; without luck, s = 0, only those
// of the mean are given.
func (m *model) step(out *FinishLaw, s, cv float64, nodes []float64, lefts []func(t float64) float64) {
	m.refine(out, func(g *FinishLaw) { m.step(g, s, cv, nodes, lefts) })
	meanLuck, logs := slices.Index(nodes, 0), make([][]float64, len(nodes)) // ln of the share that is left
	for k, left := range lefts {
		if left == nil {
			continue
		}
		tasks := math.Exp(nodes[k]*s) * m.n
		logs[k] = make([]float64, gridCells)
		for i := range logs[k] {
			share := left(float64(i)*out.law.Step) / tasks
			logs[k][i] = math.Log(min(1, max(share, noneLeft)))
		}
	}
	out.late = m.s.Bag.late(out.law)
	if s == 0 {
		b := branch{share: 1, undone: tasksLeft(logs[meanLuck], logs[meanLuck], 0, m.n)}
		m.add(out, b, m.n)
		out.branches = []branch{b}
		return
	}
	each := func(width float64, add func(b branch, tasks float64)) {
		whole := 1 - 2*distuv.UnitNormal.CDF(-luckEnd)
		for i := range int(math.Round(2 * luckEnd / width)) {
			from := -luckEnd + float64(i)*width
			z := from + width/2
			share := (distuv.UnitNormal.CDF(from+width) - distuv.UnitNormal.CDF(from)) / whole
			tasks := m.n * max(0.1, 1+z*cv*cv/s)
			k := 0
			for k+2 < len(nodes) && z < nodes[k+1] {
				k++
			}
			part := (z - nodes[k]) / (nodes[k+1] - nodes[k])
			add(branch{share: share, undone: tasksLeft(logs[k], logs[k+1], part, tasks)}, tasks)
		}
	}
	each(luckStep, func(b branch, tasks float64) { m.add(out, b, tasks) })
	each(luckBranch, func(b branch, _ float64) { out.branches = append(out.branches, b) })
}

// noneLeft is the share of the tasks below which none counts as left.
const noneLeft = 1e-12

// tasksLeft returns how many tasks are left, by interpolation between the logarithms of two shares.
func tasksLeft(from, to []float64, part, tasks float64) []float64 {
	out := make([]float64, len(from))
	for i := range out {
		if left := math.Exp(from[i] + part*(to[i]-from[i])); left > 2*noneLeft {
			out[i] = tasks * left
		}
	}
	return out
}
