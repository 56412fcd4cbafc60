package loss

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Whatever the arguments: an error or numbers in their range, never NaN.
func TestEngsetExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	wild := func() float64 { return math.Exp(r.NormFloat64() * 8) }
	for range 1000 {
		c := math.Ceil(math.Abs(r.NormFloat64()) * math.Pow(10, 4*r.Float64()))
		e, err := Engset{math.Floor(wild()), wild(), wild()}.At(c)
		if err == nil && !(e.TimeCongestion >= 0 && e.TimeCongestion <= 1 && e.CallCongestion >= 0 && e.CallCongestion <= e.TimeCongestion*(1+1e-9) && e.CarriedLoad >= 0 && e.CarriedLoad <= c*(1+1e-12)) {
			t.Errorf("Engset at %v: %+v", c, e)
		}
	}
}
