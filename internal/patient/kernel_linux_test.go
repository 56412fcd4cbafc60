package patient_test

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"

	. "github.com/capplan/capplan/internal/patient"
)

// A file of the kernel's calls itself a regular one of no bytes, and may block
// whoever reads it, as /proc/kmsg does: its reads stop with the context.
func TestReadFileOfTheKernel(t *testing.T) {
	const path = "/proc/version"
	if info, err := os.Stat(path); err != nil || info.Size() > 0 {
		t.Fatalf("%v, %v, want a file of no bytes", info, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if text, err := io.ReadAll(f); err != nil || len(text) == 0 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	if f, err = Open(ctx, path); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cancel()
	if _, err := f.Read(make([]byte, 8)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
