package machines

import (
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/smp"
)

// A record by hand, sampled each minute: light, busy, overloaded for longer than
// the grace time, light again, a gap of 20 minutes (gone), light.
func TestStateTally(t *testing.T) {
	tally := NewStateTally(Labelling{})
	record := func(name string, from float64, loads ...float64) {
		r := tally.NewRecorder(name)
		for i, v := range loads {
			if math.IsNaN(v) {
				continue
			}
			if err := r.Add(smp.Sample{Time: from + 60*float64(i), Load: v, FreeMemory: math.NaN()}); err != nil {
				t.Fatal(err)
			}
		}
		if err := tally.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	times := func(n int, v float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = v
		}
		return out
	}
	var loads []float64
	for _, part := range [][]float64{times(60, 0.05), times(30, 0.4), times(15, 0.95), times(45, 0.1), times(20, math.NaN()), times(30, 0.05)} {
		loads = append(loads, part...)
	}
	record("a", 0, loads...)
	record("b", 1e6, times(100, 0.3)...)
	record("none", 0, 0.1)
	f, err := tally.Fleet()
	if err != nil {
		t.Fatal(err)
	}
	// The overload begins a failure once the grace of a minute is over or at
	// once: what matters is that up and down share the 200 and 100 minutes.
	up, down := 60*(60+30+45+30+100.), 60*(15+20.)
	numtest.Close(t, "watched", f.UpTime+f.DownTime, up+down, 1e-12)
	numtest.Close(t, "time down", f.DownTime, down, 0.06)
	numtest.Close(t, "availability", *f.Availability, f.UpTime/(f.UpTime+f.DownTime), 1e-14)
	if f.Machines != 2 || f.Failures != 2 || f.Repairs != 2 || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "1 of 3 machines") {
		t.Errorf("%+v", f)
	}
	numtest.Close(t, "MTTF", *f.MTTF, f.UpTime/2, 1e-14)
	numtest.Close(t, "MTTR", *f.MTTR, f.DownTime/2, 1e-14)
	shares := 0.0
	for _, s := range f.States {
		shares += s.Share
	}
	numtest.Close(t, "shares", shares, 1, 1e-12)
	numtest.Close(t, "S1 and S2", f.States[0].Share+f.States[1].Share, *f.Availability, 1e-12)
	numtest.Close(t, "S5", f.States[4].Time, 60*20, 0.06)
	if f.Thresholds.Heavy != 0.6 || f.Thresholds.Gap != 180 {
		t.Errorf("thresholds %+v", f.Thresholds)
	}
	if _, err := NewStateTally(Labelling{}).Fleet(); err == nil {
		t.Error("no machine gives figures")
	}
}
