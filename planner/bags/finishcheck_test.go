package bags

import (
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// Runs by which a design is checked, and whose number nobody gave, end where they take long: tasks that hardly a
// machine finishes were followed for 93 s in a hundred runs. Short ones are all done.
func TestBoundedChecks(t *testing.T) {
	ask := func(up float64) *FinishAnswer {
		t.Helper()
		a, err := Done(t.Context(), &FinishQuestion{
			Bag: &bags.Bag{Name: "long", Size: bags.Spread{Mean: 100}, Work: bags.Spread{Mean: 1.2e6}},
			Hosts: &hosts.Platform{Name: lawHosts, Count: 185, Speed: Desktop,
				Up: law.Exponential{Scale: up}, Down: law.Exponential{Scale: 120}},
			Replications: 100, Bounded: true, Seed: 1,
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	stopped := func(w string) bool { return strings.HasPrefix(w, "stopped after ") }
	if a := ask(3600); a.Simulation.Runs != 100 || slices.ContainsFunc(a.Warnings, stopped) {
		t.Errorf("short runs: %d, %q", a.Simulation.Runs, a.Warnings)
	}
	longtest.Skip(t)
	told := func(w string) bool { return stopped(w) && strings.Contains(w, "ask for a number of replications") }
	if a := ask(80); a.Simulation.Runs >= 50 || !slices.ContainsFunc(a.Warnings, told) {
		t.Errorf("long runs: %d, %q", a.Simulation.Runs, a.Warnings)
	}
}
