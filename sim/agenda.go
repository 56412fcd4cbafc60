package sim

import (
	"math"
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
	at    float64
	seq   uint64
	event E
}

func (a *entry[E]) before(b *entry[E]) bool {
	return a.at < b.at || a.at == b.at && a.seq < b.seq
}

// Schedule puts an event at a time. NaN counts as a time that never comes, +Inf.
func (a *Agenda[E]) Schedule(at float64, event E) {
	if at != at {
		at = math.Inf(1)
	}
	x := entry[E]{at: at, seq: a.next, event: event}
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
		if !(at < h[up].at) {
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
	if !(at >= 0) || last >= a.head && at < a.queue[last].at {
		a.Schedule(at, event)
		return
	}
	a.queue = append(a.queue, entry[E]{at: at, seq: a.next, event: event})
	a.next++
}

// mostGrown bounds the room that is made before there are events.
const mostGrown = 1 << 20

// Grow makes room for so many events more than there are, of those that are scheduled and of those
// that are queued, up to a million of each: room for more is made as they come.
func (a *Agenda[E]) Grow(scheduled, queued int) {
	a.heap = slices.Grow(a.heap, min(max(0, scheduled), mostGrown))
	a.queue = slices.Grow(a.queue, min(max(0, queued), mostGrown))
}

// queued says whether the first event is one that was queued.
func (a *Agenda[E]) queued() bool {
	return a.head < len(a.queue) && (len(a.heap) == 0 || a.queue[a.head].before(&a.heap[0]))
}

// Next takes the next event off the agenda; ok is false where there is none.
func (a *Agenda[E]) Next() (at float64, event E, ok bool) {
	a.fill()
	if a.queued() {
		first := &a.queue[a.head]
		at, event = first.at, first.event
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
	return first.at, first.event, true
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
		first := 4*i + 1
		if first >= len(h) {
			break
		}
		below := h[first:min(first+4, len(h))]
		least := 0
		for j := 1; j < len(below); j++ {
			if below[j].before(&below[least]) {
				least = j
			}
		}
		if !below[least].before(&x) {
			break
		}
		h[i] = below[least]
		i = first + least
	}
	h[i] = x
}

// Until returns the time of the next event, +Inf where there is none.
func (a *Agenda[E]) Until() float64 {
	a.fill()
	switch {
	case a.queued():
		return a.queue[a.head].at
	case len(a.heap) == 0:
		return math.Inf(1)
	}
	return a.heap[0].at
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
