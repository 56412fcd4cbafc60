package queues

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A load that is given stays what it is: as a rate times the service time it
// came back rounded, and next to saturation that was all that was left.
func TestLoadNearSaturation(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/nearsaturation.csv") {
		load := units.Point(units.Erlang(r.Float("load")))
		service := units.Point(units.Duration(r.Float("service")))
		traffic := sizing.Traffic{OfferedLoad: &load, ServiceTime: &service}
		q := &QueueQuestion{Traffic: traffic, Queue: QueueModel(r.Text("queue")), Servers: r.Float("servers")}
		switch q.Queue {
		case MG1:
			q.ServiceLaw = "deterministic"
		case GIM1:
			q.ArrivalLaw = "deterministic"
		}
		name := fmt.Sprintf("line %d, %s", r.Line, q.Queue)
		a, err := Queue(t.Context(), q)
		if err != nil {
			t.Fatal(name, err)
		}
		numtest.Close(t, name+", mean wait", *a.MeanWait, r.Float("wait"), 1e-10)
		numtest.Close(t, name+", mean response", *a.MeanResponse, r.Float("wait")+r.Float("service"), 1e-10)
		if q.Queue != ErlangC {
			continue
		}
		limit := units.Duration(r.Float("wait") * (1 + 1e-9))
		s, err := sizing.Size(t.Context(), &sizing.SizeQuestion{Traffic: traffic, Objectives: sizing.Objectives{MaxMeanWait: &limit}})
		if err != nil {
			t.Fatal(name, err)
		}
		numtest.Close(t, name+", size", float64(s.Servers), r.Float("servers"), 0)
		numtest.Close(t, name+", mean wait by size", *s.MeanWait, r.Float("wait"), 1e-10)
	}
}

// The unit of time in which a model counts does not show in its answers.
func TestLoadUnitIsHidden(t *testing.T) {
	service, patience := units.Point(units.Duration(7)), units.Duration(20)
	load, rate := units.Point(units.Erlang(10.5)), units.Point(units.Rate(1.5))
	wait, percentile := units.Duration(3), units.Percentile(0.9)
	for _, patient := range []*units.Duration{nil, &patience} {
		var got [2]*sizing.SizeAnswer
		for i, traffic := range []sizing.Traffic{
			{OfferedLoad: &load, ServiceTime: &service, Patience: patient},
			{Rate: &rate, ServiceTime: &service, Patience: patient},
		} {
			a, err := sizing.Size(t.Context(), &sizing.SizeQuestion{
				Traffic:    traffic,
				Objectives: sizing.Objectives{MaxWait: &wait, Percentile: &percentile},
			})
			if err != nil {
				t.Fatal(err)
			}
			got[i] = a
		}
		a, b := got[0], got[1]
		for _, f := range []struct {
			name string
			x, y *float64
		}{
			{"servers", ask.Figure(float64(a.Servers)), ask.Figure(float64(b.Servers))},
			{"arrival rate", a.ArrivalRate, b.ArrivalRate},
			{"mean wait", a.MeanWait, b.MeanWait},
			{"mean response", a.MeanResponse, b.MeanResponse},
			{"wait percentile", a.WaitPercentile, b.WaitPercentile},
			{"service level", a.ServiceLevel, b.ServiceLevel},
			{"queue length", a.MeanQueueLength, b.MeanQueueLength},
			{"throughput", a.Throughput, b.Throughput},
		} {
			if f.x == nil || f.y == nil || math.Abs(*f.x / *f.y - 1) > 1e-10 {
				t.Errorf("%s, patience %v: %v by the load, %v by the rate", f.name, patient, f.x, f.y)
			}
		}
	}
}

// A rate and a service time in people's units are as many erlangs as people reckon: what rounding takes
// from a whole number is no room for a queue to settle in, after 5e9 years of waiting.
func TestWholeLoadIsUnstable(t *testing.T) {
	below := 0
	for tenths := 1; tenths <= 200; tenths++ {
		for _, service := range []units.Duration{10, 30, 60, 150, 300, 600} {
			perMinute := float64(tenths) / 10
			whole := math.Round(perMinute * float64(service) / 60)
			rate := units.Rate(perMinute / 60)
			if !(float64(rate)*float64(service) < whole) || tenths*int(service) != 600*int(whole) {
				continue
			}
			below++
			lambda, s := units.Point(rate), units.Point(service)
			q := &QueueQuestion{Traffic: sizing.Traffic{Rate: &lambda, ServiceTime: &s}, Queue: ErlangC, Servers: whole}
			if a, err := Queue(t.Context(), q); !errors.As(err, new(*ask.InfeasibleError)) {
				t.Errorf("%v/min of %v s with %v servers: %+v, %v", perMinute, service, whole, a, err)
			}
			q.Servers++
			if a, err := Queue(t.Context(), q); err != nil || math.Abs(a.OfferedLoad-whole) > 4e-16*whole {
				t.Errorf("%v/min of %v s with %v servers: %+v, %v", perMinute, service, q.Servers, a, err)
			}
		}
	}
	if below < 10 {
		t.Errorf("%d rates whose load comes out below the whole number: the test tries too few", below)
	}
}

// Loads of several classes or stations that people add up to a whole number of servers leave none either.
func TestWholeLoadOfSeveralIsUnstable(t *testing.T) {
	classes := func(servers float64, rates, services []float64) *QueueQuestion {
		q := &QueueQuestion{Queue: Priority, Servers: servers}
		for k, rate := range rates {
			r, s := units.Rate(rate), units.Duration(services[k])
			q.JobClasses = append(q.JobClasses, JobClass{Name: fmt.Sprint(k), Rate: &r, ServiceTime: &s})
		}
		return q
	}
	for _, q := range []*QueueQuestion{
		classes(1, []float64{0.1, 0.7}, []float64{3, 1}),
		classes(1, []float64{0.3, 0.6, 0.1}, []float64{1, 1, 1}),
		classes(14, []float64{2.8 / 60, 2.8 / 60}, []float64{120, 180}),
	} {
		if a, err := Queue(t.Context(), q); !errors.As(err, new(*ask.InfeasibleError)) {
			t.Errorf("%v: %+v, %v", q.JobClasses, a, err)
		}
	}
	servers, rate := units.Count(14), units.Rate(2.8/60)
	f := &OpenNetworkFile{Stations: []OpenStation{{Name: "a", Servers: &servers, Rate: &rate, ServiceTime: 300}}}
	if a, err := OpenNetwork(t.Context(), &OpenQuestion{Network: f}); !errors.As(err, new(*ask.InfeasibleError)) {
		t.Errorf("a network: %+v, %v", a, err)
	}
}
