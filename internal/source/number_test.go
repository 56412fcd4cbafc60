package source_test

import (
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// What is 0 has no sign: a survival curve began at -0 s.
func TestParseNumberOfNoSign(t *testing.T) {
	for _, text := range []string{"-0", "-0.0", "-.0", "-0e5", "-0.0000000000000000000", "0e-400"} {
		if v, ok := source.ParseNumber([]byte(text)); !ok || v != 0 || math.Signbit(v) {
			t.Errorf("%s: %v %v, want 0", text, v, ok)
		}
	}
}

// A number that would be 0 as a float64 and is not is refused, as flags refuse it: it was read as 0.
func TestParseNumberTooSmall(t *testing.T) {
	for _, text := range []string{"1e-400", "-1e-400", "0.00001E-400", "1e400", "0." + strings.Repeat("0", 330) + "1"} {
		if v, ok := source.ParseNumber([]byte(text)); ok {
			t.Errorf("%.20s is read as %v", text, v)
		}
	}
	if v, ok := source.ParseNumber([]byte("5e-324")); !ok || v != 5e-324 {
		t.Errorf("the least number: %v %v", v, ok)
	}
}
