package papertest

import "testing"

func TestShortened(t *testing.T) {
	for text, want := range map[string]string{
		"\"x\": 5.699372985270107":                              "\"x\":5.699372985270107", // what rows are found by
		"[\n2465.350713152203,\n-1.5e-07,\n0.00012345678901\n]": "[2465.351,-1.5e-07,0.0001234568]",
		"{\"computed\": 3.387715034066427, \"low\": 3}":         "{\"computed\":3.387715, \"low\":3}",
	} {
		if got := string(Shortened([]byte(text))); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
