package adversary

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strconv"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

var (
	only    = flag.String("target", "", "call what this expression matches `alone`")
	seeds   = flag.String("seeds", "", "from which `seed:to` which each target is called; 0:30, or 0:2 where long tests are not wanted")
	longest = flag.Duration("longest", 10*time.Second, "how much `time` of the processor one call may take")
	latest  = flag.Duration("latest", time.Second, "how much `time` of the processor a call may take past its context's end")
	note    = flag.String("note", "", "write each call's name and seed into this `file`, for a run that dies")
)

// A gigabyte is what a call may hold.
const most = 1 << 30

func TestTableIsWhole(t *testing.T) {
	want, err := Table(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("table_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("an exported function or type is missing from the table, or no longer there: go generate ./internal/adversary")
	}
}

// Every exported function and method withstands what is drawn from the first
// seeds. A longer hunt is the same with -seeds 30:10000.
func TestExported(t *testing.T) {
	from, to := span(t)
	match := regexp.MustCompile("^(" + *only + ")$")
	t.Chdir(t.TempDir()) // for what writes files
	for _, target := range targets() {
		if *only != "" && !match.MatchString(target.name) {
			continue
		}
		t.Run(target.name, func(t *testing.T) {
			for seed := from; seed < to; seed++ {
				withstands(t, target, seed)
			}
		})
	}
}

// FuzzExported is TestExported with the seeds that the fuzzer thinks of.
func FuzzExported(f *testing.F) {
	all := targets()
	f.Add(uint(0), uint64(0))
	f.Fuzz(func(t *testing.T, which uint, seed uint64) {
		t.Chdir(t.TempDir())
		withstands(t, all[which%uint(len(all))], seed)
	})
}

func withstands(t *testing.T, target target, seed uint64) {
	t.Helper()
	if *note != "" {
		_ = os.WriteFile(*note, fmt.Appendf(nil, "%s %d\n", target.name, seed), 0o666)
	}
	fell := target.fell(seed, limits{*longest, *latest, most})
	if fell == nil {
		return
	}
	t.Errorf("seed %d: %s\n%s\n%s", seed, fell.what, target.described(seed), fell.stack)
	if fell.fatal {
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		t.FailNow()
	}
}

func span(t *testing.T) (from, to uint64) {
	t.Helper()
	if *seeds == "" {
		return 0, longtest.Of(uint64(1), 15)
	}
	var err error
	parts := regexp.MustCompile(`^(\d+):(\d+)$`).FindStringSubmatch(*seeds)
	if parts == nil {
		t.Fatalf("-seeds %s: want from:to", *seeds)
	}
	if from, err = strconv.ParseUint(parts[1], 10, 64); err != nil {
		t.Fatal(err)
	}
	if to, err = strconv.ParseUint(parts[2], 10, 64); err != nil {
		t.Fatal(err)
	}
	return from, to
}
