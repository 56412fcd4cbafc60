package planner

import (
	"context"
	"math"
	"strings"
	"testing"
)

// Of a loss system whose utilization alone is limited the cheapest mix is found, and what
// costs it more: costs of all mixes gone through in Python, with 1/B as an integral.
func TestUtilizationOfLosses(t *testing.T) {
	const three = `{load: {rate: 0.082235/s}, service: {time: 91.274s, model: loss}, objectives: {max_utilization: 71%OBJ},
machines: [{name: a, kind: public, price: 1.44/h, limit: 7, availability: 84.76%, replicas: 1},
{name: b, price: 1.03/h, limit: 8}, {name: c, price: 0.68/h, limit: 8, speed: 0.536}]}`
	const pool = `{load: {rate: 0.082705/s}, service: {time: 90.454s, model: loss}, objectives: {max_utilization: 75.6%OBJ},
machines: [{name: a, price: 0.27/h, limit: 12, speed: 1.315, at_least: 2}, {name: b, kind: public, price: 1.18/h,
limit: 12, speed: 3.284, availability: 71.54%, groups: 1, group_availability: 99.5%, replicas: 1}]}`
	for _, c := range []struct {
		scenario, objectives string
		cost                 float64
		without              map[string]float64
	}{
		{three, "", 10.28, nil},
		{three, ", spare: 1", 11.64, map[string]float64{"spare": 10.28}},
		{three, ", spare: 2", 13, map[string]float64{"spare": 10.28}},
		{three, ", spare: 2, max_blocking: 5.559%", 15.12, map[string]float64{"max_blocking": 13}},
		{pool, ", zones: 3, survive: 1", 2.16, map[string]float64{"zones": 1.35}},
	} {
		q, err := ReadScenario(context.Background(), strings.NewReader(strings.Replace(c.scenario, "OBJ", c.objectives, 1)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Nominal(context.Background(), q)
		if err != nil || a.Mix == nil || len(a.Infeasible) > 0 {
			t.Errorf("%s: %+v, %v, want a mix", c.objectives, a.Infeasible, err)
			continue
		}
		if math.Abs(a.Mix.Cost-c.cost) > 1e-9 || !a.Mix.Optimal {
			t.Errorf("%s: %v costs %v, want %v proven", c.objectives, a.Mix.Fleet, a.Mix.Cost, c.cost)
		}
		for _, b := range a.Mix.Binding {
			if want, ok := c.without[b.Constraint]; ok && math.Abs(*b.Cost-want) > 1e-9 {
				t.Errorf("%s: %v without %s, want %v", c.objectives, *b.Cost, b.Constraint, want)
			}
			delete(c.without, b.Constraint)
		}
		if len(c.without) > 0 {
			t.Errorf("%s: not among what binds: %v", c.objectives, c.without)
		}
	}
}
