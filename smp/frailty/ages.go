package frailty

import (
	"math"
	"slices"
)

// ages fits the factors of age to the failures and to the expected exposure x of
// each bin, or only looks how likely the failures are with the tie q between
// neighbours and the fall from one to the next, and returns the logarithm of that.
//
// The logarithms of the hazards are a random walk from bin to bin, with steps of
// mean −fall and variance 1/q, from that of the whole record on, and those of
// greatest posterior density are taken: a bin with many failures has its own hazard,
// one with few what its neighbours say, and from the oldest that was seen on the
// hazard goes on to fall, or to grow, as between those that were: where all are tied
// fast it is that of Weibull's law of shape 1 − fall/ln 2. Ages that are only lower
// bounds have a walk of their own.
//
// A neighbour is thus worth q failures. It must not be worth failures at the
// neighbour's hazard, as by a gamma law with that mean: where nothing fails when
// young they take so long that they hide what fails later.
func (f *fitting) ages(x []float64, q, fall float64, keep bool) (likely float64) {
	for _, from := range []int{0, ageBins} {
		to := from + ageBins
		hazard := f.m.Age[from:to]
		if !keep {
			hazard = slices.Clone(hazard)
		}
		likely += walk(hazard, f.ageD[from:to], x[from:to], f.m.Base, q, fall)
	}
	return likely
}

// mostFall bounds the fall: beyond ln 2 some machines would never fail.
const mostFall = 0.6

// bestFall is the fall of greatest likelihood times a normal law about 0 of standard
// deviation 0.5, by golden section: few ages say little of it.
func (f *fitting) bestFall() float64 {
	return highest(-mostFall, mostFall, func(fall float64) float64 {
		return f.ages(f.ageX[:], f.m.AgePseudo, fall, false) - 2*fall*fall
	})
}

// anchor is what the hazard of the whole record is worth to that of the youngest
// bin, in failures: at most one, however even the hazard is.
func anchor(q float64) float64 { return math.Min(q, 1) }

// walk sets hazards to where
//
//	Σ_a [d_a y_a − x_a base e^(y_a) − q/2 (y_a − y_{a−1} + fall)²],   y_a = ln(hazard_a/base), y_{−1} = 0
//
// is greatest, with the anchor in place of q, and no fall, for the first a. It is concave, and its
// second derivatives are tridiagonal: Newton's method from the hazards given, whose
// steps are held to 2, comes there. It returns the logarithm of the chance of the
// failures by Laplace's method, but for what does not depend on q.
//
// From the oldest that was seen on, the steps are −fall and the chance is that of the
// others: half of the bins and more, which take no part in the method.
func walk(hazard, d, x []float64, base, q, fall float64) (likely float64) {
	n := len(hazard)
	for n > 0 && d[n-1] == 0 && x[n-1] == 0 {
		n--
	}
	y, slope, curve, step := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for a := range y {
		y[a] = math.Log(hazard[a] / base)
	}
	tie := func(a int) float64 {
		if a == 0 {
			return anchor(q)
		}
		return q
	}
	drop := func(a int) float64 {
		if a == 0 {
			return 0
		}
		return fall
	}
	for range 50 {
		before := 0.0
		for a := range y {
			expected := x[a] * base * math.Exp(y[a])
			slope[a], curve[a] = d[a]-expected-tie(a)*(y[a]-before+drop(a)), expected+tie(a)
			if a+1 < n {
				slope[a] += q * (y[a+1] - y[a] + fall)
				curve[a] += q
			}
			before = y[a]
		}
		eliminate(curve, slope, q)
		most, next := 0.0, 0.0
		for a := n - 1; a >= 0; a-- {
			step[a] = (slope[a] + q*next) / curve[a]
			next = step[a]
			most = math.Max(most, math.Abs(step[a]))
		}
		short := math.Min(1, 2/most)
		for a := range y {
			y[a] += short * step[a]
		}
		if most < 1e-9 {
			break
		}
	}
	before := 0.0
	for a := range y {
		hazard[a] = base * math.Exp(y[a])
		off := y[a] - before + drop(a)
		likely += d[a]*y[a] - x[a]*hazard[a] - tie(a)/2*off*off + math.Log(tie(a)/curve[a])/2
		before = y[a]
	}
	for a := n; a < len(hazard); a++ {
		before -= drop(a)
		hazard[a] = base * math.Exp(before)
	}
	return likely
}

// eliminate makes of a symmetric matrix with the diagonal given and −q beside it,
// and of a right side, those of the upper triangle, whose diagonal it leaves. The
// product of that is the determinant.
func eliminate(diagonal, right []float64, q float64) {
	for a := 1; a < len(diagonal); a++ {
		w := q / diagonal[a-1]
		diagonal[a] -= w * q
		right[a] += w * right[a-1]
	}
}

// spread returns the variance of Σ_a w_a y_a in a walk whose bins saw d failures:
// wᵀ C⁻¹ w, where C has d and the ties on its diagonal.
func spread(w, d []float64, q float64) float64 {
	diagonal, right := walkPrecision(d, q), slices.Clone(w)
	eliminate(diagonal, right, q)
	v := 0.0 // C = LDLᵀ, right is L⁻¹w
	for a := range right {
		v += right[a] * right[a] / diagonal[a]
	}
	return v
}

// walkPrecision is the diagonal of C, of which −q stands beside it.
func walkPrecision(d []float64, q float64) []float64 {
	diagonal := make([]float64, len(d))
	for a := range diagonal {
		diagonal[a] = d[a] + q
		if a == 0 {
			diagonal[a] = d[a] + anchor(q)
		}
		if a+1 < len(d) {
			diagonal[a] += q
		}
	}
	return diagonal
}
