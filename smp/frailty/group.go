package frailty

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/capplan/capplan/smp"
)

// A Group is the law of the frailty that its machines share, after what their
// records say: points and their weights.
type Group struct {
	Name    string    `json:"name"`
	Frailty []float64 `json:"frailty"` // φ, ascending
	Weight  []float64 `json:"weight"`  // sum 1
}

func (g *Group) check() error {
	if len(g.Frailty) == 0 || len(g.Frailty) != len(g.Weight) {
		return &smp.DomainError{
			Func:  "Model",
			Arg:   "Group " + g.Name,
			Value: float64(len(g.Weight)),
			Want:  "a weight for each of at least one frailty",
		}
	}
	total := 0.0
	for i, w := range g.Weight {
		if !(w >= 0) || !(g.Frailty[i] > 0) || math.IsInf(g.Frailty[i], 1) {
			return &smp.DomainError{
				Func:  "Model",
				Arg:   "Group " + g.Name,
				Value: w,
				Want:  "weights >= 0 and finite frailties > 0",
			}
		}
		total += w
	}
	if !(math.Abs(total-1) < 1e-6) {
		return &smp.DomainError{Func: "Model", Arg: "Group " + g.Name, Value: total, Want: "weights of sum 1"}
	}
	return nil
}

// Mean returns the mean of the group's frailty; NaN where points and weights do
// not pair.
func (g *Group) Mean() float64 {
	if len(g.Frailty) != len(g.Weight) {
		return math.NaN()
	}
	total := 0.0
	for i, w := range g.Weight {
		total += w * g.Frailty[i]
	}
	return total
}

// group returns a group's law; that of all groups where it is not known.
func (m *Model) group(name string) *Group {
	i, ok := slices.BinarySearchFunc(m.Groups, name,
		func(g Group, name string) int { return cmp.Compare(g.Name, name) })
	if ok && len(m.Groups[i].Frailty) == len(m.Groups[i].Weight) {
		return &m.Groups[i]
	}
	g := groupLaw(nil, nil, m.Shape, m.GroupShape)
	g.Name = name
	return &g
}

func grouped(machines []Machine) []groupOf {
	members := map[string][]int{}
	for i, x := range machines {
		if x.Group != "" {
			members[x.Group] = append(members[x.Group], i)
		}
	}
	var out []groupOf
	for _, name := range slices.Sorted(maps.Keys(members)) {
		out = append(out, groupOf{name, members[name]})
	}
	return out
}

// groupPoints is the number of points of a group's law. They are even on the
// logarithm of φ, on which the trapezoid rule gains digits as fast as the
// points grow.
const groupPoints = 49

// A groupDensity is the law of x = ln φ given the records of the members, but
// for a factor:
//
//	k_g x − k_g e^x + Σ_m [d_m x − (d_m + k) ln(1 + e^x L_m/k)]
type groupDensity struct {
	machines []Machine
	members  []int
	k, kg    float64
	failures float64
	sorted   []counted // the members by failures where it may be rough; nil: to the last digits
}

// counted are the failures of a machine, and those that were expected.
type counted struct{ failures, expected float64 }

// inProducts is the greatest k at which the logarithms of members of as many failures are taken of their product:
// what 1 + e^x L/k rounds off weighs k.
const inProducts = 100

func (g *groupDensity) at(x float64) float64 {
	phi := math.Exp(x) / g.k
	s := g.kg*(x-math.Expm1(x)) + g.failures*x
	if g.sorted != nil && g.k <= inProducts {
		p, d := 1.0, 0.0
		for _, m := range g.sorted {
			if m.failures != d || p > 1e200 {
				s -= (d + g.k) * math.Log(p)
				p, d = 1, m.failures
			}
			p *= 1 + phi*m.expected
		}
		return s - (d+g.k)*math.Log(p)
	}
	for _, i := range g.members {
		m := &g.machines[i]
		s -= (m.Failures + g.k) * math.Log1p(phi*m.Expected)
	}
	return s
}

// slope returns the first two derivatives.
func (g *groupDensity) slope(x float64) (first, second float64) {
	phi := math.Exp(x)
	first, second = g.kg*(1-phi)+g.failures, -g.kg*phi
	for _, i := range g.members {
		m := &g.machines[i]
		u := phi * m.Expected / (g.k + phi*m.Expected)
		first -= (m.Failures + g.k) * u
		second -= (m.Failures + g.k) * u * (1 - u)
	}
	return first, second
}

// groupLaw returns the law of a group's frailty on a grid about its mode.
func groupLaw(machines []Machine, members []int, k, kg float64) Group {
	xs, logs := groupGrid(machines, members, nil, k, kg)
	top := slices.Max(logs)
	g := Group{Frailty: make([]float64, len(xs)), Weight: make([]float64, len(xs))}
	total := 0.0
	for i, l := range logs {
		g.Frailty[i], g.Weight[i] = math.Exp(xs[i]), math.Exp(l-top)
		total += g.Weight[i]
	}
	for i := range g.Weight {
		g.Weight[i] /= total
	}
	return g
}

// groupGrid returns points of ln φ and the logarithm of its density there, from
// where it has fallen by e^−34 to where it has again. The density is
// log-concave: its mode is where the slope is 0, found by Newton's method
// within a bracket.
func groupGrid(machines []Machine, members []int, sorted []counted, k, kg float64) (xs, logs []float64) {
	g := groupDensity{machines: machines, members: members, sorted: sorted, k: k, kg: kg}
	for _, i := range members {
		g.failures += machines[i].Failures
	}
	low, high, mode := -60.0, 30.0, 0.0
	width := 1.0
	for range 100 {
		first, second := g.slope(mode)
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
		if mode = next; step < 1e-9 {
			break
		}
	}
	top := g.at(mode)
	const fall = 34
	end := func(sign float64) float64 {
		far := 8 * width
		for range 60 {
			v := top - g.at(mode+sign*far)
			if v > fall && v < 1.3*fall {
				break
			}
			// A parabola would end at √(fall/v) of it; the true tail is between
			// that and a line.
			far *= math.Min(math.Max(math.Pow(1.15*fall/math.Max(v, 1e-9), 0.7), 0.3), 3)
		}
		return mode + sign*far
	}
	from, to := end(-1), end(1)
	for i := range groupPoints {
		x := from + (to-from)*float64(i)/(groupPoints-1)
		xs, logs = append(xs, x), append(logs, g.at(x))
	}
	return xs, logs
}

// logGroupMarginal returns the logarithm of the chance of the members'
// failures, but for what depends on neither shape. With members by their failures it may be rough.
func logGroupMarginal(machines []Machine, members []int, sorted []counted, k, kg float64) float64 {
	xs, logs := groupGrid(machines, members, sorted, k, kg)
	top := slices.Max(logs)
	total := 0.0
	for _, l := range logs {
		total += math.Exp(l - top)
	}
	lg, _ := math.Lgamma(kg)
	// The gamma density of φ is k_g^k_g/Γ(k_g) φ^(k_g−1) e^(−k_g φ); at() has
	// e^(k_g(x − e^x + 1)) of it.
	s := top + math.Log(total*(xs[1]-xs[0])) + kg*math.Log(kg) - kg - lg
	for _, i := range members {
		s += rising(machines[i].Failures, k)
	}
	return s
}

// byFailures returns the counts of members in the order of their failures.
func byFailures(machines []Machine, members []int) []counted {
	out := make([]counted, len(members))
	for j, i := range members {
		out[j] = counted{machines[i].Failures, machines[i].Expected}
	}
	slices.SortStableFunc(out, func(a, b counted) int { return cmp.Compare(a.failures, b.failures) })
	return out
}

// shapes returns the shapes of machines and groups of greatest marginal
// likelihood.
func shapes(machines []Machine, groups []groupOf, fromShape, fromGroup float64) (shape, group float64) {
	var d, l []float64
	for _, x := range machines {
		if x.Group == "" {
			d, l = append(d, x.Failures), append(l, x.Expected)
		}
	}
	if len(groups) == 0 {
		return bestShape(fromShape, func(k float64) float64 { return LogMarginal(d, l, k) }), greatestShape
	}
	sorted := make([][]counted, len(groups))
	for i, g := range groups {
		sorted[i] = byFailures(machines, g.members)
	}
	both := func(k, kg float64, rough bool) float64 {
		s := LogMarginal(d, l, k)
		for i, g := range groups {
			if rough {
				s += logGroupMarginal(machines, g.members, sorted[i], k, kg)
			} else {
				s += logGroupMarginal(machines, g.members, nil, k, kg)
			}
		}
		return s
	}
	if shape, group = fromShape, fromGroup; shape == 0 {
		shape, group = 1, 10
	}
	group = bestShapeBy(fromGroup, func(kg float64, rough bool) float64 { return both(shape, kg, rough) })
	return bestShapeBy(fromShape, func(k float64, rough bool) float64 { return both(k, group, rough) }), group
}

// frail sets the frailties of machines and the laws of groups.
func (f *fitting) frail() {
	m := f.m
	for i := range m.Machines {
		if x := &m.Machines[i]; x.Group == "" {
			x.Frailty = (x.Failures + m.Shape) / (x.Expected + m.Shape)
		}
	}
	m.Groups = m.Groups[:0]
	for _, of := range f.groups {
		g := groupLaw(m.Machines, of.members, m.Shape, m.GroupShape)
		g.Name = of.name
		m.Groups = append(m.Groups, g)
		for _, i := range of.members {
			x := &m.Machines[i]
			x.Frailty = 0
			for j, phi := range g.Frailty {
				x.Frailty += g.Weight[j] * phi * (x.Failures + m.Shape) / (phi*x.Expected + m.Shape)
			}
		}
	}
}

// scale multiplies the hazard by what makes the frailties of machines, and of
// groups, 1 on average: there the marginal likelihood is greatest over the
// scale, to which the rounds of fitting alone come slowly. It is found by the
// secant method on the logarithm.
func (f *fitting) scale() {
	m := f.m
	excess := func(x float64) float64 {
		c := math.Exp(x)
		s := 0.0
		for i := range m.Machines {
			if y := &m.Machines[i]; y.Group == "" {
				s += m.Shape * (y.Failures - c*y.Expected) / (c*y.Expected + m.Shape)
			}
		}
		for _, of := range f.groups {
			g := f.scaled(of, c)
			s += m.GroupShape * (g.Mean() - 1)
		}
		return s
	}
	a, fa := 0.0, excess(0)
	// The slope is about −Σ(frailty's precision): a first step that falls short
	// of the root is enough to begin with.
	b := 1e-3
	if fa < 0 {
		b = -b
	}
	fb := excess(b)
	for range 6 {
		if fb == fa || math.Abs(b-a) < 1e-5 {
			break
		}
		next := b - fb*(b-a)/(fb-fa)
		next = math.Min(math.Max(next, b-1), b+1)
		a, fa = b, fb
		b = next
		fb = excess(b)
	}
	if math.IsNaN(b) || math.IsNaN(fb) {
		return
	}
	c := math.Exp(b)
	for i := range m.Age {
		m.Age[i] *= c
	}
	for i := range m.Machines {
		m.Machines[i].Expected *= c
	}
}

// scaled is the law of a group where the hazard is c times as great.
func (f *fitting) scaled(of groupOf, c float64) Group {
	part := make([]Machine, len(of.members))
	members := make([]int, len(of.members))
	for j, i := range of.members {
		part[j], members[j] = f.m.Machines[i], j
		part[j].Expected *= c
	}
	return groupLaw(part, members, f.m.Shape, f.m.GroupShape)
}
