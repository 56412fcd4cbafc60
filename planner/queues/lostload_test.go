package queues

import (
	"context"
	"testing"

	"github.com/capplan/capplan/units"
)

// The lost load is summed from losses: the difference of offered and carried
// load was below 0 by its rounding.
func TestLostLoadIsNoDifference(t *testing.T) {
	q := &QueueQuestion{
		Queue:    Classes,
		Capacity: new(units.Count(1_000_000)),
		JobClasses: []JobClass{
			{Name: "a", Load: new(units.Erlang(1))},
			{Name: "b", Load: new(units.Erlang(0.5)), Servers: new(units.Count(2))},
		},
	}
	a, err := Queue(context.Background(), q)
	if err != nil || a.LostLoad == nil || *a.LostLoad < 0 || *a.LostLoad > 1e-300 {
		t.Errorf("lost load %v, %v", a.LostLoad, err)
	}
}
