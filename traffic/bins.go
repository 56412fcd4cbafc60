package traffic

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/source"
)

// bins are the buckets of a histogram that are not empty.
type bins struct {
	Buckets []Bucket
	n       float64 // durations
	mean    float64 // s
	known   bool    // the mean is that of the sum
	excess  float64 // s: mean time beyond the last finite bound, of those beyond it
}

// bins checks a histogram.
func (h *Histogram) bins() (*bins, error) {
	fail := func(arg string, value any, want string) error {
		return source.Outside("Histogram.Service", arg, value, want)
	}
	if h == nil {
		return nil, fail("h", nil, "a histogram")
	}
	b := &bins{}
	last := 0.0
	for i, v := range h.Buckets {
		switch {
		case !(v.Low >= last && v.Low <= source.MaxField):
			return nil, fail(fmt.Sprintf("Buckets[%d].Low", i), v.Low,
				"a finite bound >= 0, not below the bucket before")
		case !(v.High > v.Low && (v.High <= source.MaxField || i == len(h.Buckets)-1 && math.IsInf(v.High, 1))):
			return nil, fail(fmt.Sprintf("Buckets[%d].High", i), v.High, "a bound above Low, finite but for the last")
		case !(v.Count >= 0 && v.Count <= source.MaxField):
			return nil, fail(fmt.Sprintf("Buckets[%d].Count", i), v.Count, "a finite count >= 0")
		}
		if last = v.High; v.Count > 0 {
			b.Buckets, b.n = append(b.Buckets, v), b.n+v.Count
		}
	}
	if b.n == 0 {
		return nil, fail("Buckets", len(h.Buckets), "a duration that is counted")
	}
	if b.tail() == b.n {
		return nil, fail("Buckets", fmt.Sprintf("all beyond %g s", b.Buckets[0].Low), "durations below a finite bound")
	}
	if b.tail() > 0 {
		b.excess = b.tailExcess()
	}
	if b.known = h.Sum >= 0 && h.Sum <= source.MaxField; b.known {
		b.mean = h.Sum / b.n
		if b.tail() > 0 {
			most := (h.Sum - b.finite().least()*b.finite().n) / b.tail()
			b.excess = math.Min(b.excess, math.Max(most-b.Buckets[len(b.Buckets)-1].Low, 0))
		}
		return b, nil
	}
	if !math.IsNaN(h.Sum) {
		return nil, fail("Sum", h.Sum, "a finite sum >= 0, or NaN")
	}
	b.mean = b.tiltedMean(0)
	return b, nil
}

// tail counts what lies beyond the last finite bound.
func (b *bins) tail() float64 {
	if v := b.Buckets[len(b.Buckets)-1]; math.IsInf(v.High, 1) {
		return v.Count
	}
	return 0
}

// finite are the bins with two bounds.
func (b *bins) finite() *bins {
	if b.tail() == 0 {
		return b
	}
	return &bins{Buckets: b.Buckets[:len(b.Buckets)-1], n: b.n - b.tail()}
}

// tailExcess carries the fall across the last finite bucket on: with the share
// S above its ends a and b, exponential, the mean excess is (b−a)/ln(S(a)/S(b)).
func (b *bins) tailExcess() float64 {
	v := b.Buckets[len(b.Buckets)-2]
	return (v.High - v.Low) / math.Log1p(v.Count/b.tail())
}

// least is the mean if all stood at the lower ends of their buckets.
func (b *bins) least() float64 {
	sum := 0.0
	for _, v := range b.Buckets {
		sum += v.Count / b.n * v.Low
	}
	return sum
}

// greatest is the mean if all stood at the upper ends of their buckets.
func (b *bins) greatest() float64 {
	sum := 0.0
	for _, v := range b.Buckets {
		sum += v.Count / b.n * v.High
	}
	return sum
}

// tilted returns mean and variance of the density ∝ e^(−βt) on (low, high]. With
// t = β·width:
//
//	mean = low + width (1/t − 1/(eᵗ − 1)),   variance = width² (1/t² − 1/(4 sinh²(t/2)))
func tilted(v Bucket, beta float64) (mean, variance float64) {
	width := v.High - v.Low
	t := beta * width
	switch {
	case math.Abs(t) < 1e-2: // the series: its next term is below 1e-12 of the first
		return v.Low + width*(0.5-t/12+t*t*t/720), width * width * (1.0/12 - t*t/240 + t*t*t*t/6048)
	case math.Abs(t) > 600: // all at one end
		if t > 0 {
			return v.Low + width/t, width * width / (t * t)
		}
		return v.High + width/t, width * width / (t * t)
	}
	s := 2 * math.Sinh(t/2)
	return v.Low + width*(1/t-1/math.Expm1(t)), math.Max(width*width*(1/(t*t)-1/(s*s)), 0)
}

// tiltedMean is the mean of the law with the tilt beta in each finite bucket.
func (b *bins) tiltedMean(beta float64) float64 {
	sum := 0.0
	for _, v := range b.Buckets {
		m := v.Low + b.excess
		if !math.IsInf(v.High, 1) {
			m, _ = tilted(v, beta)
		}
		sum += v.Count / b.n * m
	}
	return sum
}

// secondMoment is E[T²] of the law whose tilt gives the mean.
func (b *bins) secondMoment(mean float64) float64 {
	// The mean falls with beta. No bucket is steeper than the widest makes it.
	width := 0.0
	for _, v := range b.finite().Buckets {
		width = math.Max(width, v.High-v.Low)
	}
	low, high := -1/width, 1/width
	for range 80 {
		if b.tiltedMean(low) < mean {
			low *= 2
		}
		if b.tiltedMean(high) > mean {
			high *= 2
		}
	}
	for range 200 {
		middle := (low + high) / 2
		if b.tiltedMean(middle) > mean {
			low = middle
		} else {
			high = middle
		}
	}
	beta := (low + high) / 2
	sum := 0.0
	for _, v := range b.Buckets {
		m, variance := v.Low+b.excess, b.excess*b.excess
		if !math.IsInf(v.High, 1) {
			m, variance = tilted(v, beta)
		}
		sum += v.Count / b.n * (m*m + variance)
	}
	return sum
}

// secondMomentBounds are the least and the greatest E[T²] of all laws with these
// counts and this mean. With p the shares and m the means of the buckets, E[T²]
// lies from Σ p m² to Σ p ((low+high) m − low·high). The first is least where the
// m come as close to one value as their buckets let them; the second, linear in
// m, is greatest where those of the highest buckets are raised first.
func (b *bins) secondMomentBounds(mean float64) (low, high float64) {
	level := func(to float64) (first, second float64) {
		for _, v := range b.Buckets {
			m := math.Min(math.Max(to, v.Low), v.High)
			first, second = first+v.Count/b.n*m, second+v.Count/b.n*m*m
		}
		return first, second
	}
	from, to := 0.0, math.Max(b.Buckets[len(b.Buckets)-1].Low, mean)
	if last := b.Buckets[len(b.Buckets)-1].High; !math.IsInf(last, 1) {
		to = last
	}
	for first, _ := level(to); first < mean && !math.IsInf(to, 1); first, _ = level(to) {
		to *= 2
		if b.tail() == 0 {
			break
		}
	}
	for range 200 {
		middle := (from + to) / 2
		if first, _ := level(middle); first < mean {
			from = middle
		} else {
			to = middle
		}
	}
	_, low = level(to)
	if b.tail() > 0 {
		return low, math.Inf(1)
	}
	left := mean - b.least()
	for _, v := range slices.Backward(b.Buckets) {
		p, width := v.Count/b.n, v.High-v.Low
		raised := math.Min(math.Max(left, 0), p*width)
		left -= raised
		high += p*v.Low*v.Low + raised*(v.Low+v.High)
	}
	return low, math.Max(high, low)
}

// percentile interpolates in the bucket in which the p-th share ends.
func (b *bins) percentile(p float64) Percentile {
	rank := p * b.n
	for i, v := range b.Buckets {
		if rank > v.Count && i+1 < len(b.Buckets) {
			rank -= v.Count
			continue
		}
		if math.IsInf(v.High, 1) {
			return Percentile{Percentile: p, Value: v.Low, Low: &v.Low}
		}
		return Percentile{
			Percentile: p,
			Value:      v.Low + (v.High-v.Low)*math.Min(rank/v.Count, 1),
			Low:        &v.Low,
			High:       &v.High,
		}
	}
	return Percentile{Percentile: p}
}
