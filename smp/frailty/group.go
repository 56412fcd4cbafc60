package frailty

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
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
		if !(w >= 0) || !(g.Frailty[i] >= 1/extreme && g.Frailty[i] <= extreme) {
			return &smp.DomainError{
				Func:  "Model",
				Arg:   "Group " + g.Name,
				Value: w,
				Want:  "weights >= 0 and frailties within 1e-100 to 1e100",
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
	g := (&groupOf{name: name}).law(m.Shape, m.GroupShape)
	return &g
}

// frailtyShapes returns the shapes of machines and groups of greatest marginal
// likelihood.
func (f *fitting) frailtyShapes(ctx context.Context, fromShape, fromGroup float64) (shape, group float64) {
	machines, groups := f.m.Machines, f.groups
	alone := f.alone.count(machines, 1).counts
	own := func(k float64) float64 {
		var s [1]float64
		(&groupDensity{counts: alone, k: k}).at([]float64{0}, s[:])
		return s[0] + risings(alone, k)
	}
	if len(groups) == 0 {
		return bestSmooth(fromShape, own), greatestShape
	}
	for i := range groups {
		groups[i].count(machines, 1)
	}
	both := func(k, kg float64) float64 {
		return f.overGroups(ctx, own(k), func(i int) float64 { return groups[i].logMarginal(k, kg) })
	}
	if shape, group = fromShape, fromGroup; shape == 0 {
		shape, group = 1, 10
	}
	group = bestSmooth(fromGroup, func(kg float64) float64 { return both(shape, kg) })
	return bestSmooth(fromShape, func(k float64) float64 { return both(k, group) }), group
}

// overGroups adds what all groups come to, on all cores and in their order. Where it is stopped, so is
// the round that it is part of.
func (f *fitting) overGroups(ctx context.Context, sum float64, of func(i int) float64) float64 {
	each := make([]float64, len(f.groups))
	_ = parallel.All(ctx, len(each), func(i int) error {
		each[i] = of(i)
		return nil
	})
	for _, v := range each {
		sum += v
	}
	return sum
}

// frail sets the frailties of machines and the laws of groups.
func (f *fitting) frail(ctx context.Context) {
	m := f.m
	for i := range m.Machines {
		if x := &m.Machines[i]; x.Group == "" {
			x.Frailty = (x.Failures + m.Shape) / (x.Expected + m.Shape)
		}
	}
	m.Groups = slices.Grow(m.Groups[:0], len(f.groups))[:len(f.groups)]
	f.overGroups(ctx, 0, func(i int) float64 {
		of := &f.groups[i]
		g := of.count(m.Machines, 1).law(m.Shape, m.GroupShape)
		m.Groups[i] = g
		for _, i := range of.members {
			x := &m.Machines[i]
			x.Frailty = 0
			for j, phi := range g.Frailty {
				x.Frailty += g.Weight[j] * phi * (x.Failures + m.Shape) / (phi*x.Expected + m.Shape)
			}
		}
		return 0
	})
}

// scale multiplies the hazard by what makes the frailties of machines, and of
// groups, 1 on average: there the marginal likelihood is greatest over the
// scale, to which the rounds of fitting alone come slowly. It is found by the
// secant method on the logarithm, or by one step with the slope that this found last.
func (f *fitting) scale(ctx context.Context, found bool) {
	m := f.m
	excess := func(x float64) float64 {
		c := math.Exp(x)
		s := 0.0
		for i := range m.Machines {
			if y := &m.Machines[i]; y.Group == "" {
				s += m.Shape * (y.Failures - c*y.Expected) / (c*y.Expected + m.Shape)
			}
		}
		return f.overGroups(ctx, s, func(i int) float64 {
			g := f.groups[i].count(m.Machines, c).law(m.Shape, m.GroupShape)
			return m.GroupShape * (g.Mean() - 1)
		})
	}
	a, fa := 0.0, excess(0)
	// The slope is about −Σ(frailty's precision): a first step that falls short
	// of the root is enough to begin with.
	b := 1e-3
	if fa < 0 {
		b = -b
	}
	var fb float64
	if found {
		b = math.Min(math.Max(-fa/f.slope, -1), 1)
	} else {
		fb = excess(b)
		f.slope = (fb - fa) / b
	}
	for range 6 {
		if found || fb == fa || math.Abs(b-a) < 1e-5 {
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
