package sweeps

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// Of a long line its ends, peaks and valleys stay, in order.
func TestThinLine(t *testing.T) {
	var x, y []float64
	for i := range 100_000 {
		x, y = append(x, float64(i)), append(y, math.Sin(float64(i)/7e3))
	}
	y[12_345], y[77_777] = 9, -9
	u, v := ThinLine(x, y)
	if len(u) > 4*mostLineParts || len(u) != len(v) || !slices.IsSorted(u) || u[0] != 0 || u[len(u)-1] != 99_999 {
		t.Errorf("%d points", len(u))
	}
	for _, at := range []int{12_345, 77_777} {
		if i := slices.Index(u, float64(at)); i < 0 || v[i] != y[at] {
			t.Errorf("the peak at %d is lost", at)
		}
	}
	if u, _ := ThinLine(x[:4000], y); len(u) != 4000 {
		t.Errorf("%d of 4000 points", len(u))
	}
	if p := ThinPlaces(x); len(p) > mostHeatPlaces || p[0] != 0 || p[1] != 200 {
		t.Errorf("%d places", len(p))
	}
	if p := ThinPlaces(x[:mostHeatPlaces]); len(p) != mostHeatPlaces {
		t.Errorf("%d places", len(p))
	}
}

// Cells come back as they were, whatever is in them.
func TestSweepRowPacks(t *testing.T) {
	want := []string{"", "a", "\x00,\"\n", strings.Repeat("é", 300), ""}
	row := Row{names: make([]string, len(want))}
	if got := row.Cells(nil); !slices.Equal(got, make([]string, len(want))) {
		t.Errorf("an empty row: %q", got)
	}
	row.pack(want)
	if got := row.Cells([]string{"before"}); !slices.Equal(got[1:], want) {
		t.Errorf("%q, want %q", got, want)
	}
}
