package station

import (
	"context"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/loss"
	"github.com/capplan/capplan/queueing/priority"
	"github.com/capplan/capplan/sim"
)

func exponential(mean float64) Law { return queueing.Exponential{Mean: mean} }

// poisson is a class of Poisson arrivals and exponential services.
func poisson(rate, service float64) Class {
	return Class{Gaps: exponential(1 / rate), Service: exponential(service)}
}

// A trial is a station with what closed forms say of it.
type trial struct {
	name    string
	station Station
	want    map[string]float64
}

func known(t *testing.T, f queueing.Figures, err error) map[string]float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]float64{
		"blocking_probability": f.Blocking,
		"wait_probability":     f.WaitProbability,
		"abandon_probability":  f.Abandonment,
		"mean_wait_s":          f.MeanWait,
		"mean_response_s":      f.MeanResponse,
		"mean_queue_length":    f.MeanQueueLength,
		"utilization":          f.Utilization,
		"throughput_per_s":     f.Throughput,
		"wait_percentile_s":    f.WaitPercentile(0.95),
		"service_level":        f.ServiceLevel(0.5),
	}
}

// trials are the stations that package queueing knows exactly.
func trials(t *testing.T) []trial {
	one, err := queueing.MMC{ArrivalRate: 0.6, ServiceTime: 1}.At(1)
	mm1 := known(t, one, err)
	five, err := queueing.MMC{ArrivalRate: 4, ServiceTime: 1}.At(5)
	mm5 := known(t, five, err)
	buffered, err := queueing.MMCK{ArrivalRate: 5, ServiceTime: 1, Buffer: 6}.At(4)
	mmck := known(t, buffered, err)
	lost, err := queueing.Loss{ArrivalRate: 9, ServiceTime: 1}.At(10)
	mggc := known(t, lost, err)
	delete(mggc, "wait_percentile_s")

	patient, err := queueing.ErlangA{ArrivalRate: 10, ServiceTime: 1, Patience: 2}.At(10)
	erlangA := known(t, patient, err)
	erlangA["wait_percentile_s"] = patient.LevelPercentile(queueing.Served, 0.95)
	erlangA["service_level"] = 1 - patient.Late(queueing.Served, 0.5)

	// Shares served within 1 and 3 s, and within which time 0.8 of all are.
	responses := func(f queueing.Figures, of queueing.ServiceLevelOf) map[string]float64 {
		want := map[string]float64{}
		for i, within := range []float64{1, 3} {
			late, ok := f.ResponseLate(of, within)
			if !ok {
				t.Fatal("responses are not known")
			}
			want[ResponseLevel(i)] = 1 - late
		}
		p, _ := f.ResponsePercentile(of, 0.8)
		want["response_percentile_s"] = p
		return want
	}

	service := queueing.Gamma{Mean: 1, SCV: 0.4}
	general, err := queueing.MG1{ArrivalRate: 0.7, Service: service}.Figures()
	mg1 := known(t, general.Figures, err)
	mg1["response_percentile_s"] = general.ResponsePercentile(0.95)

	finite, err := queueing.FiniteSource{Customers: 20, ThinkTime: 4, ServiceTime: 1, Servers: 3}.Figures()
	repair := known(t, finite, err)
	delete(repair, "blocking_probability")
	engset, err := loss.Engset{Sources: 12, IdleRate: 0.5, ServiceTime: 1}.At(4)
	if err != nil {
		t.Fatal(err)
	}

	classes := func(c ...Class) []Class { return c }
	mixed := []priority.Class{
		{Name: "a", ArrivalRate: 0.3, ServiceTime: 0.8, ServiceSCV: 0.5},
		{Name: "b", ArrivalRate: 0.2, ServiceTime: 1.5, ServiceSCV: 1},
	}
	served := classes(
		Class{Name: "a", Gaps: exponential(1 / 0.3), Service: queueing.Gamma{Mean: 0.8, SCV: 0.5}},
		Class{Name: "b", Gaps: exponential(5), Service: exponential(1.5)},
	)
	alike := []priority.Class{
		{Name: "a", ArrivalRate: 1, ServiceTime: 1, ServiceSCV: 1},
		{Name: "b", ArrivalRate: 1.2, ServiceTime: 1, ServiceSCV: 1},
	}
	aliked := classes(Class{Name: "a", Gaps: exponential(1), Service: exponential(1)},
		Class{Name: "b", Gaps: exponential(1 / 1.2), Service: exponential(1)})

	knapsack, err := loss.Reservation{Capacity: 20, Streams: []loss.ReservedStream{
		{Stream: loss.Stream{Width: 1, JobLoad: 8, Rate: 8}},
		{Stream: loss.Stream{Width: 5, JobLoad: 1.5, Rate: 0.5}},
	}}.Figures(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	disciplines := queueing.MG1{ArrivalRate: 0.7, Service: service}
	under := func(d queueing.Discipline) map[string]float64 {
		r, err := disciplines.MeanResponseUnder(d)
		if err != nil {
			t.Fatal(err)
		}
		return map[string]float64{"mean_response_s": r, "mean_wait_s": r - 1, "mean_customers": 0.7 * r, "utilization": 0.7}
	}
	general1 := classes(Class{Gaps: exponential(1 / 0.7), Service: service})
	shared, err := queueing.PS{ArrivalRate: 1.5, ServiceTime: 1, Servers: 2}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	return []trial{
		{"M/M/1", Station{Servers: 1, MaxWait: 0.5, Classes: classes(poisson(0.6, 1))}, mm1},
		{"M/M/5", Station{Servers: 5, MaxWait: 0.5, Classes: classes(poisson(4, 1))}, mm5},
		{"M/G/1", Station{Servers: 1, MaxWait: 0.5, Classes: general1}, mg1},
		{"M/M/4/10", Station{Servers: 4, Places: 10, MaxWait: 0.5, Classes: classes(poisson(5, 1))}, mmck},
		{"M/G/10/10", Station{Servers: 10, Loss: true, MaxWait: 0.5,
			Classes: classes(Class{Gaps: exponential(1.0 / 9), Service: queueing.Lognormal{Mean: 1, SCV: 2}})}, mggc},
		{"Erlang A", Station{Servers: 10, MaxWait: 0.5, ServiceLevelOf: queueing.Served,
			Classes: classes(Class{Gaps: exponential(0.1), Service: exponential(1), Patience: exponential(2)})}, erlangA},
		{"M/M/5, responses", Station{Servers: 5, MaxResponses: []float64{1, 3}, ResponsePercentile: 0.8,
			Classes: classes(poisson(4, 1))}, responses(five, queueing.Offered)},
		{"Erlang A, responses of all", Station{Servers: 10, MaxResponses: []float64{1, 3}, ResponsePercentile: 0.8,
			Classes: classes(Class{Gaps: exponential(0.1), Service: exponential(1), Patience: exponential(2)})},
			responses(patient, queueing.Offered)},
		{"Erlang A, responses of those served", Station{Servers: 10, MaxResponses: []float64{1, 3}, ResponsePercentile: 0.8,
			ServiceLevelOf: queueing.Served,
			Classes:        classes(Class{Gaps: exponential(0.1), Service: exponential(1), Patience: exponential(2)})},
			responses(patient, queueing.Served)},
		{"M/M/3//20", Station{Servers: 3, MaxWait: 0.5,
			Classes: classes(Class{Sources: 20, Think: exponential(4), Service: exponential(1)})}, repair},
		{"Engset", Station{Servers: 4, Loss: true, Classes: classes(Class{Sources: 12, Think: exponential(2), Service: exponential(1)})},
			map[string]float64{"blocking_probability": engset.CallCongestion, "time_congestion": engset.TimeCongestion, "throughput_per_s": engset.Throughput}},
		{"priorities, not preemptive", Station{Servers: 1, Priorities: true, Classes: served}, ofClasses(t, priority.Queue{Classes: mixed})},
		{"priorities, preemptive", Station{Servers: 1, Priorities: true, Preemptive: true, Classes: served},
			ofClasses(t, priority.Queue{Classes: mixed, Preemptive: true})},
		{"priorities on three servers, not preemptive", Station{Servers: 3, Priorities: true, Classes: aliked},
			ofClasses(t, priority.Queue{Classes: alike, Servers: 3})},
		{"priorities on three servers, preemptive", Station{Servers: 3, Priorities: true, Preemptive: true, Classes: aliked},
			ofClasses(t, priority.Queue{Classes: alike, Servers: 3, Preemptive: true})},
		{"Kaufman-Roberts", Station{Servers: 20, Loss: true, Classes: classes(
			Class{Name: "call", Gaps: exponential(1.0 / 8), Service: exponential(1)},
			Class{Name: "conference", Gaps: exponential(2), Service: queueing.ErlangK{Mean: 3, Phases: 2}, Width: 5})},
			map[string]float64{
				"call.blocking_probability":       knapsack.Blocking[0],
				"conference.blocking_probability": knapsack.Blocking[1],
				"blocking_probability":            knapsack.LossOfJobs,
				"utilization":                     knapsack.Utilization,
			}},
		{"M/G/1, shortest first", Station{Servers: 1, Order: SJF, Classes: general1}, under(queueing.SJF)},
		{"M/G/1, shortest remaining first", Station{Servers: 1, Order: SRPT, Classes: general1}, under(queueing.SRPT)},
		{"M/G/1, shared", Station{Servers: 1, Order: Sharing, Classes: general1}, under(queueing.Sharing)},
		{"M/M/2, shared", Station{Servers: 2, Order: Sharing, Classes: classes(poisson(1.5, 1))},
			map[string]float64{"mean_response_s": shared.MeanResponse, "utilization": 0.75}},
	}
}

// That all servers are busy is a figure of the station. Of a class it was the time for
// which that class alone had them all: 16 % where an arrival found all taken for 72 %.
func TestTimeCongestionIsOfTheStation(t *testing.T) {
	s := &Station{Servers: 3, Priorities: true, MaxResponses: []float64{1, 2}, Classes: []Class{
		Class{Name: "a", Gaps: exponential(0.5), Service: exponential(1)},
		Class{Name: "b", Gaps: exponential(1.25), Service: exponential(0.5)},
	}}
	r, err := Simulate(t.Context(), s, sim.Options{Seed: 3, Replications: 3, Horizon: 2000})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Figures() {
		if strings.HasSuffix(f.Name, ".time_congestion") {
			t.Errorf("%s", f.Name)
		}
	}
	// An arrival sees the station as it is over time: who waits finds all servers busy.
	busy, _ := r.Figure("time_congestion")
	for _, name := range []string{"wait_probability", "a.wait_probability", "b.wait_probability"} {
		if wait, ok := r.Figure(name); !ok || math.Abs(wait.Mean-busy.Mean) > 0.05 {
			t.Errorf("%s %v, all busy for %v", name, wait.Mean, busy.Mean)
		}
	}
	if late, ok := r.Figure(ResponseLevel(1)); !ok || !(late.Mean > 0.5 && late.Mean <= 1) {
		t.Errorf("responses within 2 s: %v", late.Mean)
	}
}

func ofClasses(t *testing.T, q priority.Queue) map[string]float64 {
	t.Helper()
	f, err := q.Figures(t.Context())
	if err != nil || f.Warning != nil {
		t.Fatal(err, f.Warning)
	}
	want := map[string]float64{"mean_wait_s": f.MeanWait, "utilization": f.Utilization}
	for _, c := range f.Classes {
		want[c.Name+".mean_wait_s"] = c.MeanWait
		want[c.Name+".mean_response_s"] = c.MeanResponse
		want[c.Name+".mean_queue_length"] = c.MeanQueueLength
		want[c.Name+".throughput_per_s"] = c.Throughput
	}
	return want
}

// What package queueing knows exactly lies in the intervals of as many seeds as
// binomial chance allows about 95 %; the limits leave out 10⁻⁴ on either side, for
// there are a hundred figures.
func TestClosedFormsLieInTheIntervals(t *testing.T) {
	// By hand one interval each, of two and a half times the width: three of 95% tell nothing.
	seeds, replications, wider := longtest.Of(1, longtest.Part(100, 3)), longtest.Of(10, 20), longtest.Of(2.5, 1)
	limits := distuv.Binomial{N: float64(seeds), P: 0.95}
	for _, trial := range trials(t) {
		t.Run(trial.name, func(t *testing.T) {
			held := map[string]int{}
			for seed := range seeds {
				o, err := trial.station.Options(sim.Options{Seed: uint64(seed), Replications: replications})
				if err != nil {
					t.Fatal(err)
				}
				o.WarmUp, o.FindWarmUp = o.Horizon/10, false
				got, err := sim.Run(context.Background(), &trial.station, o)
				if err != nil {
					t.Fatal(err)
				}
				for name, want := range trial.want {
					e, ok := got.Figure(name)
					if !ok {
						t.Fatalf("no figure %s", name)
					}
					off := math.Abs(e.Mean - want)
					if off <= 1e-12 || e.Holds(want) || off <= wider*(e.High-e.Low)/2 {
						held[name]++
					}
				}
			}
			for name, want := range trial.want {
				n := float64(held[name])
				t.Logf("%s: %d of %d intervals hold %v", name, held[name], seeds, want)
				if limits.CDF(n) < 1e-4 || n == 0 {
					t.Errorf("%s: %d of %d intervals hold %v", name, held[name], seeds, want)
				}
			}
		})
	}
}
