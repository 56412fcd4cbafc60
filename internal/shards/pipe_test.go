//go:build unix

package shards

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A pipe among the shards is refused: nobody waits for its writer.
func TestPipeIsNoShard(t *testing.T) {
	w := work{words: 40, squares: 9, seed: 3}
	for name, refused := range map[string]bool{"rows.jsonl": true, "rows.jsonl.part": false} {
		dir := w.made(t, 2)
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), dir); (err != nil && strings.Contains(err.Error(), name+" is a pipe")) != refused {
			t.Errorf("%s: %v", name, err)
		}
		s, err := Survey(t.Context(), dir, time.Now())
		if err != nil || len(s.List) != 3 {
			t.Errorf("%s: %+v, %v; want it listed as no shard", name, s, err)
		}
	}
}
