package station

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/sim"
)

// Unlike servers, an idle one at random: Gumbel's product form for loss and for
// waiting, and with machines that come and go the average over those that are up.
func TestGroups(t *testing.T) {
	poisson := func(rate float64) []Class {
		return []Class{{Gaps: queueing.Exponential{Mean: 1 / rate}, Service: queueing.Exponential{Mean: 1}}}
	}
	kinds := []unlike.Group{{Servers: 3, Speed: 2}, {Servers: 4, Speed: 0.5}}
	groups := []Group{{Machines: 3, Speed: 2}, {Machines: 4, Speed: 0.5}}
	loss, err := unlike.Blocking(7, kinds...)
	if err != nil {
		t.Fatal(err)
	}
	waits, err := unlike.Queue{ArrivalRate: 7, ServiceTime: 1, Beside: kinds, WhenFull: unlike.Queued}.At(0)
	if err != nil {
		t.Fatal(err)
	}
	lossy := unlike.Queue{ArrivalRate: 5, ServiceTime: 1, WhenFull: unlike.Lossy, Beside: []unlike.Group{{Servers: 2, Speed: 1}}}
	coming, err := unlike.Varying{Queue: lossy, Coming: []unlike.Coming{{Machines: 12, Up: 0.6, Speed: 0.8, PerJob: 2}}}.At(0)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		s    Station
		runs int
		want map[string]float64
	}{
		"loss":    {Station{Servers: 7, Groups: groups, Loss: true, Classes: poisson(7)}, 20, map[string]float64{"blocking_probability": loss}},
		"waiting": {Station{Servers: 7, Groups: groups, Classes: poisson(7)}, 20, map[string]float64{"wait_probability": waits.WaitProbability, "mean_wait_s": waits.MeanWait, "mean_response_s": waits.MeanResponse}},
		"coming": {Station{Servers: 14, Loss: true, Classes: poisson(5), Groups: []Group{{Machines: 2, Speed: 1}, {Machines: 12, Speed: 0.8, PerJob: 2, Up: 0.6}}},
			400, map[string]float64{"blocking_probability": coming.Blocking}},
	} {
		r, err := sim.Run(context.Background(), &c.s, sim.Options{Seed: 3, Replications: c.runs, Horizon: 20000 / float64(c.runs), WarmUp: 20})
		if err != nil {
			t.Fatal(name, err)
		}
		for figure, want := range c.want {
			if e, _ := r.Figure(figure); math.Abs(e.Mean-want) > 1.75*(e.High-e.Low)/2 {
				t.Errorf("%s: %s %v in %v to %v, want %v", name, figure, e.Mean, e.Low, e.High, want)
			}
		}
	}
}

func TestGroupsDomain(t *testing.T) {
	ok := Station{Servers: 2, Classes: []Class{{Gaps: queueing.Exponential{Mean: 1}, Service: queueing.Exponential{Mean: 1}}}}
	for i, g := range []Group{{Machines: 0, Speed: 1}, {Machines: 1}, {Machines: 1, Speed: 1, Up: 2}, {Machines: 1, Speed: 1, PerJob: -1}, {Machines: math.NaN(), Speed: 1}} {
		s := ok
		s.Groups = []Group{g}
		var domain *sim.DomainError
		if err := s.Check(); !errors.As(err, &domain) {
			t.Errorf("case %d: %v", i, err)
		}
	}
	s := ok
	s.Groups, s.Order = []Group{{Machines: 1, Speed: 1}}, SJF
	if s.Check() == nil {
		t.Error("unlike servers serve the shortest first")
	}
}
