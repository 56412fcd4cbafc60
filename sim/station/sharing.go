package station

// sharing serves all at once: of n customers each gets min(1, c/n) of a server.
// What each has attained since the station was last empty is the same clock for
// all who were there, so that a customer ends when the clock has gone on by his
// length.
type sharing struct {
	*desk
	inService heap // by the reading at which they end
	clock     float64
	since     float64
	asked     uint32 // which event of the next end is valid
}

func (s *sharing) speed() float64 {
	return min(1, float64(s.servers)/float64(max(1, s.inside)))
}

// advance moves the clock up to now, with n customers until now, and books their
// work at the speed that they had.
func (s *sharing) advance(n int) {
	if n == 0 {
		s.clock = 0
	} else {
		s.clock += (s.now - s.since) * min(1, float64(s.servers)/float64(n))
	}
	s.since = s.now
	for i := range s.ledgers {
		s.ledgers[i].book(s.now, s.servers)
	}
}

func (s *sharing) arrive(id int32) {
	s.advance(s.inside - 1)
	c := &s.table[id]
	c.serving, c.began = true, s.clock
	// Who comes while all servers are taken shares: he counts as one who waits.
	c.waited = s.inside > s.servers
	s.inService.push(place{key: s.clock + c.left, seq: c.seq, id: id, stamp: c.stamp})
	s.busy++
	s.of(c, func(l *ledger) { l.busy++ })
	s.ask()
}

// ask asks for the next end, after the number of customers has changed.
func (s *sharing) ask() {
	s.asked++
	for i := range s.ledgers {
		s.ledgers[i].speed = s.speed()
	}
	if len(s.inService.places) == 0 {
		return
	}
	wait := max(0, s.inService.places[0].key-s.clock) / s.speed()
	s.agenda.Schedule(s.now+wait, event{kind: due, stamp: s.asked})
}

func (s *sharing) due(_ int32, stamp uint32) {
	if stamp != s.asked {
		return
	}
	s.advance(s.inside)
	first := s.inService.places[0]
	s.clock = max(s.clock, first.key)
	s.inService.pop()
	s.finish(first.id)
}

func (s *sharing) left(int32) { s.ask() }
func (s *sharing) gone(int32) {}
func (s *sharing) more()      {}

func (s *sharing) attained(id int32) float64 {
	return s.clock + (s.now-s.since)*s.speed() - s.table[id].began
}
