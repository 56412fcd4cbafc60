package bags

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/bags/internal/noneleft"
	"github.com/capplan/capplan/bags/internal/shift"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/law"
)

// flowCells is the least number of time cells of a flow. There are more if the shortest task would
// otherwise last less than taskCells cells, but only so many that the flow takes at most flowSteps
// steps from one cell to another.
const (
	flowCells = 320
	taskCells = 6
	flowSteps = 3e6
)

// If the largest task takes severalStays or more there are stayCells to a stay, up to mostStayCells in all if machines
// are equally fast. A task that is lost waits for the next cell: of 32,034 tasks with checkpoints, of which one takes
// 47 stays, the median was 44 % late in cells longer than a stay, 3 % early in these (Q44 of TestFinishOfUnlikeLists).
const (
	severalStays  = 4
	stayCells     = 3
	mostStayCells = 1500
)

// flowing returns the finishing law under a server that has one copy of each task at a time. It
// follows the mean number U(t) of unfinished tasks as a flow, takes each task to be done by t
// independently with the same probability, so that P(T <= t) = (1 − U(t)/n)^n, and moves the end of
// the fluid phase with the random machine time until then.
func (m *model) flowing() *FinishLaw {
	if m.s.Server == XWHEP && 2*m.n <= m.there && m.lastArrival() == 0 &&
		m.soonest >= attempts.Asked(m.n/m.there, m.rules.Ask) {
		return m.plenty()
	}
	b := m.begins(1)
	before, _ := m.ahead(b.ahead)
	span := 3*(m.times.Slowest()+m.delay) + 2*m.rules.Ask
	if last := m.lastArrival(); last > before {
		span += last - before
	} else if m.done > 0 && !math.IsInf(m.done, 1) {
		span += min(b.left/m.done, 200*(m.times.Slowest()+m.delay))
	}
	w := &widening{span: span, before: before, law: func(span float64) *FinishLaw {
		return m.flowWithin(span, b)
	}}
	if soon := span - 3*m.delay; soon < span/4 { // so that cells are not longer than tasks of some seconds
		w.soon = soon
	}
	if m.s.Bag.Arrival != nil && len(m.s.Bag.Tasks) == 0 {
		w.most = func(span float64) (end, chance float64) {
			step, cells := m.cells(span)
			end = before + step*float64(cells-1)
			return end, m.arrived(end)
		}
	}
	if w.most == nil && before == 0 && m.tasks.Classes > fewSums {
		w.most = m.roughly
	}
	w.anew = m.inWaves
	f := w.widened()
	if m.inWaves(f) {
		span := slices.Concat(f.early, []*FinishLaw{f})[0].law.End() - before
		if w.narrowed > 0 {
			step, cells := m.cells(w.narrowed)
			span = step * float64(cells-1)
		}
		w = &widening{span: span, before: before, law: func(span float64) *FinishLaw {
			return m.wavesWithin(span, before)
		}}
		f = w.widened()
	}
	return f
}

// plenty returns the law if every waiting task finds an idle machine and no task is done before all
// are taken. Then the machines that ask first do all tasks: 300 tasks of a second on 824 machines
// are such a bag. A long task stays long when it starts anew. With checkpoints a task continues at
// another speed elsewhere, which only the flow models.
func (m *model) plenty() *FinishLaw {
	var works []attempts.Node
	if len(m.s.Bag.Tasks) == 0 {
		works = m.works(attempts.ManyWorks)
	} else {
		for _, k := range m.tasks.Kinds {
			works = append(works, attempts.Node{Share: k.Share, Speed: k.Work})
		}
	}
	taker := m.taker()
	speeds := attempts.NodesOf(m.s.Hosts.Speed, attempts.SpeedNodes)
	fill := func(f *FinishLaw) {
		step := f.law.Step
		attempt := attempts.Grid{Step: step, F: make([]float64, gridCells)}
		each := attempts.Grid{Step: step, F: make([]float64, gridCells)} // the geometric mean over listed tasks
		for _, work := range works {
			times := attempts.TimesOf(work.Speed*m.work, speeds)
			done := attempts.Restarting(taker, times, m.delay, step, gridCells).F
			floats.AddScaled(attempt.F, work.Share, done)
			for i, v := range done {
				each.F[i] += work.Share * logOf(v)
			}
		}
		for i, v := range each.F {
			each.F[i] = math.Exp(v)
		}
		if len(m.s.Bag.Tasks) == 0 {
			each = attempt
		}
		m.oneWave(f, attempt, each)
	}
	w := &widening{span: 3 * (m.times.Slowest() + m.delay), law: func(span float64) *FinishLaw {
		f := &FinishLaw{law: attempts.Grid{Step: span / float64(gridCells-1), F: make([]float64, gridCells)}}
		fill(f)
		m.refine(f, fill)
		return f
	}}
	return w.widened()
}

// taker returns the machine that is given a task if most machines are idle: one that idles and asks
// now and then, or one that has just come and asks at once. The latter are few, and with
// heavy-tailed stays many of them soon leave again.
func (m *model) taker() attempts.Taker {
	if m.course.Down == nil {
		return attempts.Taker{Course: m.course, Fresh: 0}
	}
	come := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability() / m.cycle
	return attempts.Taker{Course: m.course, Fresh: come / (come + (m.there-m.n/2)/m.rules.Ask)}
}

// lastArrival returns the time by which all tasks but a hundredth of one have arrived.
func (m *model) lastArrival() float64 {
	last := m.s.Bag.lastTask()
	if a := m.s.Bag.Arrival; a != nil && len(m.s.Bag.Tasks) == 0 {
		if q, err := a.Quantile(1 - 1e-2/m.n); err == nil {
			last = q
		}
	}
	return last
}

// flowWithin follows a flow over the span for each factor of the number of tasks, and makes the law
// from them.
func (m *model) flowWithin(span float64, b beginning) *FinishLaw {
	step, cells := m.cells(span)
	before, _ := m.ahead(b.ahead)
	span = step * float64(cells-1)
	out := &FinishLaw{law: attempts.Grid{F: make([]float64, gridCells)}}
	out.Waves = m.n > m.there && m.lastArrival() <= before
	all := make([]shift.Bag, len(m.factors))
	parallel.Do(len(all), func(i int) {
		k := m.factors[i]
		f, of := m.follow(step, cells, k)
		if k == 1 && out.Waves {
			out.Fluid = before + f.last
			out.busy, out.spread = out.Fluid, m.fluidSpread(out.Fluid-b.since)*(1-b.since/out.Fluid)
			out.handing = f.handing(f.total)
		}
		all[i] = of
	})
	m.spread(out, all, out.reach(before, span))
	return out
}

// reach sets the step of the law and returns the time until which it is computed: the span after
// the phase before it. If that phase may take so much longer that the span would be over by then,
// the law is extended by the delay, and no further than leaves its steps fine enough for deadlines.
func (f *FinishLaw) reach(before, span float64) float64 {
	end := before + span
	if late := before * min(10, math.Exp(mostLate*f.spread)-1); late > span {
		end = before + late + span
	}
	f.law.Step = end / (gridCells - 1)
	return end
}

// follow follows a flow with a factor of the tasks. It also returns the number of tasks that are
// not done by a time. The flow has given its memory back.
func (m *model) follow(step float64, cells int, factor float64) (f *flow, undone shift.Bag) {
	b := m.begins(factor)
	before, there := m.ahead(b.ahead)
	f = m.newFlow(step, cells, there)
	defer f.leave()
	f.run(m.arriving(step, cells, factor, b))
	// The flow counts the first machines that ask at the beginning of a cell.
	late := max(0, m.firstAsk()-attempts.FirstAsked(step, m.rules.Ask))
	at, tasks := before+late, factor*m.n
	out := shift.Bag{Tasks: tasks, Undone: m.left(attempts.Grid{Step: step, F: f.undone}, tasks, f.total, at, b.ahead)}
	if len(m.tasks.Kinds) > 1 && len(m.s.Bag.Tasks) > 0 {
		for g, k := range m.tasks.Kinds {
			left := attempts.Grid{Step: step, F: f.each[g]}
			out.Each = append(out.Each, m.left(left, tasks*k.Share, f.fresh.Left[g], at, b.ahead))
		}
	}
	return f, out
}

// cells returns the cells in which a flow is followed over a span. If all machines have one speed
// the span is somewhat longer, so that tasks which finish together do so at the end of a cell.
func (m *model) cells(span float64) (step float64, cells int) {
	shortest := m.times[0].Speed
	for _, n := range m.times {
		shortest = min(shortest, n.Speed)
	}
	wanted := taskCells * span / shortest
	affordable := math.Sqrt(flowSteps / float64(len(m.factors)*len(m.speeds())*m.tasks.Classes))
	cells = max(flowCells, int(min(wanted, affordable))+1)
	if kinds := m.tasks.Kinds; m.s.Server == Checkpoint && len(kinds) > 1 && m.course.Down != nil {
		if stay, _ := m.course.Up.Quantile(0.5); stay > 0 && kinds[len(kinds)-1].Work*m.meanTime() > severalStays*stay {
			cells = max(cells, int(min(stayCells*span/stay, mostStayCells/math.Sqrt(float64(len(m.speeds()))))))
		}
	}
	step = span / float64(cells-1)
	if len(m.times) == 1 && shortest > step {
		step = shortest / math.Floor(shortest/step)
	}
	return step, cells
}

// left returns the mean number of tasks not done by a time: before the flow begins they are done at
// the constant rate of the machines that are not gone for good, after that as in the flow. Of work
// ahead of the flow that is more than they ever do the rest is left.
func (m *model) left(flow attempts.Grid, all, followed, before, ahead float64) func(float64) float64 {
	never := (all - followed) * max(0, 1-(1-leastThere)/(m.goneRate()*ahead))
	return func(t float64) float64 {
		if t -= before; t > 0 {
			return never + flow.At(t)
		}
		if before > 0 {
			share := -t / before // of the time until the flow begins
			if x := m.goneRate() * before; x > 0 {
				share = math.Expm1(x*share) / math.Expm1(x)
			}
			return min(all, never+followed+share*(all-never-followed))
		}
		return followed
	}
}

// spread makes the law from the mean number of tasks that are not done, using the spread of the
// machine time until the end of the fluid phase and that of the number of tasks.
func (m *model) spread(out *FinishLaw, all []shift.Bag, most float64) {
	m.refine(out, func(g *FinishLaw) { m.spread(g, all, most) })
	mean, groups := all[len(all)/2].Undone, all[len(all)/2].Each
	out.Half = when(mean, 0.5*m.n, most)
	out.Ideal = when(mean, 0.1*m.n, most) / 0.9
	out.late = m.s.Bag.late(out.law)
	if len(all) > 1 {
		m.spreadSizes(out, all, most)
		return
	}
	sizes := m.sizeNodes()
	each := func(z, n attempts.Node) branch {
		b := branch{share: z.Share * n.Share, undone: make([]float64, gridCells)}
		for i := range b.undone {
			b.undone[i] = n.Speed * mean(m.moved(out, z, i))
		}
		out.notSooner(b, n.Speed*m.n)
		return b
	}
	for _, n := range sizes {
		for _, z := range out.fluidNodes(fluidNodes) {
			b := each(z, n)
			if groups != nil {
				b.none = m.noneLeft(out, z, groups, b.undone)
			}
			m.add(out, b, n.Speed*m.n)
		}
		for _, z := range out.fluidNodes(lateNodes) {
			out.branches = append(out.branches, each(z, n))
		}
	}
}

// noneLeft returns the chance that no listed task is left, by cell, from the mean number left of each group: a
// task far larger than others is left for certain until a machine may be done with it.
func (m *model) noneLeft(
	out *FinishLaw, late attempts.Node, groups []func(t float64) float64, undone []float64) []float64 {
	none := make([]float64, gridCells)
	for i := range none {
		if none[i] = 1; undone[i] > noneleft.Most {
			none[i] = 0
			continue
		}
		t := m.moved(out, late, i)
		for g, left := range groups {
			none[i] *= noneleft.Chance(m.n*m.tasks.Kinds[g].Share, left(t))
		}
	}
	return none
}

// arrived returns the probability that all tasks have arrived by a time.
func (m *model) arrived(t float64) float64 {
	late, sum := law.Survival(m.s.Bag.Arrival, t), 0.0
	sizes := m.sizeNodes()
	if len(m.factors) > 1 {
		sizes = m.sizeSteps(sizeStep)
	}
	for _, n := range sizes {
		tasks := n.Speed * m.n
		sum += n.Share * noneleft.Chance(tasks, tasks*late)
	}
	return sum
}

// fluidNodes returns the factors by which the fluid phase takes longer, with their shares.
func (f *FinishLaw) fluidNodes(nodes []attempts.Node) []attempts.Node {
	if f.spread == 0 {
		return []attempts.Node{{Share: 1, Speed: 1}}
	}
	var out []attempts.Node
	for _, z := range nodes {
		out = append(out, attempts.Node{Share: z.Share, Speed: math.Exp(z.Speed * f.spread)})
	}
	return out
}

// moved returns the time to which moment i of the law corresponds in a run whose fluid phase does
// not take longer by the factor; 0 before any task can be done.
func (m *model) moved(out *FinishLaw, late attempts.Node, i int) float64 {
	t := float64(i) * out.law.Step
	switch {
	case t < m.soonest:
		return 0
	case out.busy > 0 && out.spreads != nil && t < out.busy*late.Speed:
		z, at := math.Log(late.Speed)/out.spread, t/late.Speed
		for range 3 {
			at = t * math.Exp(-z*out.spreads.At(at))
		}
		return min(at, out.busy)
	case out.busy > 0:
		return t - out.busy*(late.Speed-1)*min(1, t/(out.busy*late.Speed))
	}
	return t
}

// notSooner raises the unfinished tasks of a branch to those that have not arrived, however soon
// the fluid phase ends.
func (f *FinishLaw) notSooner(b branch, tasks float64) {
	for i, late := range f.late {
		b.undone[i] = max(b.undone[i], tasks*late)
	}
}

// add adds a branch of a bag with this number of tasks to the law. If arrivals are listed, the
// probability is 0 until the last task has arrived and can be done, however few tasks are left on
// average.
func (m *model) add(out *FinishLaw, b branch, tasks float64) {
	soonest := m.s.Bag.lastTask()
	if soonest > 0 {
		soonest += m.soonest
	}
	for i, u := range b.undone {
		if float64(i)*out.law.Step < soonest {
			continue
		}
		none := 0.0
		if b.none != nil {
			none = b.none[i]
		} else {
			none = noneleft.Chance(tasks, u)
		}
		out.law.F[i] += b.share * none
	}
}

// when returns by bisection the time at which the number of tasks left falls to a given one; +Inf
// if that is later than most.
func when(undone func(float64) float64, left, most float64) float64 {
	if undone(most) > left {
		return math.Inf(1)
	}
	low, high := 0.0, most
	for range 60 {
		if mid := (low + high) / 2; undone(mid) > left {
			low = mid
		} else {
			high = mid
		}
	}
	return high
}
