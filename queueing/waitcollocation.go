package queueing

import "math"

// solve finds the polynomial of a panel by the equation at its Chebyshev
// points; false if the matrix is singular to rounding.
func (w *waitPanels) solve(p *waitPanel) bool {
	r := rules()
	var rows [panelOrder][panelOrder + 1]float64
	length := p.to - p.from
	for i, x := range r.lobatto {
		row := &rows[i]
		row[panelOrder] = w.history(length * (x + 1) / 2)
		w.local(row, x, length)
		largest := 0.0
		for _, v := range row[:panelOrder] {
			largest = math.Max(largest, math.Abs(v))
		}
		for j := range row {
			row[j] /= largest
		}
	}
	// The unknowns are scaled by the size of the right-hand side at the start.
	scale := math.Abs(rows[0][panelOrder])
	if !(scale > 0) {
		return false
	}
	for i := range rows {
		rows[i][panelOrder] /= scale
	}
	sum, ok := eliminate(&rows)
	for j, v := range sum {
		p.sum[j] = v * scale
	}
	return ok
}

// local fills in what the unknown panel itself adds at its point x in −1..1:
// the coefficient of the j-th Chebyshev polynomial T is
//
//	T(x)(1 − ρ + ρGₑ(τ)) + ρ ∫₀^τ G(v)(T(x) − T(x − 2v/L)) dv,  τ = (x+1)L/2
func (w *waitPanels) local(row *[panelOrder + 1]float64, x, length float64) {
	r := rules()
	tau := length * (x + 1) / 2
	free := w.gap + w.rho*w.kernel.area(tau)
	before, here := 1.0, x // T₀(x), T₁(x)
	row[0] = free
	for j := 1; j < panelOrder; j++ {
		row[j] += free * here
		before, here = here, 2*x*here-before
	}
	for n := range w.kernel.pieces {
		k := &w.kernel.pieces[n]
		// Beyond, the law of service is lost in the last digit of the row.
		if k.from >= tau || k.area+k.beyond < 1e-18*free {
			break
		}
		half := (math.Min(k.to, tau) - k.from) / 2
		for i, weight := range r.weight[:] {
			v := k.from + half*(r.gauss[i]+1)
			z := 2 * v / length // x − y
			y := x - z
			front := w.rho * half * weight * k.at(v) * z
			// D is the divided difference of T between x and y.
			dBefore, d := 0.0, 1.0
			tBefore, t := 1.0, x
			for j := 1; j < panelOrder; j++ {
				row[j] += front * d
				dBefore, d = d, 2*(t+y*d)-dBefore
				tBefore, t = t, 2*x*t-tBefore
			}
		}
	}
}

// eliminate solves the rows by Gaussian elimination with partial pivoting.
func eliminate(rows *[panelOrder][panelOrder + 1]float64) (x chebyshev, ok bool) {
	for j := range panelOrder {
		best := j
		for i := j + 1; i < panelOrder; i++ {
			if math.Abs(rows[i][j]) > math.Abs(rows[best][j]) {
				best = i
			}
		}
		rows[j], rows[best] = rows[best], rows[j]
		pivot := rows[j][j]
		if !(math.Abs(pivot) > 0) {
			return x, false
		}
		for i := j + 1; i < panelOrder; i++ {
			f := rows[i][j] / pivot
			for k := j; k <= panelOrder; k++ {
				rows[i][k] -= f * rows[j][k]
			}
		}
	}
	for j := panelOrder - 1; j >= 0; j-- {
		v := rows[j][panelOrder]
		for k := j + 1; k < panelOrder; k++ {
			v -= rows[j][k] * x[k]
		}
		x[j] = v / rows[j][j]
	}
	return x, true
}
