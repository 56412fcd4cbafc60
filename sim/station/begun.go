package station

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/queueing"
)

// beginsBusy reports whether runs with a warm-up begin in the midst of services, of thinking and of gaps between
// arrivals. A run in which all of these begin shows it for as long as they last: where they vary much, by an SCV above
// 1, that is longer than any warm-up, and sooner or later by more than the interval is wide (TestManyVariedServices,
// TestVariedThinking, TestVariedServicesOfAllKinds). So is what is left of an empty start after a usual warm-up where
// over 100,000 customers are averaged over (TestManyServersBeginBusy).
func (s *Station) beginsBusy() bool {
	if len(s.Jobs) > 0 {
		return false
	}
	_, _, scv := s.services()
	varied := scv > 1+1e-9 || s.offeredLoad() > 1e5
	for i := range s.Classes {
		c := &s.Classes[i]
		for _, l := range []Law{c.Gaps, c.Think} {
			if l != nil {
				m1, m2, _ := l.Moments()
				varied = varied || m2 > 2*m1*m1*(1+1e-9)
			}
		}
	}
	return varied
}

// midst draws n times that have lasted for a share of them: they are in proportion to their length, and what is left
// of them is even.
func (d *desk) midst(l Law, n int, r *rand.Rand, of func(length, left float64)) {
	for _, length := range d.inProgress(l, n, r) {
		of(length, r.Float64()*length)
	}
}

// fill begins with the customers of stations without queues, as far as there are servers: of each class a Poisson
// number is served, and of finitely many each with the share of time that he is. Of a rate that changes with time
// those stay who came at such a time. Where customers wait, the warm-up adds those.
func (d *desk) fill() {
	slow := d.slowness()
	for k := range d.sources {
		v, r := &d.sources[k], d.r.Stream(uint64(k), 4)
		rate, _ := v.class.rate()
		if v.curve != nil {
			rate = slices.Max(v.curve.rate)
		}
		mean, _, _ := v.class.Service.Moments()
		mean *= slow
		load := min(rate*mean, 2*float64(d.servers)) // more would not fit
		width := max(1, v.class.Width)
		n := 0
		if all := v.class.Sources; all > 0 {
			n = int(distuv.Binomial{N: float64(all), P: min(1, rate*mean/float64(all)), Src: r}.Rand())
			n = max(0, min(n, (d.servers-d.busy-v.class.Reserve)/width)) // the others think
			d.midst(v.class.Think, all-n, r, func(_, left float64) {
				d.agenda.Schedule(left, event{kind: arrives, id: int32(k)})
			})
		} else {
			n = int(distuv.Poisson{Lambda: load, Src: r}.Rand())
		}
		d.table = slices.Grow(d.table, min(n, d.servers/width)*17/16)
		d.midst(v.class.Service, n, r, func(length, left float64) {
			if v.curve != nil {
				if i, _ := v.curve.interval(left - length); r.Float64()*rate > v.curve.rate[i] {
					return
				}
			}
			if d.busy+width+v.class.Reserve <= d.servers {
				d.already(int32(k), length, left)
			}
		})
	}
}

// slowness is how many times as long as at speed 1 a service lasts at a machine picked at random.
func (d *desk) slowness() float64 {
	sum, all := 0.0, 0.0
	for i := range d.st.Groups {
		g := &d.st.Groups[i]
		n := g.Machines * g.up() / g.perJob()
		sum, all = sum+n/g.Speed, all+n
	}
	if all == 0 {
		return 1
	}
	return sum / all
}

// inProgress draws n times in proportion to their length. Of a law of no known kind they are drawn from many that
// come as they do, of which the longest may be missing.
func (d *desk) inProgress(l Law, n int, r *rand.Rand) []float64 {
	some := make([]float64, n)
	if known, ok := l.(queueing.Law); ok {
		if long := queueing.LengthBiased(known); long != nil {
			for i := range some {
				some[i] = d.time(l, long(r))
			}
			return some
		}
	}
	const few, many = 1000, 200_000
	drawn := make([]float64, max(few, n*max(2, min(16, many/max(1, n)))))
	sums, sum := make([]float64, len(drawn)), 0.0
	for i := range drawn {
		drawn[i] = d.draw(l, r)
		sum += drawn[i]
		sums[i] = sum
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return drawn[:n]
	}
	for i := range some {
		some[i] = drawn[min(sort.SearchFloat64s(sums, r.Float64()*sum), len(drawn)-1)]
	}
	return some
}

// already has a customer of a class in service of whose length some is left.
func (d *desk) already(class int32, length, left float64) {
	id := d.enter(class)
	c := &d.table[id]
	c.length, c.left, c.estimate, c.width = length, left, left, int32(max(1, d.st.Classes[class].Width))
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
	if d.idle != nil { // at the speed of a machine, of whose work what is left counts
		had /= d.st.Groups[c.group].Speed
	}
	c.came -= had
	d.of(c, func(l *ledger) { // for the audit
		l.insideArea += had
		l.busyWhole += (c.length - c.left) * float64(c.width)
	})
}
