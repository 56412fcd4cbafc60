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
	needs, err := halved(ctx, len(distinct),
		func(ctx context.Context, k, low, high int, a, b intervalNeed) (intervalNeed, error) {
			if n, binding, tied := chart.need(loadAt(k)); n > 0 && !tied {
				return intervalNeed{n, binding}, nil
			}
			guess := math.NaN()
			if low >= 0 {
				x := (distinct[k] - distinct[low]) / (distinct[high] - distinct[low])
				guess = (1-x)*a.servers + x*b.servers
			}
			f, err := fleet(loadAt(k))
			if err != nil {
				return intervalNeed{}, err
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

// halved returns n answers that rise with their place. Stretches whose ends are
// solved and whose inside is not are halved until their ends agree, and then
// all inside do; one generation is solved at a time, on all cores. solve is given a place
// and, with their answers a and b, the solved places beside it; low is −1 where
// there are none.
func halved[T comparable](ctx context.Context, n int,
	solve func(ctx context.Context, k, low, high int, a, b T) (T, error)) ([]T, error) {
	answers := make([]T, n)
	ends := slices.Compact([]int{0, n - 1})
	err := parallel.All(ctx, len(ends), func(i int) (err error) {
		var none T
		answers[ends[i]], err = solve(ctx, ends[i], -1, -1, none, none)
		return err
	})
	if err != nil {
		return nil, err
	}
	type stretch struct{ low, high int32 } // ten million of them are many
	var open []stretch
	see := func(low, high int32) {
		switch {
		case high-low < 2:
		case answers[low] == answers[high]:
			for i := low + 1; i < high; i++ {
				answers[i] = answers[low]
			}
		default:
			open = append(open, stretch{low, high})
		}
	}
	for see(0, int32(n-1)); len(open) > 0; {
		solved := open
		err := parallel.All(ctx, len(solved), func(i int) (err error) {
			low, high := int(solved[i].low), int(solved[i].high)
			k := low + (high-low)/2
			answers[k], err = solve(ctx, k, low, high, answers[low], answers[high])
			return err
		})
		if err != nil {
			return nil, err
		}
		open = nil
		for _, s := range solved {
			k := s.low + (s.high-s.low)/2
			see(s.low, k)
			see(k, s.high)
		}
	}
	return answers, nil
}
