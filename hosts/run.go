package hosts

import (
	"math"
	"math/rand/v2"
	"sort"
)

// Chance gives the random numbers of an entity, always the same for the same
// words, such as [sim.Stream] with seed and replication set.
//
// [sim.Stream]: https://pkg.go.dev/github.com/capplan/capplan/sim#Stream
type Chance func(entity ...uint64) *rand.Rand

// Kinds of entities, the first word of their names.
const (
	hostEntity  uint64 = 0x686f7374 // "host"
	groupEntity uint64 = 0x67726f75 // "grou"
	startEntity uint64 = 0x73746172 // "star"
)

// From is the same chance but that a run of records begins at a share of their span,
// 0 <= share < 1, in place of a random moment: many runs that begin at even distances tell
// what the record holds with less chance.
func (c Chance) From(share float64) Chance {
	return func(entity ...uint64) *rand.Rand {
		if len(entity) == 1 && entity[0] == startEntity {
			return rand.New(constant(share * (1 << 53)))
		}
		return c(entity...)
	}
}

// constant is a source of one number, of whose last 53 bits Float64 makes a share.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }

// A Run draws the courses of a platform's machines from time 0 on, as far as they
// are asked for. It is for one goroutine.
type Run struct {
	platform *Platform
	chance   Chance
	laws     renewals
	start    float64 // as a share of the span of the records
	courses  func(i int, r *rand.Rand) Course
	name     [2]uint64 // of the machine that is drawn, in memory that is there
}

// Begin starts a run of a platform. Errors: those of Check, and a *DomainError
// without chance.
func (p *Platform) Begin(chance Chance) (*Run, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	return p.begin(chance, renewals{renewing(p.Up, p.Down), renewing(p.Groups.Up, p.Groups.Down)})
}

// Again starts another run of the platform of this one, which has not changed since and is
// not checked again. Errors: a *DomainError without chance, and for a Run that Begin did not
// return.
func (r *Run) Again(chance Chance) (*Run, error) {
	if r == nil || r.platform == nil {
		return nil, &DomainError{"Again", "run", math.NaN(), "one that Begin returned"}
	}
	return r.platform.begin(chance, r.laws)
}

func (p *Platform) begin(chance Chance, laws renewals) (*Run, error) {
	if chance == nil || chance(startEntity) == nil {
		return nil, &DomainError{"Begin", "chance", math.NaN(), "random numbers"}
	}
	r := &Run{platform: p, chance: chance, laws: laws}
	if len(p.Records) > 0 {
		r.start = chance(startEntity).Float64()
	}
	if p.Population != nil {
		if r.courses = p.Population.Begin(chance); r.courses == nil {
			return nil, &DomainError{"Begin", "Population", math.NaN(), "courses of its machines"}
		}
	}
	return r, nil
}

// A Host is the course of one machine: whether it is there, and until when.
type Host struct {
	Speed float64 // operations a second
	Up    bool
	Until float64 // +Inf: for ever

	own    spell
	run    *Run
	group  course // without laws: none
	rand   *rand.Rand
	course Course // of a Population
	record *Record
	next   int     // index of the record's next change
	lap    float64 // time at which the record's 0 was passed last
	behind bool    // own is the spell that ends at Until, see alternates
	more   bool    // what follows Until may be the same state, see spellsAway
}

// A spell is a time up or down.
type spell struct {
	up    bool
	until float64
}

// Host returns the course of machine i, from 0 on, at time 0; of one that the
// platform does not have, one that never comes.
func (r *Run) Host(i int) Host {
	p := r.platform
	if p == nil || i < 0 || i >= p.Machines() {
		return Host{Until: math.Inf(1)}
	}
	r.name = [2]uint64{hostEntity, uint64(i)}
	h := Host{run: r, rand: r.chance(r.name[:]...)}
	h.Speed = max(0.1*p.Speed.Mean, p.Speed.Mean+p.Speed.SD*h.rand.NormFloat64())
	if p.Groups.Count > 0 {
		// Each machine draws the same course of its group: kept for all, one of seconds took gigabytes.
		h.group = course{laws: r.laws.shared, rand: r.chance(groupEntity, uint64(i*p.Groups.Count/p.Machines()))}
		h.group.spell = h.group.laws.steady(h.group.rand)
	}
	if r.courses != nil {
		if h.course = r.courses(i, h.rand); h.course == nil {
			return Host{Until: math.Inf(1)}
		}
	}
	switch {
	case h.course != nil:
		h.own = h.drawn()
	case len(p.Records) > 0 && p.Records[i].constant():
		h.own = spell{p.Records[i].Up() > 0, math.Inf(1)}
	case len(p.Records) > 0:
		h.record = &p.Records[i]
		at := r.start * h.record.Span
		h.lap = -at
		h.next = sort.Search(len(h.record.Changes), func(k int) bool { return h.record.Changes[k] > at })
		h.own = h.recorded()
	case r.laws.own == nil:
		h.own = spell{true, math.Inf(1)}
	default:
		h.own = r.laws.own.steady(h.rand)
	}
	h.Up = h.both()
	h.extend()
	return h
}

// Next goes on to what follows Until: the other state, unless that never ends, or has gone on down for a
// thousand spells of the machine or its group and is told in parts.
func (h *Host) Next() {
	if h.run == nil { // no course of Run.Host
		h.Until = math.Inf(1)
	}
	if !math.IsInf(h.Until, 1) {
		h.Up = h.Up == h.more
		h.extend()
	}
}

// both reports whether the machine and its group are there.
func (h *Host) both() bool { return h.own.up && (h.group.laws == nil || h.group.up) }

// toldApart is up to which time, in seconds, two that are shortest apart are.
const toldApart = 1e12

// alternates reports whether the machine's own spell is followed by one of the other state that has
// some length and need not be known before it begins. Of many machines few leave before a bag is
// done, and drawing the next spells of all took a twelfth of a run.
func (h *Host) alternates() bool {
	return h.group.laws == nil && h.record == nil && h.course == nil && h.own.until < toldApart
}

// spellsAway is how many spells of a machine whose group is away, or of its group while it is away, are looked
// through at a time: in an outage of years a machine of minutes has millions, which whoever asks may not need.
const spellsAway = 1000

// extend looks for the end of the state that Up says, and goes there.
func (h *Host) extend() {
	if h.behind {
		h.own, h.behind = h.follow(), false
	}
	if h.alternates() {
		h.Until, h.behind = h.own.until, true
		return
	}
	h.forget()
	for spells := 0; ; spells++ {
		h.Until = h.own.until
		if h.group.laws != nil {
			h.Until = min(h.Until, h.group.until)
		}
		if math.IsInf(h.Until, 1) {
			return
		}
		for h.own.until <= h.Until {
			h.own = h.follow()
		}
		for h.group.laws != nil && h.group.until <= h.Until {
			h.group.next()
		}
		if h.more = h.both() == h.Up && !h.Up && spells == spellsAway; h.more || h.both() != h.Up {
			return
		}
		if !h.own.up && math.IsInf(h.own.until, 1) { // gone for good, whatever its group does
			h.Until = math.Inf(1)
			return
		}
	}
}

// forget draws anew in what state a machine is when its group returns, where that is away for over forgets times as
// long as the machine comes and goes: nobody sees it before, and its spells would be drawn for nothing.
func (h *Host) forget() {
	own := h.run.laws.own
	if h.group.laws == nil || h.group.up {
		return
	}
	if own == nil || h.course != nil || h.record != nil || h.run.platform.Departure > 0 {
		return
	}
	if h.group.until-h.own.until > forgets*own.cycle {
		h.own = own.steady(h.rand)
		h.own.until = after(h.group.until, h.own.until)
	}
}

// forgets is how many means of a spell of each kind leave no trace of what was before.
const forgets = 1000

// follow is the machine's own spell after the one that ends.
func (h *Host) follow() spell {
	p := h.run.platform
	switch {
	case h.own.up && p.Departure > 0 && h.rand.Float64() < p.Departure:
		return spell{false, math.Inf(1)}
	case h.course != nil:
		return h.drawn()
	case h.record != nil:
		h.next++
		if h.next > len(h.record.Changes) {
			h.next = 0
			h.lap += h.record.Span
		}
		return h.recorded()
	case h.own.up:
		return spell{false, after(h.own.until, h.run.laws.own.down.draw(h.rand))}
	}
	return spell{true, after(h.own.until, h.run.laws.own.up.draw(h.rand))}
}

// recorded is the spell before the record's next change. The record is gone
// round: what holds at its end and what holds at its beginning are two spells, and
// the latter may have no length.
func (h *Host) recorded() spell {
	up := h.next%2 == 1
	if h.next == len(h.record.Changes) {
		return spell{up, h.lap + h.record.Span}
	}
	return spell{up, h.lap + h.record.Changes[h.next]}
}

// A course is that of a group, as one of its machines looks at it.
type course struct {
	laws *renewal
	rand *rand.Rand
	spell
}

func (c *course) next() {
	l := &c.laws.up
	if c.up {
		l = &c.laws.down
	}
	c.spell = spell{!c.up, after(c.until, l.draw(c.rand))}
}

// after is a time and what follows it: later, however long ago the beginning is. To 1e20 s a float adds
// no minute.
func after(t, length float64) float64 { return math.Max(t+length, math.Nextafter(t, math.Inf(1))) }
