package bags

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
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

// Where a single run takes long, and nobody gave the number of runs, none is begun: 200,000 machines that stay for a
// minute come and go 120 million times while a task of ten hours is done.
func TestLongRunsAreAskedFor(t *testing.T) {
	bag := &bags.Bag{Name: "long", Size: bags.Spread{Mean: 1000}, Work: bags.Spread{Mean: 3.6e7}}
	machines := &hosts.Platform{Name: lawHosts, Count: 2e5, Speed: Desktop,
		Up: law.Exponential{Scale: 60}, Down: law.Exponential{Scale: 60}}
	for _, server := range []string{"xwhep", "boinc", "checkpoint"} {
		_, bySimulation := Simulate(t.Context(), &SimulateQuestion{Bag: bag, Hosts: machines, Server: server, Seed: 1})
		check := &FinishQuestion{Bag: bag, Hosts: machines, Server: server, Replications: 100, Bounded: true, Seed: 1}
		_, byCheck := Done(t.Context(), check)
		search := *check
		search.By, search.Search, search.Replications = new(2e5), true, 200
		_, bySearch := Done(t.Context(), &search)
		for what, err := range map[string]error{"simulate": bySimulation, "check": byCheck, "search": bySearch} {
			var input *ask.InputError
			if !errors.As(err, &input) || input.Field != "replications" {
				t.Errorf("%s, %s: %v", server, what, err)
			}
		}
	}
	horizon := 60.0
	short := &SimulateQuestion{Bag: bag, Hosts: machines, Horizon: &horizon, Replications: 1, Seed: 1}
	if _, err := Simulate(t.Context(), short); err != nil {
		t.Errorf("a minute: %v", err)
	}
}
