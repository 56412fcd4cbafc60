package sharing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// weights are the weights wₙ ∝ (n + 1)·pₙ₊₁ of the numbers n that a customer
// may find beside it under processor sharing, by the load a and the servers c:
//
//	wₙ/wₙ₋₁ = a(n + 1)/(n·min(n + 1, c))
//
// Up to n + 1 = c they are those of Poisson, beyond (n + 1)(a/c)ⁿ, both up to a factor.
type weights struct {
	load    float64
	servers float64
	bend    float64 // the last n whose rate is 1, or 0
	atBend  float64 // ln w there
	top     float64 // the greatest ln w
	first   float64 // states that count: those whose weight is above e^−50 of the greatest
	last    float64
}

// leastWeight is ln of the weight, to the greatest, of states that count.
const leastWeight = -50

func newWeights(load, servers float64) *weights {
	w := &weights{load: load, servers: servers, bend: math.Max(math.Floor(servers)-1, 0)}
	if load == 0 {
		return w
	}
	w.atBend = w.poisson(w.bend)
	peak := math.Min(math.Floor(load), w.bend)
	if far := math.Floor(load / (servers - load)); far > w.bend {
		peak = far
	}
	w.top = w.log(peak)
	counts := func(n float64) bool { return w.log(n)-w.top >= leastWeight }
	if !counts(0) {
		w.first, _ = numeric.LeastInteger(counts, 0, peak, peak)
	}
	w.last, _ = numeric.LeastInteger(func(n float64) bool { return !counts(n) }, peak, peak+1, math.Inf(1))
	return w
}

// poisson is ln of aⁿ/n! up to a constant.
func (w *weights) poisson(n float64) float64 {
	if n == 0 {
		return -w.load
	}
	return -numeric.Deviance(n, w.load) - numeric.StirlingError(n) - 0.5*math.Log(2*math.Pi*n)
}

// log is ln wₙ, also between the whole numbers.
func (w *weights) log(n float64) float64 {
	if n <= w.bend {
		return w.poisson(n)
	}
	return w.atBend + math.Log((n+1)/(w.bend+1)) + (n-w.bend)*math.Log1p((w.load-w.servers)/w.servers)
}

// at is wₙ to the greatest.
func (w *weights) at(n float64) float64 { return math.Exp(w.log(n) - w.top) }

// rate is kₙ, that of a customer beside n others.
func (w *weights) rate(n float64) float64 { return math.Min(1, w.servers/(n+1)) }
