package smp

import (
	"context"
	"gonum.org/v1/gonum/floats"
	"math"
	"math/bits"
	"slices"
)

// A renewal is the system of Markov renewal equations
//
//	x_i(k) = b_i(k) + Σ_j Σ_{l=1..k} q_ij(l) x_j(k−l),   k = 0..n
//
// with non-negative coefficients, for i, j in a subset of the states. The
// reliability, the first-passage densities and the availability are its
// solutions for different b.
type renewal struct {
	n    int
	rows [][]arc // arcs within the subset, renumbered, lag ≤ n
	size int     // number of arcs
	tell func(done, of int)
}

// newRenewal restricts the kernel to the given states, on the given number of workers.
func newRenewal(k *Kernel, states []int, n, workers int) *renewal {
	number := numbers(len(k.rows), states)
	r := &renewal{n: n, rows: make([][]arc, len(states))}
	if k.atoms < smallWork {
		workers = 1
	}
	spread(workers, len(states), func(a int) {
		all := k.rows[states[a]]
		size := 0
		for _, e := range all {
			if number[e.to] >= 0 && int(e.lag) <= n {
				size++
			}
		}
		row := make([]arc, 0, size)
		for _, e := range all {
			if j := number[e.to]; j >= 0 && int(e.lag) <= n {
				row = append(row, arc{int32(j), e.lag, e.prob})
			}
		}
		r.rows[a] = row
	})
	for _, row := range r.rows {
		r.size += len(row)
	}
	return r
}

// pairs returns the number of pairs of states with an arc.
func (r *renewal) pairs() int {
	pairs := 0
	for _, row := range r.rows {
		seen := make([]bool, len(r.rows))
		for _, a := range row {
			if !seen[a.to] {
				seen[a.to] = true
				pairs++
			}
		}
	}
	return pairs
}

// direct solves the system in place, b becoming x, by its own recursion: n·m
// additions of non-negative terms, exact to rounding.
//
// An arc reads what a state had l steps ago. Of many states these figures lie
// far from each other, each in a line of the cache of its own, and are read
// once more from a ring of the last steps that holds the states of a step
// beside each other. Two rows are added up at the same time, so that neither
// waits for the other. What has died out, see [dead], is not carried on.
func (r *renewal) direct(ctx context.Context, x [][]float64) error {
	m, last := len(r.rows), 0
	for _, row := range r.rows {
		if len(row) > 0 {
			last = max(last, int(row[len(row)-1].lag))
		}
	}
	mask := 1<<bits.Len(uint(last)) - 1 // a ring of more steps than the longest lag
	if m < ringStates || (mask+1)*m > ringMost {
		return r.plain(ctx, x)
	}
	ring := make([]float64, (mask+1)*m)
	within := make([][]arc, m) // those of a lag of at most k
	quiet := 0                 // steps since a state last had a figure
	for k := range r.n + 1 {
		if k&15 == 0 && r.ended(ctx, k) {
			return ctx.Err()
		}
		if quiet <= last {
			r.step(x, k, ring, mask, within)
		}
		quiet++
		now := ring[k&mask*m:][:m]
		for i := range now {
			now[i] = 0
			if v := x[i][k]; v >= dead {
				now[i], quiet = v, 0
			}
		}
	}
	return nil
}

// step adds up the rows at step k from the ring; within are the arcs of a lag of at most k.
func (r *renewal) step(x [][]float64, k int, ring []float64, mask int, within [][]arc) {
	m := len(r.rows)
	for i, row := range r.rows {
		for e := len(within[i]); e < len(row) && int(row[e].lag) <= k; e++ {
			within[i] = row[:e+1]
		}
	}
	for i := 0; i < m; i += 2 {
		a, b := within[i], within[min(i+1, m-1)]
		s, t, c := 0.0, 0.0, min(len(a), len(b))
		for u, e := range a[:c] {
			f := b[u]
			s += e.prob * ring[(k-int(e.lag))&mask*m+int(e.to)]
			t += f.prob * ring[(k-int(f.lag))&mask*m+int(f.to)]
		}
		for _, e := range a[c:] {
			s += e.prob * ring[(k-int(e.lag))&mask*m+int(e.to)]
		}
		for _, f := range b[c:] {
			t += f.prob * ring[(k-int(f.lag))&mask*m+int(f.to)]
		}
		if x[i][k] += s; i+1 < m {
			x[i+1][k] += t
		}
	}
}

// From ringStates states on the recursion reads from a ring, which is of at most
// ringMost figures. One below dead adds nothing to others: a processor takes a hundred
// times as long for products that it has too few bits to hold.
const (
	ringStates, ringMost = 8, 1 << 23
	dead                 = 1e-300
)

// ended tells how far the recursion is, and reports whether the context has ended.
func (r *renewal) ended(ctx context.Context, k int) bool {
	if r.tell != nil {
		r.tell(k, r.n)
	}
	return ctx.Err() != nil
}

// plain is direct without a ring.
func (r *renewal) plain(ctx context.Context, x [][]float64) error {
	for k := 1; k <= r.n; k++ {
		if k&255 == 0 && r.ended(ctx, k) {
			return ctx.Err()
		}
		for i, row := range r.rows {
			s := 0.0
			for _, a := range row {
				if int(a.lag) > k {
					break
				}
				s += a.prob * x[a.to][k-int(a.lag)]
			}
			if x[i][k] += s; x[i][k] < dead {
				x[i][k] = 0
			}
		}
	}
	return nil
}

// at returns Σ q x at one k and i.
func (r *renewal) at(x [][]float64, i, k int) float64 {
	row := r.rows[i]
	end, _ := slices.BinarySearchFunc(row, k+1, func(a arc, lag int) int { return int(a.lag) - lag })
	row = row[:end]
	s, t := 0.0, 0.0 // two sums, so that neither waits for the other
	for len(row) >= 2 {
		a, b := row[0], row[1]
		s += a.prob * x[a.to][k-int(a.lag)]
		t += b.prob * x[b.to][k-int(b.lag)]
		row = row[2:]
	}
	for _, a := range row {
		s += a.prob * x[a.to][k-int(a.lag)]
	}
	return s + t
}

// looksAt is the number of horizons at which a solution is looked at.
const looksAt = 12

// look returns one of these horizons, p = 1..looksAt, by quadratic spacing: short
// ones, where a sojourn has its structure, and the long end.
func (r *renewal) look(p int) int {
	return int(math.Ceil(float64(r.n) * float64(p*p) / (looksAt * looksAt)))
}

// looked returns the right-hand side at the horizons looked at, by state.
func (r *renewal) looked(b [][]float64) [][]float64 {
	out := make([][]float64, len(b))
	for i := range b {
		for p := 1; p <= looksAt; p++ {
			out[i] = append(out[i], b[i][r.look(p)])
		}
	}
	return out
}

// residual returns the greatest defect of x as a solution, at the horizons
// looked at, where the right-hand side is given, relative to the solution
// itself; for a density, which may be nothing between two atoms, relative to
// the greatest from any state within the two blocks, or the eighth of the
// horizon, before, and to a millionth of its mean so far.
func (r *renewal) residual(x, given [][]float64, density bool) float64 {
	worst := 0.0
	span := max(2*blockLengths(r.n)[0], r.n/8)
	for p := 1; p <= looksAt; p++ {
		k := r.look(p)
		if k < 1 {
			continue
		}
		least := 0.0
		if density {
			for _, from := range x {
				seen := from[:k+1]
				least = math.Max(least, slices.Max(seen[max(0, k-span):]))
				least = math.Max(least, negligible*floats.Sum(seen)/float64(k+1))
			}
		}
		for i := range r.rows {
			want := given[i][p-1] + r.at(x, i, k)
			scale := math.Max(want, least)
			if x[i][k] == want || scale < underflow {
				continue
			}
			worst = math.Max(worst, math.Abs(x[i][k]-want)/scale)
		}
	}
	return worst
}

// underflow is a level at which relative errors no longer mean anything.
const underflow = 1e-290

// negligible is the share of its mean below which a density adds nothing to
// its sum.
const negligible = 1e-6
