package sizing

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// An outage is short or long beside a service, of which a load in erlangs does not tell: machines were averaged over
// how many are up, whatever the outage.
func TestOutageWantsATime(t *testing.T) {
	blocking := units.Fraction(0.01)
	q := &SizeQuestion{
		Traffic:    Traffic{OfferedLoad: units.Exactly[units.Erlang](50)},
		Objectives: Objectives{MaxBlocking: &blocking},
		Pool:       &Pool{Machines: 100, Speed: 0.34, Availability: 0.35, Replicas: 1, Outage: 1},
	}
	_, err := Size(t.Context(), q)
	if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != "service_time" {
		t.Errorf("%v, want an error of service_time", err)
	}
	q.Pool.Count = CountAveraged
	if _, err := Size(t.Context(), q); err != nil {
		t.Error(err)
	}
	q.Pool.Count, q.ServiceTime = "", units.Exactly[units.Duration](100)
	if a, err := Size(t.Context(), q); err != nil || a.PublicCount != CountMean {
		t.Errorf("%+v, %v, want the mean number", a, err)
	}
}
