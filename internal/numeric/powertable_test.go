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

// The integrals of a few machines less come from the integrand of all, without its exponentials.
func TestPowerTableOfFewer(t *testing.T) {
	counts, less := []float64{300, 0, 40.5, 700}, []float64{1, 0, 0.5, 0}
	var least, most []Power
	fewer := make([]float64, len(counts))
	for j, n := range counts {
		scale := 800 / (0.7 + 0.3*float64(j))
		least, most = append(least, Power{scale, 0.9 * n}), append(most, Power{scale, 1.1 * n})
		fewer[j] = n - less[j]
	}
	table := NewPowerTable(least, most)
	want := table.At(fewer, make([]float64, len(counts)))
	table.At(counts, make([]float64, len(counts)))
	row := table.Row()
	got := table.Fewer(row, table.Factor(less), fewer, make([]float64, len(counts)))
	for j, l := range want.Left {
		if e := math.Abs(got.Left[j] - l); !(e <= 1e-12*l) {
			t.Errorf("left %d: %v, want %v", j, got.Left[j], l)
		}
	}
	for _, c := range [][2]float64{{got.Log, want.Log}, {got.LogExcess, want.LogExcess}, {got.LogDelay, want.LogDelay}} {
		if !(math.Abs(c[0]-c[1]) <= 1e-11) {
			t.Errorf("%v, want %v", c[0], c[1])
		}
	}
}

// Whole groups of machines are there or not: states of one table lie 600 widths apart, and only the
// nodes around the peak of each are looked at. Errors were
// up to 7e-6 between the fewest and the most, within 200 widths up to 5e-9.
func TestPowerTableOfWholeGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	worst := 0.0
	for range 20 {
		load := math.Exp(6 + 5*rng.Float64())
		least, most, groups := make([]Power, 4), make([]Power, 4), make([]float64, 4)
		for j := range most {
			most[j] = Power{load * math.Exp(2*rng.Float64()-1), load * math.Exp(2*rng.Float64()-1)}
			least[j], groups[j] = Power{Scale: most[j].Scale}, float64(1+rng.IntN(6))
		}
		table := NewPowerTable(least, most)
		for range 40 {
			counts, fs := make([]float64, 4), make([]Power, 4)
			for j, f := range most {
				counts[j] = f.Count * math.Round(groups[j]*rng.Float64()) / groups[j]
				fs[j] = Power{f.Scale, counts[j]}
			}
			want, got := PowerIntegrals(fs), table.At(counts, make([]float64, 4))
			for _, c := range [][2]float64{{got.Log, want.Log}, {got.LogExcess, want.LogExcess}, {got.LogDelay, want.LogDelay}} {
				if c[0] == c[1] {
					continue
				}
				e := math.Abs(c[0]-c[1]) / math.Max(1, math.Abs(c[1]))
				if worst = max(worst, e); !(e <= 1e-11) {
					t.Errorf("%v of %v: %v, want %v", counts, most, c[0], c[1])
				}
			}
		}
	}
	t.Logf("worst error %.2g", worst)
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
