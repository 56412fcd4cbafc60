package loss

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// With one class of width 1 the knapsack is the Erlang loss system.
func TestMultiRateIsErlangB(t *testing.T) {
	for _, a := range []float64{0.3, 7, 120, 5000} {
		m, err := NewMultiRate(context.Background(), []Stream{{"one", 1, a, 0}}, 6000)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 5, 100, 138, 3000, 5000, 6000} {
			got, _, err := m.Blocking(n)
			if err != nil {
				t.Fatal(err)
			}
			want, err := queueing.ErlangB(float64(n), a)
			if err != nil {
				t.Fatal(err)
			}
			if want > 1e-290 {
				numtest.Close(t, "blocking", got, want, 1e-11)
			}
		}
	}
}

// bruteKnapsack sums the product form over all states.
func bruteKnapsack(streams []Stream, servers int) []float64 {
	blocked := make([]float64, len(streams))
	total := 0.0
	var walk func(k, used int, p float64)
	walk = func(k, used int, p float64) {
		if k == len(streams) {
			total += p
			for i, s := range streams {
				if used+s.Width > servers {
					blocked[i] += p
				}
			}
			return
		}
		for n := 0; used+n*streams[k].Width <= servers; n++ {
			walk(k+1, used+n*streams[k].Width, p)
			p *= streams[k].JobLoad / float64(n+1)
		}
	}
	walk(0, 0, 1)
	for i := range blocked {
		blocked[i] /= total
	}
	return blocked
}

func TestMultiRateBruteForce(t *testing.T) {
	streams := []Stream{{"a", 1, 3, 0}, {"b", 4, 1.5, 0}, {"c", 7, 0.4, 0}}
	m, err := NewMultiRate(context.Background(), streams, 60)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 3, 6, 7, 12, 25, 40, 60} {
		want := bruteKnapsack(streams, n)
		lost, carried := 0.0, 0.0
		for k, s := range streams {
			got, err := m.StreamBlocking(k, n)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, s.Name, got, want[k], 1e-12)
			lost += s.JobLoad * want[k]
			carried += s.JobLoad * float64(s.Width) * (1 - want[k])
		}
		jobs, busy, err := m.Blocking(n)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "all jobs", jobs, lost/4.9, 1e-12)
		numtest.Close(t, "busy", busy, carried, 1e-12)
	}
}

func TestLeastMultiRate(t *testing.T) {
	streams := []Stream{{"a", 1, 3, 0}, {"b", 4, 1.5, 0}, {"c", 7, 0.4, 0}}
	o := queueing.Objective{Metric: queueing.Blocking, Limit: 0.01}
	r, m, err := LeastMultiRate(context.Background(), streams, o)
	if err != nil {
		t.Fatal(err)
	}
	share := func(n int) float64 {
		lost := 0.0
		for k, b := range bruteKnapsack(streams, n) {
			lost += streams[k].JobLoad * b
		}
		return lost / 4.9
	}
	n := int(r.Servers)
	if !(share(n) <= 0.01 && share(n-1) > 0.01) {
		t.Errorf("%d servers: blocking %v, with one fewer %v", n, share(n), share(n-1))
	}
	if m.Capacity() <= n {
		t.Errorf("capacity %d leaves no room for one more than %d", m.Capacity(), n)
	}
}

// A pool worth a fraction of a server: the dedicated ones are least beside it.
func TestLeastBeside(t *testing.T) {
	m, o := queueing.Loss{ArrivalRate: 1200, ServiceTime: 1}, queueing.Objective{Metric: queueing.Blocking, Limit: 0.01}
	whole, err := queueing.LeastServers(m, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, others := range []float64{0, 0.4, 17.99, 1190, 5000} {
		r, err := queueing.LeastBeside(m, o, others)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := queueing.ErlangB(others+r.Servers, 1200)
		if b > 0.01 {
			t.Errorf("%v + %v servers block %v", others, r.Servers, b)
		}
		if r.Servers > 0 {
			if b, _ := queueing.ErlangB(others+r.Servers-1, 1200); b <= 0.01 {
				t.Errorf("%v + %v servers are not least", others, r.Servers)
			}
		}
		if others == 0 && r.Servers != whole.Servers {
			t.Errorf("beside nothing %v servers, alone %v", r.Servers, whole.Servers)
		}
	}
}

// Two servers by hand: q = 1, A₁, A₁²/2 + A₂. At a load a thousand million
// times the capacity what is carried keeps its digits.
func TestMultiRateFull(t *testing.T) {
	for _, a := range []float64{1, 1e6, 1 << 31, 1e12} {
		m, err := NewMultiRate(t.Context(), []Stream{{Width: 1, JobLoad: 1}, {Width: 2, JobLoad: a}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		sum := 1 + 1 + .5 + a
		want := 2/sum + 2*a/sum
		_, carried, err := m.Blocking(2)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "carried", carried, want, 1e-14)
		f, err := Reservation{Capacity: 2, Streams: []ReservedStream{{Stream: Stream{Width: 1, JobLoad: 1}}, {Stream: Stream{Width: 2, JobLoad: a}}}}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "carried", f.CarriedLoad, want, 1e-14)
		numtest.Close(t, "accepted", f.Accepted[0], 2/sum, 1e-14)
		numtest.Close(t, "accepted", f.Accepted[1], 1/sum, 1e-14)
		if f.Utilization > 1 {
			t.Errorf("utilization %v", f.Utilization)
		}
		// Reserves that are no multiple of the widths.
		r := Reservation{Capacity: 11, Streams: []ReservedStream{{Stream: Stream{Width: 4, JobLoad: a}}, {Stream: Stream{Width: 2, JobLoad: 1}, Reserve: 5}}}
		if f, err = r.Figures(t.Context()); err != nil {
			t.Fatal(err)
		}
		for k, b := range f.Blocking {
			if s := f.Accepted[k] + b; math.Abs(s-1) > 1e-14 || !(f.Accepted[k] > 0) {
				t.Errorf("a = %g, class %d: accepted %v and lost %v", a, k, f.Accepted[k], b)
			}
		}
	}
	// Through rescaling: one class of width 1 is Erlang's system.
	m, err := NewMultiRate(t.Context(), []Stream{{Width: 1, JobLoad: 3e5}}, 2000)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 30, 85, 500, 2000} {
		_, carried, _ := m.Blocking(n)
		want, _ := queueing.CarriedLoad(float64(n), 3e5)
		numtest.Close(t, "carried", carried, want, 1e-12)
		f, _ := m.At(float64(n))
		numtest.Close(t, "throughput", f.Throughput, want, 1e-12)
	}
}

// Full servers are full, not more, at any load.
func TestFullServers(t *testing.T) {
	for _, rate := range []float64{1e3, 1e6, 1e9, 1e11} {
		for servers := 1.0; servers < 40; servers++ {
			for _, m := range []queueing.Model{queueing.Loss{ArrivalRate: rate, ServiceTime: 1}, queueing.MMCK{ArrivalRate: rate, ServiceTime: 1, Buffer: 1}, queueing.ErlangA{ArrivalRate: rate, ServiceTime: 1, Patience: 2}} {
				f, err := m.At(servers)
				if err != nil {
					t.Fatal(err)
				}
				if !(f.Utilization <= 1) {
					t.Errorf("%T, %v servers, %v erl: utilization %v", m, servers, rate, f.Utilization)
				}
			}
		}
	}
	if _, err := (queueing.MMCK{ArrivalRate: 1, ServiceTime: 1, Buffer: 1}).At(5e-324); err == nil {
		t.Error("hardly a server: no error")
	}
}

// Shares of classes add up to 1 but for rounding, and what they lose to no more than that.
func TestLossIsAtMostOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		streams := make([]Stream, 3+r.IntN(20))
		for k := range streams {
			streams[k] = Stream{Width: 1 + r.IntN(9), JobLoad: 1e8 * r.Float64(), Rate: r.Float64()}
		}
		m, err := NewMultiRate(t.Context(), streams, 20)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 21 {
			if b, _, err := m.Blocking(n); err != nil || b > 1 {
				t.Fatalf("%v of all jobs are lost on %d servers, %v", b, n, err)
			}
		}
	}
}
