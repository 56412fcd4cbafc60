package trace_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/trace"
)

// Of two cells that say neither 0 nor 1 the same is named every time.
func TestAliveAndWatchedBad(t *testing.T) {
	o := trace.HostTraceOptions{Strict: true, Columns: map[string]string{"alive": "alive", "watched": "watched"}}
	for range 20 {
		_, err := trace.ReadHostTrace(context.Background(), "t.csv",
			strings.NewReader("time,watched,alive\n0,maybe,perhaps\n"), o, nil)
		var file *trace.FileError
		if !errors.As(err, &file) || file.Problem != `alive = "perhaps", want 0 or 1` {
			t.Fatalf("%v, want one of alive", err)
		}
	}
}
