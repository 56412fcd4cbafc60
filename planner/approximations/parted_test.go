package approximations

import (
	"errors"
	"maps"
	"testing"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/shards"
)

// Trials that follow each other come to the same in shards.
func TestSimulatedInShards(t *testing.T) {
	all, err := priorities()
	if err != nil {
		t.Fatal(err)
	}
	some := all[:2]
	for i := range some {
		some[i].options.Horizon, some[i].options.WarmUp = some[i].options.Horizon/100, some[i].options.WarmUp/100
	}
	want, err := simulateAll(t.Context(), some, 3, 1, nil)
	if err != nil || len(want) == 0 {
		t.Fatal(len(want), err)
	}
	dir := t.TempDir()
	for i := 1; i <= 2; i++ {
		k, err := shards.NewKeeper(dir, shards.Identity{}, shards.Place{Shard: i, Of: 2}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := simulateAll(pieces.WithKeeper(t.Context(), k), some, 3, 1, nil); !errors.Is(err, pieces.ErrKept) {
			t.Fatal(err)
		}
		if err := k.Finish(); err != nil {
			t.Fatal(err)
		}
	}
	folder, err := shards.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := simulateAll(pieces.WithGiver(t.Context(), folder), some, 3, 1, nil)
	if err == nil {
		err = folder.Done()
	}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}
