package planner

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// No mix near the one that a plan names for a chance is cheaper and has the chance, by the
// same draws: every mix of a box around it is tried.
func TestNamedMixesAreCheapest(t *testing.T) {
	for name, c := range map[string]struct {
		scenario string
		reach    []int64 // of the box, by type
		most     float64 // by which the named mix may cost more than the best of the box
	}{
		"one type": {`{load: {rate: 80..100..130/h}, service: {time: 50min..1h..75min}, objectives: {max_blocking: 1%},
  samples: 600, machines: [{name: rack, price: 1/h}]}`, []int64{20}, 0},
		"many of one type": {`{load: {erlangs: 3000..3400..4200}, objectives: {max_blocking: 1%},
  samples: 300, machines: [{name: rack, price: 1/h}]}`, []int64{40}, 0},
		"waits": {`{load: {rate: 8..10..13/s}, service: {time: 3..4..5s}, objectives: {max_wait: 2s, percentile: 95%},
  samples: 300, machines: [{name: rack, price: 1/h}, {name: slow, price: 0.6/h, speed: 0.5}]}`, []int64{8, 16}, 0.005},
		"public": {`{load: {rate: 60..72..90/min}, service: {time: 85..100..120s}, objectives: {max_blocking: 1%, availability: 99%},
  samples: 100, machines: [{name: rack, price: 0.42/h}, {name: big rack, price: 0.90/h, speed: 2.2, limit: 12},
  {name: spot, kind: public, price: 0.07/h, speed: 0.8, mttf: 5h, mttr: 10min, limit: 200}]}`, []int64{9, 4, 4}, 0.005},
		"ranged machines": {`{load: {erlangs: 80..100..120}, objectives: {max_blocking: 1%}, samples: 150,
  machines: [{name: rack, price: 0.42/h}, {name: spot, kind: public, price: 0.1/h, speed: 0.6..0.8..0.9, availability: 80%..90%..95%}]}`,
			[]int64{12, 30}, 0.005},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			q, err := ReadScenario(ctx, strings.NewReader(c.scenario))
			if err != nil {
				t.Fatal(err)
			}
			j := judged(t, q)
			if _, err := j.frontier(ctx, j); err != nil {
				t.Fatal(err)
			}
			for _, w := range wantedChances {
				at := slices.IndexFunc(j.uncertainty.Candidates, func(c MixCandidate) bool { return c.Name == w.name })
				if at < 0 {
					t.Fatalf("no mix is the %s", w.name)
				}
				named := j.uncertainty.Candidates[at]
				var near []MixCandidate
				for counts := range boxAround(named.Counts, c.reach) {
					had := true
					for t, n := range counts {
						had = had && n >= j.items[t].Least && n <= j.items[t].Most
					}
					one := j.outset("", counts)
					if had && one.Cost < named.Cost*(1-c.most)-1e-9 && one.Cost > 0.9*named.Cost && j.allowed(counts) {
						near = append(near, one)
					}
				}
				if err := j.hold(ctx, near); err != nil {
					t.Fatal(err)
				}
				for _, one := range near {
					if ask.Value(one.Chance) >= w.chance {
						t.Errorf("%s: %v for %.2f, and %v for %.2f has %.1f%%", w.name, named.Counts, named.Cost,
							one.Counts, one.Cost, 100**one.Chance)
						break
					}
				}
				t.Logf("%s: %v for %.2f, none of %d cheaper mixes around it", w.name, named.Counts, named.Cost, len(near))
			}
		})
	}
}

// boxAround goes through the counts within reach of those given.
func boxAround(counts, reach []int64) func(func([]int64) bool) {
	return func(yield func([]int64) bool) {
		one := slices.Clone(counts)
		var walk func(t int) bool
		walk = func(t int) bool {
			if t == len(counts) {
				return yield(slices.Clone(one))
			}
			for one[t] = max(0, counts[t]-reach[t]); one[t] <= counts[t]+reach[t]; one[t]++ {
				if !walk(t + 1) {
					return false
				}
			}
			return true
		}
		walk(0)
	}
}
