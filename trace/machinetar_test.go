package trace

import (
	"archive/tar"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// Readers of lines share the buffer of an archive: each of its files took 64 KB, 12 GB for 200,000.
func TestArchiveTakesOneBuffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.tar")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := tar.NewWriter(f)
	const files, text = 1000, "time,cpu\n1704067200,0.1\n1704067500,0.2\n"
	for i := range files {
		h := &tar.Header{Name: strconv.Itoa(i) + ".csv", Size: int64(len(text)), Mode: 0o644}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f.Close()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	u := MachineUnit{Files: []MachineFile{{Path: path}}}
	log, err := ReadMachines(context.Background(), u, MachineOptions{})
	runtime.ReadMemStats(&after)
	if err != nil || log.Files != files {
		t.Fatal(log, err)
	}
	if each := (after.TotalAlloc - before.TotalAlloc) / files; each > 16<<10 {
		t.Errorf("%d bytes for each file", each)
	}
}

// A member that the archive cuts short is told of in words of the field.
func TestArchiveCutWithinAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cut.tar")
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	text := "time,cpu\n" + strings.Repeat("1704067200,0.1\n", 100)
	if err := w.WriteHeader(&tar.Header{Name: "a.csv", Size: int64(len(text)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text[:700])); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := hear(t, MachineOptions{}, path)
	if err == nil || !strings.Contains(err.Error(), "the data end early") || strings.Contains(err.Error(), "EOF") {
		t.Error(err)
	}
}
