package sizing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

func at[T units.Quantity](v T) *units.Range[T] {
	r := units.Point(v)
	return &r
}

// A load typed beside a service time or a rate is the load of the model: as
// many servers as erlangs are unstable, whatever the clock.
func TestLoadSurvivesTheClock(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		c := float64(1 + r.IntN(1000))
		load, other := units.Erlang(c), math.Exp(20*r.Float64()-10)
		for _, q := range []*Traffic{
			{OfferedLoad: at(load), ServiceTime: at(units.Duration(other))},
			{OfferedLoad: at(load), Rate: at(units.Rate(other))},
		} {
			s := q.Nominal()
			if a := s.Rate * s.Service; a < c || a > c*(1+1e-15) {
				t.Fatalf("%v erl beside %v is %v erl", c, other, a)
			}
			if _, err := (queueing.MMC{ArrivalRate: s.Rate, ServiceTime: s.Service}).At(c); err == nil {
				t.Fatalf("%v servers under %v erl beside %v have a mean wait", c, c, other)
			}
		}
	}
}
