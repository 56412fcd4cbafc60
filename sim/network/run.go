package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/sim"
)

// A customer at a station.
type customer struct {
	class   int
	entered float64 // the station
	began   float64 // the round, or his way through the network
}

// A run is one replication.
type run struct {
	n        *Network
	r        *sim.Replication
	rng      *rand.Rand
	places   []place
	rates    tree // of completions by station
	come     tree // of arrivals from outside by class and station
	thinking []int
	now      float64
	from     float64 // when counting began
	counts   bool
	inside   int // of open classes
	came     int
	left     int
	rounds   []float64 // by class, counted
}

// Replicate runs the network once, from empty stations, all customers thinking or,
// where nobody thinks, at the first station of their round.
func (n *Network) Replicate(r *sim.Replication) error {
	if err := n.Check(); err != nil {
		return err
	}
	if r == nil {
		return &sim.DomainError{Func: "Network", Arg: "replication", Value: math.NaN(), Want: "one of sim.Run"}
	}
	if math.IsInf(r.Horizon, 1) {
		return &sim.DomainError{Func: "Network", Arg: "Horizon", Value: r.Horizon, Want: "a finite horizon"}
	}
	x := &run{
		n:        n,
		r:        r,
		rng:      r.Stream(1),
		thinking: make([]int, len(n.Classes)),
		rounds:   make([]float64, len(n.Classes)),
		counts:   r.WarmUp == 0,
	}
	for i, s := range n.Stations {
		p := place{
			servers: float64(s.Servers),
			slower:  s.Slower,
			ordered: n.ordered(i),
			lines:   make([][]customer, len(n.Classes)),
			of:      make([]int, len(n.Classes)),
			rate:    make([]float64, len(n.Classes)),
		}
		if s.Delay {
			p.servers = math.Inf(1)
		}
		x.places = append(x.places, p)
	}
	x.rates, x.come = newTree(len(n.Stations)), newTree(len(n.Stations)*len(n.Classes))
	for k := range n.Classes {
		for i, rate := range n.Classes[k].Rates {
			x.come.set(k*len(n.Stations)+i, rate)
		}
		for range n.Classes[k].Customers {
			x.rest(k)
		}
	}
	for r.Events = 0; ; r.Events++ {
		if r.Events&1023 == 0 {
			if err := r.At(x.now); err != nil {
				return err
			}
		}
		if !x.step() {
			break
		}
	}
	x.hand()
	return x.audit()
}

// rest lets a customer think, or begin a round where he does not.
func (x *run) rest(class int) {
	c := &x.n.Classes[class]
	if c.Think > 0 {
		x.thinking[class]++
		return
	}
	x.enter(c.first(-1), customer{class: class, began: x.now})
}

// enter brings a customer to a station.
func (x *run) enter(station int, c customer) {
	p := &x.places[station]
	c.entered = x.now
	x.settle(p)
	if x.counts {
		p.sums.came++
		if p.ordered && float64(p.there) < p.servers {
			x.r.Observe(x.figure(station, 3), 0)
		}
	}
	line := c.class
	if p.ordered {
		line = 0
	}
	p.lines[line] = append(p.lines[line], c)
	p.there++
	p.of[c.class]++
	x.weigh(station)
}

// figure is the index of the i-th figure of a station.
func (x *run) figure(station, i int) int { return len(ofAll) + station*len(ofStation) + i }

// step deals with the next event; false at the horizon.
func (x *run) step() bool {
	total, come, think := x.rates.sum(), x.come.sum(), 0.0
	for k, m := range x.thinking {
		if m > 0 {
			think += float64(m) / x.n.Classes[k].Think
		}
	}
	all := total + think + come
	x.pass(x.now + x.rng.ExpFloat64()/all)
	if x.now >= x.r.Horizon {
		return false
	}
	u := x.rng.Float64() * all
	switch {
	case u < total || think+come == 0:
		x.complete(u)
	case u-total < think || come == 0:
		x.wake(u - total)
	default:
		x.arrive(u - total - think)
	}
	return true
}

// pass lets time go by to a moment, at most the horizon.
func (x *run) pass(to float64) {
	to = min(to, x.r.Horizon)
	if !x.counts && to >= x.r.WarmUp {
		x.now, x.counts = x.r.WarmUp, true
		x.from = x.now
		for i := range x.places {
			x.places[i].since = x.now
		}
	}
	x.now = to
}

// complete ends a service, u of the rates of all stations from the first on.
func (x *run) complete(u float64) {
	at, u := x.rates.find(u)
	p := &x.places[at]
	if p.there == 0 {
		return
	}
	x.settle(p)
	c := x.take(p, u)
	if x.counts {
		x.r.Observe(x.figure(at, 4), x.now-c.entered)
		if p.ordered && float64(p.there) >= p.servers {
			x.r.Observe(x.figure(at, 3), x.now-p.lines[0][int(p.servers)-1].entered) // who is next
		}
	}
	x.weigh(at)
	x.on(at, c)
}

// take takes the customer whose service ends out of a station: in order of arrival
// any of those in service, else any of the class that u picks.
func (x *run) take(p *place, u float64) customer {
	if p.ordered {
		line := p.lines[0]
		at := x.rng.IntN(int(min(float64(p.there), p.servers))) // whose servers may be too many for an int
		c := line[at]
		line[at] = line[0] // still served, and those who wait stand where they stood
		p.lines[0] = line[1:]
		p.there--
		p.of[c.class]--
		return c
	}
	class := -1
	for k, rate := range p.rate {
		if p.of[k] == 0 {
			continue
		}
		if class = k; u < rate {
			break
		}
		u -= rate
	}
	line := p.lines[class]
	at, last := x.rng.IntN(len(line)), len(line)-1
	c := line[at]
	line[at] = line[last]
	p.lines[class] = line[:last]
	p.there--
	p.of[class]--
	return c
}

// on brings a customer from a station to the next.
func (x *run) on(from int, c customer) {
	class := &x.n.Classes[c.class]
	if class.Customers > 0 {
		if next := class.first(from); next >= 0 {
			x.enter(next, c)
			return
		}
		x.ends(c)
		x.rest(c.class)
		return
	}
	p, u := &x.places[from], x.rng.Float64()
	ways := p.ways(len(x.n.Classes), c.class, class.Routes[from])
	for _, w := range ways {
		if u -= w.chance; u < 0 {
			x.enter(w.to, c)
			return
		}
	}
	x.inside--
	x.left++
	x.ends(c)
}

// ends counts a round, or a way through the network.
func (x *run) ends(c customer) {
	if !x.counts {
		return
	}
	x.rounds[c.class]++
	x.r.Observe(1, x.now-c.began)
	x.r.Observe(x.classFigure(c.class, 1), x.now-c.began)
}

func (x *run) classFigure(class, i int) int {
	return len(ofAll) + len(x.places)*len(ofStation) + class*len(ofClass) + i
}

// wake ends somebody's thinking.
func (x *run) wake(u float64) {
	class := -1
	for k, m := range x.thinking {
		if m == 0 {
			continue
		}
		if class = k; u < float64(m)/x.n.Classes[k].Think {
			break
		}
		u -= float64(m) / x.n.Classes[k].Think
	}
	x.thinking[class]--
	c := &x.n.Classes[class]
	if first := c.first(-1); first >= 0 {
		x.enter(first, customer{class: class, began: x.now})
		return
	}
	x.ends(customer{class: class, began: x.now})
	x.rest(class)
}

// arrive brings a customer from outside.
func (x *run) arrive(u float64) {
	at, _ := x.come.find(u)
	class, station := at/len(x.places), at%len(x.places)
	x.inside++
	x.came++
	x.enter(station, customer{class: class, began: x.now})
}

// hand hands over what was counted.
func (x *run) hand() {
	span := x.now - x.from
	sum := 0.0
	for k, rounds := range x.rounds {
		sum += rounds
		x.r.Add(x.classFigure(k, 0), rounds, span)
	}
	x.r.Add(0, sum, span)
	for i := range x.places {
		p := &x.places[i]
		x.settle(p)
		busy := p.sums.busy // the mean number in a delay
		if !math.IsInf(p.servers, 1) && p.servers > 0 {
			busy = min(busy/p.servers, span) // the sum of the parts may round above the whole
		}
		x.r.Add(x.figure(i, 0), busy, span)
		x.r.Add(x.figure(i, 1), p.sums.number, span)
		x.r.Add(x.figure(i, 2), p.sums.came, span)
	}
}

// audit finds customers that were lost or doubled.
func (x *run) audit() error {
	there := slices.Clone(x.thinking)
	for i := range x.places {
		for _, line := range x.places[i].lines {
			for _, c := range line {
				there[c.class]++
			}
		}
	}
	open := 0
	for k, n := range there {
		if c := x.n.Classes[k].Customers; c > 0 && n != c {
			return fmt.Errorf("network: %d customers of class %d at the end, %d at the beginning", n, k+1, c)
		} else if c == 0 {
			open += n
		}
	}
	if open != x.inside || x.came-x.left != x.inside {
		return fmt.Errorf("network: %d came, %d left and %d are there", x.came, x.left, open)
	}
	return nil
}
