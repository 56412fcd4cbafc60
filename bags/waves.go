package bags

import (
	"math"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/law"
)

// saving is the law of a task's time under Checkpoint. A task no longer than the gap between two
// saves begins anew where its machine leaves, as under XWHEP. Of a longer one what is lost is a part
// of a gap a leaving, evenly any, and leavings are Poisson with the chance of none that of the stay.
func (m *model) saving(taker attempts.Taker, w attempts.Times, step float64) attempts.Grid {
	g := attempts.Grid{Step: step, F: make([]float64, gridCells)}
	var whole attempts.Times // of tasks that are not saved
	sum := 0.0
	for _, n := range w {
		if n.Speed <= m.rules.Save {
			whole = append(whole, n)
			sum += n.Share
			continue
		}
		rate := -math.Log(max(1e-12, taker.Stays(n.Speed)))
		p := math.Exp(-rate)
		for k := 0; k < 60 && p > 1e-12; k++ {
			for i := range g.F {
				late := float64(i)*step - n.Speed - float64(k)*m.delay
				g.F[i] += n.Share * p * partsBelow(k, late/m.rules.Save)
			}
			p *= rate / float64(k+1)
		}
	}
	if sum == 0 {
		return g
	}
	for i := range whole {
		whole[i].Share /= sum
	}
	for i, v := range attempts.Restarting(taker, whole, m.delay, step, gridCells).F {
		g.F[i] += sum * v
	}
	return g
}

// partsBelow is the chance that k numbers, each evenly between 0 and 1, come to x at most in all:
//
//	Σ_{j≤x} (−1)ʲ C(k, j) (x − j)ᵏ/k!,    k ≤ 2,
//
// of more that of a normal number of mean k/2 and variance k/12, which is within .01 of it. Source:
// Hall, Biometrika 19, 1927.
func partsBelow(k int, x float64) float64 {
	switch {
	case x < 0:
		return 0
	case x >= float64(k):
		return 1
	case k == 1:
		return x
	case k == 2 && x < 1:
		return x * x / 2
	case k == 2:
		return 1 - (2-x)*(2-x)/2
	}
	return math.Erfc((float64(k)/2-x)/math.Sqrt(float64(k)/6)) / 2
}

// rate is how many completions there are a second while all machines work.
func (m *model) rate() float64 {
	done := 0.0
	machines := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability()
	if m.course.Down == nil {
		for _, n := range m.times {
			done += n.Share * machines / n.Speed
		}
		return done
	}
	kept, whole := 0.0, 0.0 // the step between two saves of the speed before, mostly the same
	for _, n := range m.times {
		switch m.s.Server {
		case BOINC:
			done += n.Share * m.there / n.Speed
		case Checkpoint: // whole steps between two saves are kept
			if step := min(m.rules.Save, n.Speed); step != kept {
				kept, whole = step, m.whole(step)
			}
			done += n.Share * machines / m.cycle * whole * kept / n.Speed
		default:
			done += n.Share * machines / m.cycle * m.whole(n.Speed)
		}
	}
	return done
}

// whole is E⌊a/w⌋ = Σ P(a >= kw), from the two hundredth term on by the integral.
func (m *model) whole(w float64) float64 {
	var last [200]float64
	law.Survivals(m.course.Up, w, last[:])
	sum := 0.0
	for _, p := range last {
		if p < 1e-12 {
			return sum
		}
		sum += p
	}
	return sum + m.course.Residual((float64(len(last))+0.5)*w)*m.course.Up.Mean()/w
}

// firstAsk is the mean time until an idle machine first asks, E G²/(2 E G) of a gap
// of Ask (0.5 + U).
func (m *model) firstAsk() float64 { return m.rules.Ask * 13 / 24 }
