package queues

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

func TestQueue(t *testing.T) {
	load := sizing.Traffic{OfferedLoad: new(units.Point[units.Erlang](5))}
	a, err := Queue(context.Background(), &QueueQuestion{Queue: ErlangB, Servers: 10, Traffic: load})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "B(10, 5)", *a.Blocking, 0.0183845703, 1e-8) // errata, PCU 4.6
	numtest.Close(t, "carried and lost", *a.CarriedLoad+*a.LostLoad, 5, 1e-14)
	_, err = Queue(context.Background(), &QueueQuestion{Queue: ErlangC, Servers: 5, Traffic: load})
	if !errors.Is(err, ask.ErrInfeasible) {
		t.Errorf("five servers at five erlangs: %v", err)
	}
	_, err = Queue(context.Background(), &QueueQuestion{Queue: GGC, Servers: 10, Traffic: load})
	var e *ask.InputError
	if !errors.As(err, &e) {
		t.Errorf("ggc without SCVs: %v", err)
	}
	// With both SCVs 1 it is Erlang C.
	load.ArrivalSCV, load.ServiceSCV = new(units.Number(1)), new(units.Number(1))
	g, err := Queue(context.Background(), &QueueQuestion{Queue: GGC, Servers: 10, Traffic: load})
	if err != nil {
		t.Fatal(err)
	}
	load.ArrivalSCV, load.ServiceSCV = nil, nil
	c, err := Queue(context.Background(), &QueueQuestion{Queue: ErlangC, Servers: 10, Traffic: load})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "wait probability", *g.WaitProbability, *c.WaitProbability, 1e-15)
}
