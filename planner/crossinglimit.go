package planner

import (
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/reliability"
)

// A crossingLimit holds mixes of machines of one worth to what the link and
// the epoch allow.
type crossingLimit struct {
	*crossing
	items []cover.Item
	need  float64 // that all mixes are worth; 0 where a shortfall has a price
	scale *crossingWeights
}

// Admits reports whether the link carries the mix at a stable epoch, and no more
// of its worth is public than may be.
func (l *crossingLimit) Admits(counts []int64) bool {
	if !l.sharing(counts, counts) {
		return false
	}
	if l.footprint == 0 && l.epoch == nil {
		return true
	}
	x := l.at(l.items, counts)
	return x.stable && x.carried
}

// A crossingBox is what mixes between two ends have at least and at most. Weight
// is that of [crossingLimit.weights].
type crossingBox struct {
	public                      bool // public machines are in all of them
	dedicatedLow, dedicatedHigh float64
	placesLow, placesHigh       float64
	weightLow, weightHigh       float64
	outagesLow, copiedLow       float64
	replicas, outages           float64 // least of a type that can be had
	publicHigh, dedicatedMost   float64 // weight of all public machines, and of a place on the best dedicated one
	placed                      float64 // places for a weight, least of all public types
	dedicatedWeight             float64 // of all dedicated machines
}

func (l *crossingLimit) box(w *crossingWeights, least, most []int64) (b crossingBox) {
	b.replicas, b.outages, b.placed = math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range least {
		t, w, copies := &l.types[i], w.of[i], w.copies[i]
		low, high := float64(least[i]), float64(most[i])
		b.weightLow, b.weightHigh = b.weightLow+w*low, b.weightHigh+w*high
		if !t.public {
			b.dedicatedLow, b.dedicatedHigh = b.dedicatedLow+t.places*low, b.dedicatedHigh+t.places*high
			b.dedicatedWeight += w * high
			if most[i] > 0 {
				b.dedicatedMost = math.Max(b.dedicatedMost, w/t.places)
			}
			continue
		}
		b.public = b.public || least[i] > 0
		b.placesLow, b.placesHigh = b.placesLow+t.places*low, b.placesHigh+t.places*high
		b.outagesLow += t.places * low * t.outages
		b.copiedLow += copies * w * low
		b.publicHigh += w * high
		if most[i] > 0 {
			b.replicas, b.outages = math.Min(b.replicas, t.replicas), math.Min(b.outages, t.outages)
			b.placed = math.Min(b.placed, t.places/w)
		}
	}
	if l.figure == nil {
		b.weightLow = math.Max(b.weightLow, l.need*(1-1e-12))
	}
	// What public machines cannot be worth dedicated ones have to be, and the
	// other way round.
	if more := b.weightLow - b.publicHigh; more > 0 && b.dedicatedMost > 0 {
		b.dedicatedLow = math.Max(b.dedicatedLow, math.Min(more/b.dedicatedMost*(1-1e-9), b.dedicatedHigh))
	}
	if more := b.weightLow - b.dedicatedWeight; more > 0 && b.placed < math.Inf(1) {
		b.placesLow = math.Max(b.placesLow, math.Min(more*b.placed*(1-1e-9), b.placesHigh))
	}
	if l.dedicated != nil {
		b.dedicatedLow, b.dedicatedHigh = *l.dedicated, *l.dedicated
	}
	return b
}

// Relax bounds what mixes between two ends ask for: the fewest swaps at the
// longest epoch, the fewest copies. From
//
//	λ Σ kᵢwᵢnᵢ/W + k x/δ < B_up/m,  x = min(N_d, P),  W = Σ wᵢnᵢ + w₀
//
// with the weights of [crossingLimit.weights] and the least counts on the left
// follows what W has to be, and from the swaps how many dedicated machines it has
// at most. Times W it is linear but for x·W, which is at least
// x·W₀ + x₀·W − x₀·W₀ (McCormick 1976), W₀ and x₀ being the least of both, and x
// at least the plane through three corners of the box, since the smaller of two
// numbers is concave.
func (l *crossingLimit) Relax(least, most []int64) cover.Relaxed {
	r := cover.Relaxed{OK: true, Counted: -1}
	if slices.Equal(least, most) {
		r.OK = l.Admits(least)
		return r
	}
	if !l.sharing(least, most) {
		r.OK = false
		return r
	}
	l.share(&r)
	if l.footprint == 0 && l.epoch == nil {
		return r
	}
	w := l.weights()
	b := l.box(w, least, most)
	epoch := math.Inf(1)
	if b.public {
		if epoch = l.longest(&b, least, most); epoch == 0 {
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
	weight := b.weightLow + w.more
	if l.rate > 0 && left > 0 {
		needed := l.rate * b.copiedLow / left * (1 - 1e-12)
		weight = math.Max(weight, needed)
		if l.figure == nil { // the weight is the worth
			r.Worth = needed
		}
	}
	if room := epoch * math.Min(up/b.replicas, down); l.dedicated == nil && b.public && b.placesLow > room &&
		room < cover.MostCount {
		r.Counted = int64(room * (1 + 1e-12))
	}
	l.line(&r, &b, w, weight, epoch, up, down)
	return r
}

// line makes the linear bound: of the uplink, or of the downlink where that
// takes fewer swaps. The weight W of all mixes is at least the given one.
func (l *crossingLimit) line(r *cover.Relaxed, b *crossingBox, w *crossingWeights, least, epoch, up, down float64) {
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
	weight := make([]float64, len(l.items))
	each := func(i int) float64 { // swaps of one more machine
		if t := &l.types[i]; t.public {
			return byPlace * t.places
		}
		return byMachine * l.types[i].places
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
			weight[i] = q*least*each(i) + (q*low-up)*w.of[i]
			if l.types[i].public {
				weight[i] += rate * w.copies[i] * w.of[i]
			}
		}
		r.Weight, r.Most = weight, q*least*(low-level)+(up-q*low)*w.more
	}
	if math.IsInf(r.Most, 1) {
		r.Weight = nil
		l.share(r)
	}
	// What rounding may take is not held against a mix.
	r.Most += 1e-9 * math.Abs(r.Most)
}

// failing bounds the rate at which public jobs of the mixes of a box lose all
// their replicas from below: each type is least busy beside the most machines.
func (l *crossingLimit) failing(b *crossingBox, least, most []int64) float64 {
	if l.figure == nil {
		part := 1.0
		if l.load > 0 {
			part = math.Min(1, l.load/b.weightHigh)
		}
		return b.outagesLow * part
	}
	return l.lost(l.figure.leastBusy(most), least)
}

// lost is the rate of public jobs that lose all their replicas, at least, with so
// many busy places of a machine.
func (l *crossingLimit) lost(busy []float64, least []int64) float64 {
	sum := 0.0
	for i := range busy {
		if t := &l.types[i]; t.public {
			sum += busy[i] * float64(least[i]) * t.outages
		}
	}
	return sum * (1 - 1e-9)
}

// longest bounds the epoch of the mixes of a box from above; 0 where none of
// them has a stable one.
func (l *crossingLimit) longest(b *crossingBox, least, most []int64) float64 {
	delta := math.Inf(1)
	if l.delta > 0 {
		delta = l.delta
	}
	e := l.epoch
	if e == nil {
		return delta
	}
	fewest := math.Min(e.migrations, b.dedicatedLow)
	if fewest == 0 { // nothing is moved, however often machines fail
		return delta
	}
	failures := e.failures
	switch {
	case e.failures > 0:
	case e.jobs > 0:
		failures = e.jobs * b.outages
	default:
		// Most boxes without a stable epoch are told by a bound that asks no queue.
		if l.figure != nil && !e.any {
			if few := l.lost(l.figure.hardlyBusy(most), least); few > 0 {
				if _, stable := e.best(fewest, few); !stable {
					return 0
				}
			}
		}
		failures = l.failing(b, least, most)
	}
	if failures == 0 {
		return delta
	}
	if _, stable := e.best(fewest, failures); !stable && !e.any {
		return 0
	}
	if e.model == reliability.MM1 && e.length > 0 && !e.any &&
		(e.length <= fewest*e.time || e.length >= 2/failures-2*e.time) {
		return 0
	}
	if l.delta > 0 {
		return delta
	}
	best, _ := e.best(math.Min(e.migrations, b.dedicatedHigh), failures)
	return best
}
