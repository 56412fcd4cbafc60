package sizing

import (
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Headroom is what a fleet may lose and still meet its objectives: the servers
// of any Survive of its Zones, and Spare more. Servers stand in the zones as
// evenly as they can, so that the n servers that are needed take the least N
// with
//
//	(Z − K)·⌊N/Z⌋ + max(0, N mod Z − K) − spare ≥ n
//
// since the fullest zones may be those that go.
type Headroom struct {
	Spare   int64 `json:"spare,omitempty"`
	Zones   int64 `json:"zones,omitempty"`   // 0: one
	Survive int64 `json:"survive,omitempty"` // zones lost
}

// HeadroomOf is the headroom of what is given; nil where nothing is. Zones without survive lose one.
func HeadroomOf(spare, zones, survive *units.Count) *Headroom {
	if spare == nil && zones == nil && survive == nil {
		return nil
	}
	h := &Headroom{Spare: int64(ask.Value(spare)), Zones: int64(ask.Value(zones)), Survive: int64(ask.Value(survive))}
	if zones != nil && survive == nil {
		h.Survive = 1
	}
	return h
}

// A HeadroomAnswer is what it takes, as a line of its own.
type HeadroomAnswer struct {
	Headroom
	Needed int64   `json:"servers_needed"` // for the objectives alone
	Extra  int64   `json:"servers_extra"`  // what the headroom costs
	Share  float64 `json:"extra_share"`    // of those needed
	// Fullest is how many stand in the zone whose loss takes the most.
	Fullest int64 `json:"servers_of_fullest_zone,omitempty"`
	Left    int64 `json:"servers_left"` // after the loss
}

// mostZones bounds the zones: nobody has more.
const mostZones = 1e6

// Check finds what can be seen without a fleet. Errors: *ask.InputError.
func (h *Headroom) Check() error {
	switch {
	case h == nil:
		return nil
	case h.Spare < 0 || h.Spare > mostServers:
		return ask.Inputf("spare", "%d is not a number of servers, want 0 to 1e12", h.Spare)
	case h.Zones < 0 || h.Zones > mostZones:
		return ask.Inputf("zones", "%d is not a number of zones, want 1 to 1e6", h.Zones)
	case h.Survive < 0:
		return ask.Inputf("survive", "%d is not a number of zones, want 1 or more", h.Survive)
	case h.Zones == 0 && h.Survive > 0:
		return ask.Inputf("zones", "{survive} needs the number of zones: want {zones}, such as {zones} 3")
	case h.Zones > 0 && h.Survive == 0:
		return ask.Inputf("survive", "zones change nothing unless some may be lost: want {survive}, such as "+
			"{survive} 1")
	case h.Survive > 0 && h.Survive >= h.Zones:
		return ask.Inputf("survive", "%d of %d zones lost leave no zone: want fewer", h.Survive, h.Zones)
	}
	return nil
}

// Left is what is left of a fleet after the worst loss, not below 0.
func (h *Headroom) Left(servers float64) float64 {
	if h == nil {
		return servers
	}
	if h.Zones > 0 {
		z, k := float64(h.Zones), float64(h.Survive)
		even := math.Floor(servers / z)
		servers = (z-k)*even + math.Max(0, servers-even*z-k)
	}
	return math.Max(0, servers-float64(h.Spare))
}

// Covers returns the fewest servers for needed ones to be left after the loss; +Inf if
// [Headroom.Check] refuses the headroom.
func (h *Headroom) Covers(needed float64) float64 {
	if h == nil || !(needed > 0) || math.IsInf(needed, 0) {
		return needed
	}
	if h.Check() != nil {
		return math.Inf(1)
	}
	needed = math.Ceil(needed)
	low := needed + float64(h.Spare) - 1 // too few, or exact where there are no zones
	if h.Zones == 0 {
		return low + 1
	}
	z, k := float64(h.Zones), float64(h.Survive)
	high := math.Ceil((needed+float64(h.Spare))/(z-k)) * z
	for high-low > 1 {
		middle := low + math.Floor((high-low)/2)
		if !(low < middle && middle < high) { // beyond 2⁵³ servers, where floats are more than one apart
			break
		}
		if h.Left(middle) >= needed {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// answer says what a fleet of this size has beyond the need.
func (h *Headroom) answer(needed, servers float64) *HeadroomAnswer {
	a := &HeadroomAnswer{
		Headroom: *h,
		Needed:   int64(needed),
		Extra:    int64(servers - needed),
		Left:     int64(h.Left(servers)),
	}
	if needed > 0 {
		a.Share = (servers - needed) / needed
	}
	if h.Zones > 0 {
		a.Fullest = int64(math.Ceil(servers / float64(h.Zones)))
	}
	return a
}

// Words says what may be lost, with spare servers or machines called by a noun; empty for nothing.
func (h *Headroom) Words(noun string) string {
	var words []string
	if h != nil && h.Zones > 0 {
		words = append(words, fmt.Sprintf("%d of %d zones", h.Survive, h.Zones))
	}
	if h != nil && h.Spare == 1 {
		words = append(words, "any "+noun)
	} else if h != nil && h.Spare > 1 {
		words = append(words, fmt.Sprintf("any %d %ss", h.Spare, noun))
	}
	return strings.Join(words, " and ")
}
