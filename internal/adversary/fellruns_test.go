package adversary

import (
	"math"
	"testing"

	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
	"github.com/capplan/capplan/sim/lease"
	"github.com/capplan/capplan/sim/network"
	"github.com/capplan/capplan/sim/station"
)

// What the hunt through simulations brought down: a model run by nobody, and a race of more runs
// than there is memory for.
func TestRunsFellOnce(t *testing.T) {
	links := &network.LossNetwork{Names: []string{"a"}, Links: []int{3}, Loads: []float64{1}, Through: [][]int{{0}}}
	queues := &network.Network{
		Stations: []network.Station{{Servers: 1}},
		Classes:  []network.Class{{Customers: 1, Demands: []float64{1}}},
	}
	w, err := routing.DAS2(routing.DAS2Setting{})
	if err != nil {
		t.Fatal(err)
	}
	clusters := &lease.System{Workload: w, ReferenceSpeed: 1000, LocalShare: 0.1}
	for name, model := range map[string]sim.Model{
		"network.LossNetwork": links, "network.Network": queues, "lease.System": clusters,
		"station.Station": &station.Station{Servers: 1, Jobs: []station.Job{{Length: 1, Width: 1}}},
	} {
		if model.Replicate(nil) == nil {
			t.Errorf("%s: no error", name)
		}
	}
	race := &bot.Race{Case: new(bot.Case), Runs: math.MaxInt, MayBeLate: 1}
	if _, err := race.Run(t.Context()); err == nil {
		t.Error("bot.Race.Run: no error")
	}
}
