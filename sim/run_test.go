package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var mm1 = queue{arrival: 0.5, service: 1, servers: 1, waits: true}

func TestRunHoldsTheTruth(t *testing.T) {
	got, err := Run(context.Background(), mm1, Options{Seed: 1, Horizon: 20000, WarmUp: 200, Replications: 20})
	if err != nil {
		t.Fatal(err)
	}
	// M/M/1 at ρ = ½: E[W] = 1, E[L] = 1, P(W > t) = ½ e^(−t/2), so w₉₀ = 2 ln 5.
	for name, want := range map[string]float64{"mean_wait": 1, "jobs": 1, "wait_p90": 2 * math.Log(5), "abandon_probability": 0} {
		e, ok := got.Figure(name)
		if !ok || !e.Holds(want) || e.Precision() > 0.03 {
			t.Errorf("%s: %v..%v..%v, want %v within it", name, e.Low, e.Mean, e.High, want)
		}
	}
	if got.Replications != 20 || !got.Reached || got.Interrupted || got.Events < 20*19000 {
		t.Errorf("%+v", got)
	}
}

// The same figures to the last bit on 1, 2 and 8 processors.
func TestSameFiguresOnAnyNumberOfCores(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first Result
	for i, procs := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(procs)
		got, err := Run(context.Background(), mm1, Options{Seed: 5, Horizon: 1000, FindWarmUp: true, Precision: 0.05})
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = got
		}
		if d := cmp.Diff(first, got, cmp.AllowUnexported(Estimate{}), cmpopts.IgnoreFields(Result{}, "Elapsed")); d != "" {
			t.Errorf("%d processors: %s", procs, d)
		}
	}
	if !first.Reached || !first.Settled || first.Replications <= firstRound {
		t.Errorf("%+v", first)
	}
}

func TestPrecisionOrLimit(t *testing.T) {
	o := Options{Seed: 2, Horizon: 200, WarmUp: 50, Precision: longtest.Of(0.04, 0.02)}
	got, err := Run(context.Background(), mm1, o)
	if err != nil || !got.Reached {
		t.Fatalf("%+v, %v", got, err)
	}
	for _, e := range got.Figures {
		if e.Precision() > o.Precision {
			t.Errorf("%s: %v, want at most %v", e.Name, e.Precision(), o.Precision)
		}
	}
	o.Limit = 25
	if got, err = Run(context.Background(), mm1, o); err != nil || got.Reached || got.Replications != 25 {
		t.Errorf("with a limit: %+v, %v", got, err)
	}
	per := float64(got.Events) / 25
	o.Limit, o.Events = 0, uint64(20.5*per)
	got, err = Run(context.Background(), mm1, o)
	if err != nil || got.Reached || got.Replications < 19 || got.Replications > 21 {
		t.Errorf("with the events of 20 replications: %+v, %v", got, err)
	}
	o.Events = 1 // the first round is run whatever it takes
	if got, err = Run(context.Background(), mm1, o); err != nil || got.Reached || got.Replications != fewest {
		t.Errorf("with one event: %+v, %v", got, err)
	}
}

// A number of replications may be bounded by their events too; where it is not reached that is told, and what it
// is made of is the same.
func TestReplicationsWithinEvents(t *testing.T) {
	o := Options{Seed: 2, Horizon: 300, WarmUp: 50, Replications: 40}
	all, err := Run(context.Background(), mm1, o)
	if err != nil {
		t.Fatal(err)
	}
	o.Events = 100 * all.Events
	got, err := Run(context.Background(), mm1, o)
	if err != nil || !got.Reached || !slices.Equal(got.Figures[0].values, all.Figures[0].values) {
		t.Errorf("with room for all: %+v, %v", got, err)
	}
	for events, want := range map[uint64][2]int{1: {2, 2}, all.Events / 2: {10, 30}} {
		o.Events = events
		o.Progress = func(done, of int) { // once one is done it is known how many there can be
			if of < done || of > want[1] {
				t.Errorf("with %d events: %d of %d", events, done, of)
			}
		}
		got, err := Run(context.Background(), mm1, o)
		if n := got.Replications; err != nil || got.Reached || n < want[0] || n > want[1] ||
			!slices.Equal(got.Figures[0].values, all.Figures[0].values[:n]) {
			t.Errorf("with %d events: %+v, %v", events, got, err)
		}
	}
	o.Progress = nil
	// Limit is of a Precision.
	o.Limit, o.Events = 5, 100*all.Events
	if got, err := Run(context.Background(), mm1, o); err != nil || !got.Reached || got.Replications != 40 {
		t.Errorf("with a limit of 5: %+v, %v", got, err)
	}
	o.Replications, o.Events = 1, 1
	if got, err := Run(context.Background(), mm1, o); err != nil || !got.Reached || got.Replications != 1 {
		t.Errorf("one: %+v, %v", got, err)
	}
}

// Ctrl-C leaves what is done.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Seed: 2, Horizon: 1000, Replications: 100000, Workers: 1}
	o.Progress = func(done, of int) {
		if of != o.Replications {
			t.Errorf("of %d", of)
		}
		if done == 13 {
			cancel()
		}
	}
	got, err := Run(ctx, mm1, o)
	if err != nil || !got.Interrupted || got.Replications != 13 {
		t.Fatalf("%d replications, interrupted %v, %v", got.Replications, got.Interrupted, err)
	}
	o.Replications, o.Progress, o.Workers = got.Replications, nil, 2
	same, err := Run(context.Background(), mm1, o)
	if d := cmp.Diff(same.Figures, got.Figures, cmp.AllowUnexported(Estimate{})); err != nil || d != "" {
		t.Errorf("%v; the same number uninterrupted: %s", err, d)
	}
	if _, err := Run(ctx, mm1, o); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing done: %v, want the context's error", err)
	}
}

type fake struct {
	figures []Figure
	run     func(r *Replication) error
	bytes   float64
}

func (f fake) Figures() []Figure              { return f.figures }
func (f fake) Replicate(r *Replication) error { return f.run(r) }
func (f fake) Memory(float64) float64         { return f.bytes }

func TestFaultyModels(t *testing.T) {
	one := []Figure{{Name: "x"}}
	broken := errors.New("broken")
	for name, c := range map[string]struct {
		model fake
		want  func(error) bool
	}{
		"fails": {
			fake{one, func(r *Replication) error {
				if r.Number >= 3 {
					return fmt.Errorf("%d: %w", r.Number, broken)
				}
				return nil
			}, 0},
			func(err error) bool { return errors.Is(err, broken) && err.Error() == "3: broken" },
		},
		"hands over NaN":  {fake{one, func(r *Replication) error { r.Observe(0, math.NaN()); return nil }, 0}, isModelError},
		"hands over −1":   {fake{one, func(r *Replication) error { r.Add(0, 1, -1); return nil }, 0}, isModelError},
		"no such figure":  {fake{one, func(r *Replication) error { r.Observe(1, 1); return nil }, 0}, isModelError},
		"too great a sum": {fake{one, func(r *Replication) error { r.Add(0, 1e308, 1); r.Add(0, 1e308, 1); return nil }, 0}, isModelError},
		"two of one name": {fake{[]Figure{{Name: "x"}, {Name: "x"}}, nil, 0}, isDomainError},
		"no quantile":     {fake{[]Figure{{Name: "x", Kind: Quantile}}, nil, 0}, isDomainError},
		"beyond numbers": {fake{one, nil, math.Inf(1)}, func(err error) bool {
			var m *MemoryError
			return errors.As(err, &m) && !math.IsInf(m.Needed, 1)
		}},
		"too large": {fake{one, nil, 1e15}, func(err error) bool { var m *MemoryError; return errors.As(err, &m) }},
	} {
		if _, err := Run(context.Background(), c.model, Options{}); err == nil || !c.want(err) {
			t.Errorf("a model that %s: %v", name, err)
		}
	}
	// What no replication counts is undefined, not 0 of nothing.
	got, err := Run(context.Background(), fake{one, func(r *Replication) error {
		if r.Number > 0 {
			r.Observe(0, 7)
		}
		return nil
	}, 0}, Options{Replications: 5})
	e := got.Figures[0]
	if err != nil || e.Undefined != 1 || e.Samples != 4 || e.Mean != 7 || e.Low != 7 || e.High != 7 {
		t.Errorf("%+v, %v", e, err)
	}
	if _, ok := e.Value(0); ok {
		t.Error("the first replication has a value")
	}
}

func isModelError(err error) bool  { var e *ModelError; return errors.As(err, &e) }
func isDomainError(err error) bool { var e *DomainError; return errors.As(err, &e) }

func TestOptions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, o := range []Options{
		{Replications: -1}, {Limit: -1}, {Replications: min(1<<40, math.MaxInt)}, {Workers: -1}, {Precision: -0.1}, {Precision: 1}, {Precision: nan},
		{Horizon: -1}, {Horizon: nan}, {WarmUp: -1}, {WarmUp: inf}, {Horizon: 10, WarmUp: 10}, {FindWarmUp: true},
		{Horizon: 1, FindWarmUp: true, WarmUp: 0.5}, {Precision: 0.1, Replications: 5}, {MaxMemory: nan},
	} {
		if _, err := Run(context.Background(), mm1, o); !isDomainError(err) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// Common random numbers: a queue with a faster server differs from one without by
// an interval much narrower than theirs.
func TestDifference(t *testing.T) {
	o := Options{Seed: 3, Horizon: 5000, WarmUp: 100, Replications: 20}
	slow, err := Run(context.Background(), queue{arrival: 0.5, service: 1, servers: 1}, o)
	if err != nil {
		t.Fatal(err)
	}
	fast, err := Run(context.Background(), queue{arrival: 0.5, service: 1.02, servers: 1}, o)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Difference(slow, fast, "mean_wait")
	truth := 1 - 0.5/1.02/(1.02-0.5)
	alone, _ := slow.Figure("mean_wait")
	if err != nil || !d.Holds(truth) || d.High-d.Low > (alone.High-alone.Low)/5 || d.Samples != 20 {
		t.Errorf("%v: %v..%v of %d, want %v, narrower than a fifth of %v..%v", err, d.Low, d.High, d.Samples, truth, alone.Low, alone.High)
	}
	if _, err := Difference(slow, fast, "no such"); err == nil {
		t.Error("no error without the figure")
	}
	if _, err := Difference(slow, Result{Figures: []Estimate{{Figure: Figure{Name: "mean_wait"}}}}, "mean_wait"); !isDomainError(err) {
		t.Errorf("of unlike runs: %v", err)
	}
}

// As many replications run at once as the memory holds, and at least one.
func TestWithinMemory(t *testing.T) {
	for _, c := range []struct {
		bytes float64
		most  int32
	}{{0.3e9, 3}, {0.6e9, 1}} {
		var running, most atomic.Int32
		var mu sync.Mutex
		m := fake{[]Figure{{Name: "x"}}, func(r *Replication) error {
			n := running.Add(1)
			defer running.Add(-1)
			mu.Lock()
			most.Store(max(most.Load(), n))
			mu.Unlock()
			time.Sleep(5 * time.Millisecond)
			r.Observe(0, 1)
			return nil
		}, c.bytes}
		if _, err := Run(context.Background(), m, Options{Replications: 12, Workers: 6}); err != nil || most.Load() > c.most {
			t.Errorf("%g bytes each: %d ran at once, want at most %d; %v", c.bytes, most.Load(), c.most, err)
		}
	}
}

// Runs side by side in one room take their memory one after the other, and each as many replications at once as
// alone.
func TestRunsShareMemory(t *testing.T) {
	ctx := parallel.WithRoom(context.Background(), 1e9)
	var running, most atomic.Int32
	m := fake{[]Figure{{Name: "x"}}, func(r *Replication) error {
		n := running.Add(1)
		defer running.Add(-1)
		for before := most.Load(); n > before && !most.CompareAndSwap(before, n); before = most.Load() {
		}
		time.Sleep(2 * time.Millisecond)
		r.Observe(0, 1)
		return nil
	}, 0.4e9}
	err := parallel.Each(ctx, 4, 8, func(int) error {
		_, err := Run(ctx, m, Options{Replications: 4, Workers: 6})
		return err
	})
	if err != nil || most.Load() != 2 {
		t.Errorf("%d of 0.4 GB ran at once, want 2; %v", most.Load(), err)
	}
}
