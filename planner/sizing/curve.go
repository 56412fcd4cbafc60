package sizing

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// An ObjectiveCurve is one objective's figure against the number of servers,
// for a plot.
type ObjectiveCurve struct {
	Name    string
	Limit   float64 // as the figure: for max_wait the chance to wait longer
	Wait    float64 // s, of max_wait
	Servers []float64
	Value   []float64
}

// ObjectiveCurves returns the figures that the objectives bound, over fleets
// around the answer: for the nominal case of the question, at most some 120
// points each. Fleets without a steady state are left out.
func ObjectiveCurves(ctx context.Context, q *SizeQuestion, a *SizeAnswer) ([]ObjectiveCurve, error) {
	ctx = given.Context(ctx)
	if q == nil || a == nil {
		return nil, ask.NoQuestion()
	}
	if q.Curve != nil {
		return nil, nil
	}
	f, err := q.fleet()
	if err != nil {
		return nil, err
	}
	n := float64(a.Servers)
	reach := math.Max(4, math.Ceil(4*math.Sqrt(a.OfferedLoad)))
	low, high := math.Max(0, n-reach), n+reach
	step := math.Max(1, math.Ceil((high-low)/120))
	// Keep the answer on the grid.
	low = math.Max(0, n-step*math.Floor((n-low)/step))
	curves := make([]ObjectiveCurve, len(f.Limits))
	for i, l := range f.Limits {
		curves[i] = ObjectiveCurve{Name: l.Name, Limit: l.Objective.Limit, Wait: l.Objective.Wait}
	}
	for s := low; s <= high; s += step {
		g, err := f.At(ctx, s)
		if errors.Is(err, queueing.ErrUnstable) {
			continue
		}
		if err != nil {
			return nil, ask.FromQueueing("servers", err)
		}
		for i, l := range f.Limits {
			if l.Objective.Metric == queueing.Utilization && s+f.worth == 0 {
				continue
			}
			curves[i].Servers = append(curves[i].Servers, s)
			curves[i].Value = append(curves[i].Value, l.Objective.Value(g))
		}
	}
	return curves, nil
}
