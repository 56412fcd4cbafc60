package reliability

import (
	"context"
	"math"
)

// A passage is the state of a run towards the outage, time in units of 1/Λ.
type passage struct {
	logAlive float64 // log P(no outage yet)
	failed   float64 // P(outage), by its own sum
	upTime   float64 // ∫ P(no outage) dt
	steps    int
}

// exponentialPassage is the passage when the time to outage is exponential.
func exponentialPassage(window, logMean float64) passage {
	if window == 0 {
		return passage{}
	}
	x := math.Exp(math.Log(window) - logMean)
	p := passage{logAlive: -x, failed: -math.Expm1(-x), upTime: window}
	if x > 0 {
		p.upTime = window * (p.failed / x)
	}
	return p
}

// An outageChain is the birth-death chain of a ReplicaSet up to its first
// outage, uniformised: probabilities per step of length unit.
type outageChain struct {
	unit   float64   // 1/Λ in the caller's unit of time
	fail   []float64 // d → d+1, d = 0..k-m; the last leads to the outage
	repair []float64 // d → d-1
	stay   []float64
}

func newOutageChain(s ReplicaSet) *outageChain {
	n := s.Replicas - s.Needed + 1
	c := &outageChain{fail: make([]float64, n), repair: make([]float64, n), stay: make([]float64, n)}
	base := math.Min(s.MTTF, s.MTTR)
	lambda, mu := base/s.MTTF, base/s.MTTR
	top := lambda
	for d := range n {
		c.fail[d] = float64(s.Replicas-d) * lambda
		c.repair[d] = float64(min(d, s.crews())) * mu
		top = math.Max(top, c.fail[d]+c.repair[d])
	}
	if top == 0 { // MTTR/MTTF underflowed and there is no repair to count
		top = 1
	}
	for d := range n {
		c.fail[d] /= top
		c.repair[d] /= top
		c.stay[d] = math.Max(0, 1-c.fail[d]-c.repair[d])
	}
	c.unit = base / top
	return c
}

// logMeanToOutage returns the log of the mean time to the first outage from
// the law v of the number down, from the mean times h(d) to go from d to d+1:
// h(d) = (1 + repair(d) h(d-1)) / fail(d).
func (s ReplicaSet) logMeanToOutage(v []float64) float64 {
	logH := 0.0
	start := 0.0 // P(initial state <= d)
	total := math.Inf(-1)
	for d, p := range v {
		if d == 0 {
			logH = 0
		} else {
			logH = logAdd(0, math.Log(float64(min(d, s.crews())))-math.Log(s.MTTR)+logH)
		}
		logH -= math.Log(float64(s.Replicas-d)) - math.Log(s.MTTF)
		start += p
		total = logAdd(total, math.Log(start)+logH)
	}
	return total
}

func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) || math.IsInf(a, 1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// run carries the law v (total 1, overwritten) through the window.
func (c *outageChain) run(ctx context.Context, v []float64, window float64) (passage, error) {
	var (
		p         passage
		last      = len(v) - 1
		next, out = make([]float64, len(v)), make([]float64, len(v))
		before    = make([]float64, len(v))
		chunk     = 32.0
		change    = math.Inf(1)
		pw        poissonWindow
	)
	asked := max(1, (1<<20)/len(v)) // steps between two looks at the context
	for remaining := window; remaining > 0; {
		if err := ctx.Err(); err != nil {
			return p, err
		}
		h := math.Min(chunk, remaining)
		pw.set(h)
		copy(before, v)
		clear(out)
		absorbed, upTime := 0.0, 0.0
		for n, w := range pw.weight {
			if n%asked == asked-1 {
				if err := ctx.Err(); err != nil {
					return p, err
				}
			}
			mass := c.step(v, next, out, w)
			absorbed += pw.above[n] * v[last] * c.fail[last]
			upTime += pw.above[n] * mass
			v, next = next, v
		}
		p.steps += len(pw.weight)
		alive := 0.0
		for _, x := range out {
			alive += x
		}
		// Mass is conserved up to rounding: put the rounding back.
		scale := 1 / (alive + absorbed)
		mass := math.Exp(p.logAlive)
		p.failed += mass * absorbed * scale
		p.upTime += mass * upTime * scale
		if absorbed < alive {
			p.logAlive += math.Log1p(-absorbed * scale)
		} else {
			p.logAlive += math.Log(alive * scale)
		}
		for d := range v {
			v[d] = out[d] / alive
		}
		remaining -= h
		if remaining <= 0 {
			break
		}
		prev := change
		change = largestChange(before, v)
		if settled(change, prev) {
			c.finish(&p, v[last]*c.fail[last], remaining)
			break
		}
		// Doubling, but never through more decay than a float can hold.
		chunk = math.Min(2*h, 1<<17)
		if lost := -math.Log(alive*scale) / h; lost > 0 {
			chunk = math.Max(16, math.Min(chunk, 100/lost))
		}
	}
	if p.logAlive < -0.5 {
		p.failed = -math.Expm1(p.logAlive)
	}
	return p, nil
}

// step adds w·v to out, puts v·P into next and returns the mass of v.
func (c *outageChain) step(v, next, out []float64, w float64) float64 {
	mass := 0.0
	n := len(v)
	out, next = out[:n], next[:n]
	fail, repair, stay := c.fail[:n], c.repair[:n], c.stay[:n]
	inflow := 0.0 // from d-1
	for d, x := range v {
		mass += x
		out[d] += w * x
		y := x*stay[d] + inflow
		if d+1 < n {
			y += v[d+1] * repair[d+1]
		}
		if y < 1e-300 { // keep clear of subnormal arithmetic
			y = 0
		}
		next[d] = y
		inflow = x * fail[d]
	}
	return mass
}

// finish applies the decay at rate theta over the rest of the window.
func (c *outageChain) finish(p *passage, theta, rest float64) {
	x := theta * rest
	mass := math.Exp(p.logAlive)
	lost := -math.Expm1(-x)
	p.failed += mass * lost
	if x > 0 {
		p.upTime += mass * rest * (lost / x)
	} else {
		p.upTime += mass * rest
	}
	p.logAlive -= x
}

// largestChange returns the greatest relative change of a component that a
// float can resolve.
func largestChange(a, b []float64) float64 {
	worst := 0.0
	for i := range a {
		if b[i] < 1e-290 {
			continue
		}
		worst = math.Max(worst, math.Abs(a[i]/b[i]-1))
	}
	return worst
}

// settled reports whether the law is within about 1e-14 of its limit. The
// distance falls geometrically; as the chunks double, the ratio of two
// successive changes is the contraction over at most the chunk before.
func settled(change, prev float64) bool {
	return change <= 1e-13 || change < prev && change < 1e-5 && change*(change/prev) <= 1e-15
}

// A poissonWindow holds the Poisson probabilities of mean h, down to 1e-300,
// and the probabilities of exceeding each count, both by positive sums.
type poissonWindow struct {
	h             float64
	weight, above []float64
}

func (p *poissonWindow) set(h float64) {
	if p.h == h && p.weight != nil {
		return
	}
	const tiny = 1e-300
	p.h = h
	mode := int(h)
	w := append(p.weight[:0], make([]float64, mode+1)...)
	w[mode] = 1
	for n := mode; n > 0 && w[n] > tiny; n-- {
		w[n-1] = w[n] * float64(n) / h
	}
	for n := mode; w[n] > tiny; n++ {
		w = append(w, w[n]*h/float64(n+1))
	}
	p.weight = w
	p.above = append(p.above[:0], make([]float64, len(w))...)
	tail := 0.0
	for n := len(w) - 1; n >= 0; n-- {
		p.above[n] = tail
		tail += w[n]
	}
	for n := range w {
		p.weight[n] /= tail
		p.above[n] /= tail
	}
}
