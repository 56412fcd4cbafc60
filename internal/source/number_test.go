package source_test

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/source"
)

// What is 0 has no sign: a survival curve began at -0 s.
func TestParseNumberOfNoSign(t *testing.T) {
	for _, text := range []string{"-0", "-0.0", "-.0", "-0e5", "-0.0000000000000000000", "-1e-400"} {
		if v, ok := source.ParseNumber([]byte(text)); !ok || v != 0 || math.Signbit(v) {
			t.Errorf("%s: %v %v, want 0", text, v, ok)
		}
	}
}
