package bags

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/planner/ask"
)

// What only help from a cloud has is refused without such help.
func TestSimulateRefusesCloudWithoutStrategy(t *testing.T) {
	for field, set := range map[string]func(*SimulateQuestion){
		"credits":     func(q *SimulateQuestion) { q.Credits = new(5.0) },
		"hourly":      func(q *SimulateQuestion) { q.Hourly = true },
		"boot":        func(q *SimulateQuestion) { q.Boot = new(60.0) },
		"cloud_speed": func(q *SimulateQuestion) { q.CloudSpeed = new(4000.0) },
	} {
		for _, strategy := range []string{"", "none"} {
			q := &SimulateQuestion{Bag: &bags.Bag{}, Hosts: &hosts.Platform{}, Strategy: strategy}
			set(q)
			_, err := Simulate(context.Background(), q)
			var input *ask.InputError
			if !errors.As(err, &input) || input.Field != field {
				t.Errorf("%s with strategy %q: %v", field, strategy, err)
			}
		}
	}
}
