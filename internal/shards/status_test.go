package shards

import "testing"

// The median of an even number of times lies half way between the two in the middle. It was the
// greater of them.
func TestMedianOfShards(t *testing.T) {
	for _, c := range []struct {
		took      []float64
		median    float64
		straggles int
	}{
		{[]float64{30}, 30, 0},
		{[]float64{100, 10}, 55, 0},
		{[]float64{10, 30, 50}, 30, 0},
		{[]float64{40, 10, 20, 100}, 30, 1},
	} {
		s := Status{Of: len(c.took)}
		for i, v := range c.took {
			s.List = append(s.List, Standing{Shard: i + 1, State: Done, Seconds: new(v)})
		}
		if s.judge(); *s.Median != c.median || s.Straggling != c.straggles {
			t.Errorf("%v: median %v with %d behind, want %v with %d", c.took, *s.Median, s.Straggling, c.median, c.straggles)
		}
	}
}
