package alloc

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Beside the few resources of a crowd that its jobs would be put on, a failure costs what it costs beside all of them.
func TestCrowdLosesNothing(t *testing.T) {
	defer func(was int) { crowded = was }(crowded)
	r := rand.New(rand.NewPCG(1, 2))
	same, all := 0, 0
	for seed := range 40 {
		b, err := Generate(context.Background(), GeneratorOptions{Dependencies: []string{"compute"}, Jobs: 60 + r.IntN(60),
			Resources: 20 + r.IntN(30), PrimaryFactor: 1 + r.Float64(), BackupFactor: 0.1 + 0.5*r.Float64(), Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		// Resources that are like each other leave little to choose.
		for j := range b.Resources {
			b.Resources[j].BackupCapacity = r.Int64N(2 * max(1, b.Resources[j].BackupCapacity))
		}
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Allocate(context.Background(), Options{})
		if err != nil {
			continue // a job that fits nowhere
		}
		crowded = math.MaxInt
		want, err := s.Backup(context.Background(), a.Choices, BackupOptions{})
		if err != nil {
			t.Fatal(err)
		}
		crowded = 4
		got, err := s.Backup(context.Background(), a.Choices, BackupOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Loss != want.Loss || len(got.Homeless) != len(want.Homeless) {
			t.Errorf("seed %d: loss %d, %d homeless, want %d and %d", seed, got.Loss, len(got.Homeless), want.Loss,
				len(want.Homeless))
		}
		if p, q := got.Bounds.Published, want.Bounds.Published; (p == nil) != (q == nil) || p != nil && *p != *q {
			t.Errorf("seed %d: the printed bound is another", seed)
		}
		if best := got.Bounds.Best; best > float64(got.Loss) {
			t.Errorf("seed %d: a bound of %v on a loss of %d", seed, best, got.Loss)
		}
		all++
		if slices.EqualFunc(got.Choices, want.Choices, slices.Equal) {
			same++
		}
	}
	t.Logf("the same backups in %d of %d", same, all)
}
