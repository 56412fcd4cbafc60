package attempts

import (
	"math"
	"testing"
)

// Of the units of a cell each has all its results, the later ones in no earlier cell; between
// waves they are spread over the cells that follow.
func TestResultsOfUnitsAreGivenOutInTurn(t *testing.T) {
	const last = 6
	starts := []float64{12, 0, 0.5, 0.2, 0.1, 0.6, 7, 0}
	sum := 0.0
	for cell := range starts {
		for _, u := range Apart(nil, starts, cell, last, 3, false) {
			sum += u.Units
			for j := 1; j < 3; j++ {
				if u.Cells[0] != cell || u.Cells[j] < u.Cells[j-1] || u.Cells[j] > last {
					t.Errorf("cell %d: results in %v", cell, u.Cells[:3])
				}
			}
		}
	}
	if want := 20.4 / 3; math.Abs(sum-want) > 1e-12 {
		t.Errorf("%v units, want %v", sum, want)
	}
	if first := Apart(nil, starts, 2, last, 3, false)[0].Cells[:3]; first[1] != 5 || first[2] != 6 {
		t.Errorf("from cell 2 the results are given out in %v, want 2, 5, 6", first)
	}
}
