package document

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/capplan/capplan/internal/source"
)

// A connection that breaks behind the first block is no end, and what is too long
// is refused before it is joined.
func TestReadLong(t *testing.T) {
	long := `{"a": "` + strings.Repeat("x", 5<<20)
	broken := io.MultiReader(strings.NewReader(long), iotest.ErrReader(io.ErrUnexpectedEOF))
	if _, err := Read(context.Background(), "test", "a test", broken); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a connection that breaks: %v", err)
	}
	d, err := Read(context.Background(), "test", "a test", strings.NewReader(long+`"}`))
	if err != nil || len(d.Root.Field("a").Text) != 5<<20 {
		t.Errorf("5 MiB: %v", err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = ReadLarge(context.Background(), "test", "a test", io.MultiReader(strings.NewReader(`{"a": "`), blanks{}))
	runtime.ReadMemStats(&after)
	if !errors.Is(err, source.ErrMemory) {
		t.Errorf("without end: %v", err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > MaxBytes+32<<20 {
		t.Errorf("without end: %d MiB were allocated to refuse %d", took>>20, MaxBytes>>20)
	}
}

// A name comes again in each row and drawing of an answer: one of 30 MB took a plan 2.8 GB.
func TestTextsAreBounded(t *testing.T) {
	for size, ok := range map[int]bool{maxText: true, maxText + 1: false} {
		var into struct {
			Name string `json:"name"`
		}
		text := strings.NewReader(`{"name": "` + strings.Repeat("x", size) + `"}`)
		_, err := ReadInto(t.Context(), "test", "a test", text, &into, "the document")
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "name has 10001 bytes, want at most 10000") {
			t.Errorf("%d bytes: %.200v", size, err)
		}
	}
}

// blanks never end.
type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
