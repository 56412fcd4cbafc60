package worth

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/foreseen"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// spot is a public machine with mean times up and away in seconds.
func spot(up, away float64) scenario.MachineType {
	return scenario.MachineType{
		Name: "spot",
		Kind: scenario.Public,
		MTTF: new(units.Point(units.Duration(up))),
		MTTR: new(units.Point(units.Duration(away))),
	}
}

// PCU section 4.6 with 4 slots: a machine of speed 1.5 that is up 90 % of the time holds
// 4 jobs, each of which stands on 2 machines.
func TestWorthByHand(t *testing.T) {
	given := spot(9, 1)
	given.Speed = new(units.Point(units.Number(1.5)))
	given.Slots = new(units.Count(4))
	given.Replicas = new(units.Count(2))
	given.Price = new(units.Point(units.Price(0.2 / 3600)))
	m, err := New(given, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	item, err := m.Item(m.Nominal())
	if err != nil {
		t.Fatal(err)
	}
	if want := 1.5 * 4 * 0.9 / 2; math.Abs(item.Worth-want) > 1e-12 || item.Price != 0.2 || item.Counted {
		t.Errorf("item %+v, want worth %v, price 0.2, not counted as dedicated", item, want)
	}
	k, err := m.Coming(m.Nominal())
	if err != nil || k.Up != 0.9 || k.Speed != 1.5 || k.PerJob != 0.5 || k.Outages.Groups != 0 {
		t.Errorf("coming %+v, %v; want up 0.9, speed 1.5, half a machine a job", k, err)
	}
}

// The replicas are the fewest of which one is up for the share of the time that the
// target asks for: one fewer misses it.
func TestReplicasAreTheFewest(t *testing.T) {
	for _, up := range []float64{0.3, 0.5, 0.8, 0.97, 0.999} {
		for _, target := range []units.Fraction{0.5, 0.9, 0.999, 0.9999999} {
			m, err := New(spot(up, 1-up), nil, &target, nil)
			if err != nil {
				t.Fatal(err)
			}
			down := func(k float64) float64 { return math.Pow(1-up, k) }
			missed := 1 - float64(target)
			if down(m.Copies) > missed*(1+1e-9) || m.Copies > 1 && down(m.Copies-1) <= missed*(1-1e-9) {
				t.Errorf("up %v, target %v: %v replicas", up, target, m.Copies)
			}
			if words := m.TooFew(target); words != "" {
				t.Errorf("up %v, target %v: %s", up, target, words)
			}
			m.Copies--
			if words := m.TooFew(target); m.Copies > 0 && !strings.Contains(words, "would be enough for") {
				t.Errorf("up %v, target %v: %v replicas are not too few: %q", up, target, m.Copies, words)
			}
		}
	}
}

// What somebody has said of a type goes before what follows from elsewhere.
func TestSourcesInOrder(t *testing.T) {
	given := spot(3, 1)
	seen := &foreseen.Prediction{Chance: 0.5, Machines: 2, From: "prediction of 2 machines"}
	given.Availability = new(units.Point(units.Fraction(0.9)))
	for _, want := range []struct {
		source string
		up     float64
	}{{"availability", 0.9}, {"mttf and mttr", 0.75}, {seen.From, 0.5}, {"", 1}} {
		m, err := New(given, nil, nil, seen)
		if err != nil {
			t.Fatal(err)
		}
		if m.Source() != want.source || m.Nominal().Up() != want.up || m.LeastUp() != want.up {
			t.Errorf("%q: %v, at least %v; want %q: %v", m.Source(), m.Nominal().Up(), m.LeastUp(), want.source, want.up)
		}
		switch {
		case given.Availability != nil:
			given.Availability = nil
		case given.MTTF != nil:
			given.MTTF, given.MTTR = nil, nil
		default:
			seen = nil
		}
	}
}

// A machine is not up while its group is away, so that it is up for less of the time.
func TestMachineWithinItsGroup(t *testing.T) {
	given := spot(9, 1)
	given.Groups, given.GroupAvailability = new(units.Count(3)), new(units.Fraction(0.89))
	var input *ask.InputError
	if _, err := New(given, nil, nil, nil); !errors.As(err, &input) || input.Field != "group_availability" {
		t.Errorf("a machine up 90 %% of the time in a group up 89 %%: %v", err)
	}
	given.GroupAvailability = new(units.Fraction(0.9))
	m, err := New(given, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	// A draw of more availability has no outage but those of the group, as rare as it.
	k, err := m.Coming(Case{Speed: 1, Availability: 0.95})
	if err != nil || k.Outages.Groups != 3 || k.Outages.Up != 0.95 {
		t.Errorf("outages %+v, %v; want those of 3 groups, up 0.95", k.Outages, err)
	}
}
