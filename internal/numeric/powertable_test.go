package numeric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A table gives what single evaluations give, at both ends of its range and
// between.
func TestPowerTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 4))
	nodes := 0
	for range 300 {
		factors := make([]Power, 1+rng.IntN(4))
		load := math.Exp(12*rng.Float64() - 3)
		for j := range factors {
			factors[j].Scale = load * math.Exp(4*rng.Float64()-2)
			factors[j].Count = load * math.Exp(4*rng.Float64()-3)
		}
		least, most := make([]Power, len(factors)), make([]Power, len(factors))
		for j, f := range factors {
			spread := 1 + 8/math.Sqrt(f.Count+1)*rng.Float64()
			least[j], most[j] = Power{f.Scale, f.Count / spread * float64(rng.IntN(3)/2+j%2)}, Power{f.Scale, f.Count * spread}
			least[j].Count = math.Min(least[j].Count, f.Count)
		}
		table := NewPowerTable(least, most)
		nodes = max(nodes, len(table.t))
		for _, fs := range [][]Power{least, factors, most} {
			counts := make([]float64, len(fs))
			for j, f := range fs {
				counts[j] = f.Count
			}
			want := PowerIntegrals(fs)
			got := table.At(counts, make([]float64, len(fs)))
			for _, c := range []struct{ got, want float64 }{
				{got.Log, want.Log}, {got.LogExcess, want.LogExcess}, {got.LogDelay, want.LogDelay},
				{got.Left[0] * counts[0], want.Left[0] * counts[0]},
			} {
				if e := math.Abs(c.got - c.want); c.got != c.want && !(e <= 1e-11*math.Max(1, math.Abs(c.want))) {
					t.Errorf("%v: %v, want %v (%+v, %+v)", fs, c.got, c.want, got, want)
				}
			}
		}
	}
	t.Logf("at most %d nodes", nodes)
}

func BenchmarkPowerTable(b *testing.B) {
	least := []Power{{120, 40}, {150, 60}, {55, 12}}
	most := []Power{{120, 80}, {150, 100}, {55, 12}}
	b.Run("new", func(b *testing.B) {
		for b.Loop() {
			NewPowerTable(least, most)
		}
	})
	table, left := NewPowerTable(least, most), make([]float64, 3)
	b.Run("at", func(b *testing.B) {
		for b.Loop() {
			table.At([]float64{60, 80, 12}, left)
		}
	})
}
