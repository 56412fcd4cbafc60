package unlike

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// Outages describes failures that machines of a kind share. The machines stand in groups of equal
// size, to within one machine. Each group is up for a share of the time and down as a whole for the
// rest, independent of the other groups. While its group is up, a machine is up with probability
// p/g, independent of the others, so that the number up has the law
//
//	P(u) = Σ_m P(m)·m!/(u!(m − u)!) (p/g)ᵘ (1 − p/g)^(m−u)
//
// where m machines stand in groups that are up. Its mean is that of independent machines, its
// variance is greater. The zero value means that machines share no outages.
type Outages struct {
	Groups float64 // G ≥ 0, whole; 0: machines are independent
	Up     float64 // g within p..1, share of time that a group is up
}

// shared reports whether machines of the kind fail in groups.
func (k *Coming) shared() bool { return k.Outages.Groups > 0 && k.Outages.Up < 1 }

// Of is the kind with a number of machines. Machines that stand alone in their groups share nothing.
func (k Coming) Of(machines float64) Coming {
	if k.Machines = machines; machines <= k.Outages.Groups {
		k.Outages = Outages{}
	}
	return k
}

// even returns the machines as kinds whose groups are each of one size, the larger groups first. Groups fail
// independently of each other, so that the sum of the numbers up has the same law.
func (k Coming) even() []Coming {
	larger := math.Mod(k.Machines, k.Outages.Groups)
	if !k.shared() || larger == 0 {
		return []Coming{k}
	}
	size, few, many := math.Floor(k.Machines/k.Outages.Groups), k, k
	few.Outages.Groups, many.Outages.Groups = larger, k.Outages.Groups-larger
	return []Coming{few.Of(larger * (size + 1)), many.Of(many.Outages.Groups * size)}
}

// own is the share of time that a machine is up while its group is there.
func (k *Coming) own() float64 {
	if !k.shared() || k.Up == 0 {
		return k.Up
	}
	return math.Min(k.Up/k.Outages.Up, 1)
}

// checkOutages checks the outages that machines share.
func (k *Coming) checkOutages(c *queueing.Domain) {
	o := k.Outages
	c.AtLeastZero("groups", o.Groups)
	c.Magnitude("groups", o.Groups)
	if o.Groups != math.Floor(o.Groups) {
		c.Fail("groups", o.Groups, "a whole number")
	}
	c.Fraction("share of time that a group is up", o.Up)
	if o.Groups > 0 && k.Up > o.Up {
		c.Fail("share of time up", k.Up, "at most that of its group")
	}
}

// A presence is a number of machines that stand in groups that are up, with the logarithm of its
// chance.
type presence struct{ machines, chance float64 }

// there lists how many of count machines may stand in groups that are up, in ascending order, down
// to chances with the given logarithm. Of G groups, count mod G hold one machine more than the
// others.
func (k *Coming) there(count, least float64) []presence {
	if !k.shared() {
		return []presence{{count, 0}}
	}
	size, larger := math.Floor(count/k.Outages.Groups), math.Mod(count, k.Outages.Groups)
	smaller := k.Outages.Groups - larger
	if size == 0 { // these groups are empty
		smaller = 0
	}
	var all []presence
	small := binomialUps(smaller, k.Outages.Up, least)
	for _, l := range binomialUps(larger, k.Outages.Up, least) {
		for _, s := range small {
			if chance := l.chance + s.chance; chance >= least {
				all = append(all, presence{l.up[0]*(size+1) + s.up[0]*size, chance})
			}
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].machines < all[j].machines }) // generic, each would be 12 kB
	merged := all[:0]
	for _, p := range all {
		if n := len(merged); n > 0 && merged[n-1].machines == p.machines {
			merged[n-1].chance = logSum(merged[n-1].chance, p.chance)
		} else {
			merged = append(merged, p)
		}
	}
	whole := math.Inf(-1)
	for _, p := range merged {
		whole = logSum(whole, p.chance)
	}
	for i := range merged {
		merged[i].chance -= whole
	}
	return merged
}

// ups lists the numbers up of count machines in ascending order with the logarithm of their
// chance, down to the given one. The numbers of one presence may be taken in steps, as
// [binomialUps] does.
func (k *Coming) ups(count, least float64) []state {
	if !k.shared() {
		return binomialUps(count, k.Up, least)
	}
	var all []state
	for _, p := range k.there(count, least) {
		// If a presence is rare, each of its numbers up is rarer still, but together they count:
		// they are kept.
		some := binomialUps(p.machines, k.own(), math.Min(least-p.chance, -10))
		whole := math.Inf(-1)
		for _, r := range some {
			whole = logSum(whole, r.chance)
		}
		for _, r := range some {
			all = append(all, state{r.up, p.chance + r.chance - whole})
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].up[0] < all[j].up[0] })
	merged := all[:0]
	for _, s := range all {
		if n := len(merged); n > 0 && merged[n-1].up[0] == s.up[0] {
			merged[n-1].chance = logSum(merged[n-1].chance, s.chance)
		} else {
			merged = append(merged, s)
		}
	}
	return merged
}

// gauss returns the points and weights of a rule for means over the numbers up of count machines:
// for each presence a Gauss rule of the binomial law with at most the given number of points.
// Presences below the given logarithm of the chance are left out.
func (k *Coming) gauss(count, least float64, most int) (nodes, weights []float64) {
	for _, p := range k.there(count, least) {
		at, of := []float64{p.machines * k.own()}, []float64{1}
		if p.machines > 0 && k.own() > 0 && k.own() < 1 {
			at, of = numeric.BinomialRule(p.machines, k.own(), int(math.Min(float64(most), p.machines+1)))
		}
		floats.Scale(math.Exp(p.chance), of)
		nodes, weights = append(nodes, at...), append(weights, of...)
	}
	return nodes, weights
}

// logSum returns ln(eᵃ + eᵇ).
func logSum(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
