package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A fullDisk takes some bytes and no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(d.room, len(p))
	if d.room -= n; n < len(p) {
		return n, errors.New("no space left")
	}
	return n, nil
}

// Where the jobs cannot be written whole, the table that stood under the name
// of the resources stays.
func TestGenerateKeepsOldTable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "resources.csv")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, jobs := range []string{"20", "2000"} {
		line := "capplan allocate generate --jobs " + jobs + " --resources 5 --primary-factor 0.6 -o csv --resources-file " + path
		var errs bytes.Buffer
		if code := run(context.Background(), strings.Fields(line), strings.NewReader(""), &fullDisk{1000}, &errs); code != 1 {
			t.Errorf("%s jobs: exit code %d, want 1: %s", jobs, code, errs.String())
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "old" {
		t.Errorf("the file holds %q, %v, want what it held", got, err)
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("%d files, want 1", len(names))
	}
}
