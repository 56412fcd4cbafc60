package unlike

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The table gives what single evaluations give.
func TestLossMix(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	worst := 0.
	defer func() { t.Logf("worst %.2g", worst) }()
	for range 60 {
		load := math.Exp(6 * rng.Float64())
		kinds := make([]Coming, 1+rng.IntN(3))
		for i := range kinds {
			kinds[i] = independent(math.Ceil(2*load), 1, math.Exp(2*rng.Float64()-1), 1)
			if rng.IntN(2) == 0 {
				kinds[i].Up, kinds[i].PerJob = 0.4+0.59*rng.Float64(), float64(1+rng.IntN(2))
			}
		}
		m, err := NewLossMix(load, kinds, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			counts := make([]float64, len(kinds))
			for i, k := range kinds {
				counts[i] = math.Floor(1.2 * k.Machines * rng.Float64() * rng.Float64())
			}
			got, err := m.LogBlocking(counts)
			if err != nil {
				t.Fatal(err)
			}
			want, err := m.exactly(counts)
			if err != nil {
				t.Fatal(err)
			}
			if want > math.Log(1e-6) {
				worst = max(worst, math.Abs(got-want))
			}
			if e := math.Abs(got - want); want > math.Log(1e-6) && !(e <= 1e-9) || want < math.Log(1e-6) && got > math.Log(1e-6)+1e-9 {
				t.Errorf("load %v, %v of %+v: ln B %v, want %v", load, counts, kinds, got, want)
			}
		}
	}
}

func BenchmarkLossMix(b *testing.B) {
	m, err := NewLossMix(120, []Coming{independent(150, 1, 1, 1), independent(12, 1, 2.2, 1), independent(200, 0.968, 0.8, 2)}, 1e-3)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := m.LogBlocking([]float64{50, 5, 199}); err != nil {
			b.Fatal(err)
		}
	}
}
