//go:build unix

package outfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// sparse makes a file of 256 GiB that takes no room.
func sparse(t *testing.T, path, begin string) {
	t.Helper()
	put(t, path, begin, 0o666)
	if err := os.Truncate(path, 1<<38); err != nil {
		t.Fatal(err)
	}
}

// A crash may leave a file of any length: to go on with it takes no memory of that
// length, which no machine has.
func TestHeldIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for begin, want := range map[string]int{"": mostHeader, "{}": mostHeader, "{}\n": -1} {
		sparse(t, Unfinished(path), begin)
		g, err := Grow(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := g.Held()
		var size *SizeError
		if want < 0 && !errors.As(err, &size) || want >= 0 && (err != nil || len(text) != want) {
			t.Errorf("%q: %d bytes, %v; want %d", begin, len(text), err, want)
		}
		g.Close()
	}
	lines := strings.Repeat("a line\n", 1<<20) + "cut"
	put(t, Unfinished(path), lines, 0o666)
	if text, err := ReadHeld(Unfinished(path)); err != nil || string(text) != lines {
		t.Errorf("%d bytes, %v, want all %d", len(text), err, len(lines))
	}
}

func TestReadIsBounded(t *testing.T) {
	dir := t.TempDir()
	path, pipe := filepath.Join(dir, "a"), filepath.Join(dir, "pipe")
	sparse(t, path, "")
	var size *SizeError
	if _, err := Read(path, 100); !errors.As(err, &size) || size.Most != 100 {
		t.Errorf("%v, want a *SizeError", err)
	}
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	var kind *KindError
	if _, err := Read(pipe, 100); !errors.As(err, &kind) || kind.Kind != "a pipe" {
		t.Errorf("%v, want a *KindError, and no wait for a writer", err)
	}
	put(t, filepath.Join(dir, "b"), "text", 0o666)
	if text, err := Read(filepath.Join(dir, "b"), 4); err != nil || string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}
