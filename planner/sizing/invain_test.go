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
	// Beside a count that is given it changed nothing.
	q.Pool.Count = CountAveraged
	_, err = Size(t.Context(), q)
	if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != "public_outage" {
		t.Errorf("%v, want an error of public_outage", err)
	}
	q.Pool.Outage = 0
	if _, err := Size(t.Context(), q); err != nil {
		t.Error(err)
	}
	q.Pool.Outage, q.Pool.Count, q.ServiceTime = 1, "", units.Exactly[units.Duration](100)
	if a, err := Size(t.Context(), q); err != nil || a.PublicCount != CountMean {
		t.Errorf("%+v, %v, want the mean number", a, err)
	}
}

// Costs choose among fleets for a range of loads. Beside a curve, and for a check, they changed nothing.
func TestCostsChangeSomething(t *testing.T) {
	blocking, cost := units.Fraction(0.01), units.Cost{Number: 2}
	q := SizeQuestion{
		Traffic:    Traffic{Curve: dayOf(1), ServiceTime: units.Exactly[units.Duration](100)},
		Objectives: Objectives{MaxBlocking: &blocking}, ServerCost: cost, ShortfallCost: cost,
	}
	_, size := Size(t.Context(), &q)
	q.Traffic = Traffic{OfferedLoad: units.Exactly[units.Erlang](50)}
	_, check := Check(t.Context(), &CheckQuestion{q, 60})
	for name, err := range map[string]error{"size": size, "check": check} {
		if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != "server_cost" {
			t.Errorf("%s: %v, want an error of server_cost", name, err)
		}
	}
}

// A method of staffing is one of a load over time: it left the answer to one load as it was.
func TestStaffingWantsACurve(t *testing.T) {
	blocking := units.Fraction(0.01)
	q := SizeQuestion{Traffic: Traffic{OfferedLoad: units.Exactly[units.Erlang](50)},
		Objectives: Objectives{MaxBlocking: &blocking}, Staffing: MOL}
	_, size := Size(t.Context(), &q)
	_, check := Check(t.Context(), &CheckQuestion{q, 60})
	for name, err := range map[string]error{"size": size, "check": check} {
		if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != "staffing" {
			t.Errorf("%s: %v, want an error of staffing", name, err)
		}
	}
}
