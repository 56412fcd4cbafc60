package backtest

import (
	"crypto/sha256"
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A cellTally adds up the cells of one model, kind of day, start and window, of which each machine
// has one. Its sums are also those of the pool of all machines.
type cellTally struct {
	judged, scores, undefined int // cells with a test day, with an error, without one
	testDays, trainDays, free int
	least, greatest           float64 // errors, where there are scores

	poolExpected *float64 // of the pool, once it is asked for

	// Exact sums are the same in any order.
	mean, expected, miss, square, predicted, apart numeric.Exact
}

// add counts a cell. One without a test day has no score; one without a free test
// day has all but the relative error.
func (t *cellTally) add(c *cell) {
	if c.test == 0 {
		t.undefined++
		return
	}
	n := float64(c.test)
	observed := float64(c.free) / n
	t.judged++
	t.testDays += int(c.test)
	t.trainDays = max(t.trainDays, int(c.train))
	t.free += int(c.free)
	t.miss.Add(math.Abs(c.predicted - observed))
	// If the machine was free on a share o of n days, Σ (p − y)² is n((p − o)² + o(1 − o)).
	t.square.Add(n * ((c.predicted-observed)*(c.predicted-observed) + observed*(1-observed)))
	t.predicted.Add(c.predicted * n)
	t.apart.Add(c.apart * n)
	if c.free == 0 {
		t.undefined++
		return
	}
	v := math.Abs(c.predicted-observed) / observed
	if t.scores == 0 || v < t.least {
		t.least = v
	}
	t.greatest = max(t.greatest, v)
	t.scores++
	t.mean.Add(v)
	t.expected.Add(c.expected)
}

// merge adds another's cells.
func (t *cellTally) merge(o *cellTally) {
	if o.scores > 0 && (t.scores == 0 || o.least < t.least) {
		t.least = o.least
	}
	t.greatest = max(t.greatest, o.greatest)
	t.judged, t.scores, t.undefined = t.judged+o.judged, t.scores+o.scores, t.undefined+o.undefined
	t.testDays, t.free = t.testDays+o.testDays, t.free+o.free
	t.trainDays = max(t.trainDays, o.trainDays)
	t.mean.Merge(&o.mean)
	t.expected.Merge(&o.expected)
	t.miss.Merge(&o.miss)
	t.square.Merge(&o.square)
	t.predicted.Merge(&o.predicted)
	t.apart.Merge(&o.apart)
}

// An errorTally adds up the cells of machines, in any order with the same sums. What
// it holds does not grow with their number.
type errorTally struct {
	e        *evaluation
	models   int
	machines int
	useful   int         // machines with a test day
	cells    []cellTally // by kind of day, model, start and window
	// machines with a test day, by kind of day and model; and by start, or window
	hosts, byStart, byWindow []int
	// parts are the machines in groups by their names, where they are drawn from others; nil: they are not.
	parts []*errorTally
}

// newErrorTally makes the tally of SMP alone or, with baselines, of all models.
func (e *evaluation) newErrorTally(baselines bool) *errorTally {
	t := &errorTally{e: e, models: 1}
	if baselines {
		t.models = len(e.titles)
	}
	n := len(e.kinds) * t.models
	t.cells = make([]cellTally, n*len(e.starts)*len(e.windows))
	t.hosts, t.byStart, t.byWindow = make([]int, n), make([]int, n*len(e.starts)), make([]int, n*len(e.windows))
	return t
}

// size is the number of cells of a machine.
func (t *errorTally) size() int { return len(t.cells) }

// add takes the cells of a machine, by kind of day, start, window and model.
func (t *errorTally) add(cells []cell, name string) {
	if n := len(t.parts); n > 0 {
		sum := sha256.Sum256([]byte(name)) // a draw goes by its beginning
		t.parts[int(sum[len(sum)-1])%n].add(cells, name)
	}
	e := t.e
	t.machines++
	useful := false
	starts, windows := make([]bool, len(e.starts)), make([]bool, len(e.windows))
	for k := range e.kinds {
		for m := range t.models {
			row := k*t.models + m
			clear(starts)
			clear(windows)
			any := false
			for s := range e.starts {
				for w := range e.windows {
					c := &cells[((k*len(e.starts)+s)*len(e.windows)+w)*t.models+m]
					t.at(row, s, w).add(c)
					if c.test > 0 {
						any, starts[s], windows[w] = true, true, true
					}
				}
			}
			count(t.hosts[row:], any)
			count(t.byStart[row*len(e.starts):], starts...)
			count(t.byWindow[row*len(e.windows):], windows...)
			useful = useful || any
		}
	}
	if useful {
		t.useful++
	}
}

// count adds 1 to each entry whose condition is true.
func count(into []int, which ...bool) {
	for i, is := range which {
		if is {
			into[i]++
		}
	}
}

// at is the tally of a row, which is a kind of day and a model.
func (t *errorTally) at(row, start, window int) *cellTally {
	return &t.cells[(row*len(t.e.starts)+start)*len(t.e.windows)+window]
}

// expectedError takes a mean of probabilities, which rounding may put just
// above 1.
func expectedError(p float64, n int) float64 {
	if p > 1 {
		return 0
	}
	v, err := smp.ExpectedError(p, n)
	if err != nil {
		return 0
	}
	return v
}

// every stands for all starts, or all windows.
const every = -1

// summary adds up the cells of one model, of one start or window or of every.
func (t *errorTally) summary(kind, model, start, window int) ErrorSummary {
	e, row := t.e, kind*t.models+model
	var all cellTally
	var s ErrorSummary
	var mean, expected numeric.Exact
	for i := range e.starts {
		for w := range e.windows {
			if start != every && start != i || window != every && window != w {
				continue
			}
			c := t.at(row, i, w)
			all.merge(c)
			if c.free == 0 {
				continue
			}
			// All machines at one start and window are a pool, which has one
			// error.
			s.Pools++
			free, predicted := float64(c.free), c.predicted.Value()
			v := math.Abs(predicted-free) / free
			mean.Add(v)
			if c.poolExpected == nil {
				c.poolExpected = ask.Figure(expectedError(predicted/float64(c.testDays), c.testDays))
			}
			expected.Add(*c.poolExpected)
			widen(&s.PoolLeast, &s.PoolGreatest, v)
		}
	}
	switch {
	case start == every && window == every:
		s.Hosts = t.hosts[row]
	case start == every:
		s.Hosts = t.byWindow[row*len(e.windows)+window]
	case window == every:
		s.Hosts = t.byStart[row*len(e.starts)+start]
	default:
		s.Hosts = all.judged
	}
	s.Scores, s.Undefined, s.TestDays, s.TrainDays = all.scores, all.undefined, all.testDays, all.trainDays
	if n := float64(all.scores); n > 0 {
		s.Mean, s.Expected = ask.Figure(all.mean.Value()/n), ask.Figure(all.expected.Value()/n)
		s.Least, s.Greatest = ask.Figure(all.least), ask.Figure(all.greatest)
	}
	if all.judged > 0 {
		n := float64(all.testDays)
		s.Absolute = ask.Figure(all.miss.Value() / float64(all.judged))
		s.Brier = ask.Figure(all.square.Value() / n)
		s.Predicted, s.Observed = ask.Figure(all.predicted.Value()/n), ask.Figure(float64(all.free)/n)
		if apart := all.apart.Value() / n; apart > 0 {
			s.PredictedSE = &apart
		}
	}
	if n := float64(s.Pools); n > 0 {
		s.PoolMean, s.PoolExpected = ask.Figure(mean.Value()/n), ask.Figure(expected.Value()/n)
	}
	return s
}

// widen makes a range hold v; nil is a range without a value.
func widen(least, greatest **float64, v float64) {
	if *least == nil || v < **least {
		*least = ask.Figure(v)
	}
	if *greatest == nil || v > **greatest {
		*greatest = ask.Figure(v)
	}
}
