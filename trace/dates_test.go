package trace_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/trace"
)

func TestReadDates(t *testing.T) {
	for text, want := range map[string]string{
		"":             "",
		"# none\n\n":   "",
		"2024-12-25\n": "2024-12-25",
		"2024-12-25 # Christmas\r\n\n 2024-12-26": "2024-12-25 2024-12-26",
	} {
		dates, err := trace.ReadDates(context.Background(), "days", strings.NewReader(text))
		var got []string
		for _, d := range dates {
			got = append(got, d.Format(time.DateOnly))
		}
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]struct {
		line  int
		cause error
	}{
		"2024-12-25\nChristmas\n": {2, source.ErrMalformed},
		"2024-02-30\n":            {1, source.ErrMalformed},
		"2024-12-25" + strings.Repeat(" ", 1<<17) + "\n": {1, source.ErrMalformed},
		strings.Repeat("2024-12-25\n", 100_001):          {0, source.ErrMemory},
	} {
		_, err := trace.ReadDates(context.Background(), "days", strings.NewReader(text))
		var file *source.FileError
		if !errors.As(err, &file) || file.Line != want.line || !errors.Is(err, want.cause) || len(err.Error()) > 400 {
			t.Errorf("%.20q: %v, want line %d, %v", text, err, want.line, want.cause)
		}
	}
}
