package simulate

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/units"
)

// counted is a model of which a run has so many events a second and takes no time.
type counted struct {
	rate float64
	all  *atomic.Uint64
}

func (c counted) Figures() []sim.Figure { return []sim.Figure{{Name: "x", Kind: sim.Ratio}} }

func (c counted) Replicate(r *sim.Replication) error {
	r.Events = uint64(c.rate * r.Horizon)
	c.all.Add(r.Events)
	r.Add(0, r.Stream(0).Float64(), 1)
	return nil
}

// A model whose runs would have thousands of millions of events has them cut to some seconds, and where they are
// then too short to forget their start that is said. A horizon that was asked for stays.
func TestModelsOfManyEvents(t *testing.T) {
	for name, c := range map[string]struct {
		rate      float64
		unsettled bool
		runs      int // at most
	}{"few": {1e3, false, mostReplications}, "many": {2e4, false, 11}, "too many": {1e9, true, 2}} {
		all := new(atomic.Uint64)
		m := Model{System: counted{c.rate, all}, Horizon: 1000, WarmUp: 200, Forget: 100, Events: c.rate}
		a, err := (&Question{Seed: 1}).OfModel(context.Background(), m)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n := all.Load(); float64(n) > 1.1*MostEvents {
			t.Errorf("%s: %d events in runs of %v", name, n, a.Horizon)
		}
		if a.Unsettled != c.unsettled || a.Replications > c.runs {
			t.Errorf("%s: %d runs, unsettled %v after %v of %v", name, a.Replications, a.Unsettled, a.WarmUp, a.Horizon)
		}
		asked := &Question{Seed: 1, Horizon: ptr(units.Duration(1000))}
		if a, err = asked.OfModel(context.Background(), m); err != nil || a.Horizon != 1000 || a.WarmUp != 200 {
			t.Errorf("%s: asked for 1000: %v of %v, %v", name, a.WarmUp, a.Horizon, err)
		}
	}
}
