package trace

import (
	"archive/tar"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
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
