package serve

import (
	"net/http"
	"strings"
	"testing"
)

// What drives draws, where nothing is drawn, was kept in silence.
func TestDrawsWithoutRanges(t *testing.T) {
	s := newServer(t, Options{})
	for _, c := range []struct{ name, body, want string }{
		{"size", `{"load": 120, "max_blocking": "1%", "samples": 50}`, `"field":"samples"`},
		{"size", `{"load": 120, "max_blocking": "1%", "seed": 5}`, `"field":"seed"`},
		{"check", `{"servers": 138, "load": 120, "max_blocking": "1%", "samples": 50}`, `"field":"samples"`},
		{"size", `{"load": "100..120", "max_blocking": "1%", "samples": 50, "seed": 5}`, ""},
		{"size", `{"load": 120, "max_blocking": "1%", "seed": 1}`, ""},
		{"route", `{"rate": "1/s", "seed": 3, "clusters": [{"name": "a", "external": {"service_time": "500ms"}}]}`,
			`"field":"seed"`},
		{"route", `{"rate": "1..1.2/s", "seed": 3, "clusters": [{"name": "a", "external": {"service_time": "500ms"}}]}`, ""},
		{"finish", `{"machines": 5, "tasks": 20, "task_time": "20min", "seed": 3}`, `"field":"seed"`},
		{"finish", `{"machines": 5, "tasks": 20, "task_time": "20min", "seed": 3, "replications": 5}`, ""},
	} {
		code, text := send(s, "POST", "/v1/"+c.name, c.body)
		if want := c.want == ""; want != (code == http.StatusOK) || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: status %d, %s", c.name, c.body, code, text)
		}
	}
}
