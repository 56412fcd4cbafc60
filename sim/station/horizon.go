package station

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
)

// rate returns the mean arrival rate of a class where all its customers are in
// time, and the SCV of its gaps.
func (c *Class) rate() (rate, scv float64) {
	switch {
	case c.Curve != nil:
		sum, period := 0.0, c.Curve.End-c.Curve.Start[0]
		for i, r := range c.Curve.Rate {
			end := c.Curve.End
			if i+1 < len(c.Curve.Start) {
				end = c.Curve.Start[i+1]
			}
			sum += r * (end - c.Curve.Start[i])
		}
		return sum / period, 1
	case c.Sources > 0:
		think, _, _ := c.Think.Moments()
		service, _, _ := c.Service.Moments()
		return float64(c.Sources) / (think + service), 1
	}
	m1, m2, _ := c.Gaps.Moments()
	return 1 / m1, max(0, m2/(m1*m1)-1)
}

// bounded reports whether the queue cannot grow without end, whatever arrives.
func (s *Station) bounded() bool {
	if s.Loss || s.Places > 0 || len(s.Jobs) > 0 {
		return true
	}
	return !slices.ContainsFunc(s.Classes, func(c Class) bool { return c.Patience == nil && c.Sources == 0 })
}

// offeredLoad returns the mean number of servers that the classes would keep busy
// if there were enough.
func (s *Station) offeredLoad() float64 {
	load := 0.0
	for i := range s.Classes {
		c := &s.Classes[i]
		r, _ := c.rate()
		m, _, _ := c.Service.Moments()
		load += r * m * float64(max(1, c.Width))
	}
	return load
}

// mostWaiting returns how many customers other than finitely many sources wait at most where more come than the
// servers do, by what keeps them from being more: places, or patience of which as many run out as are not served.
// +Inf: nothing does.
func (s *Station) mostWaiting() float64 {
	load := s.offeredLoad()
	switch {
	case s.Loss || load <= s.meanServers():
		return 0
	case s.Places == 0 && !s.bounded():
		return math.Inf(1)
	}
	waiting := 0.0
	for i := range s.Classes {
		if c := &s.Classes[i]; c.Patience != nil {
			r, _ := c.rate()
			p, _, _ := c.Patience.Moments()
			waiting += r * p * (1 - s.meanServers()/load)
		} else if c.Sources == 0 {
			waiting = math.Inf(1)
		}
	}
	if s.Places > 0 {
		return min(waiting, float64(s.Places-s.Servers))
	}
	return waiting
}

// Stable returns a *[queueing.UnstableError] where more work comes than the
// servers can do and nothing keeps the queue from growing. (Wide jobs that come
// first and are served first may be too many already below that.)
func (s *Station) Stable() error {
	if err := s.Check(); err != nil || s.bounded() {
		return err
	}
	if load := s.offeredLoad() / s.meanServers(); load >= 1 {
		return &queueing.UnstableError{Func: "Station", Utilization: load}
	}
	return nil
}

func (s *Station) meanServers() float64 {
	if len(s.Groups) > 0 {
		rate := 0.0
		for i := range s.Groups {
			rate += s.Groups[i].rate()
		}
		return rate
	}
	if len(s.Shifts) == 0 {
		return float64(s.Servers)
	}
	c, sum := s.Classes[0].Curve, 0.0
	for i, n := range s.Shifts {
		end := c.End
		if i+1 < len(c.Start) {
			end = c.Start[i+1]
		}
		sum += float64(n) * (end - c.Start[i])
	}
	return sum / (c.End - c.Start[0])
}

// busiest returns how many customers there are at most of a rate that varies, as if they flowed: served,
// and piled up while more come than the servers do; 0 of several classes.
func (s *Station) busiest(horizon float64) (most float64) {
	c := s.Classes[0].Curve
	if c == nil || len(s.Classes) > 1 || len(s.Groups) > 0 {
		return 0
	}
	each, _, _ := s.Classes[0].Service.Moments()
	each *= float64(max(1, s.Classes[0].Width))
	waiting := 0.0
	for i := range 2 * len(c.Rate) { // what the end of a cycle leaves is there in the next one
		k := i % len(c.Rate)
		length, servers := c.End-c.Start[k], s.Servers
		if k+1 < len(c.Start) {
			length = c.Start[k+1] - c.Start[k]
		}
		if len(s.Shifts) > 0 {
			servers = s.Shifts[k]
		}
		length = min(length, horizon)
		horizon -= length
		if !s.bounded() {
			waiting = max(0, waiting+(c.Rate[k]-float64(servers)/each)*length)
		}
		most = max(most, waiting+min(c.Rate[k]*each, float64(servers)))
	}
	return most
}

// Options completes how long to simulate. Without a horizon there must be a steady
// state ([Station.Stable]); a replication then lasts 1000 arrivals and 200 times
// as long as the station takes to forget its start, about
//
//	τ = E[S] (1 + 2 (c_a² + c_s²)/(c (1 − ρ)²))
//
// less where the queue is bounded or patience is short, as long as a queue takes to
// fill to which more comes than is served, and ten cycles of a curve, or as many as
// bring 200,000 customers; see [sim.Options.Span] of long runs.
// Without a warm-up it is looked for where there is a steady state, from
// five times on that the station takes to forget its start; where a curve makes
// time matter it is one cycle or more, or a short part of one where the horizon was
// not given. A log is replayed once, from an empty station.
func (s *Station) Options(o sim.Options) (sim.Options, error) {
	if err := s.Check(); err != nil {
		return o, err
	}
	if len(s.Jobs) > 0 {
		if o.Replications > 1 || o.Precision > 0 {
			return o, &sim.DomainError{Func: "Station", Arg: "Replications", Value: float64(o.Replications),
				Want: "one replay of a log: nothing in it is left to chance"}
		}
		o.Replications = 1
		return o, nil
	}
	forget, period := s.forgets(), 0.0
	if c := s.Classes[0].Curve; c != nil {
		period = c.End - c.Start[0]
	}
	if o.Horizon == 0 || math.IsInf(o.Horizon, 1) {
		if err := s.Stable(); err != nil {
			return o, err
		}
		rate := s.flow()
		usual := 1000/rate + s.spans(forget)*forget
		if period > 0 {
			cycles := min(max(1, math.Ceil(manyCustomers/(rate*period))), 10)
			before := cycleWarmUp(forget, period)
			if o.WarmUp == 0 && !o.FindWarmUp {
				o.WarmUp = before
			}
			usual = before + period*math.Ceil(max(usual/period, cycles))
			if o.Span(usual, 0, events*rate); o.Horizon < usual {
				o.Horizon = before + period*max(1, math.Floor((o.Horizon-before)/period))
			}
		} else {
			o.Span(usual, forget, events*rate)
		}
		if !(usual < math.Inf(1)) { // squares of the times have left the range of numbers
			return o, &sim.DomainError{Func: "Station", Arg: "the rate of arrivals", Value: rate,
				Want: "rates and times whose squares are within the range of numbers, or a horizon"}
		}
	}
	if o.WarmUp == 0 && !o.FindWarmUp {
		if period > 0 {
			if w := math.Ceil(max(1, 5*forget/period)) * period; w < o.Horizon {
				o.WarmUp = w
			}
		} else {
			// A queue that grows for ever has none: all of it counts.
			o.FindWarmUp = s.Stable() == nil
		}
	}
	if period == 0 && o.LeastWarmUp == 0 && s.Stable() == nil {
		o.LeastWarmUp = 5 * forget
	}
	return o, nil
}

// spans returns how many times as long as the station takes to forget its start a run lasts: 200, but fewer where
// that would be more than half a million customers at thousands of servers, over which a run is averaged as well.
// A quarter of it is then warm-up, if no more is found to be. Near saturation it is time alone that averages.
func (s *Station) spans(forget float64) float64 {
	const usual, least, customers, saturated = 200, 20, 5e5, 3
	_, mean, _ := s.services()
	if !s.Loss && !s.bounded() && forget > saturated*mean {
		return usual
	}
	return max(least, min(usual, customers/(s.flow()*forget)))
}

// events is how many a customer has: he comes and goes.
const events = 2

// manyCustomers in a run are enough: more runs then tell more than longer ones.
const manyCustomers = 200_000

// cycleWarmUp returns what is not counted where arrivals follow a curve: a part of a
// cycle that is short beside it and long for the station, or else whole cycles.
func cycleWarmUp(forget, period float64) float64 {
	if w := 5 * forget; w <= period/10 {
		return w
	}
	return math.Ceil(max(1, 5*forget/period)) * period
}

// services returns how many customers come in a unit of time, and the mean and the SCV of the services of all.
func (s *Station) services() (rate, mean, scv float64) {
	work, second := 0.0, 0.0
	for i := range s.Classes {
		r, _ := s.Classes[i].rate()
		m1, m2, _ := s.Classes[i].Service.Moments()
		rate += r
		work += r * m1
		second += r * m2
	}
	mean = work / rate
	return rate, mean, max(0, second/rate/(mean*mean)-1)
}

// rate returns how many customers come in a unit of time.
func (s *Station) rate() float64 {
	rate, _, _ := s.services()
	return rate
}

// flow returns how many customers come in a unit of time where they wait for one another: finitely many sources come no
// faster than they are served, and those who find no room the more often the sooner they come again.
func (s *Station) flow() float64 {
	rate := s.rate()
	excess := s.offeredLoad() / s.meanServers()
	if excess <= 1 {
		return rate
	}
	all, think := 0.0, 0.0
	for i := range s.Classes {
		c := &s.Classes[i]
		if c.Sources == 0 {
			return rate
		}
		t, _, _ := c.Think.Moments()
		all += float64(c.Sources)
		think = max(think, t)
	}
	served, places := rate/excess, math.Inf(1)
	switch {
	case s.Loss:
		places = float64(s.Servers)
	case s.Places > 0:
		places = float64(s.Places)
	}
	return max(served, (all-places)/think)
}

// forgets returns about how long the station takes to forget its start: infinitely long, as it is not known, where
// squares of the times have left the range of numbers.
func (s *Station) forgets() float64 {
	var load, gaps, patience, sources, think, work float64
	for i := range s.Classes {
		c := &s.Classes[i]
		r, scv := c.rate()
		m1, _, _ := c.Service.Moments()
		b := float64(max(1, c.Width))
		load += r * m1 * b
		gaps += r * scv
		if c.Patience != nil {
			p, _, _ := c.Patience.Moments()
			patience = max(patience, p)
		}
		if c.Sources > 0 {
			t, _, _ := c.Think.Moments()
			sources += float64(c.Sources)
			think = max(think, t)
			work += float64(c.Sources) * m1 * b
		}
	}
	rate, mean, scv := s.services()
	servers := s.meanServers()
	free := 1 - load/servers
	slow := 2 * (gaps/rate + scv) / (servers * free * free)
	if s.Loss {
		slow = (1 + scv) / 2 // whoever is served at first is gone when what remains of a service is
	}
	if s.bounded() {
		room := 4.0 // services that it takes to fill or to drain what may wait
		switch queue := float64(s.Places - s.Servers); {
		case s.Places > 0:
			room += max(4, queue/5) * queue / servers
			slow += max(0, -queue/(servers*free)) // to fill it where too many come
		case patience > 0 && free > 0:
			room += 4 * patience / mean
		case patience > 0: // as long as they wait and as few more than are served leave
			room += patience / mean * (1 + math.Log(load/servers))
			slow = room
		case sources > 0: // each thinks once, and waits behind all others if that is longer
			room += max(think, work/servers-think) / mean
			if free <= 0 {
				slow = room
			}
		}
		slow = min(slow, room)
		if math.IsNaN(slow) {
			slow = room
		}
	}
	if forget := mean * (1 + slow); !math.IsNaN(forget) {
		return forget
	}
	return math.Inf(1)
}

// Simulate runs a station. Unless the options have a horizon there must be a
// steady state, else the error is a *[queueing.UnstableError]; see
// [Station.Options] for what is chosen. Other errors are those of [sim.Run].
func Simulate(ctx context.Context, s *Station, o sim.Options) (sim.Result, error) {
	if s == nil {
		return sim.Result{}, errors.New("station: no station")
	}
	o, err := s.Options(o)
	if err != nil {
		return sim.Result{}, err
	}
	return sim.Run(ctx, s, o)
}
