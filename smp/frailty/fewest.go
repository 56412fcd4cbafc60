package frailty

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/smp"
)

// A Fewest is a set of machines of which one stays free with a chance asked for.
type Fewest struct {
	// Machines are indices, each the one that adds most to those before it. First come those of the
	// set, then as many more, as far as there are that many.
	Machines []int
	// Failed is the chance that none of the first 0, 1, … of Machines stays free.
	Failed []float64
	Size   int // of the set, at least 1; 0 where all machines together fall short
	// Bound is a number that no set undercuts: Size itself where it is proved least.
	Bound int
	All   float64 // chance that none of all machines stays free
}

// Fewest chooses machines of which at least one stays free with probability target,
// 0 ≤ target < 1, while the i-th expects expected[i] failures at frailty 1. The chance
// that none of a set does is that of [Model.Joint] at 0:
//
//	Π_g ∫ Π_{m in g} q_m(φ) dF_g(φ),   q_m(φ) = 1 − ((k + φL)/(k + φL + φΔL))^(k + d)
//
// Machines are added one by one, each time the one by which it falls most. Among
// machines whose q do not cross as φ grows, as all without a group, no smaller set
// reaches the target, and none of that size is better. Bound holds in any case: it is
// the size where at each φ the best machines of a group may be others. Those bounds
// F_g(n) are log-convex in n, since q grows with φ and each next q is no less, so that
// taking the least F_g(n+1)/F_g(n) first is exact for them.
//
// Time: the sum of the squares of the groups' machines, times the points of a group's
// law.
func (m *Model) Fewest(ctx context.Context, machines []Machine, expected []float64, target float64) (*Fewest, error) {
	ctx = given.Context(ctx)
	if !(target >= 0 && target < 1) {
		return nil, &smp.DomainError{Func: "Model.Fewest", Arg: "target", Value: target, Want: "0 <= target < 1"}
	}
	if err := distinct("Model.Fewest", machines, expected); err != nil {
		return nil, err
	}
	most := (1 - target) * (1 + 1e-12) // a target that is met but for rounding is met
	var groups, relaxed []*failing
	for _, members := range inGroups(machines) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		g := m.failing(machines, expected, members)
		groups, relaxed = append(groups, g), append(relaxed, g.relaxed())
	}
	f := &Fewest{All: 1}
	for _, g := range relaxed {
		f.All *= g.after(g.q...)
	}
	switch {
	case !(f.All >= 0 && f.All <= 1+1e-6):
		return nil, &smp.DomainError{Func: "Model.Fewest", Arg: "Model", Value: f.All, Want: "chances from 0 to 1"}
	case f.All > most:
		return f, nil
	}
	_, least, err := choose(ctx, relaxed, len(machines),
		func(n int, failed float64) bool { return n > 0 && failed <= most })
	if err != nil {
		return nil, err
	}
	f.Machines, f.Failed, err = choose(ctx, groups, len(machines), func(n int, failed float64) bool {
		if f.Size == 0 && failed <= most {
			f.Size = n
		}
		return f.Size > 0 && n >= 2*f.Size
	})
	f.Bound = min(len(least)-1, f.Size) // of rounding alone it could be greater
	return f, err
}

// failing is how likely members of a group fail, all of them, at each point of the
// law of their frailty.
type failing struct {
	weight  []float64 // of the points, times the chance that all chosen so far fail there
	members []int
	q       [][]float64 // by member and point
	ordered bool        // members are taken as they stand

	next  int // of q, the best to come; −1: none
	ratio float64
}

// failing returns that of some machines of one group.
func (m *Model) failing(machines []Machine, expected []float64, members []int) *failing {
	law := &Group{Frailty: []float64{1}, Weight: []float64{1}}
	if name := machines[members[0]].Group; name != "" {
		law = m.group(name)
	}
	g := &failing{weight: slices.Clone(law.Weight), members: slices.Clone(members)}
	for _, i := range members {
		x := machines[i]
		q := make([]float64, len(law.Frailty))
		for j, phi := range law.Frailty {
			// 1 − survivalAt, with the digits that the difference would lose.
			q[j] = -math.Expm1(-(m.Shape + x.Failures) * math.Log1p(phi*expected[i]/(m.Shape+phi*x.Expected)))
		}
		g.q = append(g.q, q)
	}
	return g
}

// relaxed returns a group in which the n-th machine is at each φ the n-th best there.
func (g *failing) relaxed() *failing {
	r := &failing{weight: slices.Clone(g.weight), members: g.members, ordered: true}
	for range g.q {
		r.q = append(r.q, make([]float64, len(g.weight)))
	}
	column := make([]float64, len(g.q))
	for j := range g.weight {
		for i := range g.q {
			column[i] = g.q[i][j]
		}
		slices.Sort(column)
		for i := range g.q {
			r.q[i][j] = column[i]
		}
	}
	return r
}

// after returns the chance that the chosen fail, and others with them.
func (g *failing) after(others ...[]float64) float64 {
	total := 0.0
	for j, w := range g.weight {
		for _, q := range others {
			w *= q[j]
		}
		total += w
	}
	return total
}

// seek finds the machine that is best to come.
func (g *failing) seek() {
	before := g.after()
	g.next, g.ratio = -1, math.Inf(1)
	for i, q := range g.q {
		if q == nil {
			continue
		}
		ratio := 0.0
		if before > 0 {
			ratio = g.after(q) / before
		}
		if g.next < 0 || ratio < g.ratio {
			g.next, g.ratio = i, ratio
		}
		if g.ordered {
			break
		}
	}
}

// take chooses the machine that seek found.
func (g *failing) take() (machine int) {
	for j := range g.weight {
		g.weight[j] *= g.q[g.next][j]
	}
	machine, g.q[g.next] = g.members[g.next], nil
	g.seek()
	return machine
}

// choose adds machines until stop, the best of all groups each time, and returns them
// with the chances that all fail.
func choose(ctx context.Context, groups []*failing, n int,
	stop func(n int, failed float64) bool) (chosen []int, failed []float64, err error) {
	for _, g := range groups {
		g.seek()
	}
	failed = []float64{1}
	for len(chosen) < n {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		best := slices.MinFunc(groups, func(a, b *failing) int { return cmp.Compare(a.ratio, b.ratio) })
		ratio := best.ratio
		chosen = append(chosen, best.take())
		failed = append(failed, failed[len(failed)-1]*ratio)
		if stop(len(chosen), failed[len(chosen)]) {
			break
		}
	}
	return chosen, failed, nil
}
