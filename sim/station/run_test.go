package station

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
)

// randomStation is of any kind that Check allows.
func randomStation(r *rand.Rand) Station {
	laws := []Law{
		queueing.Exponential{Mean: 1}, queueing.Deterministic{Time: 1}, queueing.Gamma{Mean: 1, SCV: 3},
		queueing.Empirical{Times: []float64{0.5, 1, 4}},
	}
	law := func() Law { return laws[r.IntN(len(laws))] }
	for {
		s := Station{
			Servers:    1 + r.IntN(6),
			Loss:       r.IntN(4) == 0,
			Priorities: r.IntN(3) == 0,
			Preemptive: r.IntN(4) == 0,
			Order:      Order(r.IntN(len(Orders))),
			MaxWait:    r.Float64(),
			Batches:    r.IntN(2) * 7,
		}
		if r.IntN(3) == 0 {
			s.Places = s.Servers + r.IntN(5)
		}
		for range 1 + r.IntN(3) {
			c := Class{Service: law(), Width: r.IntN(min(3, s.Servers+1))}
			switch r.IntN(4) {
			case 0:
				c.Sources, c.Think = 1+r.IntN(20), law()
			case 1:
				c.Curve = &varying.Cycle{Start: []float64{5, 7, 10}, End: 20, Rate: []float64{2 * r.Float64(), 0, 0.1 + r.Float64()}}
			default:
				c.Gaps = law()
			}
			if r.IntN(3) == 0 {
				c.Patience = law()
			}
			if s.Loss {
				c.Reserve = r.IntN(2)
			}
			s.Classes = append(s.Classes, c)
		}
		if s.Classes[0].Curve != nil && r.IntN(2) == 0 {
			s.Shifts = []int{s.Servers, r.IntN(s.Servers + 1), r.IntN(s.Servers + 1)}
		}
		if s.Check() == nil {
			return s
		}
	}
}

// Whatever the station is, its books balance, overloaded or not, with a warm-up and
// without.
func TestBooksBalance(t *testing.T) {
	kinds := map[Order]int{}
	for seed := range longtest.Of[uint64](150, 300) {
		r := rand.New(rand.NewPCG(seed, 9))
		s := randomStation(r)
		kinds[s.Order]++
		got, err := sim.Run(context.Background(), &s, sim.Options{Seed: seed, Horizon: 200, WarmUp: float64(r.IntN(2)) * 50, Replications: 2})
		if err != nil {
			t.Errorf("seed %d: %v\n%+v", seed, err, s)
		}
		for _, e := range got.Figures {
			if e.Mean < 0 || math.IsNaN(e.Mean) {
				t.Errorf("seed %d: %s is %v", seed, e.Name, e.Mean)
			}
		}
	}
	if len(kinds) != len(Orders) {
		t.Errorf("only the orders %v were tried", kinds)
	}
}

// The audit finds each kind of fault.
func TestAuditFindsFaults(t *testing.T) {
	good := func() ledger {
		return ledger{inside: 1, whole: counts{came: 5, lost: 1, gaveUp: 1, served: 2}, left: 6, work: 3, insideArea: 8, busyWhole: 4}
	}
	l := good()
	if err := l.audit(2, 1); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*ledger){
		"a customer lost":     func(l *ledger) { l.whole.served-- },
		"a customer too many": func(l *ledger) { l.inside++ },
		"a stay forgotten":    func(l *ledger) { l.left -= 0.01 },
		"work not done":       func(l *ledger) { l.busyWhole -= 0.01 },
	} {
		l := good()
		spoil(&l)
		var fault *AuditError
		if err := l.audit(2, 1); !errors.As(err, &fault) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSameFiguresOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	s := Station{Servers: 3, Priorities: true, Classes: []Class{poisson(1, 1), {Gaps: exponential(1), Service: exponential(1), Patience: exponential(1)}}}
	var first sim.Result
	for i, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		got, err := Simulate(context.Background(), &s, sim.Options{Seed: 7, Precision: 0.1})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = got
		}
		if d := cmp.Diff(first, got, cmp.AllowUnexported(sim.Estimate{}), cmpopts.IgnoreFields(sim.Result{}, "Elapsed")); d != "" {
			t.Errorf("%d processors: %s", procs, d)
		}
	}
}

// One long replication in batches knows as much as many short ones.
func TestBatches(t *testing.T) {
	s := Station{Servers: 2, Classes: []Class{poisson(1.4, 1)}, Batches: 32}
	got, err := sim.Run(context.Background(), &s, sim.Options{Seed: 3, Horizon: 65000, WarmUp: 1000, Replications: 1})
	if err != nil {
		t.Fatal(err)
	}
	f, err := queueing.MMC{ArrivalRate: 1.4, ServiceTime: 1}.At(2)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"mean_wait_s": f.MeanWait, "utilization": 0.7, "wait_percentile_s": f.WaitPercentile(0.95)} {
		if e, _ := got.Figure(name); !e.Holds(want) || e.Samples < 16 || e.High-e.Low > 0.2*want {
			t.Errorf("%s: %v..%v from %d samples, want %v in it", name, e.Low, e.High, e.Samples, want)
		}
	}
}

func TestRefused(t *testing.T) {
	gaps, one := exponential(1), exponential(1)
	plain := func(change func(*Station, *Class)) Station {
		s := Station{Servers: 2, Classes: []Class{{Gaps: gaps, Service: one}}}
		change(&s, &s.Classes[0])
		return s
	}
	for name, s := range map[string]Station{
		"no servers":         plain(func(s *Station, _ *Class) { s.Servers = 0 }),
		"no classes":         {Servers: 1},
		"classes and jobs":   plain(func(s *Station, _ *Class) { s.Jobs = []Job{{Width: 1}} }),
		"few places":         plain(func(s *Station, _ *Class) { s.Places = 1 }),
		"no service":         plain(func(_ *Station, c *Class) { c.Service = nil }),
		"service of no mean": plain(func(_ *Station, c *Class) { c.Service = exponential(math.Inf(1)) }),
		"no arrivals":        plain(func(_ *Station, c *Class) { c.Gaps = nil }),
		"two arrivals":       plain(func(_ *Station, c *Class) { c.Sources, c.Think = 3, one }),
		"sources, no think":  plain(func(_ *Station, c *Class) { c.Gaps, c.Sources = nil, 3 }),
		"too wide":           plain(func(_ *Station, c *Class) { c.Width = 3 }),
		"reserve in a queue": plain(func(_ *Station, c *Class) { c.Reserve = 1 }),
		"NaN max-wait":       plain(func(s *Station, _ *Class) { s.MaxWait = math.NaN() }),
		"percentile 1":       plain(func(s *Station, _ *Class) { s.Percentile = 1 }),
		"unknown order":      plain(func(s *Station, _ *Class) { s.Order = 9 }),
		"wide and shared":    plain(func(s *Station, c *Class) { s.Order, c.Width = Sharing, 2 }),
		"preemptive alone":   plain(func(s *Station, _ *Class) { s.Preemptive = true }),
		"loss with places":   plain(func(s *Station, _ *Class) { s.Loss, s.Places = true, 3 }),
		"shifts, no curve":   plain(func(s *Station, _ *Class) { s.Shifts = []int{1} }),
		"curve of nothing": plain(func(_ *Station, c *Class) {
			c.Gaps, c.Curve = nil, &varying.Cycle{Start: []float64{0}, End: 1, Rate: []float64{0}}
		}),
		"backward jobs":  {Servers: 1, Jobs: []Job{{At: 2, Width: 1}, {At: 1, Width: 1}}},
		"NaN job":        {Servers: 1, Jobs: []Job{{At: 2, Length: math.NaN(), Width: 1}}},
		"a job too wide": {Servers: 1, Jobs: []Job{{Width: 2}}},
	} {
		var domain *sim.DomainError
		if _, err := Simulate(context.Background(), &s, sim.Options{}); !errors.As(err, &domain) {
			t.Errorf("%s: %v", name, err)
		}
	}
	over := plain(func(s *Station, c *Class) { s.Servers = 1 })
	if _, err := Simulate(context.Background(), &over, sim.Options{}); !errors.Is(err, queueing.ErrUnstable) {
		t.Errorf("as much work as the servers can do: %v", err)
	}
	if _, err := Simulate(context.Background(), &over, sim.Options{Horizon: 100, WarmUp: 1, Replications: 2}); err != nil {
		t.Errorf("the same with a horizon: %v", err)
	}
	flood := Station{Servers: 1, Classes: []Class{{Gaps: exponential(1e-6), Service: one}}}
	var memory *sim.MemoryError
	if _, err := Simulate(context.Background(), &flood, sim.Options{Horizon: 1e6, WarmUp: 1}); !errors.As(err, &memory) {
		t.Errorf("a queue of 10¹²: %v", err)
	}
	log := Station{Servers: 1, Jobs: []Job{{Width: 1, Length: 1}}}
	if _, err := Simulate(context.Background(), &log, sim.Options{Precision: 0.1}); err == nil {
		t.Error("a log with a precision")
	}
}

// Ctrl-C ends a replication that would go on for years.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	s := Station{Servers: 1, Classes: []Class{poisson(0.5, 1)}}
	if _, err := Simulate(ctx, &s, sim.Options{Horizon: 1e15, WarmUp: 1, Replications: 2}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}

// A law that draws what is no time ends the run.
func TestLawOfNoTimes(t *testing.T) {
	s := Station{Servers: 1, Classes: []Class{{Gaps: exponential(1), Service: queueing.Empirical{Times: []float64{-1, 3}}}}}
	var domain *sim.DomainError
	if _, err := Simulate(context.Background(), &s, sim.Options{Horizon: 100, WarmUp: 1}); !errors.As(err, &domain) {
		t.Errorf("%v", err)
	}
}
