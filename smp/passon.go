package smp

import (
	"context"
	"math"
)

// passOn adds Σ q(l) x(k−l) to out, for arcs q into states whose solutions x
// are known; by blocks of transforms where that is cheaper.
func (r *Reliability) passOn(ctx context.Context, rest []arc, x [][]float64, out []float64) error {
	n := r.N
	if float64(len(rest)) < 400 || r.Method == Sparse {
		for m, a := range rest {
			if m&255 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			from := x[a.to][:n+1-int(a.lag)]
			to := out[a.lag:]
			for k, v := range from {
				to[k] += a.prob * v
			}
		}
		return nil
	}
	return r.passOnBlocks(ctx, rest, x, out)
}

// passOnBlocks is passOn by one level of blocks, with a tilt that makes the
// known solutions flat.
func (r *Reliability) passOnBlocks(ctx context.Context, rest []arc, x [][]float64, out []float64) error {
	n := r.N
	b := blockLengths(n)[0]
	rate := 0.0
	for _, v := range x {
		if v[n] > 0 && v[n] < 1e-3 {
			rate = math.Max(rate, math.Min(maxTilt, -math.Log(v[n]))/float64(n))
		}
	}
	t := newTilt(rate, n)
	blocks := (n + b) / b
	fft := newRightAngle(b)
	buf := make([]float64, b)
	acc := make([][]complex128, blocks)
	for j := range x {
		q := make([]float64, (blocks+1)*b) // from lag −b on
		any := false
		for _, a := range rest {
			if int(a.to) == j {
				q[b+int(a.lag)] += a.prob * t.factor(int(a.lag))
				any = true
			}
		}
		if !any {
			continue
		}
		pieces := make([][]complex128, blocks)
		for d := range pieces {
			if err := ctx.Err(); err != nil {
				return err
			}
			pieces[d] = fft.lags(q[d*b : min(len(q), (d+2)*b)])
		}
		known := make([]complex128, b)
		for s := range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			steps := buf[:copy(buf, x[j][s*b:min(n+1, (s+1)*b)])]
			for u := range steps {
				steps[u] *= t.factor(s*b + u)
			}
			fft.steps(known, steps)
			for d := 0; s+d < blocks; d++ {
				if acc[s+d] == nil {
					acc[s+d] = make([]complex128, b)
				}
				multiplyAdd(acc[s+d], pieces[d], known)
			}
		}
	}
	for s, a := range acc {
		if a == nil {
			continue
		}
		clear(buf)
		fft.addTo(buf, a)
		for u, v := range buf[:min(b, n+1-s*b)] {
			out[s*b+u] += v / t.factor(s*b+u)
		}
	}
	return nil
}
