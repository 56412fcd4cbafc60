package bagstudy

import (
	"math"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/papers/means"
)

// SpeedUp is the ratio of the mean times without help and with it, between the ratios
// of the ends of their intervals. The ends are those of the worst case, so that the interval is
// wider than one of 95 %.
func (t *Table) SpeedUp(e Environment) means.Interval {
	without, with := t.Figures[e.Name()+" without"], t.Figures[e.Name()+" with"]
	return means.Interval{without[0] / with[0], without[1] / with[2], without[2] / with[1]}
}

// LogSpeedUp is the mean logarithm of the speed-ups of some environments. Ratios are averaged by
// their logarithms, so that twice as fast and half as fast cancel.
func (t *Table) LogSpeedUp(of func(Environment) bool) float64 {
	sum, n := 0.0, 0.0
	for _, e := range Environments() {
		if of(e) {
			sum += math.Log(t.SpeedUp(e)[0])
			n++
		}
	}
	return sum / n
}

// Removal is the part of the tail in percent that some strategies remove on average:
// the area below the curves of figure 4 from none of it to all, by trapezoids.
func (t *Table) Removal(of func(spequlos.Strategy) bool) float64 {
	sum, n := 0.0, 0.0
	for _, s := range spequlos.Strategies() {
		if !of(s) {
			continue
		}
		n++
		points := t.Curves["removal "+s.String()]
		for i := 1; i < len(points); i++ {
			if from, to := points[i-1], points[i]; from.X >= 0 {
				sum += (to.X - from.X) * (from.Share[0] + to.Share[0]) / 2 / 100
			}
		}
	}
	return sum / n
}
