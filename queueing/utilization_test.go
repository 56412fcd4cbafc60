package queueing

import (
	"fmt"
	"testing"
)

// No model loads its servers beyond 1, by any rounding, however much is offered.
func TestUtilizationAtMostOne(t *testing.T) {
	loads := []float64{1e-3, 1, 5, 29.9, 30, 31, 47, 300, 1e4, 1e6, 999_999, 1e8, 1e11, 999_999_999_999, 1e12}
	servers := []float64{0.001, 0.5, 1, 1.5, 2, 3, 29, 30, 30.5, 100, 999, 1e4, 123_456, 1e6}
	at := func(name string, u float64, err error) {
		if err == nil && !(u >= 0 && u <= 1) {
			t.Errorf("%s: utilization %.17g", name, u)
		}
	}
	for _, a := range loads {
		for _, n := range servers {
			for name, m := range map[string]Model{
				"loss":      Loss{a, 1},
				"MMCK":      MMCK{a, 1, 3},
				"long room": MMCK{a, 1, 100_000},
				"ErlangA":   ErlangA{a, 1, 1},
				"patient":   ErlangA{a, 1, 1e5},
				"hasty":     ErlangA{a, 1, 1e-5},
			} {
				f, err := m.At(n)
				at(fmt.Sprintf("%s, %v servers, %v erl", name, n, a), f.Utilization, err)
			}
		}
	}
}
