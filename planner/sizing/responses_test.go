package sizing

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// The least fleet for two percentiles of the response, by trying one fleet after
// the other with the closed form of M/M/c.
func TestSizeForResponses(t *testing.T) {
	ctx := context.Background()
	rate, service := units.Point(units.Rate(100)), units.Point(units.Duration(0.04))
	var limits ResponseLimits
	if err := limits.Set("p50<40ms, p99<=200ms"); err != nil {
		t.Fatal(err)
	}
	q := &SizeQuestion{
		Traffic:    Traffic{Rate: &rate, ServiceTime: &service},
		Objectives: Objectives{Responses: limits},
	}
	a, err := Size(ctx, q)
	if err != nil {
		t.Fatal(err)
	}
	late := func(n int, x float64) float64 { // x in service times
		c, term, sum := float64(n), 1.0, 0.0
		for k := range n {
			sum += term
			term *= 4 / float64(k+1)
		}
		wait := term * c / (c - 4)
		wait /= sum + wait
		if c == 5 { // δ = μ
			return math.Exp(-x) * (1 + wait*x)
		}
		return math.Exp(-x) + wait*(math.Exp(-x)-math.Exp(-(c-4)*x))/(c-5)
	}
	least := 5
	for late(least, 1) > 0.5 || late(least, 5) > 0.01 {
		least++
	}
	if a.Servers != int64(least) {
		t.Errorf("%d servers, want %d", a.Servers, least)
	}
	if len(a.Responses) != 2 {
		t.Fatalf("responses %+v", a.Responses)
	}
	numtest.Close(t, "level", a.Responses[1].Level, 1-late(least, 5), 1e-12)
	numtest.Close(t, "percentile", late(least, *a.Responses[1].Value/0.04), 0.01, 1e-9)
	for _, r := range a.Responses {
		if *r.Value > r.Within || r.Level < r.Percentile {
			t.Errorf("%+v is not met", r)
		}
	}
	c, err := Check(ctx, &CheckQuestion{SizeQuestion: *q, Servers: a.Servers - 1})
	if err != nil || c.Met || c.Shortfall != 1 {
		t.Errorf("one server fewer: %+v, %v", c, err)
	}
}

func TestResponsesRefused(t *testing.T) {
	rate, load, service := units.Point(units.Rate(100)), units.Point(units.Erlang(4)), units.Point(units.Duration(0.04))
	within, patience, blocking := units.Duration(0.3), units.Duration(1), units.Fraction(0.01)
	pool := &Pool{Machines: 10, Speed: 0.5, Availability: 0.5, Replicas: 1, Count: CountMean}
	fast := &Pool{Machines: 10, Speed: 1.5, Availability: 0.5, Replicas: 1}
	timed := Traffic{Rate: &rate, ServiceTime: &service}
	for name, c := range map[string]struct {
		q     SizeQuestion
		field string
	}{
		"loss":       {SizeQuestion{Traffic: timed, Model: Loss, Objectives: Objectives{MaxBlocking: &blocking, MaxResponse: &within}}, "max_response"},
		"no clock":   {SizeQuestion{Traffic: Traffic{OfferedLoad: &load}, Objectives: Objectives{MaxResponse: &within}}, "service_time"},
		"pool":       {SizeQuestion{Traffic: timed, Pool: pool, Objectives: Objectives{MaxResponse: &within}}, "max_response"},
		"fast pool":  {SizeQuestion{Traffic: timed, Pool: fast, Objectives: Objectives{MaxResponse: &within}}, "max_response"},
		"no time":    {SizeQuestion{Traffic: timed, Objectives: Objectives{MaxResponse: new(units.Duration)}}, "max_response"},
		"percentile": {SizeQuestion{Traffic: timed, Objectives: Objectives{Percentile: new(units.Percentile)}}, "percentile"},
		"of waits": {SizeQuestion{
			Traffic:    Traffic{Rate: &rate, ServiceTime: &service, Patience: &patience},
			Objectives: Objectives{MaxResponse: &within, ServiceLevelOf: OfWaits},
		}, "service_level_of"},
	} {
		var input *ask.InputError
		if _, err := Size(context.Background(), &c.q); !errors.As(err, &input) || input.Field != c.field {
			t.Errorf("%s: %v, want an error of %s", name, err, c.field)
		}
	}
	for _, text := range []string{"", "p99", "p99<", "p100<1s", "p99<1s,p99<2s", "1<1s", "p99<-1s", "p99<1"} {
		var l ResponseLimits
		if err := l.Set(text); err == nil {
			t.Errorf("%q is taken as %v", text, l)
		}
	}
}
