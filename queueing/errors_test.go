package queueing

import (
	"math"
	"strings"
	"testing"
)

// No message of a queue without a steady state holds an infinite number.
func TestUnstableTextIsFinite(t *testing.T) {
	_, none := ErlangC(0, 5)
	_, hardly := MMC{5, 1}.At(5e-324)
	for _, err := range []error{
		none, hardly,
		&UnstableError{"MMC", math.Inf(1)},
		&SaturatedError{"Jackson", "station", "disk", 0, math.Inf(1)},
	} {
		if err == nil || strings.Contains(err.Error(), "Inf") || !strings.Contains(err.Error(), "above all numbers") {
			t.Errorf("%v", err)
		}
	}
	if text := (&UnstableError{"MMC", 1.25}).Error(); !strings.Contains(text, "1.25") {
		t.Error(text)
	}
}
