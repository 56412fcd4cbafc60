package planner

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/reliability"
)

// A crossingLimit holds mixes of machines of one worth to what the link and
// the epoch allow.
type crossingLimit struct {
	*crossing
	items []cover.Item
	need  float64 // that all mixes are worth; 0 where a shortfall has a price
}

// Admits reports whether the link carries the mix at a stable epoch.
func (l *crossingLimit) Admits(counts []int64) bool {
	x := l.at(l.items, counts)
	return x.stable && x.carried
}

// A crossingBox is what mixes between two ends have at least and at most.
type crossingBox struct {
	public                      bool // public machines are in all of them
	dedicatedLow, dedicatedHigh float64
	placesLow, placesHigh       float64
	worthLow, worthHigh         float64
	outagesLow, copiedLow       float64
	replicas, outages           float64 // least of a type that can be had
	publicHigh, dedicatedMost   float64 // worth of all public machines, and of the best dedicated one
	placed                      float64 // places for a worth, least of all public types
	dedicatedWorth              float64 // of all dedicated machines
}

func (l *crossingLimit) box(least, most []int64) (b crossingBox, point bool) {
	b.replicas, b.outages, b.placed, point = math.Inf(1), math.Inf(1), math.Inf(1), true
	for i := range least {
		t, w := &l.types[i], l.items[i].Worth
		low, high := float64(least[i]), float64(most[i])
		point = point && least[i] == most[i]
		b.worthLow, b.worthHigh = b.worthLow+w*low, b.worthHigh+w*high
		if !t.public {
			b.dedicatedLow, b.dedicatedHigh = b.dedicatedLow+low, b.dedicatedHigh+high
			b.dedicatedWorth += w * high
			if most[i] > 0 {
				b.dedicatedMost = math.Max(b.dedicatedMost, w)
			}
			continue
		}
		b.public = b.public || least[i] > 0
		b.placesLow, b.placesHigh = b.placesLow+t.places*low, b.placesHigh+t.places*high
		b.outagesLow += t.places * low * t.outages
		b.copiedLow += t.replicas * w * low
		b.publicHigh += w * high
		if most[i] > 0 {
			b.replicas, b.outages = math.Min(b.replicas, t.replicas), math.Min(b.outages, t.outages)
			b.placed = math.Min(b.placed, t.places/w)
		}
	}
	b.worthLow = math.Max(b.worthLow, l.need*(1-1e-12))
	// What public machines cannot be worth dedicated ones have to be, and the
	// other way round.
	if more := b.worthLow - b.publicHigh; more > 0 && b.dedicatedMost > 0 {
		b.dedicatedLow = math.Max(b.dedicatedLow, math.Min(more/b.dedicatedMost*(1-1e-9), b.dedicatedHigh))
	}
	if more := b.worthLow - b.dedicatedWorth; more > 0 && b.placed < math.Inf(1) {
		b.placesLow = math.Max(b.placesLow, math.Min(more*b.placed*(1-1e-9), b.placesHigh))
	}
	if l.dedicated != nil {
		b.dedicatedLow, b.dedicatedHigh = *l.dedicated, *l.dedicated
	}
	return b, point
}

// Relax bounds what mixes between two ends ask for: the fewest swaps at the
// longest epoch, the fewest copies. From
//
//	λ Σ kᵢwᵢnᵢ/W + k x/δ < B_up/m,  x = min(N_d, P)
//
// with the least counts on the left follows what a mix has to be worth, and
// from the swaps how many dedicated machines it has at most. Times W it is
// linear but for x·W, which is at least x·W₀ + x₀·W − x₀·W₀ (McCormick 1976), W₀
// and x₀ being the least of both, and x at least the plane through three
// corners of the box, since the smaller of two numbers is concave.
func (l *crossingLimit) Relax(least, most []int64) cover.Relaxed {
	r := cover.Relaxed{OK: true, Counted: -1}
	b, point := l.box(least, most)
	if point {
		r.OK = l.Admits(least)
		return r
	}
	epoch := math.Inf(1)
	if b.public {
		if epoch = l.longest(&b); epoch == 0 {
			r.OK = false
			return r
		}
	} else if l.delta > 0 {
		epoch = l.delta
	}
	if l.footprint == 0 || math.IsInf(b.replicas, 1) {
		return r
	}
	swaps := math.Min(b.dedicatedLow, b.placesLow)
	up, down := math.Inf(1), math.Inf(1)
	if l.up > 0 {
		up = l.up / l.footprint
	}
	if l.down > 0 {
		down = l.down / l.footprint
	}
	left := up - b.replicas*swaps/epoch // copies a second that new jobs may make
	if b.public && (left <= 0 || swaps/epoch >= down) {
		r.OK = false
		return r
	}
	if l.rate > 0 && left > 0 {
		r.Worth = l.rate * b.copiedLow / left * (1 - 1e-12)
	}
	if room := epoch * math.Min(up/b.replicas, down); l.dedicated == nil && b.public && b.placesLow > room && room < cover.MostCount {
		r.Counted = int64(room * (1 + 1e-12))
	}
	l.line(&r, &b, epoch, up, down)
	return r
}

// line makes the linear bound: of the uplink, or of the downlink where that
// takes fewer swaps.
func (l *crossingLimit) line(r *cover.Relaxed, b *crossingBox, epoch, up, down float64) {
	swaps := func(dedicated, places float64) float64 { return math.Min(dedicated, places) }
	low := swaps(b.dedicatedLow, b.placesLow)
	slope := func(high, width float64) float64 {
		if width <= 0 {
			return 0
		}
		return (high - low) / width
	}
	byMachine := slope(swaps(b.dedicatedHigh, b.placesLow), b.dedicatedHigh-b.dedicatedLow)
	byPlace := slope(swaps(b.dedicatedLow, b.placesHigh), b.placesHigh-b.placesLow)
	level := low - byMachine*b.dedicatedLow - byPlace*b.placesLow
	if l.dedicated != nil {
		byMachine, level = 0, low-byPlace*b.placesLow
	}
	worth := math.Max(b.worthLow, r.Worth)
	weight := make([]float64, len(l.items))
	each := func(i int) float64 { // swaps of one more machine
		if t := &l.types[i]; t.public {
			return byPlace * t.places
		}
		return byMachine
	}
	switch {
	case down*b.replicas < up:
		for i := range weight {
			weight[i] = each(i)
		}
		r.Weight, r.Most = weight, down*epoch-level
	case !math.IsInf(up, 1):
		rate := math.Max(l.rate, 0)
		q := b.replicas / epoch
		for i := range weight {
			t, w := &l.types[i], l.items[i].Worth
			weight[i] = q*worth*each(i) + (q*low-up)*w
			if t.public {
				weight[i] += rate * t.replicas * w
			}
		}
		r.Weight, r.Most = weight, q*worth*(low-level)
	}
	if math.IsInf(r.Most, 1) {
		r.Weight = nil
	}
	// What rounding may take is not held against a mix.
	r.Most += 1e-9 * math.Abs(r.Most)
}

// busy is the least share of public places that hold a job.
func (c *crossing) busy(worth float64) float64 {
	if c.load > 0 {
		return math.Min(1, c.load/worth)
	}
	return 1
}

// longest bounds the epoch of the mixes of a box from above; 0 where none of
// them has a stable one.
func (l *crossingLimit) longest(b *crossingBox) float64 {
	failures := b.outagesLow * l.busy(b.worthHigh)
	delta := math.Inf(1)
	if l.delta > 0 {
		delta = l.delta
	}
	e := l.epoch
	if e == nil {
		return delta
	}
	if e.jobs > 0 {
		failures = e.jobs * b.outages
	}
	if e.failures > 0 {
		failures = e.failures
	}
	fewest := math.Min(e.migrations, b.dedicatedLow)
	if failures == 0 || fewest == 0 {
		return delta
	}
	if _, stable := e.best(fewest, failures); !stable && !e.any {
		return 0
	}
	if e.model == reliability.MM1 && e.length > 0 && !e.any && (e.length <= fewest*e.time || e.length >= 2/failures-2*e.time) {
		return 0
	}
	if l.delta > 0 {
		return delta
	}
	best, _ := e.best(math.Min(e.migrations, b.dedicatedHigh), failures)
	return best
}
