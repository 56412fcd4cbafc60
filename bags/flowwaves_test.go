package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Of machines of one speed that do three waves fewer do not make these later but leave a part of
// the bag to a fourth, which help that starts at a share done meets late: the chances are those of
// 2000 simulated runs. When all of a bag moved with its machine time, help was told to be in time
// by 3400 s with chance .925, and without it .20 were done by 3200 s.
func TestFlowInWaves(t *testing.T) {
	f, err := Finish(&Setup{
		Bag: Bag{Size: Spread{Mean: 290}, Work: Spread{Mean: 860e3}},
		Hosts: &hosts.Platform{
			Count: 145,
			Up:    law.Weibull{Shape: 0.7, Scale: 11_000},
			Down:  law.Exponential{Scale: 7000},
			Speed: hosts.Speed{Mean: 1000},
		},
		Server: Checkpoint,
	})
	if err != nil {
		t.Fatal(err)
	}
	h := f.With(Help{0.95, 12}, Cloud{Speed: 3000, Boot: 60, Look: 60})
	for _, want := range []struct{ at, alone, helped float64 }{ // of package sim/bot
		{2700, 0.007, 0.007}, {2900, 0.060, 0.062}, {3200, 0.388, 0.620}, {3400, 0.494, 0.726},
		{3600, 0.796, 0.886}, {3800, 0.909, 0.953}, {4000, 0.978, 1},
	} {
		if got := f.Chance(want.at); math.Abs(got-want.alone) > 0.06 {
			t.Errorf("done by %v s with chance %.3f, simulated %.3f", want.at, got, want.alone)
		}
		if got := h.Chance(want.at); math.Abs(got-want.helped) > 0.08 {
			t.Errorf("done with help by %v s with chance %.3f, simulated %.3f", want.at, got, want.helped)
		}
	}
}
