package queueing

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/integrate/quad"
)

// panelOrder is the number of Chebyshev coefficients on a panel.
const panelOrder = 16

type chebyshev [panelOrder]float64

// panelRules are the nodes on −1..1 that panels are worked out at.
type panelRules struct {
	lobatto [panelOrder]float64             // ends included
	toSum   [panelOrder][panelOrder]float64 // values at lobatto → coefficients
	gauss   [panelOrder]float64             // exact up to degree 31
	weight  [panelOrder]float64
}

var rules = sync.OnceValue(func() *panelRules {
	r := &panelRules{}
	const last = panelOrder - 1
	for i := range r.lobatto {
		r.lobatto[i] = -math.Cos(math.Pi * float64(i) / last)
	}
	for j := range r.toSum {
		for i := range r.toSum[j] {
			v := 2. / last * math.Cos(float64(j)*math.Pi*float64(last-i)/last)
			if i == 0 || i == last {
				v /= 2
			}
			if j == 0 || j == last {
				v /= 2
			}
			r.toSum[j][i] = v
		}
	}
	quad.Legendre{}.FixedLocations(r.gauss[:], r.weight[:], -1, 1)
	return r
})

// sampled interpolates f at the Chebyshev points of from..to.
func sampled(f func(x float64) float64, from, to float64) (c chebyshev) {
	r := rules()
	var v [panelOrder]float64
	for i, x := range r.lobatto {
		v[i] = f(from + (to-from)*(x+1)/2)
	}
	for j := range c {
		for i, x := range v {
			c[j] += r.toSum[j][i] * x
		}
	}
	return c
}

// at evaluates by Clenshaw's recurrence, −1 ≤ x ≤ 1.
func (c *chebyshev) at(x float64) float64 {
	a, b, twice := 0.0, 0.0, 2*x
	for j := panelOrder - 1; j > 0; j-- {
		a, b = c[j]+twice*a-b, a
	}
	return c[0] + x*a - b
}

// slope returns the derivative with respect to x.
func (c *chebyshev) slope() (d chebyshev) {
	for j := panelOrder - 1; j > 0; j-- {
		above := 0.0
		if j+1 < panelOrder {
			above = d[j+1]
		}
		d[j-1] = above + 2*float64(j)*c[j]
	}
	d[0] /= 2
	return d
}

// toEnd returns the integral from x to 1.
func (c *chebyshev) toEnd(x float64) float64 {
	r, half, sum := rules(), (1-x)/2, 0.0
	for i, w := range r.weight[:] {
		sum += w * c.at(x+half*(r.gauss[i]+1))
	}
	return half * sum
}

// integral returns the antiderivative with respect to x, 0 at x = 1.
func (c *chebyshev) integral() (b [panelOrder + 1]float64) {
	for j := 1; j <= panelOrder; j++ {
		below, above := c[j-1], 0.0
		if j == 1 {
			below *= 2
		}
		if j+1 < panelOrder {
			above = c[j+1]
		}
		b[j] = (below - above) / (2 * float64(j))
		b[0] -= b[j]
	}
	return b
}

// rest returns the weight of the coefficients from n on.
func (c *chebyshev) rest(n int) float64 {
	sum := 0.0
	for _, v := range c[n:] {
		sum += math.Abs(v)
	}
	return sum
}
