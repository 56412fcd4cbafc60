package mixes

import (
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/reliability"
)

// A crossingLimit holds mixes of machines of one worth to what the link and
// the epoch allow.
type crossingLimit struct {
	*Crossing
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
	if l.Footprint == 0 && l.Epoch == nil {
		return true
	}
	x := l.At(l.items, counts)
	return x.Stable && x.Carried
}

// Admits reports whether the link carries a mix at a stable epoch, and no more of
// its worth is public than may be; true without a crossing.
func (c *Crossing) Admits(items []cover.Item, counts []int64) bool {
	return c == nil || (&crossingLimit{Crossing: c, items: items}).Admits(counts)
}

// Shares reports whether no more of the worth of a mix is public than may be.
func (c *Crossing) Shares(items []cover.Item, counts []int64) bool {
	return c == nil || (&crossingLimit{Crossing: c, items: items}).sharing(counts, counts)
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

// box bounds, over all mixes with between least and most machines of each type, what the limit adds
// up. Each bound is taken by itself: no one mix need have them all, which only makes the box wider and
// what it excludes certain.
func (l *crossingLimit) box(w *crossingWeights, least, most []int64) (b crossingBox) {
	b.replicas, b.outages, b.placed = math.Inf(1), math.Inf(1), math.Inf(1)
	for i := range least {
		t, w, copies := &l.Types[i], w.of[i], w.copies[i]
		low, high := float64(least[i]), float64(most[i])
		b.weightLow, b.weightHigh = b.weightLow+w*low, b.weightHigh+w*high
		if !t.Public {
			b.dedicatedLow, b.dedicatedHigh = b.dedicatedLow+t.Places*low, b.dedicatedHigh+t.Places*high
			b.dedicatedWeight += w * high
			if most[i] > 0 {
				b.dedicatedMost = math.Max(b.dedicatedMost, w/t.Places)
			}
			continue
		}
		b.public = b.public || least[i] > 0
		b.placesLow, b.placesHigh = b.placesLow+t.Places*low, b.placesHigh+t.Places*high
		b.outagesLow += t.Places * low * t.Outages
		b.copiedLow += copies * w * low
		b.publicHigh += w * high
		if most[i] > 0 {
			b.replicas, b.outages = math.Min(b.replicas, t.Replicas), math.Min(b.outages, t.Outages)
			b.placed = math.Min(b.placed, t.Places/w)
		}
	}
	if l.model == nil {
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
	if l.Dedicated != nil {
		b.dedicatedLow, b.dedicatedHigh = *l.Dedicated, *l.Dedicated
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
	if l.model != nil {
		l.model.work.Steps += boxSteps + boxTypeSteps*float64(len(most))
	}
	if !l.sharing(least, most) {
		r.OK = false
		return r
	}
	l.share(&r)
	if l.Footprint == 0 && l.Epoch == nil {
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
	} else if l.Delta > 0 {
		epoch = l.Delta
	}
	if l.Footprint == 0 || math.IsInf(b.replicas, 1) {
		return r
	}
	swaps := math.Min(b.dedicatedLow, b.placesLow)
	up, down := math.Inf(1), math.Inf(1)
	if l.Up > 0 {
		up = l.Up / l.Footprint
	}
	if l.Down > 0 {
		down = l.Down / l.Footprint
	}
	left := up - b.replicas*swaps/epoch // copies a second that new jobs may make
	if b.public && (left <= 0 || swaps/epoch >= down) {
		r.OK = false
		return r
	}
	weight := b.weightLow + w.more
	if l.Rate > 0 && left > 0 {
		needed := l.Rate * b.copiedLow / left * (1 - 1e-12)
		weight = math.Max(weight, needed)
		if l.model == nil { // the weight is the worth
			r.Worth = needed
		}
	}
	if room := epoch * math.Min(up/b.replicas, down); l.Dedicated == nil && b.public && b.placesLow > room &&
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
	if l.Dedicated != nil {
		byMachine, level = 0, low-byPlace*b.placesLow
	}
	weight := make([]float64, len(l.items))
	each := func(i int) float64 { // swaps of one more machine
		if t := &l.Types[i]; t.Public {
			return byPlace * t.Places
		}
		return byMachine * l.Types[i].Places
	}
	switch {
	case down*b.replicas < up:
		for i := range weight {
			weight[i] = each(i)
		}
		r.Weight, r.Most = weight, down*epoch-level
	case !math.IsInf(up, 1):
		rate := math.Max(l.Rate, 0)
		q := b.replicas / epoch
		for i := range weight {
			weight[i] = q*least*each(i) + (q*low-up)*w.of[i]
			if l.Types[i].Public {
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
	if l.model == nil {
		part := 1.0
		if l.Load > 0 {
			part = math.Min(1, l.Load/b.weightHigh)
		}
		return b.outagesLow * part
	}
	return l.lost(l.model.leastBusy(most), least)
}

// lost is the rate of public jobs that lose all their replicas, at least, with so
// many busy places of a machine.
func (l *crossingLimit) lost(busy []float64, least []int64) float64 {
	sum := 0.0
	for i := range busy {
		if t := &l.Types[i]; t.Public {
			sum += busy[i] * float64(least[i]) * t.Outages
		}
	}
	return sum * (1 - 1e-9)
}

// longest bounds the epoch of the mixes of a box from above; 0 where none of
// them has a stable one.
func (l *crossingLimit) longest(b *crossingBox, least, most []int64) float64 {
	delta := math.Inf(1)
	if l.Delta > 0 {
		delta = l.Delta
	}
	e := l.Epoch
	if e == nil {
		return delta
	}
	fewest := math.Min(e.Migrations, b.dedicatedLow)
	if fewest == 0 { // nothing is moved, however often machines fail
		return delta
	}
	failures := e.Failures
	switch {
	case e.Failures > 0:
	case e.Jobs > 0:
		failures = e.Jobs * b.outages
	default:
		// Most boxes without a stable epoch are recognized by a bound that needs no queue.
		if l.model != nil && !e.any {
			if few := l.lost(l.model.hardlyBusy(most), least); few > 0 {
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
	if e.Model == reliability.MM1 && e.Length > 0 && !e.any &&
		(e.Length <= fewest*e.Time || e.Length >= 2/failures-2*e.Time) {
		return 0
	}
	if l.Delta > 0 {
		return delta
	}
	best, _ := e.best(math.Min(e.Migrations, b.dedicatedHigh), failures)
	return best
}
