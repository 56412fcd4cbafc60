package numeric_test

import (
	"testing"

	"github.com/capplan/capplan/internal/numeric"
)

func TestGCD(t *testing.T) {
	for _, c := range []struct{ a, b, want int64 }{
		{0, 0, 0}, {0, 7, 7}, {7, 0, 7}, {1, 9, 1}, {12, 18, 6}, {18, 12, 6}, {17, 13, 1},
		{600851475143, 6857, 6857}, {1 << 62, 3 << 60, 1 << 60},
	} {
		if got := numeric.GCD(c.a, c.b); got != c.want {
			t.Errorf("GCD(%d, %d) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
	if got := numeric.GCD(84, 36); got != 12 {
		t.Errorf("GCD(84, 36) = %d, want 12", got)
	}
}
