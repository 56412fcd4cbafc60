package bags

import (
	"math"

	"github.com/capplan/capplan/law"
)

// saving is the law of a task's time where what is lost is half a step between two
// saves a leaving: Poisson with the chance of none that of the stay.
func (m *model) saving(taker taker, w times, step float64) grid {
	g := grid{step, make([]float64, gridCells)}
	for _, n := range w {
		rate := -math.Log(max(1e-12, taker.stays(n.speed)))
		p := math.Exp(-rate)
		for k := 0; k < 60 && p > 1e-12; k++ {
			at := n.speed + float64(k)*(min(m.rules.Save/2, n.speed/2)+m.delay)
			for i := range g.f {
				if float64(i)*step >= at {
					g.f[i] += n.share * p
				}
			}
			p *= rate / float64(k+1)
		}
	}
	return g
}

// rate is how many completions there are a second while all machines work.
func (m *model) rate() float64 {
	done := 0.0
	machines := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability()
	if m.course.down == nil {
		for _, n := range m.times {
			done += n.share * machines / n.speed
		}
		return done
	}
	kept, whole := 0.0, 0.0 // the step between two saves of the speed before, mostly the same
	for _, n := range m.times {
		switch m.s.Server {
		case BOINC:
			done += n.share * m.there / n.speed
		case Checkpoint: // whole steps between two saves are kept
			if step := min(m.rules.Save, n.speed); step != kept {
				kept, whole = step, m.whole(step)
			}
			done += n.share * machines / m.cycle * whole * kept / n.speed
		default:
			done += n.share * machines / m.cycle * m.whole(n.speed)
		}
	}
	return done
}

// whole is E⌊a/w⌋ = Σ P(a >= kw), from the two hundredth term on by the integral.
func (m *model) whole(w float64) float64 {
	var last [200]float64
	law.Survivals(m.course.up, w, last[:])
	sum := 0.0
	for _, p := range last {
		if p < 1e-12 {
			return sum
		}
		sum += p
	}
	return sum + m.course.residual((float64(len(last))+0.5)*w)*m.course.up.Mean()/w
}

// firstAsk is the mean time until an idle machine first asks, E G²/(2 E G) of a gap
// of Ask (0.5 + U).
func (m *model) firstAsk() float64 { return m.rules.Ask * 13 / 24 }
