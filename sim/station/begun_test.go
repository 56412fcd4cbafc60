package station

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
)

// Services of an SCV of 20 last so long that runs which begin empty have too few customers to their end: 1,590 of
// 1,600, with intervals that end at 1,596, and over days of 240 services 711 of 720 with one that ends at 715.
func TestManyVariedServices(t *testing.T) {
	varied := queueing.Lognormal{Mean: 1, SCV: 20}
	day := &varying.Cycle{Start: []float64{0, 60, 120, 180}, End: 240, Rate: []float64{900, 540, 720, 720}}
	for _, c := range []struct {
		s    Station
		want float64
	}{
		{Station{Servers: 2000, Classes: []Class{{Gaps: exponential(1. / 1600), Service: varied}}}, 1600},
		{Station{Servers: 2000, Classes: []Class{{Curve: day, Service: varied}}}, 720},
	} {
		seeds := longtest.Of(1, 12)
		held, mean := 0, 0.0
		for seed := range seeds {
			got, err := Simulate(context.Background(), &c.s, sim.Options{Seed: uint64(seed), Replications: 5})
			if err != nil {
				t.Fatal(err)
			}
			e, _ := got.Figure("mean_customers")
			r, _ := got.Figure("mean_response_s")
			if e.Holds(c.want) && r.Holds(1) {
				held++
			}
			mean += e.Mean / float64(seeds)
		}
		t.Logf("%v customers, %d of %d intervals hold", mean, held, seeds)
		if math.Abs(mean/c.want-1) > longtest.Of(0.005, 0.002) || longtest.Wanted() && held < seeds*2/3 {
			t.Errorf("%v customers, %d of %d intervals hold, want %v", mean, held, seeds, c.want)
		}
	}
}

// A tenth as many seconds of service as of thinking keep a hundred customers in 100/11 of a hundred servers, by
// whatever laws. Runs in which all begin to think, by an SCV of 20, told 10.4, with ends of 10.2 and 10.6.
func TestVariedThinking(t *testing.T) {
	const want = 100. / 11
	for _, c := range []Class{
		{Sources: 100, Think: queueing.Lognormal{Mean: 10, SCV: 20}, Service: exponential(1)},
		{Sources: 100, Think: queueing.Lognormal{Mean: 10, SCV: 20}, Service: queueing.Lognormal{Mean: 1, SCV: 20}},
	} {
		s, mean, held := Station{Servers: 100, Classes: []Class{c}}, 0.0, 0
		seeds := longtest.Of(8, 60)
		for seed := range seeds {
			got, err := Simulate(context.Background(), &s, sim.Options{Seed: uint64(seed), Replications: 20})
			if err != nil {
				t.Fatal(err)
			}
			e, _ := got.Figure("mean_customers")
			mean += e.Mean / float64(seeds)
			if e.Holds(want) {
				held++
			}
		}
		t.Logf("%v customers, %d of %d intervals hold", mean, held, seeds)
		if math.Abs(mean/want-1) > longtest.Of(0.02, 0.008) || float64(held) < 0.8*float64(seeds) {
			t.Errorf("%v customers, %d of %d intervals hold, want %v", mean, held, seeds, want)
		}
	}
}

// Nor do those of sharing and of machines that come and go: of eight seeds none held the mean response, which was 1.9
// to 3 % too short. Of twelve 11 or 12 hold it now.
func TestVariedServicesOfAllKinds(t *testing.T) {
	of := func(load, scv float64) []Class {
		return []Class{{Gaps: exponential(1 / load), Service: queueing.Lognormal{Mean: 1, SCV: scv}}}
	}
	wide := of(80, 10)
	wide[0].Width = 2
	for _, c := range []struct {
		name      string
		s         Station
		precision float64
		want      float64
	}{
		{"shared", Station{Servers: 200, Classes: of(90, 20), Order: Sharing}, 0.02, 90},
		{"come and go", Station{Servers: 400, Classes: of(150, 10),
			Groups: []Group{{Machines: 400, Speed: 1, Up: 0.95}}}, 0.05, 150},
		{"wide", Station{Servers: 400, Classes: wide, Loss: true}, 0.02, 80},
	} {
		t.Run(c.name, func(t *testing.T) {
			seeds, held, number := longtest.Of(3, 12), 0, 0
			for seed := range seeds {
				got, err := Simulate(context.Background(), &c.s, sim.Options{Seed: uint64(seed), Precision: c.precision})
				if err != nil {
					t.Fatal(err)
				}
				if e, _ := got.Figure("mean_response_s"); e.Holds(1) {
					held++
				}
				if e, _ := got.Figure("mean_customers"); e.Holds(c.want) {
					number++
				}
			}
			t.Logf("of %d intervals %d hold the response, %d the number", seeds, held, number)
			if least := 0.6 * float64(seeds); float64(held) < least || float64(number) < least {
				t.Errorf("of %d intervals %d hold the response, %d the number", seeds, held, number)
			}
		})
	}
}

// The books balance whoever is there from the beginning, in whatever order they are served, and runs begin busy only
// where one knows by what.
func TestBeginsBusy(t *testing.T) {
	varied := queueing.Lognormal{Mean: 1, SCV: 9}
	of := func(load float64) []Class { return []Class{{Gaps: exponential(1 / load), Service: varied}} }
	patient := of(90)
	patient[0].Patience = exponential(2)
	two := append(of(40), of(30)...)
	unlike := []Group{{Machines: 50, Speed: 1}, {Machines: 50, Speed: 2}}
	clock := []Class{{Curve: &varying.Cycle{End: 9, Start: []float64{0}, Rate: []float64{80}}, Service: varied}}
	some := []Class{{Sources: 300, Think: exponential(3), Service: varied}}
	kept := append(of(40), of(30)...)
	kept[1].Reserve = 20
	wide := of(80)
	wide[0].Width = 2
	for name, c := range map[string]struct {
		s    Station
		busy bool
	}{
		"in order":         {Station{Servers: 100, Classes: of(80)}, true},
		"the shortest":     {Station{Servers: 100, Classes: of(80), Order: SJF}, true},
		"what is left":     {Station{Servers: 100, Classes: of(80), Order: SRPT}, true},
		"backfilled":       {Station{Servers: 100, Classes: of(80), Order: EASY}, true},
		"conservatively":   {Station{Servers: 100, Classes: of(80), Order: Conservative}, true},
		"lost":             {Station{Servers: 60, Classes: of(80), Loss: true}, true},
		"impatient":        {Station{Servers: 60, Classes: patient}, true},
		"little room":      {Station{Servers: 60, Classes: of(90), Places: 70}, true},
		"before others":    {Station{Servers: 100, Classes: two, Priorities: true, Preemptive: true}, true},
		"unlike":           {Station{Servers: 100, Classes: of(60), Groups: unlike}, true},
		"shared":           {Station{Servers: 100, Classes: of(80), Order: Sharing}, true},
		"few":              {Station{Servers: 3, Classes: of(2)}, true},
		"wide":             {Station{Servers: 200, Classes: wide}, true},
		"varied gaps":      {Station{Servers: 9, Classes: []Class{{Gaps: varied, Service: exponential(4)}}}, true},
		"exponential":      {Station{Servers: 100, Classes: []Class{poisson(80, 1)}}, false},
		"by the clock":     {Station{Servers: 100, Classes: clock}, true},
		"some kept":        {Station{Servers: 100, Classes: kept, Loss: true}, true},
		"of some who come": {Station{Servers: 100, Classes: some}, true},
	} {
		if got := c.s.beginsBusy(); got != c.busy {
			t.Errorf("%s: %v", name, got)
		}
		got, err := Simulate(context.Background(), &c.s, sim.Options{Seed: 3, Horizon: 60, WarmUp: 20, Replications: 4})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if e, _ := got.Figure("utilization"); !(e.Mean > 0.3) {
			t.Errorf("%s: utilization %v", name, e.Mean)
		}
	}
}

// Of finitely many customers each thinks or is served at the beginning, also those for whose width, or beside what is
// kept for others, there is no room.
func TestAllSourcesAreThere(t *testing.T) {
	varied := queueing.Lognormal{Mean: 1, SCV: 9}
	for _, c := range []Class{
		{Sources: 40, Think: exponential(1), Service: varied},
		{Sources: 40, Think: exponential(1), Service: varied, Width: 3},
		{Sources: 40, Think: exponential(1), Service: varied, Reserve: 8},
	} {
		s := Station{Servers: 10, Classes: []Class{c}, Loss: true}
		d := newDesk(&s, &sim.Replication{Horizon: 100, WarmUp: 1})
		if n := d.agenda.Len() - 1; n != c.Sources || d.inside == 0 { // one event ends the warm-up
			t.Errorf("%+v: %d customers, %d of them served", c, n, d.inside)
		}
	}
}

// A law of another kind than those of package queueing, such as a pointer to one, is drawn by length from many.
func TestBeginsBusyByAnyLaw(t *testing.T) {
	varied := &queueing.Lognormal{Mean: 1, SCV: 9}
	s := Station{Servers: 400, Classes: []Class{{Gaps: exponential(1. / 200), Service: varied}}}
	got, err := Simulate(context.Background(), &s, sim.Options{Seed: 1, Horizon: 60, WarmUp: 10, Replications: 20})
	if e, _ := got.Figure("mean_customers"); err != nil || !e.Holds(200) || e.Precision() > 0.04 {
		t.Errorf("%v customers, %v to %v, want 200: %v", e.Mean, e.Low, e.High, err)
	}
}
