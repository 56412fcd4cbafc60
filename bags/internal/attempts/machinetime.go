package attempts

import (
	"math"

	"github.com/capplan/capplan/law"
)

// The number of time steps in which machines are followed for the variance of their time:
// fewTimeCells, or up to mostTimeCells for machines that change often.
const (
	fewTimeCells  = 160
	mostTimeCells = 320
)

// TimeVariance returns the variance of the time for which a machine is up within t, divided by the
// square of its mean A t. With p(s) the probability that a machine found up is up s later,
//
//	Var ∫ / E² = 2 ∫_0^t (t − s) (p(s) − A) ds / (A t²)
//
// p follows by renewal from r and q, which are p for machines that have just come and have just
// left:
//
//	r(s) = P(up > s) + ∫_0^s q(s − x) dP(up <= x),   q(s) = ∫_0^s r(s − x) dP(down <= x)
//
// and p like r, but for what is left of a stay. For exponential laws p(s) − A = (1 − A) e^(−s/τ)
// with 1/τ = 1/E up + 1/E down; with stays and absences that vary more, machines remain where they
// are for longer.
func (c Course) TimeVariance(t float64) float64 {
	if c.Down == nil || !(t > 0) || math.IsInf(t, 1) {
		return 0
	}
	up, down := c.Up.Mean(), c.Down.Mean()
	a := up / (up + down)
	cells := int(min(max(fewTimeCells, 4*t*(1/up+1/down)), mostTimeCells))
	step := t / float64(cells)
	goes, comes := endings(c.Up, step, cells), endings(c.Down, step, cells)
	leaves := make([]ending, cells)
	for i := range leaves {
		share := c.Residual(float64(i)*step) - c.Residual(float64(i+1)*step)
		leaves[i] = ending{share / 2, share / 2}
	}
	r, q := make([]float64, cells), make([]float64, cells)
	here, stays := 1.0, 1.0 // that a machine found up, and one that has just come, has not left
	sum := 0.0
	for i := range cells {
		here, stays = here-leaves[i].at, stays-goes[i].at
		// Solve for the values at i, which depend on each other: r = x + goes q, q = y + comes r.
		x, y := stays+before(goes, q, i), before(comes, r, i)
		r[i] = (x + goes[0].at*y) / (1 - goes[0].at*comes[0].at)
		q[i] = y + comes[0].at*r[i]
		p := here + before(leaves, q, i) + leaves[0].at*q[i] // half a cell later, when half of what ends in the cell has
		sum += (t - (float64(i)+0.5)*step) * (p - a)
		here, stays = here-leaves[i].next, stays-goes[i].next
	}
	return max(0, 2*step*sum/(a*t*t))
}

// An ending is the probability that a stay ends in a cell, divided between the cell's two ends so
// that the mean stay is kept.
type ending struct{ at, next float64 }

func endings(l law.Law, step float64, cells int) []ending {
	out := make([]ending, cells)
	mean := l.Mean()
	for i := range out {
		from, to := float64(i)*step, float64(i+1)*step
		stay, rest := law.Survival(l, from), law.Survival(l, to)
		// ∫ P(> x) dx over the cell, less the part of stays that go on, in cells.
		late := mean*(law.Equilibrium(l, to)-law.Equilibrium(l, from))/step - rest
		late = min(max(0, late), stay-rest)
		out[i] = ending{stay - rest - late, late}
	}
	return out
}

// before returns Σ over stays that end before cell i of a chance since then; the unknown chance[i]
// itself is left out.
func before(ends []ending, chance []float64, i int) float64 {
	if i == 0 {
		return 0
	}
	sum := ends[0].next * chance[i-1]
	for k := 1; k < i; k++ {
		sum += ends[k].at*chance[i-k] + ends[k].next*chance[i-k-1]
	}
	return sum + ends[i].at*chance[0]
}

// Comings returns how many machines come in each cell, for each machine that there is; the first
// value is for half a cell. They are machines away at the beginning and machines that leave and are
// not gone for good:
//
//	l(t) = A r(t) + ∫_0^t c(t − x) dP(up <= x),   c(t) = (1 − A) q(t) + (1 − p) ∫_0^t l(t − x) dP(down <= x)
//
// where l and c are the rates of leaving and coming, r and q the densities of the rest of a stay
// and of an absence, A the share that is up and p the probability that a machine is gone for good.
func (c Course) Comings(step float64, cells int) []float64 {
	up, down := c.Up.Mean(), c.Down.Mean()
	a := up / (up + down)
	goes, back := endings(c.Up, step, cells), endings(c.Down, step, cells)
	left, come := make([]float64, cells), make([]float64, cells)
	found, away := 0.0, 0.0 // half of those that leave and come in the cell before, of the machines there at the beginning
	for i := range cells {
		to := float64(i+1) * step
		leave := a * (c.Residual(to-step) - c.Residual(to)) / 2
		returns := (1 - a) * (law.Equilibrium(c.Down, to) - law.Equilibrium(c.Down, to-step)) / 2
		x := found + leave + before(goes, come, i)
		y := away + returns + (1-c.Gone)*before(back, left, i)
		// Solve for the values at i: l = x + goes c, c = y + (1 − p) back l.
		come[i] = (y + (1-c.Gone)*back[0].at*x) / (1 - (1-c.Gone)*back[0].at*goes[0].at)
		left[i] = x + goes[0].at*come[i]
		found, away = leave, returns
	}
	return come
}
