package serve

import (
	"net/http"
	"strings"
	"testing"
)

// What commands read from files is checked in a question as in a file, with its
// place, and names no file.
func TestPartsOfQuestions(t *testing.T) {
	s := newServer(t, Options{})
	for _, c := range []struct{ name, body, want string }{
		{"queue-mva", `{}`, `network`},
		{"queue-mva", `{"network": {"stations": [{"name": "a"}],
"classes": [{"name": "u", "customers": 1, "demands": ["1s", "2s"]}]}}`, `"line":2`},
		{"queue-jackson", `{"network": {"stations": [{"name": "a", "service": "1s", "next": [{"station": "b", "share": "1%"}]}]}}`, `sends to the unknown station`},
		{"queue-links", `{"network": {"links": [], "routes": []}}`, `no links`},
		{"simulate-leases", `{}`, `no field \"file\"`},
		{"simulate-leases", `{"file": {"external": {"gap": {"scale": "1s"}, "duration": {"mean": "1s"}}, "clusters": []}}`,
			`0 clusters`},
		{"simulate-pool", `{}`, `pool`},
		{"simulate-pool", `{"pool": {"dedicated": 1, "jobs": {"swf": "/etc/passwd"}}}`, `a request cannot read files`},
		{"simulate-pool", `{"pool": {"dedicated": 1, "public": {"trace": "/etc/passwd"}, "jobs": {"rate": "1/s"}}}`,
			`a request cannot read files`},
		{"simulate-pool", `{"pool": {"dedicated": 1, "public": {"speeds": "/etc/passwd"}, "jobs": {"rate": "1/s"}}}`,
			`a request cannot read files`},
		{"simulate-pool", `{"pool": {"dedicated": 1, "jobs": {"rate": "1/s", "work": "weibull"}}}`, `weibull`},
		{"fit", `{"swf": ""}`, `"field":"swf"`},
		{"fit", `{"swf": "1 0 0 10 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n"}`, `"field":"swf"`},
		{"fit", `{"swf": "hello", "from": "2h", "to": "1h"}`, `before it begins`},
		{"lp", `{"model": "Maximize\n x +\n"}`, `"field":"model"`},
		{"lp", `{}`, `no field \"model\"`},
	} {
		code, text := send(s, "POST", "/v1/"+c.name, c.body)
		if code != http.StatusBadRequest || !strings.Contains(text, c.want) {
			t.Errorf("%s %s: status %d, no %q in %s", c.name, c.body, code, c.want, text)
		}
	}
	if code, text := send(s, "POST", "/v1/queue-jackson",
		`{"network": {"stations": [{"name": "a", "rate": "1/s", "service": "500ms"}]}, "simulate": {"replications": 3, "seed": 1}}`); code != http.StatusOK || !strings.Contains(text, `"simulation"`) {
		t.Errorf("status %d: %s", code, text)
	}
}
