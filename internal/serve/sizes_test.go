package serve

import (
	"net/http"
	"strings"
	"testing"
)

// Draws that nothing is drawn from were kept in silence.
func TestDrawsWithoutRanges(t *testing.T) {
	s := newServer(t, Options{})
	for _, c := range []struct{ name, body, want string }{
		{"size", `{"load": 120, "max_blocking": "1%", "samples": 50}`, `"field":"samples"`},
		{"size", `{"load": 120, "max_blocking": "1%", "seed": 5}`, `"field":"seed"`},
		{"check", `{"servers": 138, "load": 120, "max_blocking": "1%", "samples": 50}`, `"field":"samples"`},
		{"size", `{"load": "100..120", "max_blocking": "1%", "samples": 50, "seed": 5}`, ""},
		{"size", `{"load": 120, "max_blocking": "1%", "seed": 1}`, ""},
	} {
		code, text := send(s, "POST", "/v1/"+c.name, c.body)
		if want := c.want == ""; want != (code == http.StatusOK) || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: status %d, %s", c.name, c.body, code, text)
		}
	}
}
