package numeric

import (
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/dsp/fourier"
)

// WalkMax is the law of M = max(0, M' + A − c) in steady state, where A is
// compound Poisson on the whole numbers: ν batches a step, of law P. It is the
// queue left behind in M/D/c (P = 1) and the work, in units, left in M/G/1
// whose service times are whole multiples of a unit (c = 1).
type WalkMax struct {
	tail  []float64 // P(M > j)
	decay float64   // ζ: P(M > j+1)/P(M > j) → e^(−ζ)
}

// Tail returns P(M > j) for j ≥ 0.
func (w WalkMax) Tail(j float64) float64 {
	last := float64(len(w.tail) - 1)
	if j <= last {
		return w.tail[int(j)]
	}
	return w.tail[len(w.tail)-1] * math.Exp(-w.decay*(j-last))
}

// Decay returns ζ > 0, the rate at which ln P(M > j) falls per unit at last.
func (w WalkMax) Decay() float64 { return w.decay }

const (
	directFew  = 1 << 12
	directMost = 1 << 17
	walkMost   = 1 << 22
)

// NewWalkMax solves for M with ν > 0, batch[i] = P(batch = i), i ≥ 0, and
// gap = c − ν·E[batch] > 0, which the caller knows without cancellation. It
// factors 1 − z^(−c)A(z) on a circle between 1 and the pole z₀ of the
// generating function of M by the fast Fourier transform:
//
//	E[zᴹ] = exp(Σ_{k>0} d_k (zᵏ − 1)),  −ln(1 − z^(−c)A(z)) = Σ_k d_k zᵏ
//
// Where z₀ is close to 1 (heavy load) the factors 1 − 1/z and 1 − z/z₀ are
// taken out first. The error is about 1e-14 absolute, and 1e-12 of P(M > 0)
// where z₀ is not close to 1. ok is false when the transform would need more
// than 4 million points. Source: Spitzer's identity (Asmussen, Applied
// probability and queues, 2003, theorem VIII.4.2).
func NewWalkMax(c, nu float64, batch []float64, gap float64) (w WalkMax, ok bool) {
	pole, saddle := walkExponents(c, nu, batch, gap)
	if pole > 700 { // P(M > j) ≤ e^(−ζ₀(j+1)) is below the range of float64
		return WalkMax{[]float64{0}, pole}, true
	}
	if !(saddle > 0 && pole > saddle) {
		return WalkMax{}, false
	}
	room := math.Min(saddle, pole-saddle)
	depth := -gap * saddle // ln of the greatest |z^(−c)A(z)| on the circle
	for i, p := range batch {
		if p > 0 {
			depth += nu * p * Expm1mx(float64(i)*saddle)
		}
	}
	// Where waiting is rare, and only there, its chance must be resolved.
	need := 44 / room
	if (need <= directFew || need <= directMost && depth < -5) && float64(len(batch))*pole < 300 {
		size := powerOfTwo(math.Max(64, math.Max(need, 2*float64(len(batch)))))
		return walkDirect(c, nu, gap, batch, pole, saddle, size), true
	}
	for size := powerOfTwo(math.Max(1<<11, math.Max(8*float64(len(batch)), 16*c))); size <= walkMost; size *= 2 {
		if w, ok := walkHeavy(c, nu, gap, batch, pole, saddle, size); ok {
			return w, true
		}
	}
	return WalkMax{}, false
}

// walkExponents solves ν Σ pᵢ(e^{iζ} − 1) = cζ for the pole ζ₀ > 0 and
// ν Σ i pᵢ e^{iζ} = c for the saddle 0 < ζ* < ζ₀.
func walkExponents(c, nu float64, batch []float64, gap float64) (pole, saddle float64) {
	over := func(excess func(x float64) float64) float64 {
		f := func(zeta float64) float64 {
			s := 0.0
			for i, p := range batch {
				if i > 0 && p > 0 {
					x := float64(i) * zeta
					s += p * float64(i) * excess(x)
				}
			}
			return gap - nu*s
		}
		hi := math.Max(gap/c, math.SmallestNonzeroFloat64)
		for f(hi) >= 0 && !math.IsInf(hi, 1) {
			hi *= 2
		}
		return Root(f, 0, gap, hi, f(hi))
	}
	pole = over(func(x float64) float64 { return Expm1mx(x) / x })
	saddle = over(math.Expm1)
	return pole, saddle
}

func powerOfTwo(x float64) int {
	n := 1
	for float64(n) < x {
		n *= 2
	}
	return n
}

// circle holds a Fourier grid of half-shifted points r·e^{2πi(k+½)/J}.
type circle struct {
	fft  *fourier.CmplxFFT
	size int
	log  float64 // ln r
}

func (g circle) angle(k int) float64 {
	theta := 2 * math.Pi * (float64(k) + 0.5) / float64(g.size)
	if theta > math.Pi {
		theta -= 2 * math.Pi
	}
	return theta
}

// values evaluates Σ a_j zʲ on the circle.
func (g circle) values(a []float64) []complex128 {
	v := make([]complex128, g.size)
	for j, x := range a {
		if x != 0 {
			j2 := float64(j)
			v[j%g.size] += cmplx.Rect(x*math.Exp(j2*g.log), math.Pi*j2/float64(g.size))
		}
	}
	return g.fft.Sequence(nil, v)
}

// coefficients is the inverse, times rʲ; real parts.
func (g circle) coefficients(v []complex128) []float64 {
	raw := g.fft.Coefficients(nil, v)
	out := make([]float64, g.size)
	for j, x := range raw {
		j2 := float64(j)
		out[j] = real(x*cmplx.Rect(1, -math.Pi*j2/float64(g.size))) / float64(g.size)
	}
	return out
}

// exponent returns ln(z^(−c)A(z)) on the circle. Near the positive axis the
// terms of first order cancel: there it is ν Σ pᵢ(e^{iw} − 1 − iw) − gap·w
// with w = ln z.
func (g circle) exponent(c, nu, gap float64, batch []float64) []complex128 {
	p := g.values(batch)
	near := 256
	for k := range p {
		w := complex(g.log, g.angle(k))
		if k >= near && k < g.size-near {
			p[k] = complex(nu, 0)*(p[k]-1) - complex(c, 0)*w
			continue
		}
		sum := complex(0, 0)
		for i, x := range batch {
			if x > 0 {
				iw := complex(float64(i), 0) * w
				sum -= complex(x, 0) * iw * CResidualUnit(-iw)
			}
		}
		p[k] = complex(nu, 0)*sum - complex(gap, 0)*w
	}
	return p
}

func walkDirect(c, nu, gap float64, batch []float64, pole, saddle float64, size int) WalkMax {
	g := circle{fourier.NewCmplxFFT(size), size, saddle}
	v := g.exponent(c, nu, gap, batch)
	for k, e := range v {
		v[k] = -CLog1p(-cmplx.Exp(e))
	}
	d := g.coefficients(v) // d_k rᵏ; the upper half holds negative k
	half := size / 2
	d[0] = 0
	for k := half; k < size; k++ {
		d[k] = 0
	}
	sum := 0.0
	for k := half - 1; k >= 1; k-- {
		sum += d[k] * math.Exp(-saddle*float64(k))
	}
	unscaled := circle{g.fft, size, 0}
	series := unscaled.values(d)
	for k, x := range series {
		series[k] = CExpm1(x)
	}
	m := unscaled.coefficients(series)
	// From where the scaled terms have sunk near their rounding error on, the
	// tail is geometric.
	keep := int(math.Min(float64(half), math.Ceil(21/(pole-saddle))+1))
	tail := make([]float64, keep)
	zero := math.Exp(-sum)
	rest := zero * m[keep] * math.Exp(-saddle*float64(keep)) / -math.Expm1(-pole)
	for k := keep - 1; k >= 0; k-- {
		tail[k] = rest
		if k > 0 {
			rest += zero * m[k] * math.Exp(-saddle*float64(k))
		}
	}
	return WalkMax{tail, pole}
}

func walkHeavy(c, nu, gap float64, batch []float64, pole, saddle float64, size int) (WalkMax, bool) {
	g := circle{fourier.NewCmplxFFT(size), size, saddle}
	v := g.exponent(c, nu, gap, batch)
	for k, e := range v {
		theta := g.angle(k)
		v[k] = -cmplx.Log(-CExpm1(e)) +
			cmplx.Log(-CExpm1(complex(-saddle, -theta))) +
			cmplx.Log(-CExpm1(complex(saddle-pole, theta)))
	}
	d := g.coefficients(v)
	half := size / 2
	d[0] = 0
	sum := 0.0
	for k := 1; k < size; k++ {
		if k >= half {
			d[k] = 0
			continue
		}
		d[k] *= math.Exp(-saddle * float64(k))
		sum += d[k]
	}
	unit := circle{g.fft, size, 0}
	series := unit.values(d)
	for k, x := range series {
		series[k] = cmplx.Exp(x - complex(sum, 0))
	}
	r := unit.coefficients(series)
	lost := math.Max(1e-14, 1e-16*math.Abs(r[0]))
	for _, x := range r[half-half/8 : half] {
		if math.Abs(x) > lost {
			return WalkMax{}, false
		}
	}
	// What follows the last term above the rounding error is that error: left
	// in, it would be summed up and drown the tail.
	last := half
	for last > 1 && math.Abs(r[last-1]) <= lost {
		last--
	}
	clear(r[last:])
	// M is the sum of R and a geometric law of ratio e^(−ζ₀).
	tail := make([]float64, half)
	rest := make([]float64, half+1)
	for k := half - 1; k >= 0; k-- {
		rest[k] = rest[k+1] + r[k]
	}
	ratio, head := math.Exp(-pole), 0.0
	for j := range tail {
		head = ratio * (head + r[j])
		tail[j] = head + rest[j+1]
	}
	return WalkMax{tail, pole}, true
}

// Known returns the number of j for which the tail was computed one by one;
// from there on it is geometric.
func (w WalkMax) Known() int { return len(w.tail) }
