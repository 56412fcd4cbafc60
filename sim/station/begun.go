package station

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// beginsBusy reports whether runs with a warm-up begin with customers who are being served. A run that begins empty
// shows it for as long as services last: where these vary much, by an SCV above 1, that is longer than any warm-up,
// and sooner or later by more than the interval is wide (TestManyVariedServices).
func (s *Station) beginsBusy() bool {
	if len(s.Jobs) > 0 || len(s.Groups) > 0 || s.Order == Sharing {
		return false
	}
	unplain := func(c Class) bool { return c.Sources > 0 || c.Width > 1 || c.Reserve > 0 }
	return !slices.ContainsFunc(s.Classes, unplain) && s.serviceSCV() > 1+1e-9
}

// fill begins with the customers of M/G/∞, as far as there are servers: of each class a Poisson number, whose
// services are drawn in proportion to their length and have lasted for a share of it. Of a rate that changes with
// time those stay who came at such a time. Where customers wait, the warm-up adds those.
func (d *desk) fill() {
	for k := range d.sources {
		v := &d.sources[k]
		r := d.r.Stream(uint64(k), 4)
		rate, _ := v.class.rate()
		if v.curve != nil {
			rate = slices.Max(v.curve.rate)
		}
		mean, _, _ := v.class.Service.Moments()
		load := min(rate*mean, 2*float64(d.servers)) // more would not fit
		for _, length := range d.inProgress(v.class.Service, int(distuv.Poisson{Lambda: load, Src: r}.Rand()), r) {
			left := r.Float64() * length
			if v.curve != nil {
				if i, _ := v.curve.interval(left - length); r.Float64()*rate > v.curve.rate[i] {
					continue
				}
			}
			if d.busy >= d.servers {
				return
			}
			d.already(int32(k), length, left)
		}
	}
}

// inProgress draws n services in proportion to their length, from more that are drawn as they come.
func (d *desk) inProgress(l Law, n int, r *rand.Rand) []float64 {
	const many = 200_000 // show the longest of a law, which few have
	drawn := make([]float64, n*max(2, min(16, many/max(1, n))))
	sums, sum := make([]float64, len(drawn)), 0.0
	for i := range drawn {
		drawn[i] = d.draw(l, r)
		sum += drawn[i]
		sums[i] = sum
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return nil
	}
	some := make([]float64, n)
	for i := range some { // one in each n-th part of the sum
		at := sort.SearchFloat64s(sums, (float64(i)+r.Float64())/float64(n)*sum)
		some[i] = drawn[min(at, len(drawn)-1)]
	}
	r.Shuffle(n, func(i, j int) { some[i], some[j] = some[j], some[i] })
	return some
}

// already has a customer of a class in service of whose length some is left.
func (d *desk) already(class int32, length, left float64) {
	id := d.enter(class)
	c := &d.table[id]
	c.length, c.left, c.estimate = length, left, left
	if d.slots > 0 {
		i, _ := d.sources[0].curve.interval(left - length)
		c.slot = int32(i)
	}
	d.inside++
	d.of(c, func(l *ledger) {
		l.count.came++
		l.count.letIn++
		l.inside++
	})
	d.line.arrive(id)
	c = &d.table[id]
	had := length - left
	c.came -= had
	d.of(c, func(l *ledger) { // for the audit
		l.insideArea += had
		l.busyWhole += had
	})
}
