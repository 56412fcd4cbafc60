package scenario

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
)

// Headroom is what a fleet of the scenario has to be able to lose; nil: nothing.
func (q *Question) Headroom() *sizing.Headroom {
	o := ask.Value(q.Objectives)
	return sizing.HeadroomOf(o.Spare, o.Zones, o.Survive)
}

// checkHeadroom looks at what may be lost.
func (q *Question) checkHeadroom() error {
	room := q.Headroom()
	if err := room.Check(); err != nil {
		return ask.In("objectives", err)
	}
	if ways := room.Ways(len(q.Machines)); ways > sizing.MostLosses {
		return wrong("objectives.spare", "fewer spare machines or fewer types",
			"%d machines of %d types can be lost in %.3g ways, and at most %d are examined", room.Spare,
			len(q.Machines), ways, sizing.MostLosses)
	}
	return nil
}
