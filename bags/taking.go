package bags

import (
	"slices"
	"sort"
)

// A given is what is handed out of a course with help in its last cell that was told, but for what
// waits over what lasts of it, see [lasting].
type given struct {
	waiting, running, helped float64 // on machines, and of those given to a worker first
	copied, done             float64 // of those on machines, with a copy on a worker, and done by one
	sooner                   float64 // cells by which no results wait any more than without help
	over                     float64 // as of a lasting
}

// takeHanded fills in what so many workers leave, up to so many cells after help is asked for,
// where results wait when they begin; after what was filled in before. Machines are given m
// tasks in a cell as without help, and workers what they do of results,
//
//	m + (W/c)/results    tasks, of these 1 − (1 − q)^results to a worker too
//
// with q the share of the workers among the results, until nothing waits. Then workers take
// copies of those that are on machines, which do as great a share of these as without help once
// nothing waits: all that they do from there on is sooner by as much. So it is not of late tasks,
// of which those that have not arrived are not given out, nor of few tasks a machine, see
// shiftedResults.
func (w *helping) takeHanded(c *helpedCourse, workers, cells int) {
	from, to := len(w.taken), min(cells, len(c.alone))-c.first
	if to <= from {
		return
	}
	w.taken = slices.Grow(w.taken, to-from)[:to]
	w.begun = slices.Grow(w.begun[:from], to-from)[:to]   // by workers first, over what lasts of it
	w.copies = slices.Grow(w.copies[:from], to-from)[:to] // of what is on machines, as that
	part := w.pace(workers)
	if from == 0 {
		w.given = given{waiting: c.waiting, running: c.beforeWorkers() - c.waiting, over: 1}
	} else if w.taken[from-1] < nothing {
		clear(w.taken[from:])
		return
	}
	g, l, few := &w.given, &c.lasting, workers <= fewWorkers && w.late == nil
	w.reach(c, c.first+to+int(g.sooner)+1)
	if g.sooner > 0 {
		l = w.shift(c, to)
	}
	for i := from; i < to; {
		end := w.fall(l, i, to)
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
		if i, passed = w.giveOut(c, l, now, few, i, end); w.taken[i-1] < nothing {
			clear(w.taken[i:])
			return
		}
		if passed < 1 {
			if g.sooner = max(0, c.empties-(float64(c.first+i-2)+passed)); g.sooner > 0 {
				w.reach(c, c.first+to+int(g.sooner)+1)
				w.shifted.begin(i, l.same[i-1])
				l = w.shift(c, to)
			}
		}
	}
}

// giveOut is takeHanded from a cell on, before one or up to that in which results wait for the last
// time and all that follows is sooner: of such a one it returns the part after which none waits.
func (w *helping) giveOut(
	c *helpedCourse, l *lasting, part float64, few bool, from, to int,
) (next int, passed float64) {
	taken, begins, copies := w.taken[:to], w.begun[:to], w.copies[:to]
	handed, alone := c.given[c.first:][:to], c.alone[c.first:][:to]
	var lates []float64 // shares that have not arrived, and so are not given out
	if w.late != nil {
		lates = w.late[c.asked+c.first:][:to]
	}
	same, overs, apart := l.same[:to], l.over[:to], l.apart[:to]
	shifts, results, lag := w.handing.shifts && w.late == nil, w.handing.results, w.lag
	g, each := &w.given, part/float64(results)
	// Numbers of their own, as those of a struct go through memory in each cell.
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
				if results == 3 { // the default, in short
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
			still = wholeLeft(left, did*same[i], noneLeftOf(left))
		}
		taken[i] = waiting + still + helped*apart[i]
		if taken[i] < nothing || passed < 1 {
			i++
			break
		}
	}
	g.waiting, g.running, g.helped, g.copied, g.done, g.over = waiting, running, helped, copied, did, over
	return i, passed
}

// fall counts what is given out over what lasts of it from a cell on, where that is told anew, and
// returns the next before one in which it is.
func (w *helping) fall(l *lasting, cell, to int) (next int) {
	at := sort.Search(len(l.fell), func(k int) bool { return l.fell[k].cell >= cell })
	if at < len(l.fell) && l.fell[at].cell == cell {
		g, share := &w.given, l.fell[at].share
		apart := apartOf(share, w.handing.spare)
		g.running, g.copied, g.done, g.helped = g.running*share, g.copied*share, g.done*share, g.helped*apart
		g.over *= share
		for k := max(0, cell-w.lag); k < cell; k++ {
			w.copies[k] *= share
			w.begun[k] *= apart
		}
		at++
	}
	if at < len(l.fell) {
		return min(to, l.fell[at].cell)
	}
	return to
}

// shift tells what lasts of a course up to a cell after those told, where nothing waits any more
// sooner than without help.
func (w *helping) shift(c *helpedCourse, to int) *lasting {
	l := &w.shifted
	from := len(l.same)
	l.grow(to)
	for i := from; i < to; i++ {
		l.same[i] = c.keptAt(float64(c.first+i) + w.given.sooner)
	}
	l.tell(from, w.handing.spare)
	return l
}

// keptAt is the share of what is left that still is after one more cell, up to a place between
// cells; beyond the last that is told as there.
func (c *helpedCourse) keptAt(at float64) float64 {
	last := len(c.alone) - 1
	if last < 1 {
		return 0
	}
	at = max(1, min(at, float64(last)))
	k := int(at)
	part := at - float64(k)
	now, before := c.alone[k], c.alone[k-1]
	if part > 0 {
		now, before = now+part*(c.alone[k+1]-now), before+part*(now-before)
	}
	if before <= 0 {
		return 0
	}
	return now / before
}

// power is x to a whole number that is small.
func power(x float64, n int) float64 {
	p := x
	for range n - 1 {
		p *= x
	}
	return p
}
