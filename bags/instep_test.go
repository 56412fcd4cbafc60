package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
)

// onTrace is a bag on machines of a row of SpeQuloS table 2.
func onTrace(t *testing.T, name string, s Setup) *Setup {
	t.Helper()
	for _, trace := range hosts.Traces() {
		if trace.Name == name {
			p, err := trace.Platform()
			if err != nil {
				t.Fatal(err)
			}
			s.Hosts = p
			return &s
		}
	}
	t.Fatal("no platform " + name)
	return nil
}

// Machines of one speed do nine waves in step, and whether anything is left after the ninth
// hangs on the machine time until then: the chances are those of 1500 simulated runs. When
// more machine time moved the waves, and all results of a unit went to machines of the
// moment of its first, the chance was .12 where .45 were done and .63 where .7 were.
func TestMachinesInStep(t *testing.T) {
	f, err := Finish(onTrace(t, "g5kgre", Setup{
		Bag:    Bag{Size: Spread{Mean: 1400}, Work: Spread{Mean: 1.26 * 3.6e6}},
		Server: BOINC,
	}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ at, chance float64 }{ // of package sim/bot
		{13600, 0}, {14596, 0.45}, {16048, 0.55}, {19398, 0.6}, {31833, 0.7}, {54771, 0.8}, {89482, 0.9}, {92795, 0.95},
	} {
		if got := f.Chance(want.at); math.Abs(got-want.chance) > 0.03 {
			t.Errorf("done by %v s with chance %.3f, simulated %.2f", want.at, got, want.chance)
		}
	}
}
