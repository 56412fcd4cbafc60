package backtest

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// mostParts is the number of groups of machines that standard errors of a draw are taken from.
const mostParts = 32

// part has the tally keep its machines in groups too, if there are enough machines and the groups do not
// take too much memory.
func (t *errorTally) part(machines int) {
	n := min(mostParts, machines/4, int(1e6)/(t.size()+1))
	for range n {
		x := *t
		x.cells = make([]cellTally, len(t.cells))
		x.hosts, x.byStart = make([]int, len(t.hosts)), make([]int, len(t.byStart))
		x.byWindow, x.parts = make([]int, len(t.byWindow)), nil
		t.parts = append(t.parts, &x)
	}
}

// drawErrors gives the means of a model, over all windows and of each, the standard error that the draw of
// machines has left in them:
//
//	SE² = (1 − n/N) (G−1)/G Σ_g (θ_(g) − θ̄)²
//
// where θ_(g) is the mean without the g-th of G groups, θ̄ that of all θ_(g), and n of N machines are drawn.
// Source: the delete-a-group jackknife, Kott, J. Official Statistics 17 (2001) 521.
func (t *errorTally) drawErrors(kind, model, of int, summaries []*ErrorSummary) {
	var means, pools [][]float64
	if len(t.parts) < 2 {
		return
	}
	for g := range t.parts {
		mean, pool := t.without(g, kind*t.models+model, len(summaries))
		means, pools = append(means, mean), append(pools, pool)
	}
	left := 1 - float64(t.machines)/float64(of)
	for w, s := range summaries {
		s.MeanSE, s.PoolSE = spreadOf(means, w, left), spreadOf(pools, w, left)
	}
}

// spreadOf is the standard error by the w-th figures of all groups; nil where one is not defined.
func spreadOf(by [][]float64, w int, left float64) *float64 {
	n, mean, square := float64(len(by)), 0.0, 0.0
	for _, v := range by {
		mean += v[w] / n
	}
	for _, v := range by {
		square += (v[w] - mean) * (v[w] - mean)
	}
	return ask.Figure(math.Sqrt(left * (n - 1) / n * square))
}

// without returns the mean errors of one row, a kind of day and a model, without one of the groups: over
// all windows and of each, by machine and pooled.
func (t *errorTally) without(group, row, figures int) (means, pools []float64) {
	type sums struct{ scores, pools, mean, pool float64 }
	by := make([]sums, figures)
	for i := range t.e.starts {
		for w := range t.e.windows {
			var c cellTally
			for g, p := range t.parts {
				if g != group {
					c.merge(p.at(row, i, w))
				}
			}
			x := sums{scores: float64(c.scores), mean: c.mean.Value()}
			if free := float64(c.free); free > 0 {
				x.pools, x.pool = 1, math.Abs(c.predicted.Value()-free)/free
			}
			for _, f := range []int{0, w + 1} {
				b := &by[f]
				*b = sums{b.scores + x.scores, b.pools + x.pools, b.mean + x.mean, b.pool + x.pool}
			}
		}
	}
	for _, b := range by {
		means, pools = append(means, b.mean/b.scores), append(pools, b.pool/b.pools)
	}
	return means, pools
}
