package forecast_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// A fleet file that was cut anywhere is none, nor is one that continues behind its end:
// no machine is missing without a word.
func TestReadFleetCutAtEveryByte(t *testing.T) {
	text, err := json.MarshalIndent(oneMachine(t, 30, 3), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var file *machines.FileError
	for cut := range len(text) {
		if _, err := forecast.ReadFleet(t.Context(), "fleet", bytes.NewReader(text[:cut])); !errors.As(err, &file) {
			t.Fatalf("cut at %d of %d: %v", cut, len(text), err)
		}
	}
	for _, c := range []struct{ rest, want string }{{"\n \n", ""}, {string(text), "continues"}, {"\n}", "continues"}, {"x", "continues"}} {
		_, err := forecast.ReadFleet(t.Context(), "fleet", strings.NewReader(string(text)+c.rest))
		if c.want == "" && err != nil || c.want != "" && (!errors.As(err, &file) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("with %.20q behind it: %v", c.rest, err)
		}
	}
}
