package queueing

import (
	"math"
	"math/cmplx"

	"github.com/capplan/capplan/internal/numeric"
)

// pollaczek is the wait of GI/G/1 and of GI/D/c: the greatest value of a random
// walk whose step is a service less the sum of k gaps. In GI/D/c customers
// leave the servers in the order in which they came to them, so that each
// server gets every c-th customer and k = c.
//
// With φ(z) = B(−z)·A(z)ᵏ for 0 < Re z < η, where A and B are the transforms
// of gap and service and φ(η) = 1,
//
//	ln E[e^(−sW)] = (1/2πi) ∫ s/(z(z+s)) ln(1 − φ(z)) dz
//
// along a line through the saddle point of φ. Its limits for s → ∞ and s → 0
// give P(W = 0) and the moments. Source: Abate, Choudhury, Whitt, Calculation
// of the GI/G/1 waiting-time distribution and its cumulants from Pollaczek's
// formulas, AEÜ 47, 1993.
type pollaczek struct {
	at        []complex128 // z_k on the upper half
	weight    []complex128 // ln(1 − φ(z_k))·dz/(2πi)
	pole      float64      // η, 1/s
	poleSlope float64      // φ′(η), s
}

// walkStep holds ln φ.
type walkStep struct {
	gap, service  Law
	k             float64
	gapMean, mean float64
	spare         float64 // k·E[gap] − E[S] > 0, s
}

// exponent returns ln φ(z), to rounding also where z is small.
func (w walkStep) exponent(z complex128) complex128 {
	return -z*complex(w.spare, 0) + complex(w.k, 0)*cumulants(w.gap, z) + cumulants(w.service, -z)
}

// cumulants returns ln E[e^(−zX)] + z·E[X], without cancellation near z = 0.
func cumulants(l Law, z complex128) complex128 {
	switch l := l.(type) {
	case Deterministic:
		return 0
	case Exponential:
		return -log1pmx(z * complex(l.Mean, 0))
	case ErlangK:
		return cumulants(l.gamma(), z)
	case Gamma:
		return -log1pmx(z*complex(l.Mean*l.SCV, 0)) / complex(l.SCV, 0)
	}
	mean, _, _ := l.Moments()
	r := l.residual(z)
	step := z * complex(mean, 0)
	return log1pmx(-step*(1-r)) + step*r
}

// log1pmx returns ln(1 + u) − u.
func log1pmx(u complex128) complex128 {
	if cmplx.Abs(u) > 0.05 {
		return cmplx.Log(1+u) - u
	}
	sum, power := complex(0, 0), -u
	for j := 2.0; j < 20; j++ {
		power *= -u
		sum -= power / complex(j, 0)
	}
	return sum
}

// slope returns d/dx ln φ at real x, by a step along the imaginary axis.
func (w walkStep) slope(x float64) float64 {
	step := x * 1e-30
	return imag(w.exponent(complex(x, step))) / step
}

// newPollaczek returns the wait; ok is false for laws whose tail is heavier
// than exponential in service, or where nothing varies.
func newPollaczek(gap, service Law, k float64) (p pollaczek, ok bool) {
	end := service.abscissa()
	if end == 0 {
		return p, false
	}
	w := walkStep{gap: gap, service: service, k: k}
	w.gapMean, _, _ = gap.Moments()
	w.mean, _, _ = service.Moments()
	w.spare = numeric.NewGapSum(0).Minus(-k, w.gapMean).Minus(1, w.mean).Value()
	// The saddle lies where the exponent, which is convex, stops falling.
	lo, hi := 0.0, math.Min(1e-3*w.spare/(w.mean*w.mean), end/2)
	for w.slope(hi) < 0 {
		lo = hi
		if hi = math.Min(2*hi, (hi+end)/2); hi >= end*(1-1e-13) || hi*w.mean > 600 {
			return p, false
		}
	}
	slopeAt := func(x float64) float64 {
		if x == 0 {
			return -w.spare
		}
		return w.slope(x)
	}
	saddle := numeric.Root(slopeAt, lo, slopeAt(lo), hi, slopeAt(hi))
	value := func(x float64) float64 { return real(w.exponent(complex(x, 0))) }
	lo, hi = saddle, saddle
	for value(hi) < 0 {
		lo = hi
		if hi = math.Min(2*hi, (hi+end)/2); hi >= end*(1-1e-15) {
			return p, false
		}
	}
	p.pole = numeric.Root(value, lo, value(lo), hi, value(hi))
	p.poleSlope = w.slope(p.pole)
	curvature := (w.slope(saddle*(1+1e-4)) - w.slope(saddle*(1-1e-4))) / (2e-4 * saddle)
	unit := math.Min(math.Min(saddle, p.pole-saddle), 1/math.Sqrt(curvature))
	p.walk(w, saddle, unit)
	return p, true
}

// walk lays the nodes y = unit·sinh(t) on the line, where the trapezoidal rule
// converges exponentially, until nothing more is added.
func (p *pollaczek) walk(w walkStep, saddle, unit float64) {
	const step = 1.0 / 10
	// A constant time only turns φ; bend the line to where it shrinks it,
	// around the zeros and poles of the other factor.
	bend, knee := 0.0, 0.0
	if _, fixed := w.service.(Deterministic); fixed {
		bend, knee = -1, 2*shortest(w.gap)
	} else if _, fixed := w.gap.(Deterministic); fixed {
		bend, knee = 1, 2*shortest(w.service)
	}
	least := 0
	for i := 0; i < 1<<12 && least < 8; i++ {
		t := float64(i) * step
		y := unit * math.Sinh(t)
		z := complex(saddle, y)
		slope := 1i
		if bend != 0 {
			root := math.Hypot(y, knee)
			z += complex(bend*y*y/(root+knee), 0)
			slope += complex(bend*y/root, 0)
		}
		phi := cmplx.Exp(w.exponent(z))
		log := numeric.CLog1p(-phi)
		d := complex(step*unit*math.Cosh(t)/(2*math.Pi), 0) * slope / 1i
		if i == 0 {
			d /= 2
		}
		p.at = append(p.at, z)
		p.weight = append(p.weight, log*d)
		if i > 0 && cmplx.Abs(log*d/z) < 1e-17*cmplx.Abs(p.weight[0]/p.at[0]) {
			least++
		} else {
			least = 0
		}
	}
}

// shortest returns the rate of the fastest phase of a law, in 1/s.
func shortest(l Law) float64 {
	rate := l.abscissa()
	if h, ok := l.(Hyperexponential); ok {
		for _, m := range h.Means {
			rate = math.Max(rate, 1/m)
		}
	}
	return rate
}

// sum returns (1/2πi)∫ g(z)·ln(1−φ(z)) dz for a g with real values on the axis.
func (p pollaczek) sum(g func(z complex128) complex128) float64 {
	total := 0.0
	for i, z := range p.at {
		total += 2 * real(p.weight[i]*g(z))
	}
	return total
}

// waitProbability returns P(W > 0).
func (p pollaczek) waitProbability() float64 {
	return -math.Expm1(p.sum(func(z complex128) complex128 { return 1 / z }))
}

// moments returns E[W] and Var W.
func (p pollaczek) moments() (mean, variance float64) {
	mean = -p.sum(func(z complex128) complex128 { return 1 / (z * z) })
	variance = -2 * p.sum(func(z complex128) complex128 { return 1 / (z * z * z) })
	return mean, variance
}

// tailWeight returns α of P(W > t) ~ α·e^(−ηt). Beyond the line the transform
// of W is e^(I(s))/(1 − φ(−s)), I the integral as it stands, which has the pole
// αη/(s + η): α = e^(I(−η))/(η·φ′(η)).
func (p pollaczek) tailWeight() float64 {
	eta := complex(p.pole, 0)
	log := p.sum(func(z complex128) complex128 { return -eta / (z * (z - eta)) })
	return math.Exp(log) / (p.pole * p.poleSlope)
}
