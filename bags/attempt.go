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
func losses(c course, w times, step float64, cells int) []float64 {
	out := make([]float64, cells)
	if c.down == nil {
		return out
	}
	ends := make([]float64, len(w))
	longest := 0.0
	for k, n := range w {
		ends[k] = c.residual(n.speed)
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
		after := c.residual(at + step)
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
func gains(c course, w times, step float64, cells int) []float64 {
	out := make([]float64, cells)
	for _, n := range w {
		if i := int(math.Ceil(n.speed/step - 1e-9)); i < cells {
			out[i] += n.share * c.residual(n.speed)
		}
	}
	for i := 1; i < cells; i++ {
		out[i] += out[i-1]
	}
	return out
}

// restarting is the law of the time from a task's first start until its result,
// where an attempt that a machine's leaving ends is begun anew elsewhere after a
// delay. With w the time of the task, R what is left of the machine's stay and D
// the delay
//
//	F(t) = Σ_w p_w [P(R > w) 1{w <= t} + ∫_0^w F(t − r − D) dP(R <= r)]
//
// on a grid, forward in t, the losses summed over cells.
func restarting(c course, w times, delay float64, step float64, cells int) grid {
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

// waiting is the law of the time of a result that waits on its machine while that
// is away: the time of the task and as many absences as stays end meanwhile,
//
//	F(t) = Σ_w p_w Σ_k P(k stays end within w) P(D₁ + ... + D_k <= t − w)
//
// with both laws on grids.
//
// fresh is the share of tasks that a machine takes when it comes, the others being
// taken by machines found up.
func waiting(c course, w times, fresh, step float64, cells int) grid {
	g := grid{step, make([]float64, cells)}
	if c.down == nil {
		for i := range g.f {
			for _, n := range w {
				if n.speed <= float64(i)*step {
					g.f[i] += n.share
				}
			}
		}
		return g
	}
	longest := 0.0
	for _, n := range w {
		longest = max(longest, n.speed)
	}
	const workCells, most = 100, 30
	workStep := longest / workCells
	// ends[i] is the chance that the k-th stay ends within cell i of work.
	first, full := make([]float64, workCells), make([]float64, workCells)
	for i := range workCells {
		a, b := float64(i)*workStep, float64(i+1)*workStep
		full[i] = c.stay(a) - c.stay(b)
		first[i] = (1-fresh)*(c.residual(a)-c.residual(b)) + fresh*full[i]
	}
	down := make([]float64, cells)
	for i := range cells {
		down[i] = law.Survival(c.down, max(0, (float64(i)-0.5)*step)) - law.Survival(c.down, (float64(i)+0.5)*step)
	}
	absent := make([]float64, cells) // mass of the sum of k absences
	absent[0] = 1
	ends := first
	before := func(k int, e []float64, at float64) float64 { // chance that the k-th ends before
		if k == 0 {
			return 1
		}
		sum := 0.0
		for i, m := range e {
			sum += m * math.Min(1, math.Max(0, (at-float64(i)*workStep)/workStep))
		}
		return sum
	}
	var last []float64
	for k := range most {
		// sums[i] is the mass below cell i, of which each is spread over its width.
		sums := make([]float64, cells+1)
		for i, m := range absent {
			sums[i+1] = sums[i] + m
		}
		weightAll := 0.0
		for _, n := range w {
			p := before(k, last, n.speed) - before(k+1, ends, n.speed)
			if k == most-1 {
				p = before(k, last, n.speed)
			}
			weightAll += n.share * before(k+1, ends, n.speed)
			if p < 1e-12 {
				continue
			}
			late := 0.5 - n.speed/step
			for i := max(0, int(-late)); i < cells; i++ {
				if at := float64(i) + late; at >= 0 {
					k := int(at)
					g.f[i] += n.share * p * (sums[k] + (at-float64(k))*(sums[k+1]-sums[k]))
				}
			}
		}
		if weightAll < 1e-9 {
			break
		}
		last, ends = ends, convolve(ends, full)
		absent = convolve(absent, down)
	}
	return g
}

func convolve(a, b []float64) []float64 {
	out := make([]float64, len(a))
	for i, x := range a {
		if x == 0 {
			continue
		}
		for k := 0; i+k < len(out); k++ {
			out[i+k] += x * b[k]
		}
	}
	return out
}
