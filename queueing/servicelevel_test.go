package queueing

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Levels, abandonment and the fewest servers against the chain solved by
// testdata/servicelevel.py, which finds the fewest by trying 0, 1, 2, ...
func TestServiceLevelsReference(t *testing.T) {
	for _, row := range numtest.Table(t, "testdata/servicelevel.csv") {
		m := ErlangA{
			ArrivalRate: row.Float("rate"),
			ServiceTime: row.Float("service"),
			Patience:    row.Float("patience"),
		}
		n, wait, target := row.Float("servers"), row.Float("wait"), row.Float("target")
		f, err := m.At(n)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "abandonment", f.Abandonment, row.Float("abandonment"), 1e-9)
		for of, name := range map[ServiceLevelOf]string{Offered: "offered", Served: "served", Stayed: "stayed", Waits: "waits"} {
			if got, want := 1-f.Late(of, wait), row.Float(name); !(math.Abs(got-want) <= 1e-10) {
				t.Errorf("line %d: level of %s = %.15g, want %.15g", row.Line, name, got, want)
			}
			r, err := LeastServers(m, Objective{Metric: LateShare, Limit: 1 - target, Wait: wait, Of: of})
			if want := row.Float("least_" + name); err != nil || r.Servers != want {
				t.Errorf("line %d: least servers for the level of %s = %g, %v, want %g", row.Line, name, r.Servers, err, want)
			}
		}
	}
}

// Every metric asks for the fleet that trying 0, 1, 2, ... finds, also where
// arrivals give up so soon that hardly a server shortens the waits; and none
// that speaks of service is met by nobody serving.
func TestLeastServersWithPatienceByTrying(t *testing.T) {
	for _, load := range []float64{0.3, 2, 17, 60} {
		for _, patience := range []float64{0.01, 0.3, 1, 5, 40} {
			m := ErlangA{ArrivalRate: load, ServiceTime: 1, Patience: patience}
			for _, o := range []Objective{
				{Metric: WaitTail, Limit: .05, Wait: 2},
				{Metric: LateShare, Limit: .2, Wait: .1},
				{Metric: LateShare, Limit: .2, Wait: .1, Of: Served},
				{Metric: LateShare, Limit: .2, Wait: 2, Of: Stayed},
				{Metric: LateShare, Limit: .05, Wait: 2, Of: Waits},
				{Metric: MeanWait, Limit: .2}, {Metric: MeanWait, Limit: 60},
				{Metric: MeanResponse, Limit: 1.01}, {Metric: MeanResponse, Limit: 50},
				{Metric: Utilization, Limit: .8}, {Metric: Utilization, Limit: 1},
				{Metric: Abandonment, Limit: .03}, {Metric: Abandonment, Limit: 1},
				{Metric: WaitProbability, Limit: .4},
			} {
				want := 0.0
				for {
					f, err := m.At(want)
					if err != nil {
						t.Fatal(err)
					}
					if o.Met(f) {
						break
					}
					want++
				}
				r, err := LeastServers(m, o)
				if err != nil || r.Servers != want {
					t.Errorf("load %g, patience %g, %v: %g servers, %v, want %g", load, patience, o, r.Servers, err, want)
				}
				if o.serves() && r.Servers == 0 {
					t.Errorf("load %g, patience %g, %v: met by nobody", load, patience, o)
				}
			}
		}
	}
}

// What lies in the domain is answered up to its ends.
func TestStaffingAtTheEndsOfTheDomain(t *testing.T) {
	for _, load := range []float64{1, 1e6, 1e12} {
		r, err := LeastServers(Loss{ArrivalRate: load, ServiceTime: 1}, Objective{Metric: Blocking, Limit: .01})
		if err != nil {
			t.Errorf("load %g: %v", load, err)
			continue
		}
		// In overload the blocking is close to 1 − n/a.
		if want := .99 * load; load == 1e12 && math.Abs(r.Servers-want) > 1000 {
			t.Errorf("load 1e12: %g servers, want about %g", r.Servers, want)
		}
	}
	if _, err := LeastServers(Loss{ArrivalRate: 1e12, ServiceTime: 1}, Objective{Metric: Blocking, Limit: 1e-9}); err == nil {
		t.Error("load 1e12 at blocking 1e-9: an answer above 1e12 servers, want an error")
	}
	// One server: B(1, a) = a/(1 + a), so a = B/(1 − B).
	for _, limit := range []float64{1e-6, 1e-12, 1e-15, 1e-100, 1e-290} {
		a, err := Greatest(Objective{Metric: Blocking, Limit: limit}, math.Inf(1), func(x float64) (Figures, error) {
			return Loss{ArrivalRate: x, ServiceTime: 1}.At(1)
		})
		if err != nil {
			t.Errorf("limit %g: %v", limit, err)
			continue
		}
		numtest.Close(t, "greatest load", a, limit/(1-limit), 1e-11)
	}
}
