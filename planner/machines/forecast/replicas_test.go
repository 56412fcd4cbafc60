package forecast_test

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
)

// No fewer machines reach the target, and none of so many does better, by the law of
// Joint for each choice of them.
func TestReplicasAgainstAllChoices(t *testing.T) {
	hosts := make([]string, 6)
	for _, group := range []func(string) string{nil, site} {
		f := fitted(t, group, nil, 0, 3)
		for i := range hosts {
			hosts[i] = f.Records[2*i].Name
		}
		a, err := forecast.Replicas(context.Background(), &forecast.ReplicasQuestion{Fleet: f, DayWindow: nine, Hosts: hosts,
			Target: 0.97, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		best := 0.0
		for set := uint(1); set < 1<<len(hosts); set++ {
			n := bits.OnesCount(set)
			if n > a.Replicas {
				continue
			}
			var some []string
			for i, h := range hosts {
				if set>>i&1 == 1 {
					some = append(some, h)
				}
			}
			j, err := forecast.Joint(context.Background(), &forecast.JointQuestion{Fleet: f, DayWindow: nine, Hosts: some, Least: 1})
			if err != nil {
				t.Fatal(err)
			}
			if n < a.Replicas && j.Chance >= a.Target {
				t.Errorf("%v come through with %v, and %d are answered", some, j.Chance, a.Replicas)
			}
			if n == a.Replicas {
				best = max(best, j.Chance)
			}
		}
		if math.Abs(best-a.Interval) > 1e-9 || a.Interval < a.Target || !a.Exact || a.Replicas < 2 || len(a.Chosen) != a.Replicas {
			t.Errorf("%+v, the best of all choices %v", a, best)
		}
		if group == nil != (len(a.Groups) == 0) {
			t.Errorf("groups %+v", a.Groups)
		}
		if a.Apart < a.Interval-1e-12 {
			t.Errorf("apart %v, together %v", a.Apart, a.Interval)
		}
	}
}

func TestReplicasRefuses(t *testing.T) {
	f := fitted(t, nil, nil, 0, 2)
	for _, c := range []struct {
		field string
		q     forecast.ReplicasQuestion
	}{
		{"fleet", forecast.ReplicasQuestion{DayWindow: nine, Target: 0.9}},
		{"target", forecast.ReplicasQuestion{Fleet: f, DayWindow: nine}},
		{"target", forecast.ReplicasQuestion{Fleet: f, DayWindow: nine, Target: math.NaN()}},
		{"hosts", forecast.ReplicasQuestion{Fleet: f, DayWindow: nine, Target: 0.9, Hosts: []string{"nobody"}}},
		{"hosts", forecast.ReplicasQuestion{Fleet: f, DayWindow: nine, Target: 0.9, Hosts: []string{}}},
	} {
		_, err := forecast.Replicas(context.Background(), &c.q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != c.field {
			t.Errorf("%s: %v", c.field, err)
		}
	}
	for _, target := range []float64{1, 1 - 1e-15} {
		_, err := forecast.Replicas(context.Background(), &forecast.ReplicasQuestion{Fleet: f, DayWindow: nine, Target: target,
			Hosts: []string{f.Records[0].Name}})
		if !errors.Is(err, ask.ErrInfeasible) {
			t.Errorf("target %v: %v", target, err)
		}
	}
}
