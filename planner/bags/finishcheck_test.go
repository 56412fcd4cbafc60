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

// checked asks by runs, whose number nobody gave, when a bag of long tasks is done on machines that stay for so long.
func checked(t *testing.T, up float64) (a *FinishAnswer, stopped bool) {
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
	return a, slices.ContainsFunc(a.Warnings, func(w string) bool {
		return strings.HasPrefix(w, "stopped after ") && strings.Contains(w, "ask for a number of replications")
	})
}

// Short runs by which a design is checked are all done.
func TestShortChecks(t *testing.T) {
	if a, stopped := checked(t, 3600); a.Simulation.Runs != 100 || stopped {
		t.Errorf("%d runs, %q", a.Simulation.Runs, a.Warnings)
	}
}

// Runs whose number nobody gave end where they take long: tasks that hardly a machine finishes were followed for 93 s
// in a hundred runs. Fifty million events take some seconds.
func TestBoundedChecks(t *testing.T) {
	longtest.Skip(t)
	if a, stopped := checked(t, 80); a.Simulation.Runs >= 50 || !stopped {
		t.Errorf("%d runs, %q", a.Simulation.Runs, a.Warnings)
	}
}
