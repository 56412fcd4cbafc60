package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/law"
)

// rate returns the completions per second while all machines work.
func (m *model) rate() float64 {
	machines := float64(m.s.Hosts.Machines()) * m.s.Hosts.GroupAvailability()
	if m.crowd != nil {
		return m.there * m.crowd.Busy.Rate / m.crowd.Work
	}
	if len(m.tasks.Kinds) > 1 {
		return m.there / m.attempts.Each
	}
	done := 0.0
	if m.course.Down == nil {
		for _, n := range m.times {
			done += n.Share * machines / n.Speed
		}
		return done
	}
	kept, whole := 0.0, 0.0 // both depend only on the step between two saves, which is mostly the same for all speeds
	for _, n := range m.times {
		switch m.s.Server {
		case BOINC:
			done += n.Share * m.there / n.Speed
		case Checkpoint: // whole steps between two saves survive
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

// whole returns E⌊a/w⌋ = Σ P(a >= kw), with an integral in place of the terms from the 200th on.
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

// firstAsk returns the mean time until an idle machine first asks: E G²/(2 E G) for a gap G =
// Ask·(0.5 + U).
func (m *model) firstAsk() float64 { return m.rules.Ask * 13 / 24 }

// speeds returns the times of a task on the machines of a flow.
func (m *model) speeds() attempts.Times { return m.machines.OfFlow(m.n, m.there) }
