package hosts

import (
	"math"
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
		p.Departure = 1e-12 // or their state at the end is drawn anew
		if swap {           // machines that are away for long, and groups of minutes
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

// A machine that comes and goes over a thousand times while its group is away is at its return in the state of any
// moment: in the 30 s that the group then stays it is there for its share of the time, and begins a stay as often as
// machines without groups do and as the group returns to it.
func TestReturnsAfterLongOutages(t *testing.T) {
	const outage, back, phases = 1e6, 30, 2000
	p := platform(40)
	p.Up, p.Down = law.Gamma{Shape: 0.5, Scale: 240}, law.Exponential{Scale: 40}
	p.Groups.Up, p.Groups.Down = law.Exponential{Scale: back}, law.Exponential{Scale: outage}
	r := begin(t, p, 7)
	there, stays := 0.0, 0.0
	for i := range p.Count {
		h := r.Host(i)
		for now := 0.0; now < phases*(outage+back); h.Next() {
			if h.Up {
				there += h.Until - now
				stays++
			}
			now = h.Until
		}
	}
	all := float64(phases * p.Count)
	t.Logf("%.3f s there and %.4f stays in each time that the group is there", there/all, stays/all)
	if math.Abs(there/all/(0.75*back)-1) > 0.03 || math.Abs(stays/all/(0.75+back/160.)-1) > 0.02 {
		t.Errorf("%.3f s there and %.4f stays in each time that the group is there, want %v and %v", there/all, stays/all,
			0.75*back, 0.75+back/160.)
	}
}
