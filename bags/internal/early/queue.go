package early

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A Row is tasks by class.
type Row []float64

// A Late is tasks that wait from a time on, in seconds.
type Late struct {
	At  float64
	Row Row
}

// A Queue is tasks that wait while all machines work, first come, first served.
type Queue struct {
	*Attempts
	Rate  float64 // fresh tasks that are done in a second, with all their attempts
	Delay float64 // s, from the loss of a task until it waits again
	// Step is the time within which tasks are lost together, in seconds.
	Step float64

	Now  float64 // s
	Work float64 // machine time of all tasks that wait, over that of a fresh task
	Rows []Row   // tasks that wait, in order
	Lost []Late  // in order
}

// Add lets a row of tasks wait behind all others.
func (q *Queue) Add(row Row) {
	q.Rows = append(q.Rows, row)
	q.Work += floats.Dot(row, q.Cost)
}

// mostRows is the number of parts of rows that are served one after the other. After so many the tasks hardly ever
// succeed, and are of any class as often as before.
const mostRows = 50_000

// Serve serves tasks until a time or, if that is sooner, until no more than some work waits, in the unit of Work. It
// reports whether that is sooner.
func (q *Queue) Serve(until, work float64) bool {
	for served := 0; q.Now < until; served++ {
		for len(q.Lost) > 0 && (q.Lost[0].At <= q.Now || served > mostRows) {
			q.Add(q.Lost[0].Row)
			q.Lost = q.Lost[1:]
		}
		to := until
		if len(q.Lost) > 0 {
			to = min(to, q.Lost[0].At)
		}
		if len(q.Rows) == 0 {
			q.Now, q.Work = to, 0
			continue
		}
		row := q.Rows[0]
		takes, cost := floats.Dot(row, q.time)/q.Rate, floats.Dot(row, q.Cost)
		if served > mostRows {
			row, takes, cost = nil, q.Work/q.Rate, q.Work
		} else {
			to = min(to, q.Now+q.Step)
		}
		part := min(1, (to-q.Now)/takes)
		enough := q.Work-part*cost <= work
		if enough {
			part = min(part, max(0, (q.Work-work)/cost))
		}
		if q.Work -= part * cost; part < 1 && !enough {
			q.Now = to
		} else {
			q.Now += part * takes
		}
		q.serve(row, part)
		if enough {
			return true
		}
	}
	return false
}

// serve serves a part of the first row; nil: of all, none of which is lost.
func (q *Queue) serve(row Row, part float64) {
	if row == nil {
		for _, r := range q.Rows {
			floats.Scale(1-part, r)
		}
		if part == 1 {
			q.Rows = nil
		}
		return
	}
	again := make(Row, len(row))
	for _, k := range q.kinds {
		for c := k.First; c < k.First+k.Classes; c++ {
			if row[c] > 0 {
				floats.AddScaled(again[k.First:k.First+k.Classes], part*row[c], q.lost[c])
			}
		}
	}
	at := q.Now + max(q.Delay, q.Step)
	switch last := len(q.Lost) - 1; {
	case floats.Sum(again) < fewest:
	case last >= 0 && at-q.Lost[last].At < q.Step:
		floats.Add(q.Lost[last].Row, again)
	default:
		q.Lost = append(q.Lost, Late{at, again})
	}
	if part == 1 {
		q.Rows = q.Rows[1:]
		return
	}
	floats.Scale(1-part, row)
}

// fewest is the number of lost tasks that are none.
const fewest = 1e-9

// Waiting returns copies of what waits and is lost.
func (q *Queue) Waiting() (rows []Row, lost []Late) {
	for _, row := range q.Rows {
		rows = append(rows, slices.Clone(row))
	}
	for _, l := range q.Lost {
		lost = append(lost, Late{l.At, slices.Clone(l.Row)})
	}
	return rows, lost
}
