package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An unfinished file that holds more than was ever written to it is the asker's to move away, not a
// failure: exit code 2, whichever command goes on with it.
func TestUnfinishedFileTooLarge(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(path("rows.csv"), []byte("over_load\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, file string }{
		{"sweep size --max-blocking 1% --over load=1,2 --resume --out " + path("rows.csv"), "rows.csv.sweep"},
		{"sweep size --max-blocking 1% --over load=1,2 --shard 1/2 --out " + dir, "shard-0001-of-0002.jsonl.part"},
		{"availability fit ../../testdata/hosts-small.csv --model frailty --resume --out " + path("fleet.json"),
			"fleet.json.part"},
	} {
		if err := os.WriteFile(path(c.file), []byte("{}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path(c.file), 1<<38); err != nil { // a hole, which takes no room
			t.Fatal(err)
		}
		_, stderr, code := runLine(t, "capplan "+c.line)
		if code != 2 || !strings.Contains(stderr, c.file+`" holds more `) || !strings.Contains(stderr, "want it moved away") {
			t.Errorf("%s: exit code %d, want 2: %s", c.line, code, stderr)
		}
	}
}

// A name that leads to a socket is the asker's to mend, as one that leads nowhere.
func TestSocketIsNoFile(t *testing.T) {
	t.Chdir(t.TempDir()) // the name of a socket is at most some 100 bytes
	socket, err := net.Listen("unix", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	for _, line := range []string{"plan s", "lp s", "lifetime s", "availability record s --every 100ms --duration 100ms"} {
		_, stderr, code := runLine(t, "capplan "+line)
		if code != 2 || !strings.Contains(stderr, ": s: ") || !strings.Contains(stderr, "want ") {
			t.Errorf("%s: exit code %d, want 2: %s", line, code, stderr)
		}
	}
}
