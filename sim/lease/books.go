package lease

import (
	"fmt"
	"math"
)

// An AuditError says that the books of a run do not balance, which is a fault of
// the program.
type AuditError struct {
	Law       string
	Got, Want float64
}

func (e *AuditError) Error() string {
	return fmt.Sprintf("lease: the books do not balance: %s: %v, want %v", e.Law, e.Got, e.Want)
}

// audit holds the laws that no run may break: node-seconds used, of overhead and
// idle add up to nodes times time, each lease that came ended in one way, which its
// type allows, and only those were preempted that may be.
func (g *grid) audit(horizon float64) error {
	for _, c := range g.clusters {
		got, want := c.tally.used+c.tally.overhead+c.tally.idle, float64(c.nodes)*horizon
		if !(math.Abs(got-want) <= 1e-9*want) {
			return &AuditError{"node-seconds used, of overhead and idle are all that there are", got, want}
		}
	}
	for typ := range Type(types) {
		sum := 0
		for s := completed; s < states; s++ {
			n := g.counts.ended[typ][s]
			if sum += n; n > 0 && !typ.may(s) {
				return &AuditError{typ.String() + " leases that ended " + stateNames[s], float64(n), 0}
			}
		}
		if came := g.counts.arrived[typ]; sum != came {
			return &AuditError{typ.String() + " leases that ended are those that came", float64(sum), float64(came)}
		}
		if n := g.counts.preempted[typ]; n > 0 && !typ.preemptable() {
			return &AuditError{"nodes preempted of " + typ.String() + " leases", float64(n), 0}
		}
	}
	return nil
}

// may reports whether leases of a type can end in a state.
func (t Type) may(s state) bool {
	switch s {
	case cancelled:
		return t == Cancelable
	case failed:
		return t == Migratable
	case rejected:
		return !t.bestEffort()
	}
	return true
}
