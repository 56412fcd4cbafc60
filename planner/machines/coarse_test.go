package machines

import (
	"math"
	"testing"

	"github.com/capplan/capplan/smp"
)

// Light and heavy load are one stay where only times free matter.
func TestCoarse(t *testing.T) {
	h := &Trace{Name: "h"}
	for i := range 1000 {
		load := []float64{0.1, 0.4}[i%2]
		if i == 500 {
			load = 0.9
		}
		h.Samples = append(h.Samples, smp.Sample{Time: 300 * float64(i), Load: load, FreeMemory: math.NaN()})
	}
	for _, c := range []struct {
		coarse bool
		stays  int
	}{{false, 1000}, {true, 3}} {
		l, err := (&Labelling{Coarse: c.coarse}).Label(h)
		if err != nil || len(l.History.Runs) != c.stays {
			t.Errorf("coarse %v: %d stays, %v, want %d", c.coarse, len(l.History.Runs), err, c.stays)
		}
	}
}
