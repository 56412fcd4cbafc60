package planner

import (
	"context"
	"errors"
	"math"

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
	curves := make([]ObjectiveCurve, len(f.limits))
	for i, l := range f.limits {
		curves[i] = ObjectiveCurve{Name: l.name, Limit: l.objective.Limit, Wait: l.objective.Wait}
	}
	for s := low; s <= high; s += step {
		g, err := f.at(ctx, s)
		if errors.Is(err, queueing.ErrUnstable) {
			continue
		}
		if err != nil {
			return nil, ask.FromQueueing("servers", err)
		}
		for i, l := range f.limits {
			if l.objective.Metric == queueing.Utilization && s+f.worth == 0 {
				continue
			}
			curves[i].Servers = append(curves[i].Servers, s)
			curves[i].Value = append(curves[i].Value, l.objective.Value(g))
		}
	}
	return curves, nil
}
