package smp

import (
	"context"
	"math/bits"
	"sync"

	"gonum.org/v1/gonum/floats"
)

// A blockSolver solves a renewal system with dense kernels in O(n log² n). The
// horizon is cut into blocks. What the blocks already known contribute to the
// next one is a set of convolutions of known series, done by real Fourier
// transforms of twice the block's length, each series transformed once; the
// block itself is then solved in the same way with shorter blocks, down to
// baseBlock steps, where the recursion is added up as it stands. The error of
// each transform is relative to one block of a tilted series, not to the whole
// horizon, which is what a power series reciprocal over the whole horizon
// would give.
//
// The transforms of the kernel do not change after it is made, so several
// right-hand sides may be solved at the same time, each with its own scratch.
type blockSolver struct {
	n      int
	k      int
	tilt   *tilt
	near   [][]float64 // near[i·k+j]: q̃_ij(l) reversed, l = baseBlock−1 … 1
	levels []blockLevel
}

// A blockLevel holds the transforms of all kernel pieces at one block length.
type blockLevel struct {
	b      int              // block length
	pieces [][][]complex128 // [i·k+j][d]: lags (d−1)b … (d+1)b−1; nil where zero
}

const (
	baseBlock  = 128
	blockRatio = 16 // between the block lengths of neighbouring levels
	mostBlocks = 48 // at the longest level
)

// blockLengths returns the block lengths for horizon n, longest first.
func blockLengths(n int) []int {
	b := baseBlock
	for n+1 > b*mostBlocks {
		b *= blockRatio
	}
	// An even number of longest blocks that just cover the horizon wastes
	// least; halving keeps lengths powers of two.
	if b > baseBlock && n+1 <= b*4 {
		b /= 4
	}
	var out []int
	for ; b > baseBlock; b /= blockRatio {
		out = append(out, b)
	}
	return append(out, baseBlock)
}

// newBlockSolver transforms the kernel, on so many workers.
func newBlockSolver(ctx context.Context, r *renewal, t *tilt, workers int) (*blockSolver, error) {
	k := len(r.rows)
	s := &blockSolver{n: r.n, k: k, tilt: t, near: make([][]float64, k*k)}
	dense := make([][]float64, k*k)
	for i, row := range r.rows {
		for _, a := range row {
			c := i*k + int(a.to)
			if dense[c] == nil {
				last := 0
				for m := len(row) - 1; m >= 0; m-- {
					if row[m].to == a.to {
						last = int(row[m].lag)
						break
					}
				}
				dense[c] = make([]float64, last+1)
			}
			dense[c][a.lag] = a.prob * t.factor(int(a.lag))
		}
	}
	for c, q := range dense {
		if q == nil {
			continue
		}
		s.near[c] = make([]float64, baseBlock-1)
		for l := 1; l < baseBlock && l < len(q); l++ {
			s.near[c][baseBlock-1-l] = q[l]
		}
	}
	span := r.n + 1
	for _, b := range blockLengths(r.n) {
		level := blockLevel{b: b, pieces: make([][][]complex128, k*k)}
		count := (span + b - 1) / b
		for c := range dense {
			level.pieces[c] = make([][]complex128, count)
		}
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				plan, buf := newRealFFT(2*b), make([]float64, 2*b)
				for d := 1 + w; d < count && ctx.Err() == nil; d += workers {
					for c, q := range dense {
						from := (d - 1) * b
						if from >= len(q) {
							continue
						}
						clear(buf)
						copy(buf, q[from:min(len(q), from+2*b)])
						level.pieces[c][d] = plan.Coefficients(make([]complex128, b+1), buf)
					}
				}
			})
		}
		wg.Wait()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.levels = append(s.levels, level)
		span = b
	}
	return s, nil
}

// blockBytes estimates the memory of a block solver and one right-hand side.
func blockBytes(n, k, pairs int) float64 {
	perStep := 0.0
	span := float64(n + 1)
	for range blockLengths(n) {
		perStep += 16 * float64(pairs) * span
		span /= blockRatio
	}
	return perStep + float64(n+1)*(8*float64(pairs)+16*1.1*float64(k))
}

// A blockScratch is the working space of one right-hand side.
type blockScratch struct {
	plans []*realFFT
	known [][][][]complex128 // [level][state][block]: transforms of x
	acc   [][]complex128     // by level
	real  [][]float64
}

func (s *blockSolver) scratch() *blockScratch {
	w := &blockScratch{}
	span := s.n + 1
	for _, level := range s.levels {
		b := level.b
		w.plans = append(w.plans, newRealFFT(2*b))
		w.acc = append(w.acc, make([]complex128, b+1))
		w.real = append(w.real, make([]float64, 2*b))
		known := make([][][]complex128, s.k)
		for i := range known {
			known[i] = make([][]complex128, (span+b-1)/b)
			for t := range known[i] {
				known[i][t] = make([]complex128, b+1)
			}
		}
		w.known = append(w.known, known)
		span = b
	}
	return w
}

// solve turns the tilted right-hand side x into the tilted solution, in place.
func (s *blockSolver) solve(ctx context.Context, x [][]float64) error {
	return s.span(ctx, s.scratch(), x, 0, 0, s.n+1)
}

// span solves steps lo..hi−1, to which everything before lo has already been
// added.
func (s *blockSolver) span(ctx context.Context, w *blockScratch, x [][]float64, depth, lo, hi int) error {
	if depth == len(s.levels) {
		s.base(x, lo, hi)
		return nil
	}
	b := s.levels[depth].b
	blocks := (hi - lo + b - 1) / b
	for t := range blocks {
		if b >= 1024 || t&15 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		from, to := lo+t*b, min(hi, lo+(t+1)*b)
		if t > 0 {
			s.gather(w, x, depth, t, from, to)
		}
		if err := s.span(ctx, w, x, depth+1, from, to); err != nil {
			return err
		}
		if t < blocks-1 {
			buf := w.real[depth]
			for i := range s.k {
				clear(buf[b:])
				copy(buf[:b], x[i][from:to])
				w.plans[depth].Coefficients(w.known[depth][i][t], buf)
			}
		}
	}
	return nil
}

// gather adds to block t what blocks 0..t−1 of the same span contribute.
func (s *blockSolver) gather(w *blockScratch, x [][]float64, depth, t, from, to int) {
	level := &s.levels[depth]
	b, acc, buf := level.b, w.acc[depth], w.real[depth]
	scale := 1 / float64(2*b)
	for i := range s.k {
		any := false
		for j := range s.k {
			pieces := level.pieces[i*s.k+j]
			for d := 1; d <= t && d < len(pieces); d++ {
				if pieces[d] == nil {
					break
				}
				if !any {
					clear(acc)
					any = true
				}
				multiplyAdd(acc, pieces[d], w.known[depth][j][t-d])
			}
		}
		if !any {
			continue
		}
		w.plans[depth].Sequence(buf, acc)
		out := x[i][from:to]
		for u := range out {
			// A sum of non-negative terms: what is below zero is rounding.
			out[u] += max(0, buf[b+u]*scale)
		}
	}
}

func multiplyAdd(acc, p, q []complex128) {
	p, q = p[:len(acc)], q[:len(acc)]
	for m := range acc {
		a, b := p[m], q[m]
		acc[m] += complex(real(a)*real(b)-imag(a)*imag(b), real(a)*imag(b)+imag(a)*real(b))
	}
}

// base solves at most baseBlock steps by the recursion itself.
func (s *blockSolver) base(x [][]float64, lo, hi int) {
	for k := lo + 1; k < hi; k++ {
		for i := range s.k {
			v := x[i][k]
			for j := range s.k {
				if q := s.near[i*s.k+j]; q != nil {
					// Σ_{l=1..k−lo} q(l) x(k−l), q stored reversed.
					v += floats.Dot(q[baseBlock-1-(k-lo):], x[j][lo:k])
				}
			}
			x[i][k] = v
		}
	}
}

// blockCost estimates the time of the block method in units of one
// multiply-add of the direct recursion, for one right-hand side.
func blockCost(n, k, pairs int) float64 {
	steps := float64(n + 1)
	cost := steps * baseBlock / 4 * float64(pairs)
	span := steps
	for _, b := range blockLengths(n) {
		blocks := span / float64(b)
		transform := 12 * float64(bits.Len(uint(b))) // per step, there and back
		cost += steps * (transform*float64(k) + blocks*float64(pairs))
		span = float64(b)
	}
	return cost
}
