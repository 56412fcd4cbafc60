package sizing

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/units"
)

// A question that is stopped has no answer, whatever its formulas still take: the law of the
// wait behind one server takes seconds where the load is small and the limit far.
func TestStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	q := SizeQuestion{
		Traffic:    Traffic{OfferedLoad: rng[units.Erlang](t, "10")},
		Objectives: Objectives{MaxUtilization: parse[units.Fraction](t, "80%")},
	}
	if _, err := Size(ctx, &q); !errors.Is(err, context.Canceled) {
		t.Errorf("size: %v", err)
	}
	if _, err := Check(ctx, &CheckQuestion{Servers: 13, SizeQuestion: q}); !errors.Is(err, context.Canceled) {
		t.Errorf("check: %v", err)
	}
	c := CapacityQuestion{Servers: 13, Objectives: q.Objectives}
	if _, err := Capacity(ctx, &c); !errors.Is(err, context.Canceled) {
		t.Errorf("capacity: %v", err)
	}
}
