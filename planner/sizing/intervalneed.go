package sizing

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/drawn"
)

// An intervalNeed is what the load of one interval asks for.
type intervalNeed struct {
	servers float64
	binding string
}

// needsOf returns the need of each of many loads. A year of intervals has few distinct needs, and a
// greater load never needs fewer servers: loads between two with the same need and the same binding
// objective have it too. The number of solutions thus follows the number of distinct needs, not
// that of intervals. With many loads a chart gives most of them.
func needsOf(ctx context.Context, loads []float64, service float64,
	fleet func(Load) (*Fleet, error)) ([]intervalNeed, error) {
	distinct := slices.Compact(slices.Sorted(slices.Values(loads)))
	loadAt := func(k int) Load { return LoadOf(distinct[k], service) }
	chart, err := chartOf(ctx, len(distinct), loadAt, fleet)
	if err != nil {
		return nil, err
	}
	needs, err := drawn.Halved(ctx, len(distinct),
		func(ctx context.Context, k, low, high int, a, b intervalNeed) (intervalNeed, error) {
			if n, binding, tied := chart.need(loadAt(k)); n > 0 && !tied {
				return intervalNeed{n, binding}, nil
			}
			f, err := fleet(loadAt(k))
			if err != nil {
				return intervalNeed{}, err
			}
			guess := math.NaN()
			if low >= 0 {
				x := (distinct[k] - distinct[low]) / (distinct[high] - distinct[low])
				guess = (1-x)*a.servers + x*b.servers
			}
			if low >= 0 && b.servers == a.servers+1 && len(f.Limits) == 1 && f.log == nil && f.widest == 0 {
				if f.keeps(a.servers) {
					return a, ctx.Err()
				}
				return b, ctx.Err()
			}
			servers, binding, err := f.near(ctx, guess)
			return intervalNeed{servers, binding}, err
		})
	if err != nil {
		return nil, err
	}
	all := make([]intervalNeed, len(loads))
	for i, a := range loads {
		at, _ := slices.BinarySearch(distinct, a)
		all[i] = needs[at]
	}
	return all, nil
}
