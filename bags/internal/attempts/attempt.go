package attempts

import (
	"math"

	"github.com/capplan/capplan/law"
)

// A Grid holds a distribution function F at times 0, Step, 2 Step, ...
type Grid struct {
	Step float64
	F    []float64
}

// At interpolates; beyond the end it returns the last value.
func (g Grid) At(t float64) float64 {
	if len(g.F) == 0 || math.IsNaN(t) {
		return math.NaN()
	}
	if t <= 0 {
		if t == 0 {
			return g.F[0]
		}
		return 0
	}
	i := t / g.Step
	if i >= float64(len(g.F)-1) {
		return g.F[len(g.F)-1]
	}
	k := int(i)
	return g.F[k] + (i-float64(k))*(g.F[k+1]-g.F[k])
}

// Last returns the value at its end.
func (g Grid) Last() float64 { return g.F[len(g.F)-1] }

// End returns the time of its last value.
func (g Grid) End() float64 { return g.Step * float64(len(g.F)-1) }

// Quantile inverts F; +Inf beyond the last value.
func (g Grid) Quantile(p float64) float64 {
	for i, v := range g.F {
		if v >= p && v > 0 {
			if i == 0 {
				return 0
			}
			below := g.F[i-1]
			return g.Step * (float64(i-1) + (p-below)/(v-below))
		}
	}
	return math.Inf(1)
}

// A Course says how machines come and go: the laws of their stays and of their absences, nil if
// they never leave, and the probability that one that leaves is gone for good.
type Course struct {
	Up, Down law.Law
	Gone     float64
}

// Residual returns the probability that a machine found up stays for longer than t.
func (c Course) Residual(t float64) float64 {
	if c.Down == nil {
		return 1
	}
	return max(0, 1-law.Equilibrium(c.Up, t))
}

// A Taker is the machine that is given a task: with probability Fresh one that has just come, else
// one found up.
type Taker struct {
	Course
	Fresh float64
}

// Stays returns the probability that it stays for longer than t.
func (k Taker) Stays(t float64) float64 {
	return k.Fresh*k.Stay(t) + (1-k.Fresh)*k.Residual(t)
}

// Stay returns the probability that a machine that comes stays for longer than t.
func (c Course) Stay(t float64) float64 {
	if c.Down == nil {
		return 1
	}
	return law.Survival(c.Up, t)
}

// Times holds how long a task takes on machines of each speed.
type Times []Node // Speed holds the time

// Spread returns the times of tasks whose work differs by shares.
func (w Times) Spread(works []Node) Times {
	if len(works) == 1 {
		return w
	}
	out := make(Times, 0, len(w)*len(works))
	for _, k := range works {
		for _, n := range w {
			out = append(out, Node{Share: n.Share * k.Share, Speed: n.Speed * k.Speed})
		}
	}
	return out
}

// TimesOf returns the times of a task of the given work.
func TimesOf(work float64, speeds []Node) Times {
	out := make(Times, len(speeds))
	for i, n := range speeds {
		out[i] = Node{n.Share, work / n.Speed}
	}
	return out
}

// losses returns the probability that an attempt is lost within each cell of time, because its
// machine leaves before the task is done.
func losses(c Taker, w Times, step float64, cells int) []float64 {
	out := make([]float64, cells)
	if c.Down == nil {
		return out
	}
	ends := make([]float64, len(w))
	longest := 0.0
	for k, n := range w {
		ends[k] = c.Stays(n.Speed)
		longest = max(longest, n.Speed)
	}
	before := 1.0
	last := cells - 1
	for i := range cells {
		at := float64(i) * step
		if at >= longest {
			last = i
			break
		}
		after := c.Stays(at + step)
		for k, n := range w {
			switch {
			case n.Speed >= at+step:
				out[i] += n.Share * (before - after)
			case n.Speed > at:
				out[i] += n.Share * (before - ends[k])
			}
		}
		before = after
	}
	return out[:last+1]
}

// gains returns the probability that a first attempt has succeeded by each time.
func gains(c Taker, w Times, step float64, cells int) []float64 {
	out := make([]float64, cells)
	for _, n := range w {
		if i := int(math.Ceil(n.Speed/step - 1e-9)); i < cells {
			out[i] += n.Share * c.Stays(n.Speed)
		}
	}
	for i := 1; i < cells; i++ {
		out[i] += out[i-1]
	}
	return out
}

// Restarting returns the law of the time from a task's first start to its result, if an attempt
// that ends because its machine leaves is begun anew elsewhere after a delay. With w the time of
// the task, R how long its taker stays on and D the delay,
//
//	F(t) = Σ_w p_w [P(R > w) 1{w <= t} + ∫_0^w F(t − r − D) dP(R <= r)]
//
// computed on a grid, forward in t, with the losses summed over cells. A loss is taken to be in the
// middle of its cell; the new start, a delay later, is divided between the two moments around it.
func Restarting(c Taker, w Times, delay float64, step float64, cells int) Grid {
	g := Grid{step, gains(c, w, step, cells)}
	lost := losses(c, w, step, cells)
	whole, part := math.Modf(min(delay/step+0.5, float64(cells)))
	shift := int(whole)
	anew := make([]float64, len(lost)+1) // starts anew shift cells later, shift + 1 cells later, and so on
	for k, p := range lost {
		anew[k] += (1 - part) * p
		anew[k+1] += part * p
	}
	now := 0.0 // starts anew in the cell of its loss
	if shift == 0 {
		now = anew[0]
	}
	for i := range cells {
		sum := g.F[i]
		g.F[i] = 0
		for k := 0; k < len(anew) && k <= i-shift; k++ {
			sum += anew[k] * g.F[i-k-shift]
		}
		g.F[i] = min(1, sum/(1-now))
	}
	return g
}
