package patient_test

import (
	"context"
	"errors"
	"io"
	"testing"

	. "github.com/capplan/capplan/internal/patient"
)

// What nobody reads is given up once the context is done, and what is still read is written.
func TestWriter(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, pipe := io.Pipe()
	w := NewWriter(ctx, pipe)
	cancel()
	go func() { _, _ = r.Read(make([]byte, 5)) }()
	if n, err := w.Write([]byte("still")); n != 5 || err != nil {
		t.Errorf("%d bytes, %v, want all: they are read", n, err)
	}
	for range 2 {
		if n, err := w.Write([]byte("over")); n != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d bytes, %v, want none", n, err)
		}
	}
	_ = r.CloseWithError(io.ErrUnexpectedEOF)
	if _, err := NewWriter(context.Background(), pipe).Write([]byte("x")); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("error %v, want that of the pipe", err)
	}
}
