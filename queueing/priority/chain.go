package priority

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Bounds on the exact chains of priority classes: states of the classes above,
// and the work, levels times the cube of these.
const (
	chainPhases = 420
	chainWork   = 2.5e8
	chainLost   = 1e-12 // chance beyond which the class above is cut
	chainLostOf = 1e-9  // where there are several
)

// levels is a chain whose level rises and falls by one: up, stay and down at
// every level from the number of boundary blocks on.
type levels struct {
	up, stay, down *mat.Dense
}

// rate returns R with π_{l+1} = π_l·R by logarithmic reduction; ok is false
// where a step has no solution or ctx ends. Source: Latouche, Ramaswami, J. Appl. Prob. 30,
// 1993.
func (q levels) rate(ctx context.Context) (*mat.Dense, bool) {
	n, _ := q.up.Dims()
	var minus, h, l mat.Dense
	minus.Scale(-1, q.stay)
	if !solved(h.Solve(&minus, q.up)) || !solved(l.Solve(&minus, q.down)) {
		return nil, false
	}
	one := mat.NewDense(n, n, nil)
	for i := range n {
		one.Set(i, i, 1)
	}
	g, t := mat.DenseCopyOf(&l), mat.DenseCopyOf(&h)
	for range 60 {
		if ctx.Err() != nil {
			return nil, false
		}
		var u, v, rest, square, add mat.Dense
		u.Mul(&h, &l)
		v.Mul(&l, &h)
		u.Add(&u, &v)
		rest.Sub(one, &u)
		var lu mat.LU
		lu.Factorize(&rest)
		square.Mul(&h, &h)
		h.Reset()
		if !solved(lu.SolveTo(&h, false, &square)) {
			return nil, false
		}
		square.Reset()
		square.Mul(&l, &l)
		l.Reset()
		if !solved(lu.SolveTo(&l, false, &square)) {
			return nil, false
		}
		add.Mul(t, &l)
		g.Add(g, &add)
		var next mat.Dense
		next.Mul(t, &h)
		t = &next
		if mat.Max(&add) < 1e-16 {
			break
		}
	}
	var below, r mat.Dense
	below.Mul(q.up, g)
	below.Add(&below, q.stay)
	below.Scale(-1, &below)
	// R·below = up.
	var turned mat.Dense
	if !solved(turned.Solve(below.T(), q.up.T())) {
		return nil, false
	}
	r.CloneFrom(turned.T())
	return &r, true
}

// preemptiveChain returns the mean number of the last of the classes on c
// servers where all are exponential and each interrupts those after it: a
// chain whose level is the number of the last class and whose phase is the
// numbers of the others, cut where less than 1e-12 (of several, 1e-9) is
// left of each. It is exact to about 1e-9, for three classes 1e-7. ok is false
// where the chain would be too large or ctx ends.
func preemptiveChain(ctx context.Context, c int, classes []Class) (number float64, ok bool) {
	q, ok := preemptiveOf(c, classes)
	if !ok {
		return 0, false
	}
	stay, down := q.blocks(c)
	r, ok := levels{q.lift, stay, down}.rate(ctx)
	if !ok {
		return 0, false
	}
	ratio, ok := q.ratios(ctx, r)
	if !ok {
		return 0, false
	}
	stay, _ = q.blocks(0)
	_, down = q.blocks(1)
	var close mat.Dense
	close.Mul(ratio[0], down)
	close.Add(&close, stay)
	pi, ok := stationary(&close)
	if !ok {
		return 0, false
	}
	total, number := mat.Sum(pi), 0.0
	for l := 1; l < c; l++ {
		pi = follow(pi, ratio[l-1])
		total += mat.Sum(pi)
		number += float64(l) * mat.Sum(pi)
	}
	pi = follow(pi, ratio[c-1])
	tail, ramp, ok := geometricTail(pi, r)
	if !ok {
		return 0, false
	}
	total += mat.Sum(tail)
	number += float64(c)*mat.Sum(tail) + ramp
	v := number / total
	return v, v >= 0 && !math.IsInf(v, 1)
}

// A preemptive is that chain: rates between its phases, and of the last class.
type preemptive struct {
	servers int
	up, mu  float64    // the rates at which the last class comes and is served
	free    []float64  // servers that the classes above leave it, by phase
	moves   *mat.Dense // among phases
	lift    *mat.Dense // to the next level
}

// preemptiveOf makes the chain; ok is false where it would be too large.
func preemptiveOf(c int, classes []Class) (q *preemptive, ok bool) {
	last := classes[len(classes)-1]
	above := classes[:len(classes)-1]
	size, phases, ok := phaseSizes(c, above)
	if !ok || float64(c+12)*float64(phases)*float64(phases)*float64(phases) > chainWork {
		return nil, false
	}
	q = &preemptive{
		servers: c,
		up:      last.ArrivalRate,
		mu:      1 / last.ServiceTime,
		free:    make([]float64, phases),
		moves:   mat.NewDense(phases, phases, nil),
		lift:    mat.NewDense(phases, phases, nil),
	}
	for p := range phases {
		at, left, stride := p, float64(c), phases
		for i := range above {
			stride /= size[i]
			state := at / stride
			at %= stride
			served := math.Min(float64(state), left)
			left -= served
			if state+1 < size[i] {
				q.moves.Set(p, p+stride, above[i].ArrivalRate)
			}
			if served > 0 {
				q.moves.Set(p, p-stride, served/above[i].ServiceTime)
			}
		}
		q.free[p] = left
		q.lift.Set(p, p, q.up)
	}
	return q, true
}

// phaseSizes are the numbers of each class above that are looked at, and of the phases in all; ok is
// false where there are too many.
func phaseSizes(c int, above []Class) (size []int, phases int, ok bool) {
	size = make([]int, len(above))
	phases, load := 1, 0.0
	for i, a := range above {
		load += a.ArrivalRate * a.ServiceTime
		rho := load / float64(c)
		if rho >= 1 {
			return nil, 0, false
		}
		// Beyond c the number of the classes up to here falls by about rho a step.
		lost := chainLost
		if len(above) > 1 {
			lost = chainLostOf
		}
		more := math.Ceil(math.Log(lost) / math.Log(rho))
		if rho == 0 {
			more = 1
		}
		if more > chainPhases {
			return nil, 0, false
		}
		size[i] = c + int(more) + 1
		if phases *= size[i]; phases > chainPhases {
			return nil, 0, false
		}
	}
	return size, phases, true
}

// blocks returns stay and down of a level.
func (q *preemptive) blocks(level int) (stay, down *mat.Dense) {
	phases := len(q.free)
	stay, down = mat.DenseCopyOf(q.moves), mat.NewDense(phases, phases, nil)
	for p := range phases {
		d := math.Min(q.free[p], float64(level)) * q.mu
		down.Set(p, p, d)
		stay.Set(p, p, -mat.Sum(q.moves.RowView(p))-q.up-d)
	}
	return stay, down
}

// ratios returns R_l with π_{l+1} = π_l·R_l below the level of all servers, from which on it is r; ok
// is false where a step has no solution or ctx ends.
func (q *preemptive) ratios(ctx context.Context, r *mat.Dense) (ratio []*mat.Dense, ok bool) {
	ratio = make([]*mat.Dense, q.servers)
	next := r
	for l := q.servers - 1; l >= 0; l-- {
		if ctx.Err() != nil {
			return nil, false
		}
		if l < q.servers-1 {
			stay, _ := q.blocks(l + 1)
			_, down := q.blocks(l + 2)
			var back, turned mat.Dense
			back.Mul(next, down)
			back.Add(&back, stay)
			back.Scale(-1, &back)
			if !solved(turned.Solve(back.T(), q.lift.T())) {
				return nil, false
			}
			next = mat.DenseCopyOf(turned.T())
		}
		ratio[l] = next
	}
	return ratio, true
}

// stationary returns π with π·Q = 0 and sum 1.
func stationary(q *mat.Dense) (*mat.VecDense, bool) {
	n, _ := q.Dims()
	a := mat.DenseCopyOf(q.T())
	b := mat.NewVecDense(n, nil)
	for j := range n {
		a.Set(0, j, 1)
	}
	b.SetVec(0, 1)
	var x mat.VecDense
	return &x, solved(x.SolveVec(a, b))
}

func follow(pi *mat.VecDense, r *mat.Dense) *mat.VecDense {
	var out mat.VecDense
	out.MulVec(r.T(), pi)
	return &out
}

// solved reports whether a linear system has an answer, be it a rough one.
func solved(err error) bool {
	_, rough := err.(mat.Condition)
	return err == nil || rough
}

// geometricTail returns Σ π·Rⁱ and Σ i·π·Rⁱ·1 over i ≥ 0.
func geometricTail(pi *mat.VecDense, r *mat.Dense) (sum *mat.VecDense, ramp float64, ok bool) {
	n, _ := r.Dims()
	rest := mat.NewDense(n, n, nil)
	for i := range n {
		rest.Set(i, i, 1)
	}
	rest.Sub(rest, r)
	var lu mat.LU
	lu.Factorize(rest.T())
	var once, twice mat.VecDense
	if !solved(lu.SolveVecTo(&once, false, pi)) || !solved(lu.SolveVecTo(&twice, false, follow(&once, r))) {
		return nil, 0, false
	}
	return &once, mat.Sum(&twice), true
}
