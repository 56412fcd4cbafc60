package smp

import (
	"math"
	"math/bits"
	"slices"
)

// A tilt multiplies coefficient k of a series by θ^−k. Where a solution
// decays like θ^k the tilted one is flat, and the error of a Fourier
// transform, which is relative to the largest coefficient, becomes relative
// to every coefficient. Products of series are unchanged by it.
type tilt struct {
	rate      float64 // −log θ ≥ 0
	low, high []float64
}

// Powers are looked up in two tables, low[k%1024]·high[k/1024], so that each
// has three roundings at most.
const tiltTable = 1024

// maxTilt bounds rate·n, so that neither table overflows.
const maxTilt = 600

func newTilt(rate float64, n int) *tilt {
	t := &tilt{rate: rate}
	if rate == 0 {
		return t
	}
	t.low = make([]float64, tiltTable)
	for k := range t.low {
		t.low[k] = math.Exp(rate * float64(k))
	}
	t.high = make([]float64, n/tiltTable+1)
	for k := range t.high {
		t.high[k] = math.Exp(rate * float64(k*tiltTable))
	}
	return t
}

// factor returns θ^−k.
func (t *tilt) factor(k int) float64 {
	if t.rate == 0 {
		return 1
	}
	return t.low[k%tiltTable] * t.high[k/tiltTable]
}

// apply tilts x in place, undo reverses it.
func (t *tilt) apply(x []float64) {
	if t.rate != 0 {
		for k := range x {
			x[k] *= t.factor(k)
		}
	}
}

func (t *tilt) undo(x []float64) {
	if t.rate != 0 {
		for k := range x {
			x[k] /= t.factor(k)
		}
	}
}

// decay returns a rate such that the slowest solution of the system falls
// about as e^(−rate·k) over 0..n: the least of the rate at which the renewal
// matrix Σ_l q_ij(l) e^(rate·l) reaches spectral radius 1, and the rates at
// which the right-hand sides fall. It is 0 where they fall by less than e⁻⁷,
// since a plain transform then keeps enough digits. The lags are gathered
// into at most 256 bins; the rate need not be exact.
func (r *renewal) decay(b [][]float64) float64 {
	if r.n < 1 {
		return 0
	}
	limit := maxTilt / float64(r.n)
	for _, x := range b {
		if last := x[r.n]; last > 0 {
			limit = math.Min(limit, -math.Log(last)/float64(r.n))
		}
	}
	least := 7 / float64(r.n)
	if limit < least {
		return 0
	}
	g := r.gather(256)
	if limit == maxTilt/float64(r.n) && g.acyclic() {
		return 0 // all is over before the horizon, and at no rate
	}
	if g.radius(limit) <= 1 {
		return limit
	}
	low, high := 0.0, limit
	for range 50 {
		mid := (low + high) / 2
		if g.radius(mid) <= 1 {
			low = mid
		} else {
			high = mid
		}
		if high-low < 5e-3*high {
			break
		}
	}
	if low < least {
		return 0
	}
	return low
}

// A gathered kernel holds, for each pair, mass and mean lag of each bin.
type gathered struct {
	k     int
	cells []gatheredCell
}

type gatheredCell struct {
	i, j       int
	mass, mean float64
}

func (r *renewal) gather(bins int) gathered {
	k := len(r.rows)
	shift := bits.Len(uint(r.n / bins)) // bins of 2^shift lags
	g := gathered{k: k}
	mass := make([]float64, k*(r.n>>shift+1))
	first := make([]float64, len(mass))
	for i, row := range r.rows {
		clear(mass)
		clear(first)
		for _, a := range row {
			c := int(a.lag)>>shift*k + int(a.to)
			mass[c] += a.prob
			first[c] += a.prob * float64(a.lag)
		}
		for c, m := range mass {
			if m > 0 {
				g.cells = append(g.cells, gatheredCell{i, c % k, m, first[c] / m})
			}
		}
	}
	return g
}

// acyclic reports whether no state is ever come back to.
func (g gathered) acyclic() bool {
	left := make([]bool, g.k) // leads nowhere that is not left itself
	for range g.k {
		for i := range left {
			left[i] = true
			for _, c := range g.cells {
				if c.i == i && (c.j == i || !left[c.j]) {
					left[i] = false
					break
				}
			}
		}
	}
	return !slices.Contains(left, false)
}

// radius returns the spectral radius of Σ mass·e^(rate·lag), by power
// iteration on the matrix plus the identity, which has no other eigenvalue of
// the same modulus.
func (g gathered) radius(rate float64) float64 {
	m := make([]float64, g.k*g.k)
	for _, c := range g.cells {
		m[c.i*g.k+c.j] += c.mass * math.Exp(rate*c.mean)
	}
	v := make([]float64, g.k)
	w := make([]float64, g.k)
	for i := range v {
		v[i] = 1
	}
	norm := 0.0
	for range 200 {
		top := 0.0
		for i := range w {
			s := v[i]
			for j := range v {
				s += m[i*g.k+j] * v[j]
			}
			w[i] = s
			top = math.Max(top, s)
		}
		for i := range w {
			v[i] = w[i] / top
		}
		if math.Abs(top-norm) <= 1e-9*top {
			norm = top
			break
		}
		norm = top
	}
	return norm - 1
}
