package frailty

import (
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// counted are the failures of a machine, and those that were expected.
type counted struct{ failures, expected float64 }

// A groupOf lists the machines of one group, in the order of their failures.
type groupOf struct {
	name    string
	members []int
	counts  []counted // of the members, see counts
	mode    float64   // of the law of the group's ln φ when it was last looked for
}

// grouped returns the groups in the order of their names; machines of no group are one of no name.
func grouped(machines []Machine) []groupOf {
	members := map[string][]int{}
	for i, x := range machines {
		members[x.Group] = append(members[x.Group], i)
	}
	var out []groupOf
	for _, name := range slices.Sorted(maps.Keys(members)) {
		of := members[name]
		sort.Slice(of, func(i, j int) bool {
			a, b := machines[of[i]].Failures, machines[of[j]].Failures
			return a < b || a == b && of[i] < of[j]
		})
		out = append(out, groupOf{name: name, members: of, counts: make([]counted, len(of))})
	}
	return out
}

// count takes the counts of the members where the hazard is c times as great.
func (g *groupOf) count(machines []Machine, c float64) *groupOf {
	for j, i := range g.members {
		g.counts[j] = counted{machines[i].Failures, c * machines[i].Expected}
	}
	return g
}

// widePoints and narrowPoints are the numbers of points of a group's law, on which the trapezoid
// rule gains digits as fast as the points grow. They are even on the logarithm of φ where the whole
// law is within narrow and so near a normal one that few take 16 digits. Else they are even on t,
//
//	ln φ = mode + t + 1 − e^−t
//
// in which the tail φ^k_g at 0 ends as soon as that of e^−k_gφ. Source: Takahasi and Mori 1974, Double
// exponential formulas for numerical integration.
const (
	widePoints   = 49
	narrowPoints = 25
	narrow       = 3
)

// A groupDensity is the law of x = ln φ given the records of the members, but
// for a factor:
//
//	k_g x − k_g e^x + Σ_m [d_m x − (d_m + k) ln(1 + e^x L_m/k)]
type groupDensity struct {
	counts   []counted // by failures
	k, kg    float64
	failures float64
}

// at sets logs to the logarithm of the density at ascending points. Members of as many failures
// share a logarithm, ln Π(1 + a) = ln(1 + q), where q has all the digits of the a, and four
// points a pass.
func (g *groupDensity) at(xs, logs []float64) {
	for from := 0; from < len(xs); from += 4 {
		var phi, q, s [4]float64
		n := min(4, len(xs)-from)
		for j, x := range xs[from : from+n] {
			e := math.Exp(x)
			more := e - 1
			if math.Abs(x) < 0.5 {
				more = math.Expm1(x)
			}
			phi[j], s[j] = e/g.k, g.kg*(x-more)+g.failures*x
		}
		d := 0.0
		flush := func() {
			for j := range n {
				s[j] -= (d + g.k) * math.Log1p(q[j])
			}
			q = [4]float64{}
		}
		p0, p1, p2, p3 := phi[0], phi[1], phi[2], phi[3]
		for _, m := range g.counts {
			if m.failures != d || q[n-1] > 1e200 {
				flush()
				d = m.failures
			}
			a, b, c, e := p0*m.expected, p1*m.expected, p2*m.expected, p3*m.expected
			q[0] += a + a*q[0]
			q[1] += b + b*q[1]
			q[2] += c + c*q[2]
			q[3] += e + e*q[3]
		}
		flush()
		copy(logs[from:], s[:n])
	}
}

// slope returns the first two derivatives.
func (g *groupDensity) slope(x float64) (first, second float64) {
	phi := math.Exp(x)
	first, second = g.kg*(1-phi)+g.failures, -g.kg*phi
	for _, m := range g.counts {
		u := phi * m.expected / (g.k + phi*m.expected)
		first -= (m.failures + g.k) * u
		second -= (m.failures + g.k) * u * (1 - u)
	}
	return first, second
}

// law returns the law of a group's frailty on a grid about its mode.
func (g *groupOf) law(k, kg float64) Group {
	xs, logs, _ := g.grid(k, kg)
	top := slices.Max(logs)
	out := Group{Name: g.name, Frailty: xs, Weight: logs}
	total := 0.0
	for i, l := range logs {
		xs[i], logs[i] = math.Exp(xs[i]), math.Exp(l-top)
		total += logs[i]
	}
	for i := range logs {
		logs[i] /= total
	}
	return out
}

// grid returns points of ln φ, and the logarithm of its density there in even steps, from
// where it has fallen by e^−34 to where it has again. The density is
// log-concave: its mode is where the slope is 0, found by Newton's method
// within a bracket.
func (g *groupOf) grid(k, kg float64) (xs, logs []float64, step float64) {
	d := groupDensity{counts: g.counts, k: k, kg: kg}
	for _, m := range g.counts {
		d.failures += m.failures
	}
	low, high, mode := -60.0, 30.0, g.mode
	width := 1.0
	for range 100 {
		first, second := d.slope(mode)
		if first > 0 {
			low = mode
		} else {
			high = mode
		}
		width = 1 / math.Sqrt(-second)
		next := mode - first/second
		if !(next > low && next < high) {
			next = (low + high) / 2
		}
		step := math.Abs(next - mode)
		if mode = next; step < 1e-6*width {
			break
		}
	}
	g.mode = mode
	const fall = 34
	x, l := [3]float64{mode - 8.7*width, mode, mode + 8.7*width}, [3]float64{}
	d.at(x[:], l[:])
	top := l[1]
	end := func(sign, v float64) float64 {
		far, short, long := 8.7*width, 0.0, math.Inf(1)
		for range 60 {
			if v > fall && v < 1.3*fall {
				break
			}
			if v > fall {
				long = far
			} else {
				short = far
			}
			// A parabola would end at √(fall/v) of it; the true tail is between
			// that and a line, or ends as e^−e^x.
			far *= math.Min(math.Max(math.Pow(1.15*fall/math.Max(v, 1e-9), 0.7), 0.3), 3)
			if !(far > short && far < long) {
				far = (short + long) / 2
			}
			x[0] = mode + sign*far
			d.at(x[:1], l[:1])
			v = top - l[0]
		}
		return mode + sign*far
	}
	above := top - l[2]
	from, to := end(-1, top-l[0])-mode, end(1, above)-mode
	points := narrowPoints
	wide := to-from >= narrow
	if wide {
		points, from, to = widePoints, unbent(from), unbent(to)
	}
	xs, logs, step = make([]float64, points), make([]float64, points), (to-from)/float64(points-1)
	for i := range xs {
		if xs[i] = from + step*float64(i); wide {
			xs[i] += -math.Expm1(-xs[i])
		}
		xs[i] += mode
	}
	d.at(xs, logs)
	if wide {
		for i := range logs {
			logs[i] += math.Log1p(math.Exp(-(from + step*float64(i))))
		}
	}
	return xs, logs, step
}

// unbent returns the t of which t + 1 − e^−t is x.
func unbent(x float64) float64 {
	t := x
	if x < 0 {
		t = -math.Log1p(-x)
	}
	for range 6 {
		e := math.Exp(-t)
		t -= (t + 1 - e - x) / (1 + e)
	}
	return t
}

// logMarginal returns the logarithm of the chance of the members'
// failures, but for what depends on neither shape.
func (g *groupOf) logMarginal(k, kg float64) float64 {
	_, logs, step := g.grid(k, kg)
	top := slices.Max(logs)
	total := 0.0
	for _, l := range logs {
		total += math.Exp(l - top)
	}
	// The gamma density of φ is k_g^k_g/Γ(k_g) φ^(k_g−1) e^(−k_g φ); at() has
	// e^(k_g(x − e^x + 1)) of it, and Stirling's formula the rest.
	return top + math.Log(total*step*math.Sqrt(kg/(2*math.Pi))) - numeric.StirlingError(kg) + risings(g.counts, k)
}

// risings is the sum of those of machines in the order of their failures.
func risings(counts []counted, k float64) float64 {
	s, one, of := 0.0, 0.0, 0.0
	for _, m := range counts {
		if m.failures != of {
			one, of = rising(m.failures, k), m.failures
		}
		s += one
	}
	return s
}
