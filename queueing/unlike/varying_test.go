package unlike

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// The figures are those of another program that sums over all numbers up.
func TestVaryingReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/varying.csv") {
		m := Varying{
			Queue:  Queue{ArrivalRate: r.Float("load_erl"), ServiceTime: 1},
			Coming: []Coming{independent(r.Float("machines"), r.Float("up"), r.Float("speed"), r.Float("per_job"))},
		}
		if r.Text("figure") != "blocking" {
			m.WhenFull = Queued
		}
		f, err := m.At(r.Float("dedicated"))
		if err != nil {
			t.Errorf("line %d: %v", r.Line, err)
			continue
		}
		got := map[string]float64{
			"blocking": f.Blocking, "wait": f.WaitProbability, "tail": f.WaitTail(r.Float("wait_s")), "mean_wait": f.MeanWait,
		}[r.Text("figure")]
		numtest.Close(t, r.Text("figure")+" of "+r.Text("load_erl")+" erl", got, r.Float("value"), 1e-10)
		if r.Text("figure") == "tail" {
			level := 1 - r.Float("value")
			numtest.Close(t, "percentile", f.WaitPercentile(level), r.Float("wait_s"), 1e-8)
		}
	}
}

// Loads whose powers leave the range of numbers are refused; just above, all that is
// lost is lost as all machines are down.
func TestVaryingTinyLoads(t *testing.T) {
	for _, load := range []float64{1e-99, 1e-101, 1e-200, 1e-310, 5e-324} {
		m := Varying{Queue: Queue{ArrivalRate: load, ServiceTime: 1},
			Coming: []Coming{independent(40, 0.1, 0.8, 1), independent(1, 0.7, 1, 1)}}
		f, err := m.At(0)
		var domain *queueing.DomainError
		if load < 1e-100 && !errors.As(err, &domain) {
			t.Errorf("load %v: %v", load, err)
		}
		if down := 0.3 * math.Pow(0.9, 40); load > 1e-100 && (err != nil || math.Abs(f.Blocking/down-1) > 1e-9) {
			t.Errorf("load %v: blocking %v, %v, want %v", load, f.Blocking, err, down)
		}
	}
}

// Two kinds of coming machines, against the sum over all pairs of numbers up.
func TestVaryingTwoKinds(t *testing.T) {
	m := Varying{
		Queue:  Queue{ArrivalRate: 9, ServiceTime: 1, Beside: []Group{{4, 1.5}}},
		Coming: []Coming{independent(12, 0.6, 0.5, 1), independent(7, 0.9, 2, 2)},
	}
	for _, when := range []WhenFull{Lossy, Queued, Impatient} {
		m.WhenFull, m.Patience = when, 0.6
		want, whole := 0.0, 0.0
		for u := range 13 {
			for v := range 8 {
				p := math.Exp(logBinomial(float64(u), 12, 0.6) + logBinomial(float64(v), 7, 0.9))
				at := m.Queue
				at.Beside = []Group{{4, 1.5}, {float64(u), 0.5}, {float64(v) / 2, 2}}
				f, err := at.At(1)
				switch {
				case errors.Is(err, queueing.ErrUnstable):
					want += p
				case err != nil:
					t.Fatal(err)
				default:
					want += p * f.WaitTail(0.2)
					if when == Lossy {
						want += p * f.Blocking
					}
				}
				whole += p
			}
		}
		numtest.Close(t, "all chances", whole, 1, 1e-12)
		f, err := m.At(1)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Blocking + f.WaitTail(0.2)
		numtest.Close(t, "figure", got, want, 1e-10)
	}
}

// Machines that come and go much more slowly than jobs give the mean over the
// numbers up, the more exactly the more slowly. The chain holds machines up and
// jobs; a job that loses its machine goes on when one is free.
func TestVaryingRegimes(t *testing.T) {
	const machines, up, load = 8, 0.6, 2.5
	slow := Varying{
		Queue:  Queue{ArrivalRate: load, ServiceTime: 1},
		Coming: []Coming{independent(machines, up, 1, 1)},
	}
	f, err := slow.At(0)
	if err != nil {
		t.Fatal(err)
	}
	last := 0.0
	for _, c := range []struct{ pace, off float64 }{{1e-6, 1e-5}, {0.01, 0.003}, {0.1, 0.02}, {1, 0.1}} {
		lost := comingChain(machines, up, load, c.pace)
		off := math.Abs(lost/f.Blocking - 1)
		if off > c.off || off < last {
			t.Errorf("at pace %v %v is lost, off by %v, more slowly by %v", c.pace, lost, off, last)
		}
		last = off
	}
}

// comingChain returns the share lost of Poisson arrivals at machines that fail
// and come back: pace is the rate of both ends of an outage, in services.
func comingChain(machines int, up, load, pace float64) float64 {
	width := machines + 1
	size := width * width
	q := make([][]float64, size)
	for i := range q {
		q[i] = make([]float64, size)
	}
	at := func(u, k int) int { return u*width + k }
	for u := range width {
		for k := range width {
			s := at(u, k)
			if u < machines {
				q[s][at(u+1, k)] += float64(machines-u) * up * pace
			}
			if u > 0 {
				q[s][at(u-1, k)] += float64(u) * (1 - up) * pace
			}
			if k < u {
				q[s][at(u, k+1)] += load
			}
			if k > 0 {
				q[s][at(u, k-1)] += float64(min(k, u))
			}
		}
	}
	lost := 0.0
	for s, x := range steadyState(q) {
		if s%width >= s/width {
			lost += x
		}
	}
	return lost
}

// Without a steady state at the mean there is none; where a shortage is likely
// nobody can say how long the waits are on average, but how many wait for less.
func TestVaryingShortage(t *testing.T) {
	m := Varying{
		Queue:  Queue{ArrivalRate: 9, ServiceTime: 1, WhenFull: Queued},
		Coming: []Coming{independent(20, 0.5, 1, 1)},
	}
	f, err := m.At(0)
	if err != nil || !math.IsInf(f.MeanWait, 1) || !(f.WaitTail(1) < 1) || !math.IsInf(f.WaitPercentile(0.99), 1) {
		t.Errorf("%+v, %v", f, err)
	}
	if f, err := m.At(9.5); err != nil || math.IsInf(f.MeanWait, 1) {
		t.Errorf("with enough dedicated servers %+v, %v", f, err)
	}
	m.Coming[0].Up = 0.4
	if _, err := m.At(0); !errors.Is(err, queueing.ErrUnstable) {
		t.Errorf("8 up on average for 9 erl: %v", err)
	}
	if floor := m.Floor(); math.Abs(floor-1) > 1e-12 {
		t.Errorf("floor %v, want 1", floor)
	}
	for _, c := range []Coming{independent(1.5, 0.5, 1, 1), independent(1, 1.5, 1, 1), independent(1, 0.5, 0, 1), independent(1, 0.5, 1, -0.5)} {
		if _, err := (Varying{m.Queue, []Coming{c}}).At(20); !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("%+v: %v, want a DomainError", c, err)
		}
	}
}

func BenchmarkVarying(b *testing.B) {
	m := Varying{
		Queue:  Queue{ArrivalRate: 1200, ServiceTime: 1},
		Coming: []Coming{independent(10000, 0.35, 0.34, 2)},
	}
	for b.Loop() {
		if _, err := m.At(600); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVaryingPatience is of machines of one speed where who waits may give up: whether
// there is a law of responses is told of each number up, and costs nothing.
func BenchmarkVaryingPatience(b *testing.B) {
	m := Varying{
		Queue:  Queue{ArrivalRate: 450, ServiceTime: 1, Patience: 1, WhenFull: Impatient},
		Coming: []Coming{independent(500, 0.95, 1, 1)},
	}
	for b.Loop() {
		if _, err := m.At(0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkSteps compares the steps that are charged with the time that they take: of states in a table, of
// merging them, and of losses from them.
func BenchmarkSteps(b *testing.B) {
	for _, kinds := range []int{2, 12, 60} {
		all, counts, rate := make([]Coming, kinds), make([]float64, kinds), 0.0
		for j := range all {
			f := float64(j)
			all[j] = Coming{Up: 0.95, Speed: 0.6 + 0.03*f, PerJob: 1, Outages: Outages{Groups: 3, Up: 0.995}}
			counts[j] = 300 + f
			rate += counts[j] * all[j].Up * all[j].Speed
		}
		less := slices.Clone(counts)
		less[1]--
		objectives := []queueing.Objective{{Metric: queueing.MeanWait, Limit: 1}}
		for _, lost := range []bool{false, true}[:min(2, kinds/6+1)] {
			b.Run(fmt.Sprintf("%d kinds, lost %v", kinds, lost), func(b *testing.B) {
				work := &Work{}
				m, err := NewMixTable(Queue{ArrivalRate: 0.9 * rate, ServiceTime: 1, WhenFull: Queued, Work: work}, all, 1e-9)
				if err != nil {
					b.Fatal(err)
				}
				m.SlackAfter(counts, less, objectives)
				begun := work.Steps
				for b.Loop() {
					if lost {
						m.SlackAfter(counts, less, objectives)
					} else if _, err := m.At(counts); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric((work.Steps-begun)/float64(b.Elapsed().Nanoseconds()), "steps/ns")
			})
		}
	}
}
