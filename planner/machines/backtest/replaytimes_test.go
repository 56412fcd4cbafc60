package backtest

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
)

// Of a very large fleet jobs come at fewer times, which is said, unless somebody asked for so many.
func TestFewerTimesOfALargeFleet(t *testing.T) {
	h := &smp.History{Period: 3600, Runs: []smp.Run{{State: smp.S1, First: 480000, Steps: 40}}}
	with := func(count, asked int, loads baseline.Loads) (int, string) {
		r := &replay{evaluation: &evaluation{}, q: &ReplayQuestion{Times: asked}, lengths: make([]float64, 7), horizon: 12}
		for range count {
			r.hosts, r.loads = append(r.hosts, &machines.Labelled{History: h}), append(r.loads, loads)
		}
		return r.times(), strings.Join(r.warnings, "")
	}
	walk := baseline.Loads{Spans: []baseline.LoadSpan{{Steps: 1, Values: []float64{0.2}}}}
	for _, c := range []struct{ machines, asked, least, most int }{
		{20_000, 0, 60, 60}, {200_000, 0, 15, 40}, {1_000_000, 0, 5, 8}, {200_000, 300, 300, 300},
	} {
		got, warning := with(c.machines, c.asked, walk)
		if got < c.least || got > c.most || (warning != "") != (c.asked == 0 && c.most < 60) {
			t.Errorf("%+v: %d times, %q", c, got, warning)
		}
	}
	if few, _ := with(200_000, 0, walk); true {
		if more, _ := with(200_000, 0, baseline.Loads{}); more <= few {
			t.Errorf("%d times without loads, %d with them", more, few)
		}
	}
}
