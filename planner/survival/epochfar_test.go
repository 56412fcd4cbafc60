package survival

import (
	"context"
	"testing"
)

// However far the stable epochs reach beyond the best one, what is near that is drawn.
func TestEpochPlotFarFromItsEnd(t *testing.T) {
	for _, c := range []struct{ migrations, time, rate float64 }{
		{1e300, 1e-300, 1e-300}, {1, 1e-9, 1e-12}, {1, 100, 1e-9}, {5, 1, 1e-300}, {1e10, 1e-4, 1e-200},
	} {
		a, err := Epoch(context.Background(), &EpochQuestion{
			Migrations:    new(c.migrations),
			MigrationTime: new(c.time),
			FailureRate:   new(c.rate),
		})
		if err != nil {
			t.Fatal(err)
		}
		plots, err := a.Plots(context.Background())
		if err != nil || len(plots[0].Curves[0].X) < 100 {
			t.Errorf("%+v: %d points, %v", c, len(plots[0].Curves[0].X), err)
			continue
		}
		x := plots[0].Curves[0].X
		if !(x[0] < a.Epoch && a.Epoch < x[len(x)-1]) {
			t.Errorf("%+v: from %g to %g, without the best, %g", c, x[0], x[len(x)-1], a.Epoch)
		}
	}
}
