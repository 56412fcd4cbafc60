package queues

import (
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A load beyond all numbers is a question that is refused, not a station that is offered +Inf.
func TestStationOfferedBeyondNumbers(t *testing.T) {
	rate := units.Rate(5)
	for service, refused := range map[units.Duration]bool{1e308: true, 1e10: false} {
		f := &OpenNetworkFile{Stations: []OpenStation{{Name: "db", Rate: &rate, ServiceTime: service}}}
		_, err := openNetwork(f, false)
		var input *ask.InputError
		if errors.As(err, &input) != refused || err == nil || strings.Contains(err.Error(), "Inf") {
			t.Errorf("a service of %v: %v", service, err)
		}
	}
}
