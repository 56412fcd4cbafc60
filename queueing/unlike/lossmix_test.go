package unlike

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
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
			f, err := varyingOf(m, counts).At(0)
			if err != nil {
				t.Fatal(err)
			}
			want := f.Laws().LogBlocking
			if want > math.Log(1e-6) {
				worst = max(worst, math.Abs(got-want))
			}
			if e := math.Abs(got - want); want > math.Log(1e-6) && !(e <= 1e-9) || want < math.Log(1e-6) && got > math.Log(1e-6)+1e-9 {
				t.Errorf("load %v, %v of %+v: ln B %v, want %v", load, counts, kinds, got, want)
			}
		}
	}
}

// Merged numbers up lose what all of them do.
func TestLossMixMerged(t *testing.T) {
	worst := 0.0
	for i := range longtest.Of(12, 1500) {
		rng := rand.New(rand.NewPCG(19, uint64(i)))
		load := math.Exp(1 + 7*rng.Float64())
		kinds, counts := make([]Coming, 2+rng.IntN(3)), []float64{}
		for j := range kinds {
			k := &kinds[j]
			*k = independent(0, 0.5+0.499*rng.Float64(), math.Exp(2*rng.Float64()-1), 1+float64(rng.IntN(2)))
			if rng.IntN(2) == 0 {
				k.Outages = Outages{Groups: 1 + float64(rng.IntN(4)), Up: 1 - (1-k.Up)*rng.Float64()}
			}
			share := load * (0.8 + 0.6*rng.Float64()) / float64(len(kinds))
			counts = append(counts, math.Ceil(share*k.PerJob/k.Speed/k.Up))
		}
		m, err := NewLossMix(load, kinds, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		if n := m.numbers(counts); n < 1000 || n > 3e6 {
			continue
		}
		want, err := m.grouped(0, slices.Clone(counts))
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.merged(counts, kinds)
		if err != nil {
			t.Fatal(err)
		}
		if want < math.Log(1e-6) {
			continue
		}
		worst = max(worst, math.Abs(got-want))
		if !(math.Abs(got-want) <= 3e-4) {
			t.Errorf("%d: load %v, %v of %d kinds: ln B %v, want %v (off by %.2g)", i, load, counts, len(kinds), got, want, got-want)
		}
	}
	t.Logf("worst error %.2g", worst)
}

// varyingOf states counts as one model.
func varyingOf(m *LossMix, counts []float64) Varying {
	v := Varying{Queue: m.model}
	for j, k := range m.kinds {
		k.Machines = counts[j]
		v.Coming = append(v.Coming, k)
	}
	return v
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
