package main

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

// A shard that is killed at any moment leaves no half file; run again it goes on,
// and the merge is that of one process.
func TestKilledShards(t *testing.T) {
	kills := longtest.Of(1, 15)
	t.Chdir(t.TempDir())
	program := programIn(t)
	const line = "simulate station --servers 2 --rate 1.6/s --service-time 1s --horizon 2h --warm-up 10min --replications 60 -o json"
	want, stderr, code := runLine(t, "capplan "+line)
	if code != 0 {
		t.Fatal(stderr)
	}
	shard := func(dir, place string) *exec.Cmd {
		return exec.Command(program, append(strings.Fields(line), "--shard", place, "--out", dir)...)
	}
	begun := time.Now()
	if out, err := shard("whole", "2/2").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	took := time.Since(begun)
	second, err := os.ReadFile(filepath.Join("whole", "shard-0002-of-0002.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range kills {
		dir := t.TempDir()
		first := filepath.Join(dir, "shard-0001-of-0002.jsonl")
		after := time.Duration(rng.Float64() * float64(took))
		killed := shard(dir, "1/2")
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after)
		_ = killed.Process.Kill()
		_ = killed.Wait()
		if left, err := os.ReadFile(first); err == nil && !strings.Contains(string(left), "\n{\"end\":30,") {
			t.Fatalf("killed after %v, the shard is half there: %d bytes", after, len(left))
		}
		if out, err := shard(dir, "1/2").CombinedOutput(); err != nil {
			t.Fatalf("killed after %v, it cannot be run again: %v, %s", after, err, out)
		}
		if err := os.WriteFile(filepath.Join(dir, "shard-0002-of-0002.jsonl"), second, 0o666); err != nil {
			t.Fatal(err)
		}
		if got, stderr, code := runLine(t, "capplan merge "+dir); got != want || code != 0 {
			t.Errorf("killed after %v: exit code %d, %s%s, want %s", after, code, got, stderr, want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("killed after %v: %v is left, %v", after, entries, err)
		}
	}
}
