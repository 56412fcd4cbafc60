package hosts

import (
	"testing"

	"github.com/capplan/capplan/law"
)

// An outage of years of machines of minutes is told in parts, none of which takes long, and they are
// away throughout: all of it was drawn, spell by spell, before the state that holds at time 0 was known.
func TestLongOutagesInParts(t *testing.T) {
	for _, swap := range []bool{false, true} {
		p := platform(1)
		p.Up, p.Down = law.Exponential{Scale: 60}, law.Exponential{Scale: 60}
		p.Groups.Up, p.Groups.Down = law.Exponential{Scale: 3600}, law.Exponential{Scale: 1e7}
		if swap { // machines that are away for long, and groups of minutes
			p.Up, p.Down, p.Groups.Up, p.Groups.Down = p.Groups.Up, p.Groups.Down, p.Up, p.Down
		}
		r := begin(t, p, 3)
		parts := 0
		for i := range min(p.Count, 20) {
			h := r.Host(i)
			for now := 0.0; now < 1e6; {
				if h.Until-now > 2*spellsAway*120 {
					t.Fatalf("swapped %v: machine %d: a state from %v to %v at once", swap, i, now, h.Until)
				}
				own, group, up := h.own, h.group.spell, h.Up
				if own.until <= h.Until || group.until <= h.Until {
					t.Fatalf("machine %d: spells to %v and %v, after %v", i, own.until, group.until, h.Until)
				}
				now = h.Until
				if h.Next(); h.Up == up {
					parts++
				}
				if h.Up == up && up || h.Up != (own.up && group.up) {
					t.Fatalf("swapped %v: machine %d at %v: up %v, then %v of %v and %v", swap, i, now, up, h.Up, own, group)
				}
			}
		}
		if parts == 0 {
			t.Errorf("swapped %v: no state in parts", swap)
		}
	}
}
