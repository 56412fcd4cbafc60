package frailty

import (
	"math"
	"testing"
)

// A model from a file has numbers whose sums and products over a record stay within the range
// of numbers: an hour factor of 1e308 sent the clock of a drawn machine beyond its table.
func TestCheckRefusesExtremes(t *testing.T) {
	model := func() *Model {
		m := &Model{Period: 300, Base: 1, Shape: 1, GroupShape: 1, HourShape: 1,
			Age: make([]float64, Ages), Hour: make([]float64, Hours),
			AgeFailures: make([]float64, Ages), HourFailures: make([]float64, Hours),
			Machines: []Machine{{Name: "a", Frailty: 1}},
			Groups:   []Group{{Name: "g", Frailty: []float64{1}, Weight: []float64{1}}},
		}
		for i := range m.Age {
			m.Age[i] = 1
		}
		for i := range m.Hour {
			m.Hour[i] = 1
		}
		return m
	}
	if err := model().Check(); err != nil {
		t.Fatal(err)
	}
	for i := range 8 {
		for _, v := range []float64{1e308, math.MaxFloat64, math.Inf(1), math.NaN(), -1, 5e-324} {
			m := model()
			field := []*float64{&m.Period, &m.Base, &m.Age[3], &m.Hour[47], &m.Shape, &m.Groups[0].Frailty[0],
				&m.Machines[0].Expected, &m.HourFailures[0]}[i]
			*field = v
			if counted := i == 6; m.Check() == nil && !(counted && v == 5e-324) {
				t.Errorf("field %d is %v, and nothing is wrong with the model", i, v)
			}
		}
	}
}
