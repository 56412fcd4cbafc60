package smp

import (
	"context"
	"math/bits"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
)

// A blockSolver solves a renewal system with dense kernels in O(n log² n). The
// horizon is cut into blocks. What the blocks already known contribute to the
// next one is a set of convolutions of known series, done by Fourier transforms
// of the block's length, each series transformed once; the block itself is then
// solved in the same way with shorter blocks, down to baseBlock steps, where the
// recursion is added up as it stands. The error of each transform is relative to
// one block of a tilted series, not to the whole horizon, which is what a power
// series reciprocal over the whole horizon would give.
//
// The transforms of the kernel do not change after it is made, so several
// right-hand sides may be solved at the same time, each with its own scratch.
type blockSolver struct {
	n      int
	k      int
	tilt   *tilt
	near   [][]nearArcs // by state
	levels []blockLevel
	spare  sync.Pool // of *blockScratch
}

// nearArcs are the arcs to one state that are shorter than a base block.
type nearArcs struct {
	to int
	q  []float64 // q̃(l), l = baseBlock−1 … 1
}

// A blockLevel holds the transforms of all kernel pieces at one block length.
type blockLevel struct {
	b      int // block length
	fft    *rightAngle
	pieces [][][]complex128 // [i·k+j][d]: lags (d−1)b … (d+1)b−1, to the last that are not all 0
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

// newBlockSolver transforms the kernel, on the given number of workers.
func newBlockSolver(ctx context.Context, r *renewal, t *tilt, workers int) (*blockSolver, error) {
	k := len(r.rows)
	s := &blockSolver{n: r.n, k: k, tilt: t, near: make([][]nearArcs, k)}
	dense := make([][]float64, k*k) // q̃_ij(l), to its last lag
	spread(workers, k, func(i int) {
		row := r.rows[i]
		for m := len(row) - 1; m >= 0; m-- {
			a := row[m]
			c := i*k + int(a.to)
			if dense[c] == nil {
				dense[c] = make([]float64, a.lag+1)
			}
			dense[c][a.lag] = a.prob * t.factor(int(a.lag))
		}
		for j, q := range dense[i*k : (i+1)*k] {
			if q == nil {
				continue
			}
			a := nearArcs{j, make([]float64, baseBlock-1)}
			for l := 1; l < baseBlock && l < len(q); l++ {
				a.q[baseBlock-1-l] = q[l]
			}
			s.near[i] = append(s.near[i], a)
		}
	})
	span := r.n + 1
	for _, b := range blockLengths(r.n) {
		level := blockLevel{b: b, fft: newRightAngle(b), pieces: make([][][]complex128, k*k)}
		count := (span + b - 1) / b
		for c, q := range dense {
			if len(q) > 0 {
				level.pieces[c] = make([][]complex128, min(count, (len(q)-1)/b+2))
			}
		}
		spread(workers, workers, func(w int) {
			fft := level.fft.fork()
			for d := 1 + w; d < count && ctx.Err() == nil; d += workers {
				for c, q := range dense {
					if d < len(level.pieces[c]) {
						level.pieces[c][d] = fft.lags(q[(d-1)*b : min(len(q), (d+1)*b)])
					}
				}
			}
		})
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
	tables := 48 * float64(blockLengths(n)[0])
	return perStep + tables + float64(n+1)*(8*float64(pairs)+16*1.1*float64(k))
}

// A blockScratch is the working space of one right-hand side.
type blockScratch struct {
	ffts  []*rightAngle
	known [][][][]complex128 // [level][state][block]: transforms of x
	acc   [][]complex128     // by level
}

func (s *blockSolver) scratch() *blockScratch {
	w := &blockScratch{}
	span := s.n + 1
	for _, level := range s.levels {
		b := level.b
		w.ffts = append(w.ffts, level.fft.fork())
		w.acc = append(w.acc, make([]complex128, b))
		known := make([][][]complex128, s.k)
		for i := range known {
			all := make([]complex128, (span+b-1)/b*b)
			known[i] = slices.Collect(slices.Chunk(all, b))
		}
		w.known = append(w.known, known)
		span = b
	}
	return w
}

// solve turns the tilted right-hand side x into the tilted solution, in place.
func (s *blockSolver) solve(ctx context.Context, x [][]float64) error {
	w, ok := s.spare.Get().(*blockScratch)
	if !ok {
		w = s.scratch()
	}
	defer s.spare.Put(w)
	return s.span(ctx, w, x, 0, 0, s.n+1)
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
			for i := range s.k {
				w.ffts[depth].steps(w.known[depth][i][t], x[i][from:to])
			}
		}
	}
	return nil
}

// gather adds to block t what blocks 0..t−1 of the same span contribute.
func (s *blockSolver) gather(w *blockScratch, x [][]float64, depth, t, from, to int) {
	level := &s.levels[depth]
	acc := w.acc[depth]
	for i := range s.k {
		any := false
		for j := range s.k {
			pieces := level.pieces[i*s.k+j]
			known := w.known[depth][j]
			last := min(t, len(pieces)-1)
			if last < 1 {
				continue
			}
			if !any {
				clear(acc)
				any = true
			}
			d := 1
			for ; d < last; d += 2 {
				multiplyAddTwo(acc, pieces[d], known[t-d], pieces[d+1], known[t-d-1])
			}
			if d == last {
				multiplyAdd(acc, pieces[d], known[t-d])
			}
		}
		if any {
			w.ffts[depth].addTo(x[i][from:to], acc)
		}
	}
}

// base solves at most baseBlock steps by the recursion itself.
func (s *blockSolver) base(x [][]float64, lo, hi int) {
	for k := lo + 1; k < hi; k++ {
		for i, near := range s.near {
			for _, a := range near {
				// Σ_{l=1..k−lo} q(l) x(k−l)
				x[i][k] += floats.Dot(a.q[baseBlock-1-(k-lo):], x[a.to][lo:k])
			}
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
