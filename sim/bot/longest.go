package bot

import "github.com/capplan/capplan/sim"

// A copying holds the units that run on machines, those with the fewest copies in the cloud first
// and of these that which was assigned first. What it holds of a unit is passed over where that has
// more copies by then, is done, or waits again: each change that may bring a unit forward puts it
// in once more, so that a worker finds its next unit in the logarithm of their number. It is empty
// until a worker first asks, for most of what machines do is done by then.
type copying struct {
	begun bool
	units sim.Agenda[copied] // by rank in place of time
}

// copied is a unit, and how many copies of it were given out when it was put in.
type copied struct {
	unit   int32
	copies int16
}

// rankStep is more than there are units in a bag.
const rankStep = 1 << 32

// copyable puts a unit among those that may be copied, if it runs on a machine.
func (r *run) copyable(u int32) {
	if unit := &r.units[u]; r.copying.begun && unit.running > 0 && !unit.done {
		r.copying.units.Queue(rankStep*float64(unit.copies)+float64(r.turns[u]), copied{u, unit.copies})
	}
}

// longestRunning takes out the unit that runs on a machine and has the fewest copies in the cloud,
// of these that which was assigned first; where it is given to a worker it has one more and is put
// in again.
func (r *run) longestRunning() (int32, bool) {
	if !r.copying.begun {
		r.copying.begun = true
		for u := range r.units {
			r.copyable(int32(u))
		}
	}
	for {
		_, c, ok := r.copying.units.Next()
		if !ok {
			return none, false
		}
		if unit := &r.units[c.unit]; !unit.done && unit.running > 0 && unit.copies == c.copies {
			return c.unit, true
		}
	}
}
