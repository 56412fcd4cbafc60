package hosts

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Over records that change at the same times, end early and are empty the number there is what counting second by
// second gives.
func TestPresentOfRecords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		const span = 30
		p := &Platform{Speed: Speed{Mean: 1}}
		there := make([]float64, span)
		for range 1 + r.IntN(6) {
			one := Record{Span: float64(1 + r.IntN(span))}
			for at := r.IntN(4); at <= int(one.Span); at += r.IntN(5) {
				one.Changes = append(one.Changes, float64(at))
			}
			for s := range int(one.Span) {
				changes := 0
				for _, c := range one.Changes {
					if c <= float64(s) {
						changes++
					}
				}
				there[s] += float64(changes % 2)
			}
			p.Records = append(p.Records, one)
		}
		longest := 0.0
		for _, one := range p.Records {
			longest = max(longest, one.Span)
		}
		sum, squares := 0.0, 0.0
		for _, n := range there {
			sum, squares = sum+n/longest, squares+n*n/longest
		}
		mean, sd := p.Present()
		if want := math.Sqrt(max(0, squares-sum*sum)); math.Abs(mean-sum) > 1e-9 || math.Abs(sd-want) > 1e-6 {
			t.Fatalf("%v: mean %g and deviation %g, want %g and %g", p.Records, mean, sd, sum, want)
		}
	}
}
