package pool

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/law"
)

// A HyperGamma is the law of exp(G), G drawn from one of two gamma laws and drawn
// again where it is above Most.
type HyperGamma struct {
	First, Second law.Gamma
	Chance        float64 // of the first
	Most          float64
}

// Lublin returns the run time of a serial job in the workload model of Lublin and
// Feitelson, seconds: a hyper-gamma law of its logarithm, cut at e¹² s = 45 h.
// Source: Lublin, Feitelson, The workload on parallel supercomputers, JPDC 63,
// 2003, table 8: shape and scale (4.2, 0.94) and (312, 0.03), chance
// 0.78 − 0.0054 of the first for one processor.
func Lublin() HyperGamma {
	return HyperGamma{
		First:  law.Gamma{Shape: 4.2, Scale: .94},
		Second: law.Gamma{Shape: 312, Scale: .03},
		Chance: .78 - .0054,
		Most:   12,
	}
}

// mostRejected bounds the draws of a law that hardly ever gives a value in its range.
const mostRejected = 10_000_000

// sound reports whether the law has a mass below its cut.
func (l HyperGamma) sound() bool {
	for _, g := range []law.Gamma{l.First, l.Second} {
		if !(g.Shape > 0 && g.Scale > 0 && g.Shape*g.Scale <= 1e6) {
			return false
		}
	}
	return l.Chance >= 0 && l.Chance <= 1 && l.Most > 0 && l.Most <= 100
}

// Draw returns a value; NaN where the parameters lie outside their domain, or all but
// nothing lies below the cut.
func (l HyperGamma) Draw(r *rand.Rand) float64 {
	left := mostRejected
	return l.draw(r, &left)
}

// draw returns a value after as many rejections as are left.
func (l HyperGamma) draw(r *rand.Rand, left *int) float64 {
	if r == nil || !l.sound() {
		return math.NaN()
	}
	for ; *left > 0; *left-- {
		g := l.Second
		if r.Float64() < l.Chance {
			g = l.First
		}
		if v := g.Draw(r); v <= l.Most {
			return math.Exp(v)
		}
	}
	return math.NaN()
}

// DrawCovering draws by rejection against the greatest value; NaN as Draw.
func (l HyperGamma) DrawCovering(r *rand.Rand) float64 {
	for left := mostRejected; left > 0; left-- {
		v := l.draw(r, &left)
		if math.IsNaN(v) || r.Float64()*math.Exp(l.Most) <= v {
			return v
		}
	}
	return math.NaN()
}

// Mean returns the mean, by quadrature; NaN where the parameters lie outside their
// domain.
func (l HyperGamma) Mean() float64 {
	if !l.sound() {
		return math.NaN()
	}
	mass, sum := 0.0, 0.0
	for _, b := range []struct {
		g law.Gamma
		p float64
	}{{l.First, l.Chance}, {l.Second, 1 - l.Chance}} {
		d := distuv.Gamma{Alpha: b.g.Shape, Beta: 1 / b.g.Scale}
		mass += b.p * d.CDF(l.Most)
		const panels = 64
		for i := range panels {
			from, to := l.Most*float64(i)/panels, l.Most*float64(i+1)/panels
			sum += b.p * quad.Fixed(func(x float64) float64 { return math.Exp(x) * d.Prob(x) }, from, to, 16,
				quad.Legendre{}, 0)
		}
	}
	return sum / mass
}

func (l HyperGamma) check(fn, arg string) error {
	if !(l.Chance >= 0 && l.Chance <= 1) {
		return &DomainError{fn, "chance in " + arg, l.Chance, "within 0..1"}
	}
	if !(l.Most > 0 && l.Most <= 100) {
		return &DomainError{fn, "greatest logarithm of " + arg, l.Most, "above 0, at most 100"}
	}
	if err := checkLaw(fn, arg, l.First); err != nil {
		return err
	}
	if err := checkLaw(fn, arg, l.Second); err != nil {
		return err
	}
	return positive(fn, "mean of "+arg, l.Mean())
}
