package bags

import (
	"math"
	"testing"
)

// Machines whose tasks wait are given others in place of what workers take, so that all is sooner
// by what these do, not by a share of it. Times of 300 runs of package sim/bot; the law had said
// 205 s of the first, 412 of the second (400 without help), 6895 and 7256 of the last.
func TestHelpWhileTasksWait(t *testing.T) {
	for _, k := range []struct {
		trace, class  string
		size, work    float64
		server        Server
		help          Help
		speed, boot   float64
		median, after float64 // and 95 %
	}{
		{"spot100", "big", 0.72, 0.92, Checkpoint, Help{0.1, 119}, 6000, 60, 192, 195},
		{"spot100", "big", 0.81, 0.61, BOINC, Help{0, 11}, 3000, 120, 398, 403},
		{"nd", "big", 0.53, 0.64, XWHEP, Help{0.7875, 12}, 1000, 60, 1234, 1332},
		{"spot10", "small", 0.51, 0.85, Checkpoint, Help{0.392156, 29}, 1000, 300, 6655, 6969},
	} {
		b := Bags()[map[string]int{"small": 0, "big": 1}[k.class]]
		if b.Name != k.class {
			t.Fatal(b.Name)
		}
		b.Size = Spread{Mean: math.Round(b.Size.Mean * k.size), SD: b.Size.SD * k.size}
		b.Work = Spread{Mean: b.Work.Mean * k.work, SD: b.Work.SD * k.work}
		f, err := Finish(onTrace(t, k.trace, Setup{Bag: b, Server: k.server}))
		if err != nil {
			t.Fatal(err)
		}
		h := f.With(k.help, Cloud{Speed: k.speed, Boot: k.boot, Look: 60})
		for _, want := range []struct{ p, at float64 }{{0.5, k.median}, {0.95, k.after}} {
			if got := h.Quantile(want.p); math.Abs(got-want.at) > 0.03*want.at {
				t.Errorf("%s %v %+v: %v of the runs by %.0f s, simulated %.0f", k.trace, k.server, k.help, want.p, got, want.at)
			}
		}
		one := f.With(Help{k.help.Start, 1}, Cloud{Speed: k.speed, Boot: k.boot, Look: 60})
		if with, without := one.Quantile(0.5), f.Quantile(0.5); with > 1.01*without {
			t.Errorf("%s %v: with a worker by %.0f s, without by %.0f", k.trace, k.server, with, without)
		}
	}
}

// Help that is not asked for yet by a time has done nothing by then, whatever was told of it before.
func TestNoChanceBeforeHelpIsAsked(t *testing.T) {
	for _, server := range []Server{XWHEP, BOINC, Checkpoint} {
		f, err := Finish(onTrace(t, "spot10", Setup{Bag: Bags()[1], Server: server}))
		if err != nil {
			t.Fatal(err)
		}
		w := f.helping(0.9, Cloud{Speed: 3000, Boot: 120, Look: 60}, false, nil)
		if by := 0.1 * f.Half; w.chance(20, by) != 0 || w.reaches(20, Target{by, 1e-6}) {
			t.Errorf("%v: done by %v s, before nine tenths are", server, by)
		}
	}
}
