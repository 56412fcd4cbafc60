package numeric

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// A PowerPlane evaluates U of [Powers] for all counts below a plane,
//
//	Σ nⱼ/xⱼ ≤ 1
//
// where xⱼ > 0 is the end of the plane on the axis of factor j. By Hölder's
// inequality an integrand below the plane is nowhere above the weighted
// geometric mean of those at the ends, so that the nodes of the widest end do
// for all. Counts above the plane get a lower bound of U, which is at least
// that of what lies below the plane within them.
type PowerPlane struct {
	scale []float64
	log   [][]float64 // ln w − t, then by factor ln(1 + t/aⱼ)
	rest  [][]float64 // by factor 1/(aⱼ + t)
}

// planeEnd is where the integrand ends, against U ≥ 1: exp(−30) ≈ 1e-13.
const planeEnd = 30

// mostNodes bounds the nodes of a plane: loads of 1e12 servers take some
// hundreds.
const mostNodes = 1 << 20

// NewPowerPlane returns the plane through the ends; ok is false where their
// integrands are too narrow for floats or for a million nodes. Relative error of U about
// 1e-11 (TestPowerPlane). Panels of 16 nodes keep away from the branch points
// and are at most 6 deviations σ of the narrowest peak wide. At t an integrand
// that still counts falls no faster than planeEnd/t + t/(2σ²), because φ is
// concave from φ(0) = 0 on: hence the first panel of 18, what one without any
// factor bears, the growth by 3/2 of the way, and 40·σ²/t.
func NewPowerPlane(ends []Power) (plane *PowerPlane, ok bool) {
	t := &PowerTable{scale: make([]float64, len(ends))}
	branch := math.Inf(1)
	for j, f := range ends {
		t.scale[j] = f.Scale
		branch = math.Min(branch, f.Scale)
	}
	bounds := []float64{0}
	for from := 0.0; ; {
		over, rises, bend := from >= planeEnd, false, 0.0
		for _, f := range ends {
			over = over && f.Count*math.Log1p(from/f.Scale)-from < -planeEnd
			rises = rises || f.Count > f.Scale+from
			bend = math.Max(bend, f.Count/(f.Scale+from)/(f.Scale+from))
		}
		if over && !rises {
			break
		}
		width := math.Min(math.Min(5*(branch+from), 6/math.Sqrt(bend)), math.Max(1.5*from, 18))
		if from > 0 {
			width = math.Min(width, 40/bend/from)
		}
		if !(from+width > from) || panelNodes*len(bounds) > mostNodes {
			return nil, false
		}
		from += width
		bounds = append(bounds, from)
	}
	t.fill(bounds)
	return &PowerPlane{scale: t.scale, log: t.log, rest: t.rest}, true
}

// Nodes is the number of nodes.
func (p *PowerPlane) Nodes() int { return len(p.log[0]) }

// A PowerWeights is an integrand at the nodes of a plane: e^Top times the values.
type PowerWeights struct {
	Top   float64
	Value []float64
}

// Start sets the weights to the integrand of the given counts.
func (p *PowerPlane) Start(w *PowerWeights, counts []float64) {
	p.exponents(w, counts)
	for k, e := range w.Value {
		if e -= w.Top; e < -700 {
			w.Value[k] = 0
		} else {
			w.Value[k] = math.Exp(e)
		}
	}
}

// exponents sets the weights to the logarithms of the integrand.
func (p *PowerPlane) exponents(w *PowerWeights, counts []float64) {
	if len(w.Value) != len(p.log[0]) {
		w.Value = make([]float64, len(p.log[0]))
	}
	copy(w.Value, p.log[0])
	for j, n := range counts {
		if n != 0 {
			floats.AddScaled(w.Value, n, p.log[1+j])
		}
	}
	w.Top = floats.Max(w.Value)
}

// Log returns ln U of the counts; w is room. It is that of Start without weights that can
// be multiplied by factors, which are most of its time.
func (p *PowerPlane) Log(w *PowerWeights, counts []float64) float64 {
	p.exponents(w, counts)
	sum := 0.0
	for _, e := range w.Value {
		if e -= w.Top; e > -decayDrop {
			sum += math.Exp(e)
		}
	}
	return w.Top + math.Log(sum)
}

// Log returns ln U of the weights.
func (w *PowerWeights) Log() float64 { return w.Top + math.Log(floats.Sum(w.Value)) }

// Powers returns all integrals of the weights, which are those of the counts;
// left is room for [Powers.Left], which is 0 where the count is. V is Σ nⱼ/aⱼ ∫ t/(aⱼ + t) e^φ / h(0).
func (p *PowerPlane) Powers(w *PowerWeights, counts, left []float64) Powers {
	sum, excess, delay, start := floats.Sum(w.Value), 0.0, 0.0, 0.0
	for j, n := range counts {
		if left[j] = 0; n == 0 { // most of the types of a plan are in few of its mixes
			continue
		}
		rest := floats.Dot(w.Value, p.rest[j])
		left[j] = rest * p.scale[j] / sum
		excess += n * rest
		delay += n / p.scale[j] * math.Max(sum-p.scale[j]*rest, 0)
		start += n / p.scale[j]
	}
	out := Powers{
		Log:       w.Top + math.Log(sum),
		LogExcess: w.Top + math.Log(excess),
		LogDelay:  math.Inf(-1),
		Left:      left,
	}
	if start > 0 {
		out.LogDelay = w.Top + math.Log(delay/start)
	}
	if out.Log < 1 { // near U = 1 the excess says it better
		out.Log = math.Log1p(math.Exp(out.LogExcess))
	}
	return out
}

// Rest returns ∫ e^φ/(aⱼ + t) of the values of weights, in units of e^Top.
func (p *PowerPlane) Rest(j int, value []float64) float64 { return floats.Dot(value, p.rest[j]) }

// Factor returns (1 + t/aⱼ)^count at the nodes, +Inf beyond the range of
// floats.
func (p *PowerPlane) Factor(j int, count float64) []float64 {
	out := make([]float64, len(p.log[0]))
	for k, l := range p.log[1+j] {
		out[k] = math.Exp(count * l)
	}
	return out
}

// Longest returns ln(1 + t/aⱼ) at the last node.
func (p *PowerPlane) Longest(j int) float64 {
	l := p.log[1+j]
	return l[len(l)-1]
}
