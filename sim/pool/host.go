package pool

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/sim"
)

// Coming says when the public machines are there. They begin in the steady state,
// or where a trace begins for them.
type Coming struct {
	// On and Off are the laws of the times that a machine is there and away; nil
	// both for machines that always are.
	On, Off Law
	// Traces, where there are any, go before the laws: machine i follows trace i
	// mod n from a place at random, and from its beginning after its end.
	Traces []Trace
	// Population, where there is one, goes before both: machine i does as its machine
	// i mod n, with chances of its own.
	Population hosts.Population
}

// A Trace is what one machine did: the seconds that it was there, away, there and so on.
type Trace []float64

// Availability returns the share of time that a machine is there.
func (c Coming) Availability() float64 {
	if c.Population != nil {
		return (&hosts.Platform{Population: c.Population}).Availability()
	}
	if len(c.Traces) > 0 {
		sum := 0.0
		for _, t := range c.Traces {
			on, all := t.sums()
			sum += on / all
		}
		return sum / float64(len(c.Traces))
	}
	if c.On == nil {
		return 1
	}
	if c.Off == nil {
		return math.NaN()
	}
	on := c.On.Mean()
	return on / (on + c.Off.Mean())
}

func (t Trace) sums() (on, all float64) {
	for i, d := range t {
		if all += d; i%2 == 0 {
			on += d
		}
	}
	return on, all
}

// A host is a public machine. Its state is drawn from its own stream, and only
// when somebody looks: an idle machine costs no event.
type host struct {
	draws *rand.Rand
	until float64 // end of the present interval
	speed float64
	on    bool
	held  bool  // by a replica
	at    int32 // place in its trace
	does  hosts.Course
}

// follow goes on to the next interval of a machine of a population, which takes time.
func (h *host) follow() {
	before := h.until
	h.on, h.until = h.does()
	if least := math.Nextafter(before, math.Inf(1)) + 1e-3; !(h.until >= least) {
		h.until = least
	}
}

const (
	streamHost = iota + 1
	streamArrivals
	streamJob
	streamUser
	streamTrace
)

// look brings host i up to the time t and reports whether it is there.
func (x *run) look(i int32, t float64) bool {
	h := &x.hosts[i]
	c := &x.pool.Public.Coming
	if h.draws == nil {
		x.meet(i)
	}
	if h.does != nil {
		for h.until <= t {
			h.follow()
		}
		return h.on
	}
	if c.On == nil && len(c.Traces) == 0 {
		return true
	}
	if len(c.Traces) > 0 {
		trace := c.Traces[int(i)%len(c.Traces)]
		for h.until <= t {
			if h.at++; int(h.at) == len(trace) {
				h.at = 0
			}
			h.on = h.at%2 == 0
			h.until += trace[h.at]
		}
		return h.on
	}
	for h.until <= t {
		h.on = !h.on
		if h.on {
			h.until += c.On.Draw(h.draws)
		} else {
			h.until += c.Off.Draw(h.draws)
		}
	}
	return h.on
}

// meet draws the speed of a host and its state at the time 0.
func (x *run) meet(i int32) {
	h := &x.hosts[i]
	p := &x.pool.Public
	h.draws = x.replication.Stream(streamHost, uint64(i))
	if len(p.Speeds) > 0 {
		h.speed = p.Speeds[int(i)%len(p.Speeds)]
	} else {
		h.speed = p.Speed.Draw(h.draws)
	}
	c := &p.Coming
	if x.courses != nil {
		h.does = x.courses(int(i)%c.Population.Size(), h.draws)
	}
	switch {
	case h.does != nil:
		h.follow()
	case len(c.Traces) > 0:
		trace := c.Traces[int(i)%len(c.Traces)]
		_, all := trace.sums()
		start := h.draws.Float64() * all
		for start >= trace[h.at] && int(h.at) < len(trace)-1 {
			start -= trace[h.at]
			h.at++
		}
		h.on, h.until = h.at%2 == 0, trace[h.at]-start
	case c.On == nil:
		h.on, h.until = true, forever
	case h.draws.Float64() < c.Availability():
		h.on, h.until = true, c.On.DrawCovering(h.draws)*(1-h.draws.Float64())
	default:
		h.until = c.Off.DrawCovering(h.draws) * (1 - h.draws.Float64())
	}
}

// tries is how often machines are asked at random before all of them are.
const tries = 40

// pick finds a public machine that is there and free, by the chance of the job
// that asks; −1 where there is none. All machines are looked at only once a time.
func (x *run) pick(draws *rand.Rand, t float64) int32 {
	n := len(x.hosts)
	if n == 0 {
		return -1
	}
	if x.freeAt != t {
		for range tries {
			if i := int32(draws.IntN(n)); !x.hosts[i].held && x.look(i, t) {
				return i
			}
		}
		x.free, x.freeAt = x.free[:0], t
		for i := range x.hosts {
			if !x.hosts[i].held && x.look(int32(i), t) {
				x.free = append(x.free, int32(i))
			}
		}
	}
	for len(x.free) > 0 {
		k := draws.IntN(len(x.free))
		i := x.free[k]
		x.free[k] = x.free[len(x.free)-1]
		x.free = x.free[:len(x.free)-1]
		if !x.hosts[i].held { // taken by chance before the list was made
			return i
		}
	}
	return -1
}

// hold takes a machine, let lets it go.
func (x *run) hold(i int32) {
	x.hosts[i].held = true
	x.levels[levelPublic].add(x.now, 1)
}

func (x *run) let(i int32) {
	x.hosts[i].held = false
	x.levels[levelPublic].add(x.now, -1)
	if x.freeAt == x.now && x.look(i, x.now) {
		x.free = append(x.free, i)
	}
}

var _ sim.Model = Pool{}
