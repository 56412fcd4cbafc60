package cmdline

import (
	"math"
	"testing"
)

// What is known within two bounds is told as such.
func TestHowLong(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{12, 72, "about 12 s to 72 s"},
		{600, 600, "about 10 min"},
		{110.1, 110.4, "about 110 s"},
		{10, math.Inf(1), "at least 10 s"},
		{1e11, 6e11, "more than a century"},
	} {
		if got := howLong(c.low, c.high); got != c.want {
			t.Errorf("between %v and %v s: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}
