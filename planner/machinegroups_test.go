package planner

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/capplan/capplan/queueing/unlike"
)

// The mix that a plan takes of machines that go in groups is the cheapest of all that
// meet the objective, its loss averaged over all sets of groups, group by group.
func TestGroupsAgainstAllMixes(t *testing.T) {
	rng := rand.New(rand.NewPCG(22, 11))
	for trial := range 10 {
		load, limit := 2+4*rng.Float64(), 0.01+0.05*rng.Float64()
		groups, there, own, speed := 1+rng.IntN(3), 0.9+0.09*rng.Float64(), 0.7+0.3*float64(rng.IntN(2)), 0.6+rng.Float64()
		price := math.Round(20+80*rng.Float64()) / 100
		text := fmt.Sprintf(`{load: {erlangs: %v}, service: {time: 100s}, objectives: {max_blocking: %v%%}, machines: [
  {name: rack, price: 1/h}, {name: spot, kind: public, price: %v/h, speed: %v, availability: %v%%, groups: %d,
   group_availability: %v%%, limit: 30}]}`, load, 100*limit, price, speed, 100*there*own, groups, 100*there)
		q, err := ReadScenario(context.Background(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Nominal(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		loss := func(racks, spots int) (sum float64) {
			for state := range 1 << groups {
				up := bits.OnesCount(uint(state))
				machines := 0
				for i := range spots {
					machines += state >> (i % groups) & 1
				}
				v := unlike.Varying{Queue: unlike.Queue{
					ArrivalRate: load,
					ServiceTime: 1,
					Beside:      []unlike.Group{{Servers: float64(racks), Speed: 1}},
				}}
				v.Coming = []unlike.Coming{{
					Machines: float64(machines),
					Up:       own,
					Speed:    speed,
					PerJob:   1,
				}}
				f, err := v.At(0)
				if err != nil {
					t.Fatal(err)
				}
				sum += math.Pow(there, float64(up)) * math.Pow(1-there, float64(groups-up)) * f.Blocking
			}
			return sum
		}
		best := math.Inf(1)
		racks := 0
		for ; loss(racks, 0) > limit; racks++ {
		}
		for ; racks >= 0; racks-- {
			for spots := 0; spots <= 30 && float64(racks)+price*float64(spots) < best; spots++ {
				if loss(racks, spots) <= limit {
					best = float64(racks) + price*float64(spots)
				}
			}
		}
		if math.Abs(a.Mix.Cost-best) > 1e-9 {
			t.Errorf("trial %d: %v costs %v, want %v: %s", trial, countsOf(a.Mix), a.Mix.Cost, best, text)
		}
		if a.Mix.LowerBound > best+1e-9 {
			t.Errorf("trial %d: bound %v above %v", trial, a.Mix.LowerBound, best)
		}
	}
}

// A further type does not make a mix dearer where the search is not proven: of two
// pools for which it is far from their plane without outages the pairs are tried.
func TestGroupsOfTwoTypes(t *testing.T) {
	const one = `{name: a, kind: public, price: 0.10/h, speed: 0.8, availability: 85%, groups: 3, group_availability: 96%}`
	const two = `, {name: b, kind: public, price: 0.12/h, availability: 90%, groups: 2, group_availability: 97%}`
	cost := func(machines string) float64 {
		q, err := ReadScenario(context.Background(), strings.NewReader(`{load: {erlangs: 40}, service: {time: 100s},
objectives: {max_wait: 20s, percentile: 95%}, machines: [`+machines+`]}`))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Nominal(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		return a.Mix.Cost
	}
	alone, both := cost(one), cost(one+two)
	if math.Abs(alone-9.1) > 1e-9 || both > alone {
		t.Errorf("%v alone, want 9.1 by numpy; %v with another type, want no more", alone, both)
	}
}

// Machines in groups that count by their mean number up: no availability is refused for
// what its ratio to that of the groups rounds to, and without the groups a plan costs what
// it does where the file names none.
func TestGroupsAtMean(t *testing.T) {
	plan := func(up, groups string) *MixAnswer {
		q, err := ReadScenario(context.Background(), strings.NewReader(`{load: {erlangs: 7}, service: {time: 100s},
objectives: {max_blocking: 0.5%, public_count: mean}, machines: [{name: rack, price: 0.90/h}, {name: spot, kind: public,
price: 0.41/h, speed: 1.5, availability: `+up+groups+`}]}`))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Nominal(context.Background(), q)
		if err != nil {
			t.Fatalf("availability %s%s: %v", up, groups, err)
		}
		return a.Mix
	}
	for _, shares := range [][2]string{{"87.24%", "99.37%"}, {"68.1%", "95.07%"}, {"60%", "80%"}, {"80%", "90%"}} {
		up, there := shares[0], shares[1]
		shared, free := plan(up, ", groups: 1, group_availability: "+there), plan(up, "")
		if len(shared.Headroom) != 1 || math.Abs(shared.Headroom[0].Without-free.Cost) > 1e-9 {
			t.Errorf("%s of %s: without groups %+v, want %v", up, there, shared.Headroom, free.Cost)
		}
	}
}
