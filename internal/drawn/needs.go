package drawn

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/parallel"
)

// Needs are the needs of draws, in rising order.
type Needs interface {
	Count() int
	At(k int) (float64, error)              // the k-th, from 0; +Inf where no fleet is enough
	Met(servers float64) (k int, err error) // how many are at most so many servers
}

// Known are needs that are all solved, and sorted.
type Known []float64

// Count is how many there are.
func (n Known) Count() int { return len(n) }

// At never fails.
func (n Known) At(k int) (float64, error) { return n[k], nil }

// Met never fails.
func (n Known) Met(servers float64) (int, error) {
	return sort.Search(len(n), func(i int) bool { return n[i] > servers }), nil
}

// Ordered are the needs of draws if the need rises with the load. Only those that are asked for are
// solved: quantiles, and the places where a fleet stops being enough. Their number is the number of
// figures in an answer times the logarithm of the number of draws.
type Ordered struct {
	Draws int
	// Solve returns what the k-th draw by load needs before a headroom, near the guess
	// unless it is NaN.
	Solve  func(k int, guess float64) (float64, error)
	Covers func(needed float64) float64 // the servers that cover a need with its headroom, rising
	places []int                        // that are solved, rising
	needed []float64                    // before a headroom
}

// Count is how many there are.
func (o *Ordered) Count() int { return o.Draws }

// At solves the k-th need unless those around it tell it.
func (o *Ordered) At(k int) (float64, error) {
	i, known := slices.BinarySearch(o.places, k)
	if known {
		return o.Covers(o.needed[i]), nil
	}
	guess := math.NaN()
	if 0 < i && i < len(o.places) {
		if o.needed[i-1] == o.needed[i] { // all between need the same
			return o.Covers(o.needed[i]), nil
		}
		guess = between(k, o.places[i-1], o.places[i], o.needed[i-1], o.needed[i])
	}
	n, err := o.Solve(k, guess)
	if err != nil {
		return 0, err
	}
	o.places, o.needed = slices.Insert(o.places, i, k), slices.Insert(o.needed, i, n)
	return o.Covers(n), nil
}

// Met solves as many needs as halving takes.
func (o *Ordered) Met(servers float64) (int, error) {
	low, high := -1, o.Draws // met at low, not at high
	i := sort.Search(len(o.needed), func(i int) bool { return o.Covers(o.needed[i]) > servers })
	if i > 0 {
		low = o.places[i-1]
	}
	if i < len(o.places) {
		high = o.places[i]
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		need, err := o.At(middle)
		if err != nil {
			return 0, err
		}
		if need <= servers {
			low = middle
		} else {
			high = middle
		}
	}
	return high, nil
}

// All solves every draw that those around it do not.
func (o *Ordered) All(ctx context.Context) (Known, error) {
	needs, err := Halved(ctx, o.Draws, func(_ context.Context, k, low, high int, a, b float64) (float64, error) {
		return o.Solve(k, between(k, low, high, a, b))
	})
	for i, n := range needs {
		needs[i] = o.Covers(n)
	}
	return needs, err
}

// between is the value at k of the line through two places, NaN where one is infinite or
// there is none: the guess of a search.
func between(k, low, high int, a, b float64) float64 {
	if low < 0 || math.IsInf(a, 1) || math.IsInf(b, 1) {
		return math.NaN()
	}
	x := float64(k-low) / float64(high-low)
	return (1-x)*a + x*b
}

// skeleton is how many draws are solved before the others, which are guessed
// from them.
const skeleton = 64

// Each solves every draw: where the need does not rise with the load there is no
// other way. In order of load it is still close to that of its neighbours, which
// saves most of each search.
func (o *Ordered) Each(ctx context.Context) (Known, error) {
	needs := make([]float64, o.Draws)
	last, every := len(needs)-1, max(1, len(needs)/skeleton)
	bones := append([]int{}, last)
	for k := 0; k < last; k += every {
		bones = append(bones, k)
	}
	err := parallel.All(ctx, len(bones), func(i int) (err error) {
		needs[bones[i]], err = o.Solve(bones[i], math.NaN())
		return err
	})
	if err != nil {
		return nil, err
	}
	err = parallel.All(ctx, len(needs), func(k int) (err error) {
		low := k - k%every
		if high := min(low+every, last); k != low && k != high {
			needs[k], err = o.Solve(k, between(k, low, high, needs[low], needs[high]))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for i, n := range needs {
		needs[i] = o.Covers(n)
	}
	return needs, parallel.Sort(ctx, needs, cmp.Compare[float64])
}
