package serve

import (
	"encoding/json"
	"slices"
	"testing"
)

// A program that reads the warnings of a plan is told those of its mix too, as on the command line.
func TestPlanWarnsOfItsMix(t *testing.T) {
	s := newServer(t, Options{})
	status, text := send(s, "POST", "/v1/plan", `{"load": {"erlangs": "5e10..9e10"}, "objectives": {"max_blocking": "1%"},
  "machines": [{"name": "rack", "price": "0.42/h"},
    {"name": "spot", "kind": "public", "price": "0.07/h", "speed": 0.8, "availability": "70..90%", "limit": 1e12}],
  "samples": 20}`)
	var a struct {
		Warnings []string
		Mix      struct{ Warnings []string }
	}
	if err := json.Unmarshal([]byte(text), &a); status != 200 || err != nil {
		t.Fatalf("%d, %v: %.200s", status, err, text)
	}
	if len(a.Mix.Warnings) == 0 || !slices.Equal(a.Warnings, a.Mix.Warnings) {
		t.Errorf("warnings %q, of the mix %q", a.Warnings, a.Mix.Warnings)
	}
}
