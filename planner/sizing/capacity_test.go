package sizing

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

func capacity(t testing.TB, q *CapacityQuestion) *CapacityAnswer {
	t.Helper()
	a, err := Capacity(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The table of Erlang's formula has 84.1 erlangs for 100 lines at 1 %.
func TestCapacityLoad(t *testing.T) {
	a := capacity(t, &CapacityQuestion{Servers: 100, Objectives: Objectives{MaxBlocking: parse[units.Fraction](t, "1%")}})
	if l := *a.MaxLoad; l < 84.05 || l > 84.15 {
		t.Errorf("100 lines take %v erl, the tables have 84.1", l)
	}
	if a.MaxRate != nil || a.MaxServiceTime != nil || a.Binding != "max_blocking" {
		t.Errorf("answer %+v", a)
	}
	numtest.Close(t, "blocking", *a.Blocking, 0.01, 1e-9)
}

// Every unknown solved for gives back the others.
func TestCapacityInvertsSize(t *testing.T) {
	objectives := Objectives{MaxWait: parse[units.Duration](t, "20s"), Percentile: parse[units.Percentile](t, "80%"), MaxUtilization: parse[units.Fraction](t, "90%")}
	service := rng[units.Duration](t, "5min")
	a := capacity(t, &CapacityQuestion{Servers: 14, Objectives: objectives, Traffic: Traffic{ServiceTime: service}})
	need := size(t, &SizeQuestion{Traffic: Traffic{Rate: new(units.Point(units.Rate(*a.MaxRate))), ServiceTime: service}, Objectives: objectives})
	if need.Servers != 14 || need.Binding != a.Binding {
		t.Errorf("at %v/s %d servers are needed for %s, want 14 for %s", *a.MaxRate, need.Servers, need.Binding, a.Binding)
	}
	b := capacity(t, &CapacityQuestion{Servers: 14, Objectives: objectives, SolveFor: SolveServiceTime, Traffic: Traffic{Rate: new(units.Point(units.Rate(*a.MaxRate)))}})
	numtest.Close(t, "service time", *b.MaxServiceTime, 300, 1e-9)
	c := capacity(t, &CapacityQuestion{Servers: 14, SolveFor: SolveObjective, Objectives: Objectives{Percentile: parse[units.Percentile](t, "80%")},
		Traffic: Traffic{Rate: new(units.Point(units.Rate(*a.MaxRate))), ServiceTime: service}})
	numtest.Close(t, "percentile", *c.WaitPercentile, 20, 1e-9)
}

func TestCapacityBesidePool(t *testing.T) {
	o := Objectives{MaxBlocking: parse[units.Fraction](t, "1%")}
	alone := capacity(t, &CapacityQuestion{Servers: 110, Objectives: o})
	both := capacity(t, &CapacityQuestion{Servers: 100, Objectives: o, Pool: &Pool{Machines: 40, Speed: 0.5, Availability: 0.5, Replicas: 1, Count: CountMean}})
	numtest.Close(t, "load", *both.MaxLoad, *alone.MaxLoad, 1e-9)
	numtest.Close(t, "equivalent", *both.Equivalent, 110, 1e-12)
	// Averaged over the machines up the fleet takes as much as meets the
	// objective, and no more.
	q := &CapacityQuestion{
		Servers:    100,
		Objectives: o,
		Pool:       &Pool{Machines: 40, Speed: 0.5, Availability: 0.5, Replicas: 1},
	}
	averaged := capacity(t, q)
	if averaged.PublicCount != CountAveraged {
		t.Errorf("counted %q", averaged.PublicCount)
	}
	s := &SizeQuestion{Objectives: o, Pool: q.Pool}
	s.OfferedLoad = new(units.Point(units.Erlang(*averaged.MaxLoad)))
	if a := size(t, s); a.Servers != 100 {
		t.Errorf("%d dedicated servers for the greatest load of 100", a.Servers)
	}
	s.OfferedLoad = new(units.Point(units.Erlang(*averaged.MaxLoad * (1 + 1e-9))))
	if a := size(t, s); a.Servers != 101 {
		t.Errorf("%d dedicated servers for more than the greatest load of 100", a.Servers)
	}
}

func TestCapacityErrors(t *testing.T) {
	blocking := Objectives{MaxBlocking: parse[units.Fraction](t, "1%")}
	load := rng[units.Erlang](t, "10")
	for _, c := range []struct {
		field string
		q     CapacityQuestion
	}{
		{"objective", CapacityQuestion{Servers: 3}},
		{"load", CapacityQuestion{Servers: 3, Objectives: blocking, Traffic: Traffic{OfferedLoad: load}}},
		{"rate", CapacityQuestion{Servers: 3, Objectives: blocking, SolveFor: SolveServiceTime}},
		{"service_time", CapacityQuestion{Servers: 3, Objectives: blocking, SolveFor: SolveServiceTime, Traffic: Traffic{ServiceTime: rng[units.Duration](t, "2s")}}},
		{"load", CapacityQuestion{Servers: 3, Objectives: blocking, SolveFor: SolveServiceTime, Traffic: Traffic{OfferedLoad: load}}},
		{"load", CapacityQuestion{Servers: 3, SolveFor: SolveObjective}},
		{"solve_for", CapacityQuestion{Servers: 3, Objectives: blocking, SolveFor: "x"}},
		{"servers", CapacityQuestion{Servers: -3, Objectives: blocking}},
	} {
		var e *ask.InputError
		if _, err := Capacity(context.Background(), &c.q); !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%+v: %v, want an error about %s", c.q, err, c.field)
		}
	}
	_, err := Capacity(context.Background(), &CapacityQuestion{Servers: 3, Objectives: Objectives{MaxMeanResponse: parse[units.Duration](t, "1s")}, Traffic: Traffic{ServiceTime: rng[units.Duration](t, "2s")}})
	if !errors.Is(err, ask.ErrInfeasible) {
		t.Errorf("response below service: %v", err)
	}
	_, err = Capacity(context.Background(), &CapacityQuestion{Servers: 9, SolveFor: SolveObjective, Traffic: Traffic{OfferedLoad: load}})
	if !errors.Is(err, ask.ErrInfeasible) {
		t.Errorf("9 servers at 10 erlangs that wait: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		servers   int64
		met       bool
		shortfall int64
	}{{138, true, 0}, {200, true, 0}, {137, false, 1}, {0, false, 138}} {
		a, err := Check(context.Background(), &CheckQuestion{SizeQuestion: *lossQuestion(t, "120"), Servers: c.servers})
		if err != nil {
			t.Fatal(err)
		}
		if a.Met != c.met || a.Shortfall != c.shortfall {
			t.Errorf("%d servers: met %v, shortfall %d", c.servers, a.Met, a.Shortfall)
		}
	}
	q := &CheckQuestion{Servers: 8, SizeQuestion: SizeQuestion{Traffic: Traffic{OfferedLoad: rng[units.Erlang](t, "10")}, Objectives: Objectives{MaxUtilization: parse[units.Fraction](t, "80%")}}}
	a, err := Check(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.Met || !a.Unstable || a.Shortfall != 5 {
		t.Errorf("8 servers at 10 erlangs that wait: %+v", a)
	}
}

// PCU figure 6 at 12 jobs of 100 s a second: B(1290, 1200) = 4.14275072e-4.
func TestThroughput(t *testing.T) {
	q := &ThroughputQuestion{Dedicated: 100, Rate: 12, ServiceTime: 100, Pool: &Pool{Machines: 10000, Speed: 0.34, Availability: 0.7, Replicas: 2, Count: CountMean}}
	a, err := Throughput(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "equivalent", a.Equivalent, 1290, 1e-12)
	numtest.Close(t, "throughput", a.Throughput, 12*(1-4.14275072e-4), 1e-11)
	both, dedicated, err := ThroughputCurve(context.Background(), q, []float64{0, 12, 1000})
	if err != nil {
		t.Fatal(err)
	}
	if both[0] != 0 || both[1] != a.Throughput || both[2] > 12.9 || dedicated[2] > 1 {
		t.Errorf("curve %v, dedicated %v", both, dedicated)
	}
	// Averaged over the machines up, by another program: 3.45945e-6 for that
	// fleet, and the sum over 20 machines half the time up, 4.2282010957 %.
	q.Pool.Count = ""
	if a, err = Throughput(context.Background(), q); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "blocking", a.Blocking, 3.45945e-6, 1e-5)
	half := &ThroughputQuestion{Rate: 5, ServiceTime: 1, Pool: &Pool{Machines: 20, Speed: 1, Availability: 0.5, Replicas: 1}}
	for _, c := range []struct {
		outage, blocking float64
		count            PublicCount
	}{{0, 0.042282010957351126, CountAveraged}, {0.5, 0.042282010957351126, CountAveraged}, {0.05, 0.0183845703, CountMean}} {
		half.Pool.Outage = c.outage
		if a, err = Throughput(context.Background(), half); err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "blocking", a.Blocking, c.blocking, 1e-8)
		if a.PublicCount != c.count {
			t.Errorf("outages of %v s: counted %q, want %q", c.outage, a.PublicCount, c.count)
		}
	}
	// No more is served than comes, not even by rounding.
	large := &ThroughputQuestion{Dedicated: 1, Rate: 1, ServiceTime: 20,
		Pool: &Pool{Machines: 10000, Speed: 0.34, Availability: 0.1, Replicas: 1}}
	if a, err = Throughput(context.Background(), large); err != nil || a.Throughput > 1 {
		t.Errorf("%.17g/s of 1/s served, %v", a.Throughput, err)
	}
}
