package sim

import (
	"math"
	"math/bits"
	"slices"
)

// An Agenda holds the events that are still to come and gives them back in the
// order of their times; events of one time in the order in which they were
// scheduled, so that a run is a function of its seed. The zero value is empty.
//
// Events are values: E is best a small struct of an action and the number of what
// it happens to. Nothing is allocated once the agenda has had its greatest
// length. An event cannot be taken back. A model that changes its mind gives the
// entity a stamp, copies it into the event, and passes over an event whose stamp
// is no longer the entity's.
//
// Schedule and Next take O(log n) of n events.
type Agenda[E any] struct {
	heap []entry[E] // each entry has four below it: 4i+1 to 4i+4
	next uint64     // sequence number of the next event
	// hole says that the first entry was taken. Most events schedule another,
	// which then goes in there at once: half the work of filling the hole from
	// below and putting the other at the end.
	hole bool

	queue []entry[E] // see Queue, from head on
	head  int
}

type entry[E any] struct {
	at    uint64 // see keyOf
	seq   uint64
	event E
}

// before is 1 where a comes before b, else 0. It has no branch: which of two events is sooner cannot
// be foreseen, and to guess it wrong was half of what an agenda took.
func (a *entry[E]) before(b *entry[E]) uint64 {
	_, less := bits.Sub64(a.seq, b.seq, 0)
	_, less = bits.Sub64(a.at, b.at, less)
	return less
}

// keyOf is a time as a number without sign that grows with it: the bits of a float from 0 on do, and
// those below it turned round. -0 is 0, and NaN +Inf.
func keyOf(at float64) uint64 {
	if at != at {
		at = math.Inf(1)
	}
	b := math.Float64bits(at + 0)
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// timeOf is the time of which a key is.
func timeOf(key uint64) float64 {
	return math.Float64frombits(key ^ (uint64(int64(^key)>>63) | 1<<63))
}

// Schedule puts an event at a time. NaN counts as a time that never comes, +Inf.
func (a *Agenda[E]) Schedule(at float64, event E) {
	x := entry[E]{at: keyOf(at), seq: a.next, event: event}
	a.next++
	if a.hole {
		a.hole = false
		a.sink(x)
		return
	}
	a.heap = append(a.heap, x)
	h := a.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		// The new event has the greatest sequence number: it passes none of its time.
		if x.at >= h[up].at {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
}

// Ticket returns the place among events of one time that an event scheduled now would have, for
// ScheduleAs; 0 where there is no agenda.
func Ticket[E any](a *Agenda[E]) uint64 {
	if a == nil {
		return 0
	}
	a.next++
	return a.next - 1
}

// ScheduleAs is [Agenda.Schedule] of an event that was decided on when its ticket was taken. What is put off
// most of the time need not be on the agenda until it is the next of its kind.
func ScheduleAs[E any](a *Agenda[E], at float64, ticket uint64, event E) {
	if a == nil {
		return
	}
	a.fill()
	x := entry[E]{at: keyOf(at), seq: ticket, event: event}
	a.heap = append(a.heap, x)
	h := a.heap
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if x.before(&h[up]) == 0 {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
}

// Queue is Schedule of an event that comes no sooner than those queued before it, as deadlines
// do that are all as far ahead: it takes O(1) then. Any other is scheduled.
func (a *Agenda[E]) Queue(at float64, event E) {
	last := len(a.queue) - 1
	key := keyOf(at)
	if last >= a.head && key < a.queue[last].at {
		a.Schedule(at, event)
		return
	}
	a.queue = append(a.queue, entry[E]{at: key, seq: a.next, event: event})
	a.next++
}

// mostGrown bounds the room that is made before there are events.
const mostGrown = 1 << 20

// Grow makes room for more events, scheduled and queued ones, up to a million of each; room for
// more is made as they come.
func (a *Agenda[E]) Grow(scheduled, queued int) {
	a.heap = slices.Grow(a.heap, min(max(0, scheduled), mostGrown))
	a.queue = slices.Grow(a.queue, min(max(0, queued), mostGrown))
}

// queued reports whether the first event is one that was queued.
func (a *Agenda[E]) queued() bool {
	return a.head < len(a.queue) && (len(a.heap) == 0 || a.queue[a.head].before(&a.heap[0]) == 1)
}

// Next takes the next event off the agenda; ok is false where there is none.
func (a *Agenda[E]) Next() (at float64, event E, ok bool) {
	a.fill()
	if a.queued() {
		first := &a.queue[a.head]
		at, event = timeOf(first.at), first.event
		if a.head++; a.head == len(a.queue) {
			a.queue, a.head = a.queue[:0], 0
		}
		return at, event, true
	}
	if len(a.heap) == 0 {
		return 0, event, false
	}
	a.hole = true
	first := &a.heap[0]
	return timeOf(first.at), first.event, true
}

// fill puts the last entry where the first was taken.
func (a *Agenda[E]) fill() {
	if !a.hole {
		return
	}
	a.hole = false
	last := len(a.heap) - 1
	x := a.heap[last]
	a.heap = a.heap[:last]
	if last > 0 {
		a.sink(x)
	}
}

// sink puts x where the first entry was.
func (a *Agenda[E]) sink(x entry[E]) {
	h := a.heap
	i := 0
	for {
		below := 4*i + 1
		least := below
		if below+3 < len(h) { // the least of four, of two pairs at once
			four := h[below : below+4 : below+4]
			one := int(four[1].before(&four[0]))
			other := 2 + int(four[3].before(&four[2]))
			if four[other].before(&four[one]) == 1 {
				one = other
			}
			least += one
		} else {
			for j := below + 1; j < len(h); j++ {
				if h[j].before(&h[least]) == 1 {
					least = j
				}
			}
		}
		if least >= len(h) || h[least].before(&x) == 0 {
			break
		}
		h[i] = h[least]
		i = least
	}
	h[i] = x
}

// Until returns the time of the next event, +Inf where there is none.
func (a *Agenda[E]) Until() float64 {
	a.fill()
	switch {
	case a.queued():
		return timeOf(a.queue[a.head].at)
	case len(a.heap) == 0:
		return math.Inf(1)
	}
	return timeOf(a.heap[0].at)
}

// Len returns the number of events to come.
func (a *Agenda[E]) Len() int {
	a.fill()
	return len(a.heap) + len(a.queue) - a.head
}

// Clear empties the agenda and keeps its memory.
func (a *Agenda[E]) Clear() {
	clear(a.heap)
	clear(a.queue)
	a.heap, a.queue, a.head, a.next, a.hole = a.heap[:0], a.queue[:0], 0, 0, false
}
