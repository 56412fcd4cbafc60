package intergrid

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/papers/bagstudy"
	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/sim/lease"
)

// inShards keeps the pieces of a work in shards and returns a context that gives
// them back.
func inShards(t *testing.T, of int, work func(context.Context) error) (context.Context, *shards.Folder) {
	t.Helper()
	dir := t.TempDir()
	for i := 1; i <= of; i++ {
		k, err := shards.NewKeeper(dir, shards.Identity{}, shards.Place{Shard: i, Of: of}, false)
		if err != nil {
			t.Fatal(err)
		}
		if err := work(pieces.WithKeeper(t.Context(), k)); !errors.Is(err, pieces.ErrKept) {
			t.Fatalf("shard %d: %v", i, err)
		}
		if err := k.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := shards.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return pieces.WithGiver(t.Context(), f), f
}

// The experiments on leases are works that follow each other, of which one that came
// before is not done again: in shards too.
func TestLeasesInShards(t *testing.T) {
	ran := 0
	run := func(ctx context.Context, s *lease.System, seeds int, seed uint64) (leaseRuns, error) {
		ran++
		out := leaseRuns{}
		w := pieces.Work{Name: "replications", Count: seeds, Seed: &seed}
		one := func(_ context.Context, i int) (partials.Number, error) {
			return partials.Number(float64(i) + 1/s.Workload.External.Gap.Mean() + 10*float64(s.Policy)), nil
		}
		err := pieces.Fold(ctx, w, partials.JSON[partials.Number](), one, func(i int, v partials.Number) error {
			for k, f := range leaseFigures {
				out[f.name] = append(out[f.name], float64(v)*float64(k+1))
			}
			return nil
		})
		out[awrt] = append([]float64{math.NaN()}, out[awrt][min(1, len(out[awrt])):]...)
		return out, err
	}
	table := func(ctx context.Context) (*leaseTable, error) {
		return makeLeases(ctx, run, 3, 1, defaultReferenceSpeed, "abcd", true, nil)
	}
	want, err := table(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plainly := ran
	for _, of := range []int{1, 2, 5} {
		given, folder := inShards(t, of, func(ctx context.Context) error { _, err := table(ctx); return err })
		got, err := table(given)
		if err == nil {
			err = folder.Done()
		}
		if d := cmp.Diff(want, got, cmpopts.EquateNaNs()); err != nil || d != "" {
			t.Errorf("in %d shards: %v\n%s", of, err, d)
		}
	}
	if ran != plainly*(1+1+1+2+1+5+1) {
		t.Errorf("systems are run %d times, %d of them plainly", ran, plainly)
	}
}

// Bags in shards are those of one process, to the bit.
func TestBagsInShards(t *testing.T) {
	var all []bagstudy.Environment
	for _, e := range bagstudy.Environments() {
		if e.Trace.Name == "g5klyo" && e.Bag.Name == "small" {
			all = append(all, e)
		}
	}
	cells := func(ctx context.Context) ([]bagstudy.Cell, error) {
		return bagstudy.Run(ctx, all, []spequlos.Strategy{bagstudy.MainStrategy}, 2, 1, nil)
	}
	want, err := cells(t.Context())
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	given, _ := inShards(t, 3, func(ctx context.Context) error { _, err := cells(ctx); return err })
	got, err := cells(given)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		for k := range want[i].Runs {
			for name, v := range want[i].Runs[k] {
				if is := got[i].Runs[k][name]; math.Float64bits(is) != math.Float64bits(v) && !(math.IsNaN(is) && math.IsNaN(v)) {
					t.Errorf("%s, seed %d: %s is %v, want %v", want[i].Name(), k, name, is, v)
				}
			}
			if len(got[i].Runs[k]) != len(want[i].Runs[k]) {
				t.Errorf("%s, seed %d: %d figures, want %d", want[i].Name(), k, len(got[i].Runs[k]), len(want[i].Runs[k]))
			}
		}
	}
}
