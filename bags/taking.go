package bags

import (
	"slices"

	"github.com/capplan/capplan/bags/internal/lasting"
	"github.com/capplan/capplan/bags/internal/noneleft"
)

// A handState is the state of handing out with help, in the last cell that was computed. Numbers of
// tasks on machines are counted over the share that lasts of them, see [lasting.Shares].
type handState struct {
	waiting, running, helped float64 // tasks that wait, that are on machines, and that were given to a worker first
	copied, done             float64 // of those on machines: with a copy on a worker, done by a worker
	sooner                   float64 // cells by which the queue empties sooner than without help
	over                     float64 // the same as Over of the shares that last
}

// takeHanded computes how many tasks are left with the given number of workers, for cells up to the
// given one after help is asked for. It is for bags in which results still wait when the workers
// begin, and continues after the cells computed before. In a cell machines are given m tasks as
// without help, and W workers, who take c cells for a result, begin W/c results, so that
//
//	m + (W/c)/results    tasks leave the queue, of which 1 − (1 − q)^results have a worker too,
//
// where q is the workers' share of the results begun, until nothing waits. Then workers take copies
// of tasks that are on machines. Machines do the same share of these as without help once nothing
// waits, so that all they do from there on happens sooner by the time saved. It does not if tasks
// arrive late, as those that have not arrived are not given out, nor with few tasks per machine,
// see shiftedResults.
func (w *helping) takeHanded(c *helpedCourse, workers, cells int) {
	from, to := len(w.byCell), min(cells, len(c.alone))-c.first
	if to <= from {
		return
	}
	w.byCell = slices.Grow(w.byCell, to-from)[:to]
	w.begun = slices.Grow(w.begun[:from], to-from)[:to]   // tasks that workers began first, over what lasts of them
	w.copies = slices.Grow(w.copies[:from], to-from)[:to] // the same for copies of tasks on machines
	part := w.pace(workers)
	if from == 0 {
		w.state = handState{waiting: c.waiting, running: c.beforeWorkers() - c.waiting, over: 1}
	} else if w.byCell[from-1] < nothing {
		clear(w.byCell[from:])
		return
	}
	g, l, few := &w.state, &c.survival, workers <= fewWorkers && w.late == nil
	w.reach(c, c.first+to+int(g.sooner)+1)
	if g.sooner > 0 {
		l = w.shift(c, to)
	}
	for i := from; i < to; {
		end := w.rescale(l, i, to)
		now, passed := part, 1.0
		switch first := w.firstPart(c); {
		case i < len(w.wave):
			now, end = float64(workers)*w.eachBegan(i, first), i+1
			if i > 0 {
				now -= float64(workers) * w.eachBegan(i-1, first)
			}
		case i == 0:
			now, end = part*first, 1
		}
		if i, passed = w.giveOut(c, l, now, few, i, end); w.byCell[i-1] < nothing {
			clear(w.byCell[i:])
			return
		}
		if passed < 1 {
			if g.sooner = max(0, c.empties-(float64(c.first+i-2)+passed)); g.sooner > 0 {
				w.reach(c, c.first+to+int(g.sooner)+1)
				w.shifted.Begin(i, l.Same[i-1])
				l = w.shift(c, to)
			}
		}
	}
}

// giveOut is takeHanded from one cell on. It ends before cell to, or in the cell in which the queue
// empties for the last time, after which all is sooner: then passed is the part of that cell after
// which nothing waits.
func (w *helping) giveOut(
	c *helpedCourse, l *lasting.Shares, part float64, few bool, from, to int,
) (next int, passed float64) {
	out, begins, copies := w.byCell[:to], w.begun[:to], w.copies[:to]
	handed, alone := c.givenOut[c.first:][:to], c.alone[c.first:][:to]
	var lates []float64 // shares that have not arrived and are not given out
	if w.late != nil {
		lates = w.late[c.asked+c.first:][:to]
	}
	same, overs, apart := l.Same[:to], l.Over[:to], l.Apart[:to]
	shifts, results, lag := w.handing.shifts && w.late == nil, w.handing.results, w.lag
	g, each := &w.state, part/float64(results)
	// Local copies: fields would be loaded from and stored to memory in each cell.
	waiting, running, helped, copied, did, over := g.waiting, g.running, g.helped, g.copied, g.done, g.over
	i := from
	for passed = 1; i < to; i++ {
		free, begun := part, 0.0
		there := waiting
		if lates != nil && waiting > 0 {
			late := lates[i] * c.tasks
			if late > alone[i] {
				late = alone[i]
			}
			there -= late
		}
		if there > 0 {
			all, share := handed[i]+each, 1.0
			if all > 0 {
				alone := handed[i] / all
				if results == 3 { // the default, unrolled
					begun = 1 - alone*alone*alone
				} else {
					begun = 1 - power(alone, results)
				}
			}
			if all > there {
				all, share = there, there/all
				if shifts {
					passed = share
				}
			}
			begun *= all
			waiting -= all
			running += (all - begun) * over
			free = part * (1 - share)
		}
		over = overs[i]
		free *= over
		if rest := running - copied; !few && free > rest {
			if free = rest; free < 0 {
				free = 0
			}
		}
		begun /= apart[i]
		begins[i], copies[i] = begun, free
		helped += begun
		copied += free
		if done := i - lag; done >= 0 {
			did += copies[done]
			if helped -= begins[done]; helped < 0 {
				helped = 0
			}
		}
		still := running - did
		if still < 0 {
			still = 0
		}
		still *= same[i]
		if few && waiting <= 0 {
			left := running * same[i]
			still = noneleft.Whole(left, did*same[i], noneleft.OfFew(left))
		}
		out[i] = waiting + still + helped*apart[i]
		if out[i] < nothing || passed < 1 {
			i++
			break
		}
	}
	g.waiting, g.running, g.helped, g.copied, g.done, g.over = waiting, running, helped, copied, did, over
	return i, passed
}

// rescale rescales what is given out at a cell in which the share that lasts starts anew, and returns
// the next such cell.
func (w *helping) rescale(l *lasting.Shares, cell, to int) (next int) {
	share, apart, next := l.Next(cell, to, w.handing.spare)
	if share < 1 {
		g := &w.state
		g.running, g.copied, g.done, g.helped = g.running*share, g.copied*share, g.done*share, g.helped*apart
		g.over *= share
		for k := max(0, cell-w.lag); k < cell; k++ {
			w.copies[k] *= share
			w.begun[k] *= apart
		}
	}
	return next
}

// shift extends the course to a cell, for a queue that emptied sooner than without help.
func (w *helping) shift(c *helpedCourse, to int) *lasting.Shares {
	l := &w.shifted
	from := len(l.Same)
	l.Grow(to)
	for i := from; i < to; i++ {
		l.Same[i] = lasting.Kept(c.alone, float64(c.first+i)+w.state.sooner)
	}
	l.Multiply(from, w.handing.spare)
	return l
}

// power returns x to a small whole power.
func power(x float64, n int) float64 {
	p := x
	for range n - 1 {
		p *= x
	}
	return p
}
