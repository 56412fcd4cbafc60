package planner

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// Of a few machines that come and go a plan finds the cheapest mix with each chance, by
// the same draws, among all that can be had: they are as far apart in chance as in cost, and
// what is enough by worth is not by the figures of so few.
func TestSmallFleetsAreCheapest(t *testing.T) {
	for name, text := range map[string]string{
		"a pool and racks": `{load: {rate: 0.02..0.04/s}, service: {model: loss, time: 35.4s},
objectives: {public_count: averaged, max_blocking: 13.85%}, samples: 24, seed: 382, machines: [
{name: spot, kind: public, limit: 9, replicas: 1, price: 0.67/h, availability: 80..90..97%}, {name: rack, limit: 7, price: 1.24/h}]}`,
		"two pools": `{load: {rate: 0.02..0.04/s}, service: {model: loss, time: 65.42..73.3..77.85s},
objectives: {public_count: averaged, max_blocking: 1.87%}, samples: 24, seed: 942, machines: [
{name: a, kind: public, limit: 8, replicas: 1, price: 0.49/h, availability: 80..90..97%},
{name: b, kind: public, limit: 9, replicas: 1, price: 1.277..1.45..1.721/h, speed: 0.976..1.41..2.034, availability: 70..95%}]}`,
		"one may be lost": `{load: {rate: 0.02..0.04/s}, service: {model: loss, time: 38.6..41.3..46.14s},
objectives: {public_count: averaged, max_blocking: 0.69%, spare: 1}, samples: 24, seed: 669, machines: [
{name: a, kind: public, limit: 7, replicas: 1, price: 0.169..0.365/h, speed: 0.834..1.554, availability: 70..95%},
{name: b, kind: public, limit: 6, replicas: 1, price: 0.668..0.96..1.112/h, speed: 0.81, availability: 90%}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := context.Background()
			q, err := ReadScenario(ctx, strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			j := judged(t, q)
			if _, err := j.frontier(ctx, j); err != nil {
				t.Fatal(err)
			}
			var all []MixCandidate
			for a := range j.items[0].Most + 1 {
				for b := range j.items[1].Most + 1 {
					all = append(all, j.outset("", []int64{a, b}))
				}
			}
			if err := j.hold(ctx, all); err != nil {
				t.Fatal(err)
			}
			for _, w := range wantedChances {
				best, named := math.Inf(1), math.Inf(1)
				for _, c := range all {
					if ask.Value(c.Chance) >= w.chance {
						best = math.Min(best, c.Cost)
					}
				}
				for _, c := range j.uncertainty.Candidates {
					if c.Name == w.name {
						named = c.Cost
					}
				}
				if math.Abs(named-best) > 1e-9 && best != named {
					t.Errorf("%s for %v, want %v", w.name, named, best)
				}
			}
		})
	}
}
