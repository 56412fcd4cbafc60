package spell

import "testing"

func TestNearest(t *testing.T) {
	fields := []string{"name", "local", "external", "servers", "price"}
	for word, want := range map[string]string{
		"sevrers": "servers", "Local": "local", "extrenal": "external", "--prcie": "price", "zzz": "", "": "",
	} {
		if got := Nearest(word, fields); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
	if got := Nearest("name", nil); got != "" {
		t.Errorf("of no candidates: %q", got)
	}
}
