package unlike

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
)

// chainBusy returns the share of time that each server is busy, by the full
// chain.
func chainBusy(speeds []float64, load, patience float64, when WhenFull) []float64 {
	n, total := len(speeds), 0.0
	for _, s := range speeds {
		total += s
	}
	busy := make([]float64, n)
	if n == 0 {
		return busy
	}
	c := chain{rates: speeds, arrivals: load}
	switch when {
	case Queued:
		if load >= total {
			for i := range busy {
				busy[i] = 1
			}
			return busy
		}
		c.room = int(-36/math.Log(load/total)) + 2
	case Impatient:
		c.room, c.patience = 150, 1/patience
	}
	full := 1<<n - 1
	for s, x := range c.steady() {
		for i := range busy {
			if s >= full || s>>i&1 == 1 {
				busy[i] += x
			}
		}
	}
	return busy
}

// saturated reports whether the chain would need a long queue for some number up.
func saturated(load, rate, more float64, coming int) bool {
	for u := range coming + 1 {
		if busy := load / (rate + float64(u)*more); busy > 0.85 && busy < 1 {
			return true
		}
	}
	return false
}

// Busy servers, and with them what each kind carries, are those of the full
// chain over all sets of busy servers, averaged over all sets of machines up.
func TestBusyAgainstChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 4))
	for trial := range 60 {
		const patience = 0.7
		slow, up, fast := 0.2+rng.Float64(), 0.2+0.7*rng.Float64(), 0.5+2*rng.Float64()
		always, coming := 1+rng.IntN(3), rng.IntN(4)
		load := 0.3 + 3*rng.Float64()
		for saturated(load, 1+float64(always)*fast, slow, coming) {
			load *= 0.8
		}
		for _, when := range []WhenFull{Lossy, Queued, Impatient} {
			m := Varying{
				Queue: Queue{
					ArrivalRate: load / 20,
					ServiceTime: 20,
					Beside:      []Group{{float64(always), fast}, {1, 1}},
					WhenFull:    when,
					Patience:    patience * 20,
				},
				Coming: []Coming{independent(float64(coming), up, slow, 1)},
			}
			var want [3]float64
			for u := range coming + 1 {
				chance := math.Exp(logBinomial(float64(u), float64(coming), up))
				if coming == 0 {
					chance = 1
				}
				speeds := []float64{1}
				for range always {
					speeds = append(speeds, fast)
				}
				for range u {
					speeds = append(speeds, slow)
				}
				busy := chainBusy(speeds, load, patience, when)
				want[1] += chance * busy[0]
				for i, b := range busy[1:] {
					if i < always {
						want[0] += chance * b
					} else {
						want[2] += chance * b
					}
				}
			}
			beside, other, err := m.Busy()
			if err != nil {
				t.Fatalf("trial %d: %v", trial, err)
			}
			for i, got := range append(beside, other...) {
				if want[i] == 0 && got == 0 {
					continue
				}
				numtest.Close(t, "busy servers", got, want[i], 1e-8)
			}
		}
	}
}

// Slow servers are busier and fast ones serve more jobs; every server that is
// added makes all others less busy.
func TestBusyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 2))
	for range longtest.Of(700, 2000) {
		m := Varying{
			Queue: Queue{
				ArrivalRate: math.Exp(6*rng.Float64() - 2),
				ServiceTime: 1,
				Beside:      []Group{{20 * rng.Float64(), math.Exp(2*rng.Float64() - 1)}, {1 + 30*rng.Float64(), 1}},
				WhenFull:    WhenFull(rng.IntN(3)),
				Patience:    math.Exp(4*rng.Float64() - 2),
			},
			Coming: []Coming{independent(
				float64(1+rng.IntN(30)), 0.3+0.6*rng.Float64(), math.Exp(2*rng.Float64()-1), 1+rng.Float64(),
			)},
		}
		each := func(m Varying) [3]float64 {
			beside, coming, err := m.Busy()
			if err != nil {
				t.Fatal(err)
			}
			c := m.Coming[0]
			here := c.Machines * c.Up / c.PerJob
			return [3]float64{beside[0] / m.Beside[0].Servers, beside[1] / m.Beside[1].Servers, coming[0] / here}
		}
		before := each(m)
		a, b := m.Beside[0].Speed, 1.0
		if a > b && (before[0] > before[1]*(1+1e-9) || a*before[0] < b*before[1]*(1-1e-9)) ||
			a < b && (before[1] > before[0]*(1+1e-9) || b*before[1] < a*before[0]*(1-1e-9)) {
			t.Fatalf("%+v: busy %v", m, before)
		}
		more := m
		more.Beside = []Group{m.Beside[0], {m.Beside[1].Servers + 1 + 5*rng.Float64(), 1}}
		if rng.IntN(2) == 0 {
			more.Coming = []Coming{m.Coming[0]}
			more.Coming[0].Machines += 3
		}
		after := each(more)
		for i := range after {
			if after[i] > before[i]*(1+1e-9) {
				t.Fatalf("%+v: busy %v, with more servers %v", m, before, after)
			}
		}
	}
}

func BenchmarkBusy(b *testing.B) {
	m := Varying{
		Queue:  Queue{ArrivalRate: 120, ServiceTime: 1, Beside: []Group{{100, 1}, {5, 2.2}}},
		Coming: []Coming{independent(100, 0.96, 0.8, 2)},
	}
	for b.Loop() {
		if _, _, err := m.Busy(); err != nil {
			b.Fatal(err)
		}
	}
}

// Many kinds that come and go, far more machines than the load needs: a check of 32 types did not
// end. All the work is done by the servers that are busy.
func TestBusyOfManyKindsFarOut(t *testing.T) {
	kinds := manyKinds(13, 400)
	table, err := NewMixTable(Queue{ArrivalRate: 30_000, ServiceTime: 0.01, WhenFull: Queued}, kinds, 1e-6)
	if err != nil {
		t.Fatal(err)
	}
	counts, work := make([]float64, len(kinds)), 0.0
	for j := range kinds {
		counts[j] = kinds[j].Machines
	}
	if table.widest = true; !(table.below(counts) > 1) {
		t.Fatal("the counts are within the nodes of the table")
	}
	busy, err := table.Busy(counts)
	if err != nil {
		t.Fatal(err)
	}
	for j, n := range busy {
		work += n * kinds[j].Speed
	}
	if !(math.Abs(work/300-1) < 1e-6) {
		t.Errorf("%v erl are worked on, want 300", work)
	}
}
