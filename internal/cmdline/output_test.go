package cmdline

import (
	"context"
	"errors"
	"strings"
	"testing"
)

// A long answer that is given up ends with a whole line: a number that lost its last digits is one, too.
func TestEndingWriterEndsALine(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var b strings.Builder
	w := &endingWriter{ctx: ctx, w: &b}
	if n, err := w.Write([]byte("1,2\n3,4")); n != 7 || err != nil {
		t.Fatalf("%d, %v", n, err)
	}
	cancel()
	if n, err := w.Write([]byte("56\n7,8\n")); n != 3 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", n, err)
	}
	if got := b.String(); got != "1,2\n3,456\n" {
		t.Errorf("%q", got)
	}
}

// An answer that is stopped before its first line is not begun: the brace of an object would be a
// half answer.
func TestEndingWriterBeginsNothing(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var b strings.Builder
	w := &endingWriter{ctx: ctx, w: &b}
	if n, err := w.Write([]byte("{\n")); n != 0 || !errors.Is(err, context.Canceled) || b.Len() != 0 {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}
