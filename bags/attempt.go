package bags

import (
	"math"

	"github.com/capplan/capplan/law"
)

// A grid holds a distribution function at times 0, step, 2 step, ...
type grid struct {
	step float64
	f    []float64
}

// at interpolates; beyond the end it is the last value.
func (g grid) at(t float64) float64 {
	if len(g.f) == 0 || math.IsNaN(t) {
		return math.NaN()
	}
	if t <= 0 {
		if t == 0 {
			return g.f[0]
		}
		return 0
	}
	i := t / g.step
	if i >= float64(len(g.f)-1) {
		return g.f[len(g.f)-1]
	}
	k := int(i)
	return g.f[k] + (i-float64(k))*(g.f[k+1]-g.f[k])
}

// last is the value at its end, and end the time of that.
func (g grid) last() float64 { return g.f[len(g.f)-1] }

func (g grid) end() float64 { return g.step * float64(len(g.f)-1) }

// A course is how machines come and go: the laws of their stays and of their
// absences, nil where they never leave.
type course struct{ up, down law.Law }

// residual is the chance that a machine found up stays for longer than t.
func (c course) residual(t float64) float64 {
	if c.down == nil {
		return 1
	}
	return max(0, 1-law.Equilibrium(c.up, t))
}

// A taker is the machine that is given a task: with the chance fresh one that has just
// come, else one found up.
type taker struct {
	course
	fresh float64
}

// stays is the chance that it stays for longer than t.
func (k taker) stays(t float64) float64 {
	return k.fresh*k.stay(t) + (1-k.fresh)*k.residual(t)
}

// stay is the chance that a machine that comes stays for longer than t.
func (c course) stay(t float64) float64 {
	if c.down == nil {
		return 1
	}
	return law.Survival(c.up, t)
}

// times are how long a task takes on machines of each speed.
type times []node // speed holds the time

func timesOf(work float64, speeds []node) times {
	out := make(times, len(speeds))
	for i, n := range speeds {
		out[i] = node{n.share, work / n.speed}
	}
	return out
}

// losses returns the chance that an attempt is lost within each cell of time, its
// machine leaving before the task is done.
func losses(c taker, w times, step float64, cells int) []float64 {
	out := make([]float64, cells)
	if c.down == nil {
		return out
	}
	ends := make([]float64, len(w))
	longest := 0.0
	for k, n := range w {
		ends[k] = c.stays(n.speed)
		longest = max(longest, n.speed)
	}
	before := 1.0
	last := cells - 1
	for i := range cells {
		at := float64(i) * step
		if at >= longest {
			last = i
			break
		}
		after := c.stays(at + step)
		for k, n := range w {
			switch {
			case n.speed >= at+step:
				out[i] += n.share * (before - after)
			case n.speed > at:
				out[i] += n.share * (before - ends[k])
			}
		}
		before = after
	}
	return out[:last+1]
}

// gains returns the chance that a first attempt has succeeded by each time.
func gains(c taker, w times, step float64, cells int) []float64 {
	out := make([]float64, cells)
	for _, n := range w {
		if i := int(math.Ceil(n.speed/step - 1e-9)); i < cells {
			out[i] += n.share * c.stays(n.speed)
		}
	}
	for i := 1; i < cells; i++ {
		out[i] += out[i-1]
	}
	return out
}

// restarting is the law of the time from a task's first start until its result,
// where an attempt that a machine's leaving ends is begun anew elsewhere after a
// delay. With w the time of the task, R how long its taker stays on and D the delay
//
//	F(t) = Σ_w p_w [P(R > w) 1{w <= t} + ∫_0^w F(t − r − D) dP(R <= r)]
//
// on a grid, forward in t, the losses summed over cells.
func restarting(c taker, w times, delay float64, step float64, cells int) grid {
	g := grid{step, gains(c, w, step, cells)}
	lost := losses(c, w, step, cells)
	shift := max(1, int(math.Round(delay/step+0.5)))
	for i := range cells {
		for k := 0; k < len(lost) && k <= i-shift; k++ {
			g.f[i] += lost[k] * g.f[i-k-shift]
		}
		g.f[i] = min(1, g.f[i])
	}
	return g
}
