package bags

import (
	"math"
	"slices"
)

// A given is what is handed out of a course with help in its last cell that was told.
type given struct {
	waiting, running, helped float64 // on machines, and of those given to a worker first
	copied, done             float64 // of those on machines, with a copy on a worker, and done by one
	sooner                   float64 // cells by which no results wait any more than without help
	// Shares that still are of what was on machines first, and of what was given to a worker.
	same, apart float64
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
	w.begun = slices.Grow(w.begun[:from], to-from)[:to]   // by workers first, over apart
	w.copies = slices.Grow(w.copies[:from], to-from)[:to] // of what is on machines, over same
	taken, begins, copies := w.taken[:to], w.begun[:to], w.copies[:to]
	part := w.pace(workers)
	if from == 0 {
		w.given = given{waiting: c.waiting, running: c.beforeWorkers() - c.waiting, same: 1, apart: 1}
		part *= w.firstPart(c)
	} else if taken[from-1] < nothing {
		clear(taken[from:])
		return
	}
	g, few := w.given, workers <= fewWorkers && w.late == nil
	w.reach(c, c.first+to+int(g.sooner)+1)
	handed, kept, late := c.given[c.first:][:to], c.kept[c.first:][:to], c.late[c.first:][:to]
	for i := from; i < to; i++ {
		free, begun, stays := part, 0.0, kept[i]
		if there := g.waiting - late[i]; there > 0 {
			passed := 1.0
			begun, passed = g.give(w.handing.results, handed[i], part, there)
			if free = part * (1 - passed); passed < 1 && w.late == nil && w.handing.shifts {
				g.sooner = max(0, c.empties-(float64(c.first+i-1)+passed))
				w.reach(c, c.first+to+int(g.sooner)+1)
			}
		} else if g.sooner > 0 {
			stays = c.keptAt(float64(c.first+i) + g.sooner)
		}
		if stays != 1 {
			w.stay(&g, i, stays)
		}
		if !few && free > g.running-g.copied {
			free = max(0, g.running-g.copied)
		}
		begins[i], copies[i] = 0, 0
		if begun > 0 {
			begins[i] = begun / g.apart
			g.helped += begun
		}
		if free > 0 {
			copies[i] = free / g.same
			g.copied += free
		}
		if done := i - w.lag; done >= 0 {
			g.done += copies[done] * g.same
			if g.helped -= begins[done] * g.apart; g.helped < 0 {
				g.helped = 0
			}
		}
		still := g.running - g.done
		if still < 0 {
			still = 0
		}
		if few && g.waiting <= 0 {
			still = wholeLeft(g.running, g.done, noneLeftOf(g.running))
		}
		if taken[i] = g.waiting + still + g.helped; taken[i] < nothing {
			clear(taken[i:])
			return
		}
		if i == 0 {
			part = w.pace(workers)
		}
	}
	w.given = g
}

// give hands out in a cell what machines are given without help and what workers do of results,
// of those that wait at most. It returns how many tasks workers begin, and the part of the cell
// after which nothing waits; 1: something does.
func (g *given) give(results int, machines, workers, there float64) (begun, passed float64) {
	all, alone := machines+workers/float64(results), 1.0
	if all > 0 {
		alone = power(machines/all, results)
	}
	passed = 1
	if all > there {
		passed = there / all
		all = there
	}
	begun = all * (1 - alone)
	g.waiting -= all
	g.running += all - begun
	return begun, passed
}

// stay leaves of what runs a share in a cell. Of a task of which a worker has one result as many
// have to be back from machines as without, of one fewer: where each is missing with a small
// chance p the task is with p^(s+1), s the results that may be missing, and then with p^s.
func (w *helping) stay(g *given, i int, share float64) {
	g.running *= share
	g.copied *= share
	g.done *= share
	if g.same *= share; g.same < fewSame {
		clear(w.copies[max(0, i-w.lag):i])
		g.same = 1
	}
	switch w.handing.spare {
	case 0:
		return
	case 1: // the default
		share = math.Sqrt(share)
	default:
		share = math.Pow(share, float64(w.handing.spare)/float64(w.handing.spare+1))
	}
	g.helped *= share
	if g.apart *= share; g.apart < fewSame {
		clear(w.begun[max(0, i-w.lag):i])
		g.apart = 1
	}
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
	if n == 3 { // the default, in short
		return x * x * x
	}
	p := x
	for range n - 1 {
		p *= x
	}
	return p
}
