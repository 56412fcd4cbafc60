package bot

import (
	"testing"

	"github.com/capplan/capplan/sim"
)

// Without the runs that it is compared with help takes the same times and hours, in fewer events.
func TestHelpOnly(t *testing.T) {
	c := &Case{Bag: bag(200, 3000), Hosts: steadyHosts(40), Strategy: strategy(t, "9C-C-R"), Credits: -1}
	run := func(only bool) sim.Result {
		study, err := NewStudy(c)
		if err != nil {
			t.Fatal(err)
		}
		study.HelpOnly = only
		r, err := sim.Run(t.Context(), study, sim.Options{Seed: 1, Replications: 10})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	both, only := run(false), run(true)
	if !(only.Events < both.Events) {
		t.Errorf("%d events, and %d with the runs without help", only.Events, both.Events)
	}
	for _, name := range []string{Finish, Finish + "_p95", CloudTime, Spent, Workers} {
		a, _ := both.Figure(name)
		if b, ok := only.Figure(name); !ok || a.Mean != b.Mean || a.Low != b.Low || b.Samples != a.Samples {
			t.Errorf("%s: %v, and %v with the runs without help", name, b, a)
		}
	}
	if f, _ := only.Figure(Without + Finish); f.Samples != 0 {
		t.Errorf("%d runs without help", f.Samples)
	}
}
