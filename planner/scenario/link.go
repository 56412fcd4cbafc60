package scenario

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
)

// Question is what the part itself says.
func (l *Link) Question() *survival.LinkQuestion {
	return &survival.LinkQuestion{
		Uplink:    ask.Number(l.Uplink),
		Downlink:  ask.Number(l.Downlink),
		Footprint: ask.Number(l.Footprint),
		Replicas:  ask.Whole(l.Replicas),
		Dedicated: ask.Whole(l.Dedicated),
	}
}
