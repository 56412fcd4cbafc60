package bot

import "github.com/capplan/capplan/sim"

// A copying holds the units that run on machines in the order in which the cloud copies them:
// fewest copies in the cloud first, of these the one assigned first. An entry is ignored if its
// unit has more copies by then, is done, or waits again. Every change that may move a unit forward
// adds a new entry, so that a worker finds its next unit in the logarithm of their number. It stays
// empty until a worker first asks, because most of what machines do is done by then.
type copying struct {
	begun bool
	units sim.Agenda[copied] // with the rank in place of a time
}

// A copied is a unit, with the number of copies given out when the entry was made.
type copied struct {
	unit   int32
	copies int16
}

// rankStep is greater than the number of units of any bag.
const rankStep = 1 << 32

// copyable adds an entry for a unit if it runs on a machine.
func (r *run) copyable(u int32) {
	if unit := &r.units[u]; r.copying.begun && unit.running > 0 && !unit.done {
		r.copying.units.Queue(rankStep*float64(unit.copies)+float64(r.turns[u]), copied{u, unit.copies})
	}
}

// longestRunning removes and returns the unit that runs on a machine and has the fewest copies in
// the cloud, of these the one assigned first. When it is given to a worker it has one more copy and
// is added again.
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
