package priority

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Whatever the arguments: an error or numbers in their range, never NaN.
func TestPriorityExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	wild := func() float64 { return math.Exp(r.NormFloat64() * 8) }
	for range 1000 {
		p := Queue{Preemptive: r.IntN(2) == 0, Servers: 1 + r.IntN(30)}
		for range 1 + r.IntN(4) {
			p.Classes = append(p.Classes, Class{"", wild(), wild(), wild() - .1})
		}
		pf, _ := p.Figures(t.Context())
		for _, f := range pf.Classes {
			if !(f.MeanWait >= 0 && f.Throughput >= 0) || math.IsInf(f.MeanWait, 1) {
				t.Errorf("%+v: %+v", p, f)
			}
		}
	}
}
