package routing

import "math"

// newton is the room that a step of Newton's method needs, and what it found.
type newton struct {
	gradient, step, trial []float64 // step leaves that of the barrier's gradient, less the mean, in the first
	decrement             float64   // of the last step, in the local norm, squared

	block, inverse []float64 // of one cluster, types × types
	inverses       []float64 // of all
	schur, z, more []float64
	side           []float64
}

func newNewton(types, clusters int) newton {
	size := types * clusters
	return newton{
		gradient: make([]float64, size), step: make([]float64, size), trial: make([]float64, size),
		block: make([]float64, types*types), inverse: make([]float64, types*types), inverses: make([]float64, types*size),
		schur: make([]float64, types*types), z: make([]float64, types), more: make([]float64, types), side: make([]float64, types),
	}
}

// step moves y by a damped step of Newton's method on relaxed/μ − Σ ln y under
// Σⱼ yᵢⱼ = 1, and reports whether it could. The Hessian has a block for each
// cluster, and the constraints tie them by one small system: with the blocks
// Hⱼ, the gradients gⱼ and the multipliers z,
//
//	dⱼ = −Hⱼ⁻¹(gⱼ + z),   (Σ Hⱼ⁻¹) z = −Σ Hⱼ⁻¹gⱼ
func (q *relaxation) step(box []span, y []float64, mu float64) bool {
	n, types := &q.work, q.types
	// The gradient less its mean by type, which the constraints allow: what is
	// left is small where y is not, so that little cancels.
	for i := range types {
		var mean sum
		for j := range q.clusters {
			mean.add(y[j*types+i] * n.gradient[j*types+i])
		}
		m := mean.value()
		for j := range q.clusters {
			at := j*types + i
			n.gradient[at] = (n.gradient[at]-m)/mu - 1/y[at]
		}
	}
	clear(n.schur)
	for j := range q.clusters {
		q.hessian(box[j], y, j, mu)
		inverse := n.inverses[j*types*types : (j+1)*types*types]
		if !invert(n.block, inverse, types) {
			return false
		}
		for k, v := range inverse {
			n.schur[k] += v
		}
	}
	if !invert(n.schur, n.inverse, types) {
		return false
	}
	clear(n.z)
	for range 3 { // the second and third take out rounding
		clear(n.side)
		for j := range q.clusters {
			inverse := n.inverses[j*types*types : (j+1)*types*types]
			for i := range types {
				d := 0.0
				for k := range types {
					d -= inverse[i*types+k] * (n.gradient[j*types+k] + n.z[k])
				}
				n.step[j*types+i] = d
				n.side[i] += d
			}
		}
		multiply(n.inverse, n.side, n.more, types)
		for i := range n.z {
			n.z[i] += n.more[i]
		}
	}
	q.balance(y)
	slope, most := 0.0, 1.0
	for j := range q.clusters {
		busy, f := 0.0, 1.0
		for i := range types {
			at := j*types + i
			d := n.step[at]
			slope += d * n.gradient[at]
			if d < 0 {
				most = min(most, -0.95*y[at]/d)
			}
			busy += q.a[at] * d
			f -= q.a[at] * y[at]
		}
		if busy > 0 {
			most = min(most, 0.95*f/busy)
		}
	}
	n.decrement = -slope
	if !(slope < 0) || math.IsInf(slope, -1) {
		n.decrement = 0
		return slope == 0
	}
	at := q.barrier(box, y, mu)
	for t := most; t > 1e-12; t /= 2 {
		for k := range y {
			n.trial[k] = y[k] + t*n.step[k]
		}
		if v := q.barrier(box, n.trial, mu); v <= at+0.1*t*slope+1e-13*math.Abs(at) {
			copy(y, n.trial)
			return true
		}
	}
	n.decrement = 0 // nothing left to gain within rounding: a smaller μ is due
	return true
}

// balance takes out of the step what rounding left of its sums by type, which
// would otherwise become requests that are routed nowhere.
func (q *relaxation) balance(y []float64) {
	for i := range q.types {
		var off, all sum
		for j := range q.clusters {
			at := j*q.types + i
			off.add(q.work.step[at])
			all.add(y[at] * y[at])
		}
		part := off.value() / all.value()
		for j := range q.clusters {
			at := j*q.types + i
			q.work.step[at] -= part * y[at] * y[at]
		}
	}
}

func (q *relaxation) barrier(box []span, y []float64, mu float64) float64 {
	v := q.relaxed(box, y, nil) / mu
	for _, x := range y {
		v -= math.Log(x)
	}
	return v
}

// hessian of cluster j over μ into block. That of W²/F is (2/F)·ddᵀ with
// d = ∇W − (W/F)∇F, and ∇F = −a.
func (q *relaxation) hessian(s span, y []float64, j int, mu float64) {
	n, types := &q.work, q.types
	w, r, f := q.sums(y, j)
	sum, product := s.low+s.high, s.low*s.high
	for i := range types {
		at := j*types + i
		di, ei := q.w[i]+w/f*q.a[at], q.b[at]+r/f*q.a[at]
		for k := range i + 1 {
			to := j*types + k
			dk, ek := q.w[k]+w/f*q.a[to], q.b[to]+r/f*q.a[to]
			v := 2 / (sum * f * mu) * (di*dk + product*ei*ek)
			if i == k {
				v += 1 / (y[at] * y[at])
			}
			n.block[i*types+k], n.block[k*types+i] = v, v
		}
	}
}

// invert sets out to the inverse of a symmetric positive definite matrix by its
// Cholesky factor, which takes the place of m. False: it is not definite within
// rounding.
func invert(m, out []float64, n int) bool {
	for i := range n {
		for k := range i + 1 {
			v := m[i*n+k]
			for l := range k {
				v -= m[i*n+l] * m[k*n+l]
			}
			if i == k {
				if !(v > 0) || math.IsInf(v, 1) {
					return false
				}
				m[i*n+i] = math.Sqrt(v)
			} else {
				m[i*n+k] = v / m[k*n+k]
			}
		}
	}
	for c := range n {
		for i := c; i < n; i++ { // L⁻¹, column by column, below the diagonal
			v := 0.0
			if i == c {
				v = 1
			}
			for l := c; l < i; l++ {
				v -= m[i*n+l] * out[l*n+c]
			}
			out[i*n+c] = v / m[i*n+i]
		}
	}
	for i := range n {
		for k := range i + 1 { // L⁻ᵀL⁻¹; column i of L⁻¹ starts at row i ≥ k
			v := 0.0
			for l := i; l < n; l++ {
				v += out[l*n+i] * out[l*n+k]
			}
			m[i*n+k] = v
		}
	}
	for i := range n {
		for k := range i + 1 {
			out[i*n+k], out[k*n+i] = m[i*n+k], m[i*n+k]
		}
	}
	return true
}

func multiply(m, v, out []float64, n int) {
	for i := range n {
		out[i] = 0
		for k := range n {
			out[i] += m[i*n+k] * v[k]
		}
	}
}
