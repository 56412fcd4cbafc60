package traffic

import "testing"

// Thousands are parted by threes, whatever parts them: other groups are two numbers in one cell or a
// slip, and no number.
func TestNumeralsInThrees(t *testing.T) {
	for cell, want := range map[string]float64{
		"1 234": 1234, "1'234'567": 1234567, "1_000": 1000, "12 345.6": 12345.6, "-1 234": -1234,
		"1\u00a0234\u202f567": 1234567, "1 234 req": 1234, "1 234e3": 1234e3, "0.123 456": 0.123456,
		"1 2": -1, "12 34": -1, "1_0": -1, "_1": -1, "1'00": -1, "1234 567": -1, "1 234 5": -1, "1\u00a000": -1,
		"1 23.4": -1,
	} {
		r, wrong := (&numerals{decimal: '.'}).read([]byte(cell), 1)
		switch {
		case want < 0 && cell[0] != '-':
			if wrong != inThrees {
				t.Errorf("%q: %v %q, want that it %s", cell, r.value, wrong, inThrees)
			}
		case wrong != "" || r.value != want:
			t.Errorf("%q: %v %q, want %v", cell, r.value, wrong, want)
		}
	}
}
