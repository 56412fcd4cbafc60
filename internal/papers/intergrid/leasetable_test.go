package intergrid

import (
	"context"
	"encoding/gob"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/papers/papertest"
	"github.com/capplan/capplan/sim/lease"
)

var (
	updateLeases = flag.Int("update-leases", 0, "run the lease experiments with that many seeds and write leases.json")
	leaseFolder  = flag.String("lease-runs", "", "with -update-leases: a folder to keep finished runs in, for the next time")
)

// TestUpdateLeases makes the stored table: go test ./internal/papers/intergrid -run
// UpdateLeases -update-leases 100 -timeout 3h.
func TestUpdateLeases(t *testing.T) {
	if *updateLeases == 0 {
		return
	}
	table, err := makeLeases(context.Background(), kept(*leaseFolder), *updateLeases, 1, defaultReferenceSpeed, "abcd", true, func(part, parts int) {
		fmt.Fprintf(os.Stderr, "%d of %d\n", part, parts)
	})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(table, "", "") // lines without indent: small, and readable as differences
	if err == nil {
		err = os.WriteFile("leases.json", append(papertest.Shortened(text), '\n'), 0o666)
	}
	if err == nil {
		var firsts []map[string]float64
		for _, c := range slices.Concat(table.Cells, table.Face.Cells) {
			firsts = append(firsts, c.First)
		}
		text, err = json.MarshalIndent(firsts, "", "")
	}
	if err == nil {
		err = os.WriteFile(storedFirsts, append(text, '\n'), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// storedFirsts holds what the first seeds came to, those of the cells of the table and then those at face value.
const storedFirsts = "testdata/firstleases.json"

// kept keeps runs in a folder.
func kept(folder string) leaseRunner {
	if folder == "" {
		return runLeases
	}
	return func(ctx context.Context, s *lease.System, seeds int, seed uint64) (leaseRuns, error) {
		file := func(seeds int) string {
			h := fnv.New64a()
			h.Write([]byte(leaseKey(s, seeds, seed)))
			return filepath.Join(folder, fmt.Sprintf("%x.gob", h.Sum64()))
		}
		// The first seeds of a longer run are those of a shorter one.
		for _, n := range []int{100, seeds} {
			f, err := os.Open(file(n))
			if err != nil || n < seeds {
				continue
			}
			defer f.Close()
			var r leaseRuns
			return r, gob.NewDecoder(f).Decode(&r)
		}
		name := file(seeds)
		r, err := runLeases(ctx, s, seeds, seed)
		if err != nil {
			return nil, err
		}
		f, err := os.Create(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return r, gob.NewEncoder(f).Encode(r)
	}
}
