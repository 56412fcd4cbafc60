package sim

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Bins are in the order of their values and no wider than 0.1 %.
func TestBins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		y := rapid.Float64().Draw(t, "y")
		if x < y && bin(x) > bin(y) {
			t.Fatalf("bin(%v) = %d > bin(%v) = %d", x, bin(x), y, bin(y))
		}
		low, high := edge(bin(x)), edge(bin(x)+1)
		if x < 0 { // the least value of a bin below 0 is the far one
			low = math.Nextafter(low, math.Inf(-1))
		}
		if !(low <= x && x <= high) {
			t.Fatalf("%v is in the bin from %v to %v", x, low, high)
		}
		if math.Abs(x) > 1e-300 && math.Abs(x) < 1e300 && high-low > 0.001*math.Abs(x) {
			t.Fatalf("the bin of %v is %v wide", x, high-low)
		}
	})
	if bin(math.Copysign(0, -1)) != bin(0) {
		t.Error("0 and −0 are in two bins")
	}
}

// Quantiles against those of the sorted values.
func TestQuantiles(t *testing.T) {
	r := Stream(1, 0)
	var s sections
	var all []float64
	for range 300 {
		h := new(histogram)
		for range 10 + r.IntN(50) {
			x := r.NormFloat64() * math.Exp(3*r.NormFloat64())
			if r.IntN(5) == 0 {
				x = 0
			}
			h.add(x)
			all = append(all, x)
		}
		s.push(h.pack())
	}
	slices.Sort(all)
	for _, p := range []float64{0.01, 0.1, 0.3, 0.45, 0.5, 0.9, 0.99, 0.999} {
		q, low, high := s.estimate(p)
		want := all[int(p*float64(len(all)))]
		if math.Abs(q-want) > 0.002*math.Abs(want)+0.002 {
			t.Errorf("%v-quantile %v, want %v", p, q, want)
		}
		if !(low <= q && q <= high) {
			t.Errorf("%v-quantile %v outside %v..%v", p, q, low, high)
		}
	}
	if n := len(s.all()); n > mostSections || n < mostSections/4 {
		t.Errorf("%d sections", n)
	}
	// No order statistic bounds a quantile farther out than all values.
	if _, low, high := s.estimate(1e-9); !math.IsInf(low, -1) || math.IsInf(high, 1) {
		t.Errorf("interval %v..%v", low, high)
	}
	if _, low, high := s.estimate(1 - 1e-9); math.IsInf(low, -1) || !math.IsInf(high, 1) {
		t.Errorf("interval %v..%v", low, high)
	}
}

// The chance that the interval holds the quantile, exactly: at least 0.95, and the
// next narrower one on either side leaves more than 2.5 % out there.
func TestOrderStatistics(t *testing.T) {
	choose := func(n, k int) float64 {
		a, _ := math.Lgamma(float64(n) + 1)
		b, _ := math.Lgamma(float64(k) + 1)
		c, _ := math.Lgamma(float64(n-k) + 1)
		return math.Exp(a - b - c)
	}
	for _, n := range []int{1, 2, 5, 20, 59, 93, 400} {
		for _, p := range []float64{0.05, 0.5, 0.8, 0.95} {
			values := make([]float64, n)
			for i := range values {
				values[i] = float64((i*7)%n + 1)
				if n%7 == 0 {
					values[i] = float64(i + 1)
				}
			}
			_, low, high := orderStatistics(values, p)
			at := func(k int) float64 { // P(B = k)
				return choose(n, k) * math.Pow(p, float64(k)) * math.Pow(1-p, float64(n-k))
			}
			below := func(l int) (sum float64) { // P(B < l)
				for k := range min(l, n+1) {
					sum += at(k)
				}
				return sum
			}
			l, u := 0, n+1
			if !math.IsInf(low, -1) {
				l = int(low)
			}
			if !math.IsInf(high, 1) {
				u = int(high)
			}
			if below(l) > 0.025+1e-12 || below(l+1) <= 0.025 {
				t.Errorf("n %d, p %v: the low end is value %d", n, p, l)
			}
			if 1-below(u) > 0.025+1e-12 || u > 0 && 1-below(u-1) <= 0.025 {
				t.Errorf("n %d, p %v: the high end is value %d", n, p, u)
			}
		}
	}
}
