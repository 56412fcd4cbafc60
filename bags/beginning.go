package bags

import (
	"math"
	"sort"

	"github.com/capplan/capplan/bags/internal/early"
)

// mostWaves is the greatest number of tasks per machine that a flow follows cell by cell. Earlier
// tasks are done while all machines work.
const mostWaves = 60

// A beginning is where a flow begins.
type beginning struct {
	ahead float64      // s until then, if no machine were gone for good; see [model.ahead]
	left  float64      // machine time of the tasks not done by then, arrived or not, over that of a task
	since float64      // s, from when on all machines have worked
	rows  []early.Row  // tasks that wait then, in order; nil: the flow begins with the bag
	lost  []early.Late // tasks that wait again later
}

// begins returns where the flow of a bag with a factor of the tasks begins: the last time at which the work of
// mostWaves tasks waits for each machine. Cells of a flow that begins earlier may be longer than its
// tasks: of 200,000 tasks of 14 s that arrive within an hour on 80 machines the median was 340 times
// too late.
func (m *model) begins(factor float64) beginning {
	n, most := factor*m.n, factor*math.Ceil(mostWaves*max(1, m.there))
	out := beginning{left: n}
	if n <= most || m.done == 0 || math.IsInf(m.attempts.Each, 1) {
		return out
	}
	q := &early.Queue{Attempts: m.attempts, Rate: m.done, Delay: m.delay, Step: n / m.done / earlySteps}
	come, since := 0.0, 0.0
	pass := func(to float64) {
		if q.Work > most && q.Serve(to, most) {
			out = beginning{ahead: q.Now, left: most + n - come, since: since}
			out.rows, out.lost = q.Waiting()
		}
		if !math.IsInf(to, 1) {
			q.Serve(to, math.Inf(-1))
		}
	}
	m.tasks.Each(factor, func(t float64, row early.Row) {
		if pass(m.working(t)); q.Work == 0 {
			since = t
		}
		before := q.Work
		q.Add(row)
		come += q.Work - before
	})
	pass(math.Inf(1))
	return out
}

// earlySteps is the number of steps of the time of a bag in each of which lost tasks wait together.
const earlySteps = 1000

// arriving returns the tasks of a bag with a factor of the tasks that wait when a flow begins, and that arrive in each
// of its cells.
func (m *model) arriving(step float64, cells int, factor float64, from beginning) *early.Arrivals {
	begin, _ := m.ahead(from.ahead)
	out := m.tasks.From(begin, step, cells, factor, from.rows)
	for _, l := range from.lost {
		out.Waiting((l.At-from.ahead)/step, cells, l.Row)
	}
	sort.Stable(out)
	return out
}
