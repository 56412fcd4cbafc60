package alloc

import (
	"math"
	"math/rand/v2"
	"testing"
)

// climb appends a job of so many levels, each of which takes up to most more than the one before.
func (p *problem) climb(rng *rand.Rand, levels, most int) {
	p.first = append(p.first, int32(len(p.dem)))
	d, r := int64(0), int64(0)
	for range levels {
		d += 1 + int64(rng.IntN(most))
		r += int64(rng.IntN(60))
		p.dem, p.rev = append(p.dem, d), append(p.rev, r)
	}
	p.last = append(p.last, int32(len(p.dem)))
}

// With prices the bound of the printed rows is the least of the dual over all
// its corners, of which two may be as near as rounding lets them be.
func TestPublishedIsTheLeastOfItsDual(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 6))
	for n := range 60 {
		p := &problem{cap: make([]int64, 5), price: make([]float64, 5)}
		for range 300 {
			p.climb(rng, 8, 50)
		}
		for j := range p.cap {
			p.cap[j], p.price[j] = p.least()*int64(3+rng.IntN(9))/15, float64(rng.IntN(200))/10000
		}
		capacity := sum(p.cap)
		bound, ok := p.published(capacity, nil)
		if !ok {
			continue
		}
		prices := append([]float64(nil), p.price...)
		var curves [][]corner
		for k := range p.first {
			curve := p.publishedCurve(nil, int32(k), p.dem[p.last[k]-1])
			for i := 1; i < len(curve); i++ {
				prices = append(prices, (curve[i].revenue-curve[i-1].revenue)/(curve[i].demand-curve[i-1].demand))
			}
			curves = append(curves, curve)
		}
		least := math.Inf(1)
		for _, price := range prices {
			value := 0.0
			for j, c := range p.cap {
				value += math.Max(0, price-p.price[j]) * float64(c)
			}
			for _, curve := range curves {
				best := math.Inf(-1)
				for _, c := range curve {
					best = math.Max(best, c.revenue-price*c.demand)
				}
				value += best
			}
			least = math.Min(least, value)
		}
		if math.Abs(bound-least) > 1e-12*least {
			t.Fatalf("problem %d: %v, want %v", n, bound, least)
		}
	}
}
