package source

import (
	"io"
	"strings"
	"testing"
)

// Thousands of empty lines in a row take next to nothing, and lines behind them know
// their numbers; of fewer none is left out.
func TestRunsOfEmptyLines(t *testing.T) {
	for _, c := range []struct {
		empty int
		least int // lines that are returned
	}{{0, 0}, {1, 1}, {4095, 4095}, {10_000, 1}, {1_000_003, 1}} {
		text := "head\n" + strings.Repeat("\n", c.empty) + "\r\ntail\n\n"
		l, err := NewLineReader(t.Context(), "file", strings.NewReader(text), "lines")
		if err != nil {
			t.Fatal(err)
		}
		returned := map[string]int{}
		for {
			line, long, err := l.Next()
			if err == io.EOF {
				break
			}
			if err != nil || long {
				t.Fatal(long, err)
			}
			if returned[string(line)]++; string(line) == "tail" && l.Line != c.empty+3 {
				t.Errorf("%d empty lines: the tail is line %d", c.empty, l.Line)
			}
		}
		n := returned[""] - 2
		if returned["head"] != 1 || returned["tail"] != 1 || n < c.least || n > c.empty || c.empty > 1e5 && n > c.empty/10 {
			t.Errorf("%d empty lines: returned %v", c.empty, returned)
		}
		if l.Line != c.empty+4 {
			t.Errorf("%d empty lines: %d in all", c.empty, l.Line)
		}
	}
}
