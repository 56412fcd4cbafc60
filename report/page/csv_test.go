package page

import "testing"

// What a spreadsheet would run.
func TestFormula(t *testing.T) {
	for cell, want := range map[string]bool{
		"": false, "a": false, "-1.5": false, "+3e-7": false, "-": true, "=1+1": true, "@SUM(A1)": true,
		"+1 234": true, "-2+3": true, "a=b": false, "\t=1": true, "-Inf": false,
	} {
		if formula(cell) != want {
			t.Errorf("%q: %v, want %v", cell, !want, want)
		}
	}
}
