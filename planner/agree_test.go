package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// What plan and size buy check finds enough and one fewer not, and capacity
// takes the load with it and not with one fewer: the four ask the same of one
// scenario, with a public pool or without.
func TestQuestionsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 6))
	ctx := context.Background()
	answered := 0
	for i := range 48 {
		service := math.Exp(4*rng.Float64() - 1)
		load := math.Exp(1 + 3*rng.Float64())
		q := &sizing.SizeQuestion{Traffic: sizing.Traffic{
			Rate:        new(units.Point(units.Rate(load / service))),
			ServiceTime: new(units.Point(units.Duration(service))),
		}}
		switch i % 4 {
		case 0:
			q.MaxBlocking = new(units.Fraction(math.Exp(-1 - 6*rng.Float64())))
		case 1:
			q.MaxWait = new(units.Duration(service * rng.Float64()))
			q.Percentile = new(units.Percentile(0.5 + 0.49*rng.Float64()))
		case 2:
			q.Patience = new(units.Duration(service * (0.1 + rng.Float64())))
			q.MaxAbandon = new(units.Fraction(0.01 + 0.1*rng.Float64()))
			q.MaxMeanWait = new(units.Duration(service * 0.2 * rng.Float64()))
		case 3:
			q.MaxUtilization = new(units.Fraction(0.5 + 0.45*rng.Float64()))
			q.MaxMeanWait = new(units.Duration(service * 0.2 * rng.Float64()))
		}
		limit := int64(0)
		speed, up := 1.0, 1.0
		if i%3 == 1 {
			limit, speed, up = 1+rng.Int64N(int64(load/2)+1), 0.5+1.5*rng.Float64(), 0.5+0.49*rng.Float64()
			q.Pool = &sizing.Pool{
				Machines:     float64(limit),
				Speed:        speed,
				Availability: up,
				Replicas:     1,
			}
		}
		name := fmt.Sprintf("scenario %d (%.3g erl, %d public of speed %.3g up %.3g)", i, load, limit, speed, up)
		size, err := sizing.Size(ctx, q)
		if errors.As(err, new(*ask.InfeasibleError)) {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		answered++

		p := planOf(q)
		p.Machines = []scenario.MachineType{{Name: "rack", Price: new(units.Point(units.Price(1. / 3600)))}}
		if q.Pool != nil {
			p.Machines = append(p.Machines, scenario.MachineType{
				Name:         "spot",
				Kind:         scenario.Public,
				Speed:        new(units.Point(units.Number(speed))),
				Availability: new(units.Point(units.Fraction(up))),
				AtLeast:      new(units.Count(limit)),
				Limit:        new(units.Count(limit)),
			})
		}
		if m := planned(t, p).Mix; m == nil || m.Machines[0].Count != size.Servers {
			t.Errorf("%s: size says %d servers, plan %+v", name, size.Servers, m)
		}
		for _, n := range []int64{size.Servers, size.Servers - 1} {
			if n < 0 {
				continue
			}
			enough := n == size.Servers
			c, err := sizing.Check(ctx, &sizing.CheckQuestion{SizeQuestion: *q, Servers: n})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if c.Met != enough || c.Needed != size.Servers {
				t.Errorf("%s: size says %d servers, check of %d: met %v, %d needed", name, size.Servers, n, c.Met, c.Needed)
			}
			if n == 0 && q.Pool == nil {
				continue
			}
			takes := &sizing.CapacityQuestion{Traffic: q.Traffic, Objectives: q.Objectives, Pool: q.Pool, Servers: n}
			takes.Rate = nil
			a, err := sizing.Capacity(ctx, takes)
			if errors.As(err, new(*ask.InfeasibleError)) && !enough {
				continue
			}
			if err != nil {
				t.Fatalf("%s: capacity of %d: %v", name, n, err)
			}
			if more := *a.MaxLoad >= load*(1-1e-9); more != enough {
				t.Errorf("%s: size says %d servers, %d take %v erl", name, size.Servers, n, *a.MaxLoad)
			}
		}
	}
	if answered < 40 {
		t.Errorf("%d scenarios have an answer, want 40 or more", answered)
	}
}

// planOf is the plan of the same load and objectives.
func planOf(q *sizing.SizeQuestion) *PlanQuestion {
	o := q.Objectives
	return &scenario.Question{
		Load:    &scenario.Load{Rate: q.Rate, ArrivalSCV: q.ArrivalSCV},
		Service: &scenario.Service{Time: q.ServiceTime, SCV: q.ServiceSCV, Patience: q.Patience},
		Objectives: &scenario.Objectives{
			MaxBlocking:     o.MaxBlocking,
			MaxWait:         o.MaxWait,
			Percentile:      o.Percentile,
			MaxMeanWait:     o.MaxMeanWait,
			MaxMeanResponse: o.MaxMeanResponse,
			MaxUtilization:  o.MaxUtilization,
			MaxAbandon:      o.MaxAbandon,
		},
	}
}
