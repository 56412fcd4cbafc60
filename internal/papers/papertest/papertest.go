// Package papertest asks for figures of papers in tests, and finds numbers in them.
package papertest

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
)

// Ask returns what one of all comes to.
func Ask(t *testing.T, all []paper.Reproducible, q paper.Question) *paper.Reproduction {
	t.Helper()
	a, err := paper.Reproduce(t.Context(), &q, all)
	if err != nil {
		t.Fatalf("%s: %v", q.Name, err)
	}
	return a
}

// Compared returns printed and computed of the rows of a quantity; NaN where none is computed.
func Compared(a *paper.Reproduction, quantity string) (printed, computed []float64) {
	for _, r := range a.Rows {
		if r.Quantity != quantity || r.Printed == nil {
			continue
		}
		printed = append(printed, *r.Printed)
		if r.Computed == nil {
			computed = append(computed, math.NaN())
		} else {
			computed = append(computed, *r.Computed)
		}
	}
	return printed, computed
}

// Plotted is the computed value of a series at x.
func Plotted(t *testing.T, a *paper.Reproduction, quantity, series string, x float64) float64 {
	t.Helper()
	for _, r := range a.Rows {
		if r.Quantity == quantity && r.Series == series && r.X != nil && *r.X == x && r.Computed != nil {
			return *r.Computed
		}
	}
	t.Fatalf("%s: no %s, %s at %v", a.Name, quantity, series, x)
	return 0
}
