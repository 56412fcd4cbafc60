package trace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
)

const (
	maxDates  = 100_000 // of one file: 270 years of them
	datesForm = "dates such as 2024-12-25, one a line, # before a comment"
)

// ReadDates reads dates such as 2024-12-25, one a line, as midnight UTC, in
// file order. A line may be blank, and what follows # is a comment. Errors are
// *FileError: ErrMalformed for another line, ErrMemory for more than 100,000
// dates.
func ReadDates(ctx context.Context, name string, r io.Reader) ([]time.Time, error) {
	ctx = given.Context(ctx)
	lines, err := source.NewLineReader(ctx, name, r, datesForm)
	if errors.Is(err, source.ErrEmpty) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []time.Time
	for {
		line, tooLong, err := lines.Next()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		word, _, _ := strings.Cut(string(line), "#")
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		date, err := time.Parse(time.DateOnly, word)
		if err != nil || tooLong {
			return nil, &source.FileError{File: name, Line: lines.Line, Text: source.Shown(line),
				Problem: "no date", Want: "a date such as 2024-12-25", Err: source.ErrMalformed,
			}
		}
		if len(out) == maxDates {
			return nil, lines.Fail(fmt.Sprintf("holds more than %d dates", maxDates), source.ErrMemory)
		}
		out = append(out, date)
	}
}
