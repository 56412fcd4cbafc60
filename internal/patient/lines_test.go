package patient_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"time"

	. "github.com/capplan/capplan/internal/patient"
)

// A reader that stops in the midst of an answer has whole lines.
func TestWholeLines(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, pipe := io.Pipe()
	text := strings.Repeat(strings.Repeat("x", 70)+"\n", 1000)
	taken := make(chan []byte)
	go func() {
		var got bytes.Buffer
		b := make([]byte, 1<<16)
		for got.Len() < 20_000 {
			n, _ := r.Read(b)
			got.Write(b[:n])
		}
		cancel()
		taken <- got.Bytes()
	}()
	begun := time.Now()
	n, err := NewWriter(ctx, pipe).Write([]byte(text))
	if err == nil || time.Since(begun) > 2*time.Second {
		t.Errorf("%v after %s, want the end of the context", err, time.Since(begun))
	}
	if got := <-taken; n != len(got) || !bytes.HasSuffix(got, []byte("x\n")) {
		t.Errorf("%d bytes were written and %d read, which end in %q", n, len(got), got[max(0, len(got)-10):])
	}
	// All that is read is written, in lines however long.
	long := strings.Repeat("y", 10_000)
	for _, text := range []string{"", "\n", long, strings.Repeat(long+"\n", 3)} {
		var all bytes.Buffer
		n, err := NewWriter(context.Background(), &all).Write([]byte(text))
		if n != len(text) || err != nil || all.String() != text {
			t.Errorf("%d of %d bytes, %v", n, len(text), err)
		}
	}
}
