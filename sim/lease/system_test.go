package lease

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
)

// das2 is the workload of InterGrid with room for external requests.
func das2(tb testing.TB, p Policy) *System {
	tb.Helper()
	w, err := routing.DAS2(routing.DAS2Setting{})
	if err != nil {
		tb.Fatal(err)
	}
	w.External.Gap.Scale = 1 / 0.15 / 2 // 0.15 requests/s at shape 0.5
	return &System{Workload: w, ReferenceSpeed: 1000, LocalShare: 0.1, Policy: p}
}

// All policies of a seed meet the same requests, and the same run has the same
// figures on one core and on two.
func TestRequestsAreThePoliciesOwnNot(t *testing.T) {
	arrived := func(r sim.Result, typ Type) float64 {
		sum := 0.0
		for _, o := range Outcomes() {
			e, ok := r.Figure(OutcomeFigure(typ, o))
			if !ok {
				t.Fatalf("no figure of %v %s", typ, o)
			}
			v, _ := e.Value(1)
			sum += v
		}
		return sum
	}
	run := func(p Policy, workers int) sim.Result {
		r, err := Simulate(context.Background(), small(p), sim.Options{Seed: 5, Horizon: 4000, Replications: 3, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	first := run(PAPRTDP, 1)
	for _, p := range Policies() {
		r := run(p, 2)
		for typ := range Type(types) {
			if a, b := arrived(first, typ), arrived(r, typ); a != b {
				t.Errorf("%v: %v %v leases, under %v %v", p, b, typ, PAPRTDP, a)
			}
		}
		again := run(p, 1)
		for i, e := range r.Figures {
			if o := again.Figures[i]; e.Mean != o.Mean || e.Low != o.Low || e.High != o.High {
				t.Errorf("%v: %s is %v on two cores and %v on one", p, e.Name, e.Mean, o.Mean)
			}
		}
	}
}

// What is dispatched keeps to the split, and round robin goes round.
func TestDispatchKeepsToTheSplit(t *testing.T) {
	for _, p := range Policies() {
		for _, seq := range []Sequence{AsPrinted, Random, Deterministic} {
			s := das2(t, p)
			s.Sequence = seq
			o, err := s.resolved("test")
			if err != nil {
				t.Fatal(err)
			}
			split, err := s.Split()
			if err != nil {
				t.Fatal(err)
			}
			if p == LeastWorkLeft {
				if split != nil {
					t.Errorf("%v has the split %v", p, split)
				}
				continue
			}
			sum := 0.0
			for _, v := range split {
				sum += v
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Errorf("%v: shares %v", p, split)
			}
			d, err := s.newDispatcher(split, o.share, sim.Stream(1, 0))
			if err != nil {
				t.Fatal(err)
			}
			const n = 20_000
			count := make([]float64, len(split))
			for i := range n {
				j, err := d.pick(request{typ: Type(i % external)}, nil, 0)
				if err != nil {
					t.Fatal(err)
				}
				if p == RoundRobin && seq != Random && j != i%3 {
					t.Fatalf("round robin sends request %d to cluster %d", i, j)
				}
				count[j]++
			}
			for j, want := range split {
				allowed := 4 * math.Sqrt(n*want*(1-want)) // four standard deviations of a draw
				if d.regular != nil {
					allowed = 3 * external // of a billiard sequence for each type
				}
				if math.Abs(count[j]-n*want) > allowed {
					t.Errorf("%v, sequence %d: %v of %d requests to cluster %d, want %v", p, seq, count[j], n, j, n*want)
				}
			}
		}
	}
}

// Sizes, durations and gaps are drawn from their laws.
func TestSourceKeepsToItsLaws(t *testing.T) {
	w := das2(t, RoundRobin).Workload
	long := &sim.Replication{Horizon: math.Inf(1)}
	for _, kept := range []float64{1, 0.1} {
		s := newSource(sim.Stream(1, 0, 2), w.External, kept, [external]float64{0.1, 0.2, 0.3, 0.4})
		const n = 400_000
		var gap, size, log float64
		var typ [external]float64
		for range n {
			at, err := s.next(long, 0)
			if err != nil {
				t.Fatal(err)
			}
			gap += at / n
			r := s.request()
			size += float64(r.nodes) / n
			log += math.Log(r.work) / n
			typ[r.typ]++
		}
		mean, err := w.External.Size.Mean(routing.Exact)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			what            string
			got, want, part float64
		}{
			{"gap", gap, w.External.Gap.Mean() / kept, 0.02},
			{"size", size, mean, 0.02},
			{"logarithm of the duration", log, w.External.Duration.Mu, 0.005},
			{"Suspendable share", typ[Suspendable] / n, 0.2, 0.02},
			{"NonPreemptable share", typ[NonPreemptable] / n, 0.4, 0.02},
		} {
			if math.Abs(c.got-c.want) > c.part*c.want {
				t.Errorf("kept %v: mean %s %v, want %v", kept, c.what, c.got, c.want)
			}
		}
	}
}

// PAP as printed sends all to one cluster; by what durations are on the clusters
// the local requests saturate them, and there is no split.
func TestSplitAsPrinted(t *testing.T) {
	s := das2(t, PAPRND)
	s.ReferenceSpeed, s.LocalShare, s.SplitAsPrinted = 0, 0, true
	split, err := s.Split()
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(split[2]-1) > 1e-9 {
		t.Errorf("PAP as printed splits %v, want all to C256", split)
	}
	s.SplitAsPrinted = false
	var saturated *routing.SaturatedError
	if _, err := s.Split(); !errors.As(err, &saturated) || !saturated.Local || !errors.Is(err, queueing.ErrUnstable) {
		t.Errorf("PAP of saturated clusters: %v", err)
	}
	s.Policy = LeastRateFirst
	if _, err := s.Split(); err != nil {
		t.Errorf("a policy that looks at rates alone: %v", err)
	}
}

func TestSystemRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*System)
		says   string
	}{
		{func(s *System) { s.Workload.Sites = nil }, "at least one site"},
		{func(s *System) { s.Shares = [4]float64{1, 1, 0, 0} }, "Shares"},
		{func(s *System) { s.Shares = [4]float64{2, -1, 0, 0} }, "Shares"},
		{func(s *System) { s.Overheads = &Overheads{Suspend: -1} }, "Suspend"},
		{func(s *System) { s.Overheads = &Overheads{Migrate: math.Inf(1)} }, "Migrate"},
		{func(s *System) { v := math.NaN(); s.Slack = &v }, "Slack"},
		{func(s *System) { s.LocalShare = 2 }, "LocalShare"},
		{func(s *System) { s.ReferenceSpeed = -1 }, "ReferenceSpeed"},
		{func(s *System) { s.Policy = policies }, "Policy"},
		{func(s *System) { s.Sequence = 7 }, "Sequence"},
		{func(s *System) { s.Victim = 7 }, "Victim"},
		{func(s *System) { s.Workload.Sites[0].Elements = 32 }, "at most the 32 nodes of C64"},
		{func(s *System) { s.Workload.Sites[0].Elements = 64.5 }, "whole number"},
		{func(s *System) { s.Workload.Sites[1].Speed = 0 }, "speed"},
		{func(s *System) { s.Workload.Sites[1].Local.Size.Parallel.H = 9 }, "local requests of C128"},
		{func(s *System) { s.Workload.External.Size.Parallel.L = math.NaN() }, "low"},
		{func(s *System) { s.Workload.External.Duration.Sigma = -1 }, "log sd"},
		{func(s *System) { s.Workload.Sites[2].Local.Gap.Scale = 0 }, "scale"},
	} {
		s := das2(t, LeastWorkLeft)
		c.change(s)
		_, err := Simulate(context.Background(), s, sim.Options{Horizon: 100, Replications: 1})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %q", err, c.says)
		}
	}
	s := das2(t, RoundRobin)
	for _, o := range []sim.Options{
		{Replications: 1},
		{Replications: 1, Horizon: 100, WarmUp: 10},
		{Replications: 1, Horizon: 1e15},
	} {
		if _, err := Simulate(context.Background(), s, o); err == nil {
			t.Errorf("%+v is run", o)
		}
	}
}

// A run ends soon after its context.
func TestSimulateEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Simulate(ctx, das2(t, RoundRobin), sim.Options{Horizon: 1e7, Replications: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want the context's error", err)
	}
}

// Each rule takes types in their order and among those of one type its own.
func TestVictimsInOrder(t *testing.T) {
	var l leases
	c := newCluster(&l, 0, 100, 1)
	put := func(typ Type, nodes int32) int32 {
		id := l.take()
		x := &l.all[id]
		x.typ, x.nodes, x.long, x.start, x.end = typ, nodes, 10, 0, 10
		c.free.Change(0, 10, -nodes)
		c.begin(id, 0)
		return id
	}
	m := put(Migratable, 30)
	s1, s2, s3 := put(Suspendable, 4), put(Suspendable, 8), put(Suspendable, 8)
	c1 := put(Cancelable, 2)
	for _, v := range []struct {
		rule VictimRule
		need int32
		want int32
	}{{Fewest, 20, c1}, {Youngest, 1, c1}, {Oldest, 1, c1}} {
		if got := c.victim(v.need, v.rule); got != v.want {
			t.Errorf("rule %d: victim %d, want %d", v.rule, got, v.want)
		}
	}
	var lost []int32
	c.victims(2, Fewest, 1, func(id int32) { lost = append(lost, id) })
	if len(lost) != 1 || lost[0] != c1 || c.loose != 50 || c.free.FreeAt(5) != 50 {
		t.Fatalf("lost %v, %d nodes left that may be, %d free", lost, c.loose, c.free.FreeAt(5))
	}
	for _, v := range []struct {
		rule       VictimRule
		need, want int32
	}{
		{Fewest, 3, s1}, {Fewest, 5, s3}, {Fewest, 9, s3}, {Youngest, 1, s3}, {Oldest, 9, s1},
	} {
		if got := c.victim(v.need, v.rule); got != v.want {
			t.Errorf("rule %d for %d nodes: victim %d, want %d", v.rule, v.need, got, v.want)
		}
	}
	lost = nil
	c.victims(21, Fewest, 1, func(id int32) { lost = append(lost, id) })
	if want := []int32{s3, s2, s1, m}; len(lost) != 4 || lost[0] != want[0] || lost[1] != want[1] || lost[2] != want[2] || lost[3] != want[3] {
		t.Errorf("lost %v, want %v", lost, want)
	}
}

// A run ends at its horizon however few local requests are kept: the next one may be a
// quadrillion requests away.
func TestFewAreKept(t *testing.T) {
	s := das2(t, RoundRobin)
	s.LocalShare = 1e-15
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := Simulate(ctx, s, sim.Options{Seed: 1, Horizon: 600, Replications: 1})
	if err != nil || ctx.Err() != nil {
		t.Fatal(err)
	}
	for _, o := range Outcomes() {
		if e, ok := r.Figure(OutcomeFigure(Local, o)); ok && e.Mean != 0 {
			t.Errorf("%v local requests %s, want none of so few", e.Mean, o)
		}
	}
}
