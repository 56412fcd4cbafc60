package routing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numeric"
)

// threeClusters are the clusters of the checks made for this package: CV 0.5 of
// external and 0.1 of local requests.
func threeClusters() []Cluster {
	local := []float64{0.3, 0.5, 0.4}
	tau := []float64{0.8, 0.9, 0.5}
	theta := []float64{1, 0.5, 0.25}
	cs := make([]Cluster, 3)
	for j := range cs {
		cs[j] = Cluster{
			Name:              string(rune('A' + j)),
			LocalRate:         local[j],
			LocalServiceTime:  tau[j],
			LocalSecondMoment: tau[j] * tau[j] * 1.01,
			ServiceTime:       theta[j],
			SecondMoment:      theta[j] * theta[j] * 1.25,
		}
	}
	return cs
}

// randomClusters have times over two decades and local loads up to 0.97.
func randomClusters(rng *rand.Rand, n int) []Cluster {
	cs := make([]Cluster, n)
	for j := range cs {
		theta, tau := math.Pow(10, 2*rng.Float64()-1), math.Pow(10, 2*rng.Float64()-1)
		cs[j] = Cluster{
			LocalRate:         0.97 * rng.Float64() / tau,
			LocalServiceTime:  tau,
			LocalSecondMoment: tau * tau * (1 + 3*rng.Float64()),
			ServiceTime:       theta,
			SecondMoment:      theta * theta * (1 + 3*rng.Float64()),
			Price:             20 * rng.Float64(),
		}
		if rng.IntN(8) == 0 {
			cs[j].LocalRate = 0
		}
	}
	return cs
}

func capacity(t testing.TB, cs []Cluster) float64 {
	t.Helper()
	var all numeric.Sum
	for j := range cs {
		v, err := cs[j].Capacity()
		if err != nil {
			t.Fatal(err)
		}
		all.Add(v)
	}
	return all.Value()
}

// loads are those of a test, spread over (0, 1), dense towards either end.
var loads = []float64{1e-12, 1e-6, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999, 1 - 1e-9}
