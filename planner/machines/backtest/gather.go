package backtest

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/smp"
)

// A errorTally adds up cells into an ErrorSummary. A pool is what shares one start
// and window.
type errorTally struct {
	sum                  ErrorSummary
	hosts                map[int]bool
	mean, expected, miss float64
	judged               int // cells with a test day
	predicted, free      float64
	square               float64 // Σ (p − y)² over test days
	pools                map[int]*pool
	order                []int
}

type pool struct {
	predicted, free float64
	days            int
}

func newErrorTally() *errorTally { return &errorTally{hosts: map[int]bool{}, pools: map[int]*pool{}} }

func (t *errorTally) add(c cell, host, poolOf int) {
	if c.test == 0 {
		t.sum.Undefined++
		return
	}
	n := float64(c.test)
	t.hosts[host] = true
	t.judged++
	t.sum.TestDays += int(c.test)
	t.sum.TrainDays = max(t.sum.TrainDays, int(c.train))
	observed := float64(c.free) / n
	t.miss += math.Abs(c.predicted - observed)
	t.square += n * ((c.predicted-observed)*(c.predicted-observed) + observed*(1-observed))
	t.predicted += c.predicted * n
	t.free += float64(c.free)
	p := t.pools[poolOf]
	if p == nil {
		p = &pool{}
		t.pools[poolOf] = p
		t.order = append(t.order, poolOf)
	}
	p.predicted += c.predicted * n
	p.free += float64(c.free)
	p.days += int(c.test)
	if c.free == 0 {
		t.sum.Undefined++
		return
	}
	v := math.Abs(c.predicted-observed) / observed
	t.sum.Scores++
	t.mean += v
	t.expected += expectedError(c.predicted, int(c.test))
	widen(&t.sum.Least, &t.sum.Greatest, v)
}

func widen(least, greatest **float64, v float64) {
	if *least == nil || v < **least {
		*least = ask.Figure(v)
	}
	if *greatest == nil || v > **greatest {
		*greatest = ask.Figure(v)
	}
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

func (t *errorTally) summary() ErrorSummary {
	s := t.sum
	s.Hosts = len(t.hosts)
	if s.Scores > 0 {
		s.Mean, s.Expected = ask.Figure(t.mean/float64(s.Scores)), ask.Figure(t.expected/float64(s.Scores))
	}
	if t.judged > 0 {
		s.Absolute = ask.Figure(t.miss / float64(t.judged))
		s.Brier = ask.Figure(t.square / float64(s.TestDays))
		s.Predicted, s.Observed = ask.Figure(t.predicted/float64(s.TestDays)), ask.Figure(t.free/float64(s.TestDays))
	}
	mean, expected := 0.0, 0.0
	for _, k := range t.order {
		p := t.pools[k]
		if p.free == 0 {
			continue
		}
		s.Pools++
		v := math.Abs(p.predicted-p.free) / p.free
		mean += v
		expected += expectedError(p.predicted/float64(p.days), p.days)
		widen(&s.PoolLeast, &s.PoolGreatest, v)
	}
	if s.Pools > 0 {
		s.PoolMean, s.PoolExpected = ask.Figure(mean/float64(s.Pools)), ask.Figure(expected/float64(s.Pools))
	}
	return s
}

// gather adds up the cells of one model that keep says.
func (g *grid) gather(kind, model int, keep func(start, window int) bool) ErrorSummary {
	e := g.e
	t := newErrorTally()
	for s := range e.starts {
		for w := range e.windows {
			if !keep(s, w) {
				continue
			}
			for h := range e.hosts {
				t.add(g.at(kind, h, s, w)[model], h, s*len(e.windows)+w)
			}
		}
	}
	return t.summary()
}

// fill turns the scores into the answer.
func (g *grid) fill(a *EvaluateAnswer, e *evaluation) error {
	useful := map[int]bool{}
	for k, day := range e.kinds {
		for m, title := range e.titles {
			model := ModelScore{Model: title, Day: day,
				ErrorSummary: g.gather(k, m, func(int, int) bool { return true })}
			for w, length := range e.windows {
				model.Windows = append(model.Windows,
					WindowScore{title, day, length, g.gather(k, m, func(_, window int) bool { return window == w })})
			}
			for s, start := range e.starts {
				a.Starts = append(a.Starts,
					StartScore{title, day, start, g.gather(k, m, func(at, _ int) bool { return at == s })})
			}
			a.Models = append(a.Models, model)
			if m > 0 {
				continue
			}
			for w, length := range e.windows {
				for s, start := range e.starts {
					c := g.gather(k, m, func(at, window int) bool { return at == s && window == w })
					a.Cells = append(a.Cells, CellScore{title, day, length, start, c})
				}
			}
			if model.TestDays == 0 {
				return ask.Inputf("day", "the record has too few days of kind %s to train and to test on", day)
			}
			if n := model.Undefined; n > 0 {
				a.Warnings = append(a.Warnings, fmt.Sprintf(
					"%s: %d of %d scores have no relative error, for want of test days or because none of them was free",
					day, n, n+model.Scores,
				))
			}
		}
		for h := range e.hosts {
			for s := range e.starts {
				for w := range e.windows {
					useful[h] = useful[h] || g.at(k, h, s, w)[0].test > 0
				}
			}
		}
	}
	for h := range e.hosts {
		if !useful[h] {
			a.LeftOut++
		}
	}
	if a.LeftOut > 0 {
		a.Warnings = append(a.Warnings,
			fmt.Sprintf("%d of %d machines have too few days to train and to test on", a.LeftOut, len(e.hosts)))
	}
	a.Best = best(a, e, func(s *ErrorSummary) (*float64, int) { return s.Mean, s.Scores })
	a.BestPool = best(a, e, func(s *ErrorSummary) (*float64, int) { return s.PoolMean, s.Pools })
	return nil
}

// best returns the model of least mean over the kinds of day.
func best(a *EvaluateAnswer, e *evaluation, of func(*ErrorSummary) (*float64, int)) *string {
	var name *string
	least := math.Inf(1)
	for m := range e.titles {
		total, n := 0.0, 0
		for k := range e.kinds {
			if mean, count := of(&a.Models[k*len(e.titles)+m].ErrorSummary); mean != nil {
				total, n = total+*mean*float64(count), n+count
			}
		}
		if n > 0 && total/float64(n) < least {
			least, name = total/float64(n), &e.titles[m]
		}
	}
	return name
}

// ratio sums up SMP trained on one share of the days.
func (g *grid) ratio(e *evaluation, share float64) []RatioScore {
	var out []RatioScore
	for k, day := range e.kinds {
		r := RatioScore{Day: day, Train: share, ErrorSummary: g.gather(k, 0, func(int, int) bool { return true })}
		for w := range e.windows {
			s := g.gather(k, 0, func(_, window int) bool { return window == w })
			var least *float64
			if s.Mean != nil {
				widen(&least, &r.GreatestMean, *s.Mean)
			}
			least = nil
			if s.PoolMean != nil {
				widen(&least, &r.PoolGreatestMean, *s.PoolMean)
			}
		}
		out = append(out, r)
	}
	return out
}
