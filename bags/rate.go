package bags

import (
	"github.com/capplan/capplan/law"
)

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
