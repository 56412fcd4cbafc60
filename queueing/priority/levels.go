package priority

import (
	"math"

	"github.com/capplan/capplan/queueing/internal/erlang"
	"gonum.org/v1/gonum/integrate/quad"
)

// scale returns C(c, a)/(a/c), the wait of M/M/c over that of one server of
// c-fold speed, for the load of classes 1..k.
func (p *prioritySums) scale(k int) float64 {
	a := p.load[k]
	if a == 0 {
		return 0
	}
	return erlang.C(p.c, a) * p.c / a
}

// levelRise returns (N(c, b) − N(c, a))/(b − a) for a ≤ b < c, or its limit,
// where N(c, a) = a + a·C(c, a)/(c − a) is the mean number in M/M/c: the mean
// response, in service times, of a class that brings the load from a to b.
// Where b − a is small it is the mean of the derivative, so that nothing
// cancels.
func levelRise(c, a, b float64) float64 {
	if b-a < 0.2*(c-b) && b-a < 0.2*math.Sqrt(c) {
		mean := 0.0
		if b == a {
			mean = queueSlope(c, a)
		} else {
			mean = quad.Fixed(func(x float64) float64 { return queueSlope(c, x) }, 0, 1, 12, unitInterval{a, b}, 0)
		}
		return 1 + mean
	}
	queue := func(a float64) float64 { return a * erlang.C(c, a) / (c - a) }
	return 1 + (queue(b)-queue(a))/(b-a)
}

// unitInterval is Gauss-Legendre on a..b with weights that sum to 1.
type unitInterval struct{ a, b float64 }

func (u unitInterval) FixedLocations(x, w []float64, lo, hi float64) {
	quad.Legendre{}.FixedLocations(x, w, lo, hi)
	for i := range x {
		x[i] = u.a + (u.b-u.a)*x[i]
	}
}

// queueSlope returns d/da of a·C(c, a)/(c − a). With q the queue,
// q′ = q·(1/a + C′/C + 1/(c−a)) and, from C = cB/(c − a(1−B)) and
// B′ = B(c/a − 1 + B), C′/C = (c/a − 1 + B) + (1 − B − aB′)/(c − a(1−B)).
func queueSlope(c, a float64) float64 {
	if a == 0 {
		return 0
	}
	b := erlang.B(c, a)
	rate := (c - a*erlang.Carried(c, a)) / a
	below := c - a + a*b
	lead := erlang.C(c, a) / (c - a)
	return lead * (1 + a*(rate+(1-b-a*b*rate)/below+1/(c-a)))
}
