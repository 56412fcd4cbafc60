package planner

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// No mix of random fleets that meets the objectives lies further below the plane
// through the types alone than the search looks.
func TestMixSecant(t *testing.T) {
	rng := rand.New(rand.NewPCG(77, 5))
	ctx := context.Background()
	least := map[sizing.ModelKind]float64{}
	for trial := range 160 {
		load := math.Exp(4 * rng.Float64())
		q := &PlanQuestion{
			Load:       &PlanLoad{Rate: rangeOf[units.Rate](t, "1/s")},
			Service:    &PlanService{Time: new(units.Point(units.Duration(load)))},
			Objectives: &PlanObjectives{},
		}
		o := q.Objectives
		switch trial % 4 {
		case 0:
			o.MaxBlocking = new(units.Fraction(0.3 * rng.Float64()))
		case 1:
			o.MaxMeanWait = new(units.Duration(load * rng.Float64()))
		case 2:
			o.MaxWait, o.Percentile = new(units.Duration(load*rng.Float64())), new(units.Percentile(0.5+0.49*rng.Float64()))
		case 3:
			q.Service.Patience, o.MaxAbandon = new(units.Duration(load*2*rng.Float64()+0.01)), new(units.Fraction(0.2*rng.Float64()))
		}
		for i := range 2 {
			m := MachineType{Name: string(rune('a' + i))}
			m.Speed = new(units.Point(units.Number(math.Exp(3*rng.Float64() - 1.5))))
			if o.MaxBlocking != nil && (i == 0 || rng.IntN(2) == 0) {
				m.Kind, m.Availability = Public, new(units.Point(units.Fraction(0.4+0.59*rng.Float64())))
				m.Replicas = new(units.Count(1 + rng.IntN(3)))
			}
			q.Machines = append(q.Machines, m)
		}
		p := newPlanning(q)
		if err := p.resolve(); err != nil {
			t.Fatal(err)
		}
		c := p.nominalCase()
		f, err := p.fleet(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		need, _, err := f.Need(ctx)
		if err != nil {
			t.Fatal(err)
		}
		x, err := p.figure(f, p.types, c)
		if err != nil {
			t.Fatal(err)
		}
		m := &mixer{types: p.types}
		items, err := m.items(c)
		if err != nil {
			t.Fatal(err)
		}
		x.prepare(items, need)
		for range 12 {
			// The fewest of the second type that are enough beside some of the first.
			n := []int64{int64(rng.Float64() * x.enough[0]), 0}
			low, high := int64(-1), int64(math.Ceil(x.enough[1]))
			for high-low > 1 {
				if n[1] = low + (high-low)/2; x.meets(n) {
					high = n[1]
				} else {
					low = n[1]
				}
			}
			height := float64(n[0])/x.short[0] + float64(high)/x.short[1]
			if was, ok := least[f.Kind]; !ok || height < was {
				least[f.Kind] = height
			}
			if height < x.measured() {
				t.Errorf("trial %d: %v and %d meet the objectives at %v of the plane, want none below %v", trial, n[0], high,
					height, x.measured())
			}
			if x.proven != nil {
				if h := float64(n[0])/x.proven[0] + float64(high)/x.proven[1]; h < 1-1e-9 {
					t.Errorf("trial %d: %v and %d meet the objectives at %v of the proven plane", trial, n[0], high, h)
				}
			}
		}
	}
	t.Logf("least heights %v", least)
}
