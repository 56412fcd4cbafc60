// Package papertest asks for figures of papers in tests, and finds numbers in them.
package papertest

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
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

// long are the computed numbers of a stored table, each after its name or on a line of its own.
var long = regexp.MustCompile(`(?m)(^\s*|"computed": ?|"low": ?|"high": ?)(-?\d+\.\d{6,}(?:e[-+]?\d+)?)`)

// flat are arrays of numbers, and objects of nothing else, on more than a line.
var flat = regexp.MustCompile(`[\[{]\n[^\[\]{}]*\n[\]}]`)

// Shortened is the JSON of a stored table with seven digits of what was simulated, no space after names, and
// arrays on one line: nothing is known to more, and the program holds it.
func Shortened(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte(`": `), []byte(`":`))
	text = long.ReplaceAllFunc(text, func(found []byte) []byte {
		part := long.FindSubmatch(found)
		x, err := strconv.ParseFloat(string(part[2]), 64)
		if err != nil {
			return found
		}
		return append(part[1], strconv.FormatFloat(x, 'g', 7, 64)...)
	})
	return flat.ReplaceAllFunc(text, func(found []byte) []byte { return bytes.ReplaceAll(found, []byte("\n"), nil) })
}
