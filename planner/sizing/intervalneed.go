package sizing

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
)

// An intervalNeed is what the load of one interval asks for.
type intervalNeed struct {
	servers float64
	binding string
}

// needsOf returns the need of each of many loads. A year of intervals has few
// distinct needs, and a greater load never needs fewer servers: loads between
// two of the same need and the same binding objective have it too, so that the
// number of solutions follows the number of needs and not that of intervals.
//
// solve is given a load and the servers that it may need, on the line between two
// loads that are solved, or NaN.
func needsOf(ctx context.Context, loads []float64,
	solve func(ctx context.Context, load, guess float64) (intervalNeed, error)) ([]intervalNeed, error) {
	distinct := slices.Compact(slices.Sorted(slices.Values(loads)))
	needs := make([]intervalNeed, len(distinct))
	guesses := make([]float64, len(distinct))
	solveAt := func(at []int) error {
		return parallel.All(ctx, len(at), func(i int) error {
			n, err := solve(ctx, distinct[at[i]], guesses[at[i]])
			needs[at[i]] = n
			return err
		})
	}
	last := len(distinct) - 1
	guesses[0], guesses[last] = math.NaN(), math.NaN()
	if err := solveAt(slices.Compact([]int{0, last})); err != nil {
		return nil, err
	}
	// Stretches of loads whose ends are solved and whose inside is not: halved
	// until their ends agree, all of one generation at a time.
	type stretch struct{ low, high int }
	for open := []stretch{{0, last}}; len(open) > 0; {
		var next []stretch
		var middles []int
		for _, s := range open {
			switch {
			case s.high-s.low < 2:
			case needs[s.low] == needs[s.high]:
				for i := s.low + 1; i < s.high; i++ {
					needs[i] = needs[s.low]
				}
			default:
				middle := s.low + (s.high-s.low)/2
				middles = append(middles, middle)
				a, b := distinct[s.low], distinct[s.high]
				x := (distinct[middle] - a) / (b - a)
				guesses[middle] = (1-x)*needs[s.low].servers + x*needs[s.high].servers
				next = append(next, stretch{s.low, middle}, stretch{middle, s.high})
			}
		}
		if err := solveAt(middles); err != nil {
			return nil, err
		}
		open = next
	}
	all := make([]intervalNeed, len(loads))
	for i, a := range loads {
		at, _ := slices.BinarySearch(distinct, a)
		all[i] = needs[at]
	}
	return all, nil
}
