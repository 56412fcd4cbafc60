package papers

import (
	"math"

	"github.com/capplan/capplan/bags/spequlos"
)

// speedUp is the ratio of the mean times without help and with it, between the ratios
// of the ends of their intervals.
func (t *bagTable) speedUp(e bagEnvironment) meanInterval {
	without, with := t.Figures[e.name()+" without"], t.Figures[e.name()+" with"]
	return meanInterval{without[0] / with[0], without[1] / with[2], without[2] / with[1]}
}

// logSpeedUp is the mean logarithm of the speed-ups of some environments.
func (t *bagTable) logSpeedUp(of func(bagEnvironment) bool) float64 {
	sum, n := 0.0, 0.0
	for _, e := range bagEnvironments() {
		if of(e) {
			sum += math.Log(t.speedUp(e)[0])
			n++
		}
	}
	return sum / n
}

// removal is the part of the tail in percent that some strategies remove on average:
// the area below the curves of figure 4 from none of it to all, by trapezoids.
func (t *bagTable) removal(of func(spequlos.Strategy) bool) float64 {
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
