//go:build unix

package patient_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	. "github.com/capplan/capplan/internal/patient"
)

// fifo makes a named pipe.
func fifo(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// soon is done after a moment.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	t.Cleanup(cancel)
	return ctx
}

// A pipe without a writer blocks whoever opens it; the test would not end.
func TestOpenPipeWithoutWriter(t *testing.T) {
	if _, err := Open(soon(t), fifo(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// Nor does a writer that says nothing.
func TestReadPipeOfSilentWriter(t *testing.T) {
	path := fifo(t)
	w, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	f, err := Open(soon(t), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Read(make([]byte, 8)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// With a writer that comes late the pipe is read to its end.
func TestReadPipe(t *testing.T) {
	path := fifo(t)
	go func() {
		time.Sleep(10 * time.Millisecond)
		_ = os.WriteFile(path, []byte("late but whole"), 0)
	}()
	f, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); err != nil || string(b) != "late but whole" {
		t.Errorf("read %q, %v", b, err)
	}
}

func TestReader(t *testing.T) {
	r := NewReader(context.Background(), strings.NewReader("text"))
	if b, err := io.ReadAll(r); err != nil || string(b) != "text" {
		t.Errorf("read %q, %v", b, err)
	}
	if n, err := NewReader(context.Background(), nil).Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("of nothing: %d, %v", n, err)
	}
	if _, err := Open(context.Background(), filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}
