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
	plan := newRealFFT(2 * b)
	buf := make([]float64, 2*b)
	acc := make([][]complex128, blocks)
	for j := range x {
		q := make([]float64, (blocks+1)*b)
		any := false
		for _, a := range rest {
			if int(a.to) == j {
				q[a.lag] += a.prob * t.factor(int(a.lag))
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
			clear(buf)
			if d == 0 {
				copy(buf[b:], q[:b])
			} else {
				copy(buf, q[(d-1)*b:(d+1)*b])
			}
			pieces[d] = plan.Coefficients(make([]complex128, b+1), buf)
		}
		known := make([]complex128, b+1)
		for s := range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			clear(buf)
			copy(buf[:b], x[j][s*b:min(n+1, (s+1)*b)])
			for u := range b {
				if k := s*b + u; k <= n {
					buf[u] *= t.factor(k)
				}
			}
			plan.Coefficients(known, buf)
			for d := 0; s+d < blocks; d++ {
				if acc[s+d] == nil {
					acc[s+d] = make([]complex128, b+1)
				}
				multiplyAdd(acc[s+d], pieces[d], known)
			}
		}
	}
	for s, a := range acc {
		if a == nil {
			continue
		}
		plan.Sequence(buf, a)
		for u := range b {
			if k := s*b + u; k <= n {
				out[k] += max(0, buf[b+u]/float64(2*b)) / t.factor(k)
			}
		}
	}
	return nil
}
