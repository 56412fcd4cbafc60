package alloc

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
)

// snapshot is a joint assignment that one can go back to.
type snapshot struct {
	level, bin [][]int32
	served     []bool
	net, spent float64
}

func (t *joint) save() snapshot {
	s := snapshot{served: slices.Clone(t.served), net: t.net, spent: t.spent}
	for _, a := range t.pack {
		s.level, s.bin = append(s.level, slices.Clone(a.level)), append(s.bin, slices.Clone(a.bin))
	}
	return s
}

func (t *joint) load(s snapshot) {
	for d, a := range t.pack {
		for k, j := range a.bin {
			if j >= 0 && (j != s.bin[d][k] || a.level[k] != s.level[d][k]) {
				a.remove(int32(k))
			}
		}
		for k, j := range s.bin[d] {
			if j >= 0 && a.bin[k] < 0 {
				a.put(int32(k), j, s.level[d][k])
			}
		}
	}
	copy(t.served, s.served)
	t.net, t.spent = s.net, s.spent
}

// kick takes some jobs out, at random but near each other in the order of
// value, and serves what is worth most again in a changed order; the result is
// kept when it is not worse.
func (t *joint) kick(ctx context.Context, kicks int, target float64, order []int32, rng *rand.Rand) {
	best := t.save()
	n := len(t.served)
	value := make([]float64, n)
	for b := range value {
		value[b] = t.value(int32(b))
	}
	noisy := make([]float64, n)
	again := make([]int32, 0, n)
	for range kicks {
		if ctx.Err() != nil || best.net >= target {
			break
		}
		again = again[:0]
		for range 1 + rng.IntN(min(n, 6)) {
			b := int32(rng.IntN(n))
			if t.served[b] {
				t.drop(b)
				again = append(again, b)
			}
		}
		again = append(again, order...)
		// Required ones first, then by value with noise.
		spread := 0.0
		for _, b := range again {
			spread = math.Max(spread, math.Abs(value[b]))
		}
		spread *= rng.Float64() * rng.Float64()
		for _, b := range again {
			noisy[b] = value[b] + spread*rng.NormFloat64()
			if !t.optional(b) {
				noisy[b] = math.Inf(1)
			}
		}
		slices.SortStableFunc(again,
			func(x, y int32) int { return cmp.Or(cmp.Compare(noisy[y], noisy[x]), cmp.Compare(x, y)) })
		ok := true
		for i, b := range again {
			if i&255 == 255 && ctx.Err() != nil {
				ok = false
				break
			}
			if !t.served[b] && (t.barred == nil || !t.barred[b]) && !t.admit(b) && !t.optional(b) {
				ok = false
				break
			}
		}
		if ok {
			for range 5 {
				if !t.upgrade(ctx) {
					break
				}
			}
		}
		if ok && t.net >= best.net {
			best = t.save()
		} else {
			t.load(best)
		}
	}
	t.load(best)
}
