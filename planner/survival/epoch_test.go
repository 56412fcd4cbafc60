package survival

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The table of the errata: x=1, T=100, y=1/200 gives 133.3333 s and f = 8;
// x=10, T=5, y=1/1000 gives 314.862496 s and f = 0.3827090; in parallel x=100,
// T=100, y=1/200 gives 2000 s.
func TestEpoch(t *testing.T) {
	a, err := Epoch(context.Background(), &EpochQuestion{Migrations: new(1.0), MigrationTime: new(100.0), FailureRate: new(1 / 200.0), Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "epoch", a.Epoch, 400.0/3, 1e-14)
	numtest.Close(t, "f", a.JobsDown, 8, 1e-13)
	numtest.Close(t, "min", a.StableMin, 100, 0)
	numtest.Close(t, "max", *a.StableMax, 200, 1e-15)
	if a.Model != EpochMM1 {
		t.Errorf("model %s", a.Model)
	}
	a, err = Epoch(context.Background(), &EpochQuestion{Migrations: new(10.0), MigrationTime: new(5.0), FailureRate: new(1e-3)})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "epoch", a.Epoch, 314.862496, 1e-8)
	numtest.Close(t, "f", a.JobsDown, 0.3827090, 1e-6)
	a, err = Epoch(context.Background(), &EpochQuestion{Migrations: new(100.0), MigrationTime: new(100.0), FailureRate: new(1 / 200.0), Model: EpochParallel, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "parallel", a.Epoch, 2000, 1e-14)
	if a.StableMax != nil || a.StableMin != 0 || len(a.Warnings) != 1 {
		t.Errorf("every epoch is stable: %+v", a)
	}
	// The curve is least at the optimum.
	plots, err := a.Plots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	all := plots[0].Curves[0]
	for i, f := range all.Y {
		if f < a.JobsDown*(1-1e-12) {
			t.Errorf("f(%v) = %v is below the optimum %v", all.X[i], f, a.JobsDown)
		}
	}
}

// PCU's own example has no stable epoch: both bounds and the parallel answer.
func TestEpochInfeasible(t *testing.T) {
	_, err := Epoch(context.Background(), &EpochQuestion{Migrations: new(100.0), MigrationTime: new(100.0), FailureRate: new(1 / 200.0)})
	wantInfeasible(t, "PCU", err, "2.778 h", "3.333 min", "33.33 min", "10.5 jobs")
	_, err = Epoch(context.Background(), &EpochQuestion{Migrations: new(1.0), MigrationTime: new(400.0), FailureRate: new(1 / 200.0)})
	wantInfeasible(t, "failures outrun recovery", err, "y T = 2", "-6.667 min")
}

// Values by mpmath: y = 50·3·(1/13)³/600, minimum of f by a root of its
// numerical derivative.
func TestEpochChain(t *testing.T) {
	q := func() *EpochQuestion {
		return &EpochQuestion{Migrations: new(1.0), MigrationTime: new(30.0), Explain: true, Chain: &EpochChain{
			MTTF: new(7200.0), MTTR: new(600.0), Target: new(0.999), PublicJobs: new(50.0),
			Link: &LinkQuestion{Uplink: new(1e8), Downlink: new(1e8), Footprint: new(1e6), Dedicated: new(int64(100)), Rate: 1}}}
	}
	a, err := Epoch(context.Background(), q())
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "y", a.FailureRate, 0.000113791533909877, 1e-13)
	numtest.Close(t, "epoch", a.Epoch, 723.759972248824, 1e-12)
	numtest.Close(t, "f", a.JobsDown, 0.0899165597936618, 1e-12)
	numtest.Close(t, "rate", *a.Chain.Link.MaxArrivalRate, 4.02849931307666, 1e-12)
	if a.Chain.Replicas != 3 || a.Chain.Link.Replicas != 3 || *a.Chain.Link.Epoch != a.Epoch {
		t.Errorf("chain %+v", a.Chain)
	}
	// Given replicas in place of a target; no link.
	p := q()
	p.Chain.Target, p.Chain.Replicas, p.Chain.Link = nil, new(int64(3)), nil
	b, err := Epoch(context.Background(), p)
	if err != nil || b.Epoch != a.Epoch || b.Chain.Link != nil || b.Chain.ReplicasReal != nil {
		t.Errorf("given replicas: %+v, %v", b, err)
	}
	// A chain that breaks says how far it came.
	p = q()
	p.Migrations, p.Chain.Link.Dedicated = new(1e4), new(int64(1e4))
	_, err = Epoch(context.Background(), p)
	wantInfeasible(t, "epoch", err, "3 replicas", "3.472 d")
	p = q()
	p.Chain.Link.Uplink = new(1e6)
	_, err = Epoch(context.Background(), p)
	wantInfeasible(t, "link", err, "3 replicas", "epoch 12.06 min", "uplink")
	for field, change := range map[string]func(*EpochQuestion){
		"failure_rate": func(q *EpochQuestion) { q.FailureRate = new(1.0) },
		"mttf":         func(q *EpochQuestion) { q.Chain.MTTF = new(0.0) },
		"mttr":         func(q *EpochQuestion) { q.Chain.MTTR = nil },
		"target":       func(q *EpochQuestion) { q.Chain.Target = nil },
		"replicas":     func(q *EpochQuestion) { q.Chain.Replicas = new(int64(2)) },
		"public_jobs":  func(q *EpochQuestion) { q.Chain.PublicJobs = new(0.0) },
		"footprint":    func(q *EpochQuestion) { q.Chain.Link.Footprint = nil },
		"migrations":   func(q *EpochQuestion) { q.Migrations = new(101.0) }, // of 100 servers: PCU has x ≤ N_d
	} {
		p := q()
		change(p)
		_, err := Epoch(context.Background(), p)
		wantInput(t, field, err, field)
	}
}

func TestEpochRefuses(t *testing.T) {
	for field, change := range map[string]func(*EpochQuestion){
		"migrations":     func(q *EpochQuestion) { q.Migrations = new(0.0) },
		"migration_time": func(q *EpochQuestion) { q.MigrationTime = nil },
		"failure_rate":   func(q *EpochQuestion) { q.FailureRate = new(0.0) },
		"model":          func(q *EpochQuestion) { q.Model = "mm2" },
	} {
		q := &EpochQuestion{Migrations: new(1.0), MigrationTime: new(1.0), FailureRate: new(0.1)}
		change(q)
		_, err := Epoch(context.Background(), q)
		wantInput(t, field, err, field)
	}
}

// PCU 4.6: m = 8 Mbit, δ = 120 s, B = 100 Mbit/s both ways, k = 2, N_d = 100:
// 6.25 - 0.8333 = 5.4167 jobs/s, N_d < 750 and 1500.
func TestLink(t *testing.T) {
	q := func() *LinkQuestion {
		return &LinkQuestion{Uplink: new(1e8), Downlink: new(1e8), Footprint: new(1e6), Replicas: new(int64(2)), Dedicated: new(int64(100)), Epoch: new(120.0), Explain: true}
	}
	link := func(q *LinkQuestion) *LinkAnswer {
		t.Helper()
		a, err := Link(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := link(q())
	numtest.Close(t, "rate", *a.MaxArrivalRate, 6.25-100.0/120, 1e-14)
	numtest.Close(t, "uplink", *a.MaxDedicatedUplink, 750, 1e-14)
	numtest.Close(t, "downlink", *a.MaxDedicatedDownlink, 1500, 1e-14)
	numtest.Close(t, "epoch", *a.MinEpoch, 16, 1e-14)
	numtest.Close(t, "least uplink", *a.MinUplink, 16e6*100/120, 1e-14)
	if *a.Binding != "uplink" || *a.MaxDedicated != 749 {
		t.Errorf("got %+v", a)
	}
	// The greatest cluster, then the least link for it: just within.
	p := q()
	p.Dedicated, p.Rate = nil, 1
	b := link(p)
	if *b.MaxDedicated != 629 || b.MaxArrivalRate != nil || b.MinUplink != nil {
		t.Errorf("greatest cluster %+v", b)
	}
	p.Uplink, p.Downlink, p.Dedicated = nil, nil, new(int64(630))
	c := link(p)
	numtest.Close(t, "least uplink", *c.MinUplink, 1e8, 1e-14)
	if c.Binding != nil || c.MaxDedicated != nil {
		t.Errorf("least link %+v", c)
	}
	p = q()
	p.Uplink = new(1e7)
	_, err := Link(context.Background(), p)
	wantInfeasible(t, "narrow", err, "uplink", "75 dedicated", "2.667 min")
	p = q()
	p.Rate = 7
	_, err = Link(context.Background(), p)
	wantInfeasible(t, "hopeless", err, "new jobs alone")
	a, err = Link(context.Background(), q())
	if err != nil {
		t.Fatal(err)
	}
	plots, err := a.Plots(context.Background())
	if c := plots[0].Curves[0]; err != nil || math.Abs(c.Y[0]-6.25) > 1e-12 || c.X[100] != 750 {
		t.Errorf("curve %+v, %v", c, err)
	}
	for field, change := range map[string]func(*LinkQuestion){
		"uplink":    func(q *LinkQuestion) { q.Uplink = new(0.0) },
		"downlink":  func(q *LinkQuestion) { q.Downlink = nil },
		"footprint": func(q *LinkQuestion) { q.Footprint = new(0.0) },
		"replicas":  func(q *LinkQuestion) { q.Replicas = new(int64(0)) },
		"epoch":     func(q *LinkQuestion) { q.Epoch = new(0.0) },
		"dedicated": func(q *LinkQuestion) { q.Dedicated = new(int64(-1)) },
		"rate":      func(q *LinkQuestion) { q.Rate = -1 },
	} {
		p := q()
		change(p)
		_, err := Link(context.Background(), p)
		wantInput(t, field, err, field)
	}
}
