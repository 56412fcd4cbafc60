package station

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
)

// A horizon of thirty services is short, and a start that MSER-5 does not see in the
// noise would show in narrow intervals: what is left out is as long as the station
// remembers, or half of the horizon, and that is said.
func TestShortHorizonsForgetTheirStart(t *testing.T) {
	f, err := queueing.MMC{ArrivalRate: 88, ServiceTime: 1}.At(100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		horizon float64
		settled bool
	}{{25, false}, {60, true}} {
		s := Station{Servers: 100, Classes: []Class{poisson(88, 1)}}
		got, err := Simulate(context.Background(), &s, sim.Options{Seed: 2, Horizon: c.horizon, Replications: longtest.Of(250, 500)})
		if err != nil {
			t.Fatal(err)
		}
		if got.Settled != c.settled || got.WarmUp > c.horizon/2 {
			t.Errorf("horizon %v: settled %v after %v", c.horizon, got.Settled, got.WarmUp)
		}
		for name, want := range map[string]float64{"mean_response_s": f.MeanResponse, "throughput_per_s": 88, "utilization": 0.88} {
			e, _ := got.Figure(name)
			if off := math.Abs(e.Mean - want); off > 1.75*(e.High-e.Low)/2 {
				t.Errorf("horizon %v: %s: %v..%v, want %v", c.horizon, name, e.Low, e.High, want)
			}
		}
	}
}

// Where hardly anybody waits the wait need not be known to its hundredth part: that
// would take thousands of runs.
func TestLittleWaitsStopSoon(t *testing.T) {
	s := Station{Servers: 20, Classes: []Class{poisson(10, 1)}}
	got, err := Simulate(context.Background(), &s, sim.Options{Seed: 2, Precision: 0.02, Limit: 1000})
	if err != nil || !got.Reached {
		t.Errorf("%d runs, reached %v, %v", got.Replications, got.Reached, err)
	}
	if e, _ := got.Figure("mean_wait_s"); !(e.Mean < 0.01) || e.High-e.Low > 2*0.02*0.01 {
		t.Errorf("wait %v..%v, want 0.0002 known of either side", e.Low, e.High)
	}
	for name, s := range map[string]Station{
		"a log":      {Servers: 1, Jobs: []Job{{Length: 1, Width: 1}}},
		"no law":     {Servers: 1, Classes: []Class{{}}},
		"at no time": {Servers: 1, Classes: []Class{{Curve: &varying.Cycle{}, Service: exponential(1)}}},
	} {
		if wait, queue := s.littleWait(); wait != 0 || queue != 0.01 {
			t.Errorf("%s: %v, %v", name, wait, queue)
		}
	}
}

// Nobody asked for a service level: that of a station where hardly anybody is served
// at once would take thousands of runs.
func TestFiguresNotAskedForAreFree(t *testing.T) {
	crowded := Class{Sources: 60, Think: exponential(5), Service: exponential(1)}
	for asked, most := range map[float64]int{0: 100, 1e-9: 1000} {
		s := Station{Servers: 7, Classes: []Class{crowded}, MaxWait: asked}
		got, err := Simulate(context.Background(), &s, sim.Options{Seed: 2, Precision: 0.02, Limit: 2000})
		if err != nil || !got.Reached || got.Replications > most || got.Replications < most/20 {
			t.Errorf("waits asked to be within %v: %d runs, reached %v, %v", asked, got.Replications, got.Reached, err)
		}
	}
}

// A run of thousands of servers is shorter, unless they are nearly all busy, and holds the truth all the same.
func TestRunsOfManyServers(t *testing.T) {
	for _, c := range []struct {
		servers int
		load    float64
		spans   float64
	}{{100, 80, 200}, {2000, 1000, 200}, {30_000, 10_000, 50}, {30_000, 29_000, 20}, {30_000, 29_990, 200}} {
		s := Station{Servers: c.servers, Classes: []Class{poisson(c.load, 1)}}
		o, err := s.Options(sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := (o.Horizon - 1000/c.load) / s.forgets(); math.Abs(got/c.spans-1) > 0.01 {
			t.Errorf("%d servers of %v erlangs: runs of %v spans, want %v", c.servers, c.load, got, c.spans)
		}
	}
	long := Class{Gaps: exponential(1e-4), Service: queueing.Lognormal{Mean: 1, SCV: 6}}
	varied := Station{Servers: 30_000, Classes: []Class{long}}
	if got := varied.spans(varied.forgets()); math.Abs(got/50-1) > 0.01 {
		t.Errorf("services that vary much: runs of %v spans, want 50", got)
	}
	if !longtest.Wanted() {
		return
	}
	s := Station{Servers: 6000, Classes: []Class{poisson(4000, 1)}}
	o, err := s.Options(sim.Options{Seed: 4, Replications: 10})
	if err != nil {
		t.Fatal(err)
	}
	got, err := sim.Run(context.Background(), &s, o)
	if e, _ := got.Figure("mean_customers"); err != nil || !got.Settled || !e.Holds(4000) || e.Precision() > 0.005 {
		t.Errorf("%v customers, %v to %v, want 4,000: %v", e.Mean, e.Low, e.High, err)
	}
}

// A day of millions of customers is one cycle, counted whole, after a warm-up as long
// as the station needs and not as its day is; a day of few is ten.
func TestBusyDaysAreFew(t *testing.T) {
	for _, c := range []struct{ rate, cycles float64 }{{40, 1}, {1, 3}, {0.01, 10}} {
		day := &varying.Cycle{Start: []float64{0, 43200}, End: 86400, Rate: []float64{c.rate, c.rate}}
		s := Station{Servers: 60, Classes: []Class{{Curve: day, Service: exponential(1)}}}
		o, err := s.Options(sim.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := (o.Horizon - o.WarmUp) / 86400; math.Abs(got-c.cycles) > 1e-9 || o.WarmUp < 5 || o.WarmUp > 8640 {
			t.Errorf("rate %v: %v cycles after %v s, want %v", c.rate, got, o.WarmUp, c.cycles)
		}
		if o, err = s.Options(sim.Options{Horizon: 86400}); err != nil || o.WarmUp != 0 {
			t.Errorf("a horizon of a day: a warm-up of %v, %v", o.WarmUp, err)
		}
	}
}

// What is chosen takes no more events than are allowed, whatever the station, and no run is cut that would keep
// within them.
func TestChosenHorizonsKeepWithinEvents(t *testing.T) {
	const allowed, pilots = 50_000_000, 8
	curve := varying.Cycle{Start: []float64{0, 1000}, Rate: []float64{900, 4000}, End: 2000}
	low := varying.Cycle{Start: []float64{0, 1000}, Rate: []float64{9, 40}, End: 2000}
	wild, err := queueing.FittedLaw(1, 1e6)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		station Station
		cut     bool
		settled bool // a warm-up is looked for or as long as the start takes to be forgotten
	}{
		"usual":            {Station{Servers: 3, Classes: []Class{poisson(2.5, 1)}}, false, true},
		"near saturation":  {Station{Servers: 3, Classes: []Class{poisson(2.97, 1)}}, true, true},
		"nearer":           {Station{Servers: 3, Classes: []Class{poisson(2.994, 1)}}, true, true},
		"at saturation":    {Station{Servers: 3, Classes: []Class{poisson(2.9999, 1)}}, true, false},
		"many servers":     {Station{Servers: 50_000, Classes: []Class{poisson(46_000, 1)}}, false, true},
		"a million":        {Station{Servers: 1_000_000, Classes: []Class{poisson(990_000, 1)}}, true, true},
		"that lose":        {Station{Servers: 100_000, Loss: true, Classes: []Class{poisson(99_000, 1)}}, true, true},
		"services as wild": {Station{Servers: 3, Classes: []Class{{Gaps: exponential(0.5), Service: wild}}}, true, false},
		"a curve":          {Station{Servers: 500, Classes: []Class{{Curve: &curve, Service: exponential(0.1)}}}, true, true},
		"a curve of few":   {Station{Servers: 5, Classes: []Class{{Curve: &low, Service: exponential(0.1)}}}, false, true},
	} {
		rate := 2 * c.station.rate()
		free, err := c.station.Options(sim.Options{Precision: 0.02})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, asked := range []sim.Options{
			{Precision: 0.02, Events: allowed}, {Precision: 0.02}, {Replications: 2}, {Replications: 10}, {Replications: 1000},
		} {
			asked.HorizonEvents = allowed
			o, err := c.station.Options(asked)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			runs := 10
			switch {
			case o.Events > 0:
				runs = 2 // more begin where the events allow
			case o.Replications > 0:
				runs = min(10, o.Replications)
			}
			if o.FindWarmUp {
				runs += pilots
			}
			// A day of a curve is simulated whole.
			whole := c.station.Classes[0].Curve != nil && o.Horizon-o.WarmUp <= 1.000001*curve.End
			if n := rate * o.Horizon * float64(runs); n > 1.000001*allowed && !whole {
				t.Errorf("%s: %v: %v events in %d runs of %v", name, asked, n, runs, o.Horizon)
			}
			if cut := o.Horizon < free.Horizon; cut && !c.cut || o.Horizon > free.Horizon {
				t.Errorf("%s: %v: a horizon of %v, of %v", name, asked, o.Horizon, free.Horizon)
			}
			if o.WarmUp >= o.Horizon {
				t.Errorf("%s: %v: a warm-up of %v in %v", name, asked, o.WarmUp, o.Horizon)
			}
			if settled := o.FindWarmUp || o.WarmUp >= o.LeastWarmUp; o.Events > 0 && settled != c.settled {
				t.Errorf("%s: %v: settled %v after %v of %v", name, asked, settled, o.WarmUp, o.LeastWarmUp)
			}
		}
	}
}

// Services that the digits of the clock cannot hold at the end of a long horizon are
// what is wrong, and not the books.
func TestClockTooCoarse(t *testing.T) {
	s := Station{Servers: 2, Classes: []Class{poisson(1e-6, 1e-9)}}
	_, err := Simulate(context.Background(), &s, sim.Options{Seed: 1, Replications: 3})
	var domain *sim.DomainError
	if !errors.As(err, &domain) || !(domain.Value < 1) {
		t.Errorf("%v, want a clock that is too coarse", err)
	}
	beyond := (&desk{st: &s, now: math.Inf(1), ledgers: []ledger{{}}}).rounded(&AuditError{"work done", 0, 2})
	if !errors.As(beyond, &domain) || domain.Value != 0 {
		t.Errorf("%v, want a clock beyond the range of numbers", beyond)
	}
	fault := &AuditError{"work done", 1, 2}
	if d := (&desk{st: &s, now: 1e3, ledgers: []ledger{{}}}); d.rounded(fault) != fault {
		t.Error("a fault of the program is taken for rounding")
	}
}

// Services whose squares are no numbers tell nothing of how long the station
// remembers its start: a run of a given horizon is made, and has not settled.
func TestForgetsOfTinyServices(t *testing.T) {
	s := Station{Servers: 1, Classes: []Class{poisson(1, 5e-324)}}
	if forget := s.forgets(); !math.IsInf(forget, 1) {
		t.Errorf("forgets its start after %v", forget)
	}
	got, err := Simulate(context.Background(), &s, sim.Options{Seed: 1, Horizon: 100, Replications: 2})
	if err != nil || got.Settled {
		t.Errorf("settled %v, %v", got.Settled, err)
	}
}

// At a rate that varies the busiest time decides: 20 million customers of one interval took 5 GB, where their mean
// was a million. By hand: 100 are served at 1/s each, and (250 − 100) pile up for 2 s.
func TestMemoryOfVaryingRates(t *testing.T) {
	st := &Station{Servers: 100, Classes: []Class{{
		Curve:   &varying.Cycle{Start: []float64{0, 10, 12}, End: 100, Rate: []float64{50, 250, 0}},
		Service: queueing.Exponential{Mean: 1},
	}}}
	if got := st.Memory(100) / 400; got != 400 {
		t.Errorf("%v customers, want 400", got)
	}
	if got := st.Memory(11) / 400; got != 250 {
		t.Errorf("%v customers within 11 s, want 250", got)
	}
	st.Loss = true
	if got := st.Memory(100) / 400; got != 100 {
		t.Errorf("%v customers without a queue, want 100", got)
	}
}

// Customers of several classes weigh more, and most where they are interrupted: the default run of `queue priority
// --preemptive` had as many events as that of one class, and took 2.2 times as long.
func TestClassesWeighMore(t *testing.T) {
	one := queueing.Exponential{Mean: 1}
	c := Class{Gaps: queueing.Exponential{Mean: 4}, Service: one}
	s := Station{Servers: 1, Classes: []Class{c}}
	single := s.Weight()
	s.Classes, s.Priorities = []Class{c, c}, true
	several := s.Weight()
	s.Preemptive = true
	if w := s.Weight(); single != 1 || several < 1.2 || w < 1.5 {
		t.Errorf("an event weighs %g, %g with classes and %g with interruptions", single, several, w)
	}
	s = Station{Servers: 1, Classes: []Class{c}, Shifts: make([]int, 70)}
	if w := s.Weight(); !(w > 1.7) {
		t.Errorf("an event weighs %g with 70 shifts", w)
	}
}
