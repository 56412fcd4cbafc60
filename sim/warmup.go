package sim

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/parallel"
)

// MSER5 returns how many of the first values of a series belong to its warm-up:
// the series is cut into batches of five, and as many batches are dropped as
// leave the rest with the least
//
//	Σ (yᵢ − ȳ)²/(n − d)²    over the batches i = d+1 ... n
//
// of at most half of them. settled is false where the least is there, at half:
// the series is then too short to say.
//
// Source: White, Cobb & Spratt, A comparison of five steady-state truncation
// heuristics, WSC 2000; Hoad, Robinson & Davies, Automating warm-up length
// estimation, J. Oper. Res. Soc. 61, 2010.
func MSER5(series []float64) (dropped int, settled bool) {
	const width = 5
	n := len(series) / width
	if n < 2 {
		return 0, false
	}
	least, at := math.Inf(1), n/2
	var tail pairs // of the batches from d on, d falling
	for d := n - 1; d >= 0; d-- {
		sum := 0.0
		for _, y := range series[d*width : (d+1)*width] {
			sum += y / width
		}
		tail.add(sum, 1)
		if d > n/2 {
			continue
		}
		if m := tail.sxx / tail.n / tail.n; m <= least {
			least, at = m, d
		}
	}
	return at * width, at < n/2
}

// watchBins is into how many parts of the horizon a watched process is averaged:
// two hundred batches for MSER-5.
const watchBins = 1000

// pilots is how many runs are averaged to find a warm-up.
const pilots = 8

// A watch averages a process over parts of the horizon.
type watch struct {
	width float64
	bins  []sums
}

func (w *watch) bin(t float64) int {
	return min(max(int(t/w.width), 0), len(w.bins)-1)
}

// Watching reports whether this run looks for the warm-up and needs what is watched for it.
func (r *Replication) Watching() bool { return r.watched != nil }

// Watch hands over one value at a time of the process by which the warm-up is
// found, the waits say.
func (r *Replication) Watch(at, x float64) {
	if w := r.watched; w != nil && at >= 0 && at <= r.Horizon && finite(x) {
		b := &w.bins[w.bin(at)]
		b.x += x
		b.y++
	}
}

// WatchLevel hands over a level that lasted from one time to another, for example the
// number of jobs present.
func (r *Replication) WatchLevel(from, to, x float64) {
	w := r.watched
	if w == nil || !(from >= 0 && from < to) || !finite(x) {
		return
	}
	to = min(to, r.Horizon)
	for i, last := w.bin(from), w.bin(to); i <= last; i++ {
		part := min(to, float64(i+1)*w.width) - max(from, float64(i)*w.width)
		if i == len(w.bins)-1 {
			part = to - max(from, float64(i)*w.width)
		}
		if part > 0 {
			w.bins[i].x += x * part
			w.bins[i].y += part
		}
	}
}

// findWarmUp runs the model without counting and returns where the mean of what
// it watches has settled, half of the horizon where it has not.
func findWarmUp(ctx context.Context, m Model, figures []Figure, o Options,
	pace *measure) (at float64, settled bool, err error) {
	runs := make([]*watch, pilots)
	err = parallel.Each(ctx, o.Workers, pilots, func(i int) error {
		r := newReplication(ctx, figures, o, -1-i)
		runs[i] = &watch{width: o.Horizon / watchBins, bins: make([]sums, watchBins)}
		r.watched = runs[i]
		r.pace = pace
		defer r.toldUpTo(1)
		return m.Replicate(r)
	})
	if ctx.Err() != nil { // a run that ended early may not have said so
		err = ctx.Err()
	}
	if err != nil {
		return 0, false, err
	}
	series := make([]float64, 0, watchBins)
	var seen []int
	for i := range watchBins {
		var s sums
		for _, w := range runs {
			s.x += w.bins[i].x
			s.y += w.bins[i].y
		}
		if s.y > 0 {
			series = append(series, s.x/s.y)
			seen = append(seen, i)
		}
	}
	if len(series) < 20 {
		return 0, false, ErrNothingWatched
	}
	drop, settled := MSER5(series)
	return float64(seen[drop]) * o.Horizon / watchBins, settled, nil
}

// ErrNothingWatched says that too little happened within a horizon to find a warm-up.
var ErrNothingWatched = errors.New("sim: Run: too little was watched to find a warm-up: give one, or a longer horizon")
