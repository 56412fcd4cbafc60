package station

import (
	"math"

	"github.com/capplan/capplan/sim"
)

// plans are of whom a start was promised, and a tree over them that knows the first to begin.
type plans struct {
	*desk
	of    []turn  // by customer
	first []int32 // customer by node, of two below; the leaves are customers
	made  int
}

// A turn is that of a customer among those who are promised one start. called says that it is on the
// agenda.
type turn struct {
	ticket uint64
	made   bool
	called bool
}

// grow makes room for all customers.
func (p *plans) grow() {
	n := max(1, len(p.of))
	if len(p.table) <= len(p.of) {
		return
	}
	for n < len(p.table) {
		n *= 2
	}
	p.of = append(p.of, make([]turn, n-len(p.of))...)
	p.first = make([]int32, 2*n)
	for i := range n {
		p.first[n+i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		p.first[i] = p.sooner(i)
	}
}

func (p *plans) before(a, b int32) bool {
	x, y := &p.of[a], &p.of[b]
	if !x.made || !y.made {
		return x.made
	}
	one, other := p.table[a].promised, p.table[b].promised
	return one < other || one == other && x.ticket < y.ticket
}

// sooner is who begins first below a node.
func (p *plans) sooner(node int) int32 {
	one, other := p.first[2*node], p.first[2*node+1]
	if p.before(other, one) {
		return other
	}
	return one
}

// set promises a start, or a sooner one.
func (p *plans) set(id int32, start float64) {
	t := &p.of[id]
	if !t.made {
		p.made++
	}
	p.table[id].promised = start
	*t = turn{ticket: sim.Ticket(&p.agenda), made: true}
	for n := (len(p.of) + int(id)) / 2; n > 0; n /= 2 {
		if p.first[n] != id && !p.before(id, p.first[n]) {
			return
		}
		p.first[n] = id
	}
}

// drop takes a promise back, or off the list where it is kept.
func (p *plans) drop(id int32) {
	p.made--
	p.of[id].made = false
	p.table[id].promised = math.Inf(1)
	for n := (len(p.of) + int(id)) / 2; n > 0; n /= 2 {
		p.first[n] = p.sooner(n)
	}
}

// call puts the next start on the agenda.
func (p *plans) call() {
	if len(p.of) == 0 {
		return
	}
	id := p.first[1]
	if t := &p.of[id]; t.made && !t.called {
		t.called = true
		sim.ScheduleAs(&p.agenda, p.table[id].promised, t.ticket, event{kind: due, id: id, stamp: uint32(t.ticket)})
	}
}
