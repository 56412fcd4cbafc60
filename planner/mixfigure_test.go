package planner

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// The cheapest mix is that of every choice of small fleets, each held to its
// own figures.
func TestMixAgainstAllChoices(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	ctx := context.Background()
	met, none := 0, 0
	for trial := range longtest.Of(300, 1500) {
		load := 0.3 + 5*rng.Float64()
		q := &scenario.Question{
			Load:       &scenario.Load{Rate: new(units.Point(units.Rate(load / 10)))},
			Service:    &scenario.Service{Time: new(units.Point(units.Duration(10)))},
			Objectives: &scenario.Objectives{},
		}
		o := q.Objectives
		switch rng.IntN(5) {
		case 0, 1:
			o.MaxBlocking = new(units.Fraction(0.3 * rng.Float64()))
		case 2:
			o.MaxWait, o.Percentile = new(units.Duration(5*rng.Float64())), new(units.Percentile(0.5+0.4*rng.Float64()))
		case 3:
			o.MaxMeanResponse = new(units.Duration(6 + 20*rng.Float64()))
		case 4:
			o.MaxResponse, o.Percentile = new(units.Duration(5+50*rng.Float64())), new(units.Percentile(0.4+0.58*rng.Float64()))
		}
		public := o.MaxBlocking != nil || o.MaxResponse != nil
		for i := range 1 + rng.IntN(3) {
			m := scenario.MachineType{Name: string(rune('a' + i)), Limit: new(units.Count(1 + rng.IntN(6)))}
			m.Speed = new(units.Point(units.Number(math.Exp(2*rng.Float64() - 1))))
			m.Price = new(units.Point(units.Price(math.Round(100*rng.Float64()+1) / 100 / 3600)))
			if rng.IntN(4) == 0 {
				m.Slots = new(units.Count(2))
			}
			if public && rng.IntN(3) == 0 {
				m.Kind, m.Availability = scenario.Public, new(units.Point(units.Fraction(0.4+0.55*rng.Float64())))
				m.Replicas = new(units.Count(1 + rng.IntN(2)))
			}
			q.Machines = append(q.Machines, m)
		}
		if rng.IntN(2) == 0 {
			safer(rng, o)
		}
		p := newPremises(q)
		if err := p.resolve(nil); err != nil {
			t.Fatal(err)
		}
		pace, err := p.schedule()
		if err != nil {
			t.Fatal(err)
		}
		c := p.nominalCase()
		f, err := p.fleet(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		found, err := p.needOf(ctx, f, c)
		if err != nil {
			continue // a response below the service on the fastest machine
		}
		need := found.servers
		m := &mixer{types: p.types, Choice: mixes.Choice{Crossing: pace.crossing}}
		if m.Model, err = p.figure(context.Background(), f, p.types, c); err != nil {
			t.Fatal(err)
		}
		items, err := m.items(c)
		if err != nil {
			t.Fatal(err)
		}
		keeps := func(counts []int64) bool {
			v := unlike.Varying{Queue: p.UnlikeModelOf(f.Kind, f.Load)}
			for j, n := range counts {
				t, speed := &p.types[j], float64(q.Machines[j].Speed.Nominal())
				switch {
				case n == 0:
				case t.Kind == scenario.Public:
					v.Coming = append(v.Coming, unlike.Coming{
						Machines: float64(n), Up: float64(t.Availability.Nominal()), Speed: speed, PerJob: t.Copies / t.Holds,
					})
				default:
					v.Beside = append(v.Beside, unlike.Group{Servers: float64(n) * t.Holds, Speed: speed})
				}
			}
			g, err := v.At(0)
			if err != nil {
				return false
			}
			for _, l := range f.Limits {
				if !l.Objective.Met(g) {
					return false
				}
			}
			return true
		}
		best := math.Inf(1)
		counts := make([]int64, len(items))
		var walk func(i int, cost float64)
		walk = func(i int, cost float64) {
			if i < len(items) {
				for n := int64(0); n <= items[i].Most; n++ {
					counts[i] = n
					walk(i+1, cost+items[i].Price*float64(n))
				}
				counts[i] = 0
				return
			}
			if cost >= best {
				return
			}
			if !sharedBy(q, items, counts) {
				return
			}
			if afterEveryLoss(q.Objectives, counts, keeps) {
				best = cost
			}
		}
		walk(0, 0)
		s, err := m.Cheapest(ctx, items, need, 0, 0)
		switch {
		case math.IsInf(best, 1):
			none++
			if err == nil {
				t.Errorf("trial %d: %v for %v, no choice meets the objectives", trial, s.Counts, s.Cost)
			}
		case err != nil:
			t.Errorf("trial %d: %v, want a mix for %v", trial, err, best)
		case math.Abs(s.Cost-best) > 1e-9 || !s.Proven:
			t.Errorf("trial %d: %v for %v, proven %v, want %v", trial, s.Counts, s.Cost, s.Proven, best)
		default:
			met++
		}
	}
	t.Logf("%d met, %d without a mix", met, none)
}
