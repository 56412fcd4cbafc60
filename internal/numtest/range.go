package numtest

import (
	"math"
	"slices"
	"testing"
)

// A Range is what was measured of relative errors: the least, the greatest, and
// what nine of ten keep.
type Range struct {
	Low, High float64
	Most      float64
}

// Outwards returns least, greatest and the share that nine of ten keep, in
// whole per cents. Rounding away from 0 makes the quoted range hold what was measured.
func Outwards(errors []float64) Range {
	if len(errors) == 0 {
		return Range{}
	}
	size := make([]float64, len(errors))
	for i, e := range errors {
		size[i] = math.Abs(e)
	}
	slices.Sort(size)
	up := func(x float64) float64 { return math.Ceil(100*x) / 100 }
	return Range{-up(-slices.Min(errors)), up(slices.Max(errors)), up(size[int(math.Ceil(0.9*float64(len(size))))-1])}
}

// SameRange reports an error where a quoted range is not the measured one.
func SameRange(t testing.TB, what string, quoted, got Range) {
	t.Helper()
	for i, pair := range [][2]float64{{got.Low, quoted.Low}, {got.High, quoted.High}, {got.Most, quoted.Most}} {
		if math.Abs(pair[0]-pair[1]) > 1e-9 {
			t.Errorf("%s: %v quoted, %v measured (number %d)", what, quoted, got, i+1)
			return
		}
	}
}
