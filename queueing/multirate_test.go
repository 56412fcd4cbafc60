package queueing

import (
	"context"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
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
			want, err := ErlangB(float64(n), a)
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
	o := Objective{Metric: Blocking, Limit: 0.01}
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
	m, o := Loss{1200, 1}, Objective{Metric: Blocking, Limit: 0.01}
	whole, err := LeastServers(m, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, others := range []float64{0, 0.4, 17.99, 1190, 5000} {
		r, err := LeastBeside(m, o, others)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := ErlangB(others+r.Servers, 1200)
		if b > 0.01 {
			t.Errorf("%v + %v servers block %v", others, r.Servers, b)
		}
		if r.Servers > 0 {
			if b, _ := ErlangB(others+r.Servers-1, 1200); b <= 0.01 {
				t.Errorf("%v + %v servers are not least", others, r.Servers)
			}
		}
		if others == 0 && r.Servers != whole.Servers {
			t.Errorf("beside nothing %v servers, alone %v", r.Servers, whole.Servers)
		}
	}
}
