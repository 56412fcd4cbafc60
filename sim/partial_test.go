package sim

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/shards"
)

// Replications in shards come to the bits of one run, whatever a figure is made of.
func TestShardedIsUnsharded(t *testing.T) {
	o := Options{Seed: 3, Horizon: longtest.Of(100., 300), WarmUp: 20, Replications: 11}
	for name, m := range map[string]Model{"queue": mm1, "odd numbers": odd()} {
		want, err := Run(t.Context(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range longtest.Of([]int{16}, []int{1, 2, 3, 7, 16}) {
			got, err := sharded(t, m, o, of)
			if err != nil {
				t.Fatal(err)
			}
			same := []cmp.Option{cmp.AllowUnexported(Estimate{}), cmpopts.IgnoreFields(Result{}, "Elapsed"), cmpopts.EquateNaNs()}
			if d := cmp.Diff(want, got, same...); d != "" {
				t.Errorf("%s in %d shards: %s", name, of, d)
			}
		}
	}
}

// odd is a model of figures that are hard to write: none, -0, tiny and huge ones,
// and values cut into many parts.
func odd() Model {
	return fake{
		figures: []Figure{{Name: "never", Kind: Tally}, {Name: "quantile", Kind: Quantile, P: 0.9}, {Name: "empty", Kind: Quantile, P: 0.5},
			{Name: "total", Kind: Total}, {Name: "day", Kind: RunQuantile, P: 0.5}, {Name: "ratio", Kind: Ratio}},
		run: func(r *Replication) error {
			chance := r.Stream(1)
			for i := range 3000 {
				r.Observe(1, math.Copysign(math.Exp(50*chance.NormFloat64()), chance.Float64()-0.3))
				r.Add(5, 1e-300*chance.Float64(), 1/3.0)
				if i%7 == 0 && r.Number%2 == 0 {
					r.Cut()
				}
			}
			r.Observe(4, math.Copysign(0, -1))
			r.Add(3, 1e290*chance.Float64(), 1)
			r.Events = math.MaxUint64/16 + uint64(r.Number)
			return nil
		},
	}
}

// sharded runs a model in shards and merges them.
func sharded(t *testing.T, m Model, o Options, of int) (Result, error) {
	t.Helper()
	dir := t.TempDir()
	for i := 1; i <= of; i++ {
		k, err := shards.NewKeeper(dir, shards.Identity{}, shards.Place{Shard: i, Of: of}, false)
		if err != nil {
			return Result{}, err
		}
		if _, err := Run(pieces.WithKeeper(t.Context(), k), m, o); !errors.Is(err, pieces.ErrKept) {
			return Result{}, err
		}
		if err := k.Finish(); err != nil {
			return Result{}, err
		}
	}
	f, err := shards.Open(t.Context(), dir)
	if err != nil {
		return Result{}, err
	}
	return Run(pieces.WithGiver(t.Context(), f), m, o)
}

// A number of replications that is known only at the end cannot be parted.
func TestPrecisionIsNotParted(t *testing.T) {
	k, err := shards.NewKeeper(t.TempDir(), shards.Identity{}, shards.Place{Shard: 1, Of: 2}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	_, err = Run(pieces.WithKeeper(t.Context(), k), mm1, Options{Horizon: 100, Precision: 0.1})
	if !errors.Is(err, pieces.ErrUncounted) {
		t.Errorf("%v, want %v", err, pieces.ErrUncounted)
	}
}

// What is no partial is an error.
func TestReadPartial(t *testing.T) {
	for _, text := range []string{"", "[", "[]", "{}", "[1]", "[1,2,3]", "[1,2,0,0,5]", "[-1,2,0,0]", "[1,x,0,0]", "[1,2,0,1,1,99999999,1]", "[1,2,0,7]"} {
		if p, err := readPartial([]byte(text), 1); err == nil {
			t.Errorf("%s: %+v", text, p)
		}
	}
	if _, err := readPartial([]byte(`[1,"NaN",0,0]`), 1); err != nil {
		t.Error(err)
	}
}
