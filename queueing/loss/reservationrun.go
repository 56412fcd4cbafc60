package loss

import (
	"context"
	"math"
)

// reservedSums are what a run of the recursion adds up, as shares of Σ q(j).
type reservedSums struct {
	full []float64 // of the states above each of reservedRun.last
	open []float64 // of those up to it
	busy float64   // Σ j q(j) over the capacity
}

// like reports whether two runs agree to rounding in all shares.
func (s reservedSums) like(o reservedSums) bool {
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*a }
	for i := range s.full {
		if !near(s.full[i], o.full[i]) || !near(s.open[i], o.open[i]) {
			return false
		}
	}
	return near(s.busy, o.busy)
}

// A lag is how one class reads the recursion, as many states back as it is
// wide.
type lag struct {
	at    int     // in the ring
	epoch int     // of the state read
	scale float64 // of that epoch in the present one
}

// run carries the recursion from state start to the capacity. The values up to
// start are 1, or with spike that of start alone.
//
// As many values are kept as the widest class looks back. They are not scaled
// down when the recursion outgrows float64: a new epoch begins, and what is read
// from an older one is scaled as it is read. So the work is classes × states
// whatever the widths are. Each sum is made of terms of the whole in their order,
// none of them greater: no share comes out above 1.
func (r reservedRun) run(ctx context.Context, start int, spike bool) (reservedSums, error) {
	size, back := r.capacity-start+1, 1
	for _, w := range r.width {
		back = max(back, w)
	}
	ring := make([]float64, min(back, size))
	before := 1.0 // what states below the start are worth
	if start == 0 || spike {
		before = 0
	}
	lags := make([]lag, len(r.width))
	for k, w := range r.width {
		lags[k] = lag{at: ((1-w)%len(ring) + len(ring)) % len(ring), scale: 1}
	}
	var epochs []int // how far from start each but the first begins
	sums := reservedSums{full: make([]float64, len(r.last)), open: make([]float64, len(r.last))}
	total, busy := 0.0, 0.0
	add := func(j int, v float64) {
		total += v
		busy += v * (float64(j) / math.Max(1, float64(r.capacity)))
		for i, last := range r.last {
			if j == last {
				sums.open[i] = total
			}
			if j > last {
				sums.full[i] += v
			}
		}
	}
	ring[0] = 1
	add(start, 1)
	now := 0
	for i := 1; i < size; i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return reservedSums{}, ctx.Err()
		}
		j, v := start+i, 0.0
		for k, w := range r.width {
			l, q := &lags[k], before
			if i >= w {
				q = ring[l.at]
				if l.epoch < len(epochs) && i-w >= epochs[l.epoch] {
					l.epoch++
					l.scale = math.Pow(rescale, float64(l.epoch-len(epochs)))
				}
			}
			if j <= r.limit[k] && q >= nothing/l.scale {
				v += r.load[k] * (q * l.scale)
			}
			if l.at++; l.at == len(ring) {
				l.at = 0
			}
		}
		if v /= float64(j); v < nothing {
			v = 0
		}
		if now++; now == len(ring) {
			now = 0
		}
		ring[now] = v
		add(j, v)
		if v > rescale {
			epochs = append(epochs, i+1)
			total /= rescale
			busy /= rescale
			for m := range sums.full {
				sums.full[m] /= rescale
				sums.open[m] /= rescale
			}
			for k := range lags {
				lags[k].scale /= rescale
			}
		}
	}
	for m := range sums.full {
		sums.full[m] /= total
		sums.open[m] /= total
	}
	sums.busy = busy / total * r.share
	return sums, nil
}
