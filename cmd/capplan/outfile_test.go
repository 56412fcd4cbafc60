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

// A signal that comes at the end of a run with a folder finds it there and the answer
// whole, exit code 0, or neither: a script can go by the code.
func TestFolderAndExitCodeAgree(t *testing.T) {
	for range 20 {
		dir := filepath.Join(t.TempDir(), "out")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				if _, err := os.Lstat(dir); err == nil {
					cancel()
				}
			}
		}()
		var out, errs bytes.Buffer
		code := run(ctx, []string{"capplan", "reproduce", "pcu-examples", "--out", dir, "-o", "json"}, strings.NewReader(""), &out, &errs)
		cancel()
		_, err := os.Stat(dir)
		if whole := strings.HasSuffix(out.String(), "}\n"); (code == 0) != (err == nil) || whole != (code == 0) {
			t.Fatalf("exit code %d, the folder: %v, the answer whole: %v; %s", code, err, whole, errs.String())
		}
	}
}

// A long answer ends with the context, and what is too long is refused.
func TestGenerateEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := func(p []byte) (int, error) {
		cancel()
		return len(p), nil
	}
	var errs bytes.Buffer
	for _, format := range []string{"text", "json", "jsonl"} {
		line := "capplan allocate generate --jobs 20000 --resources 5 --primary-factor 0.6 -o " + format
		written := &counted{w: w}
		if code := run(ctx, strings.Fields(line), strings.NewReader(""), written, &errs); code != 1 || written.n > 1<<17 {
			t.Errorf("%s: exit code %d after %d bytes, want 1 soon: %s", format, code, written.n, errs.String())
		}
	}
	for _, c := range []struct{ flag, most string }{{"--jobs", "100000000"}, {"--resources", "66666"}} {
		line := strings.Replace("capplan allocate generate --jobs 2 --resources 2 --primary-factor 0.6", c.flag+" 2", c.flag+" 1e9", 1)
		errs.Reset()
		code := run(context.Background(), strings.Fields(line), strings.NewReader(""), &errs, &errs)
		if code != 2 || !strings.Contains(errs.String(), c.flag+": 1000000000, want 1 to "+c.most) {
			t.Errorf("%s: exit code %d: %.300s", line, code, errs.String())
		}
	}
}

type counted struct {
	w func([]byte) (int, error)
	n int
}

func (c *counted) Write(p []byte) (int, error) {
	c.n += len(p)
	return c.w(p)
}
