package queues

import (
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/growth"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// short is a simulation whose length does not matter.
func short() simulate.Question {
	return simulate.Question{Horizon: new(units.Duration(50)), WarmUp: new(units.Duration(5)),
		Replications: new(units.Count(2))}
}

// What would change nothing is refused. A class of a rate and a load was served in a second, whatever its load was, and
// patience of seconds was held against services of no known length.
func TestStationRefusesWhatItWouldLeaveOut(t *testing.T) {
	second, rate, load, scv := new(units.Duration(1)), new(units.Rate(1)), new(units.Erlang(2)), new(units.Number(2))
	exactly := units.Exactly[units.Duration](1)
	timed := []JobClass{{Name: "a", Rate: rate, ServiceTime: second}}
	one := sizing.Traffic{OfferedLoad: units.Exactly[units.Erlang](2)}
	curve := sizing.Traffic{Curve: &traffic.Curve{}, ServiceTime: exactly, ArrivalSCV: scv}
	for name, c := range map[string]struct {
		q     StationQuestion
		field string
	}{
		"rate and load": {StationQuestion{JobClasses: []JobClass{{Name: "a", Rate: rate, Load: load}}}, "class"},
		"rate alone":    {StationQuestion{JobClasses: []JobClass{{Name: "a", Rate: rate}}}, "class"},
		"all three": {StationQuestion{JobClasses: []JobClass{{Name: "a", Rate: rate, Load: load, ServiceTime: second}}},
			"class"},
		"no service in one": {StationQuestion{JobClasses: append(timed[:1:1], JobClass{Name: "b", Load: load})}, "class"},
		"service law":       {StationQuestion{JobClasses: timed, ServiceLaw: "deterministic"}, "class"},
		"service time":      {StationQuestion{JobClasses: timed, Traffic: sizing.Traffic{ServiceTime: exactly}}, "class"},
		"arrival scv":       {StationQuestion{JobClasses: timed, Traffic: sizing.Traffic{ArrivalSCV: scv}}, "class"},
		"growth": {StationQuestion{Traffic: sizing.Traffic{OfferedLoad: one.OfferedLoad, Growth: &growth.Growth{}}},
			"growth"},
		"priorities":        {StationQuestion{Traffic: one, Preemptive: true}, "class"},
		"thinking":          {StationQuestion{Traffic: one, ThinkTime: second}, "think_time"},
		"level of whom":     {StationQuestion{Traffic: one, ServiceLevelOf: "served"}, "service_level_of"},
		"curve with an scv": {StationQuestion{Traffic: curve}, "load_curve"},
		"wait of seconds":   {StationQuestion{Traffic: one, MaxWait: second}, "service_time"},
		"patience": {StationQuestion{Traffic: sizing.Traffic{OfferedLoad: one.OfferedLoad, Patience: second}},
			"service_time"},
	} {
		c.q.Servers, c.q.Simulate = 5, short()
		_, err := Station(t.Context(), &c.q)
		if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != c.field {
			t.Errorf("%s: %v, want an error of %s", name, err, c.field)
		}
	}
}

// A log is one run: a number of runs and a precision were taken and changed nothing.
func TestLogIsReplayedOnce(t *testing.T) {
	for field, options := range map[string]simulate.Question{
		"replications": {Replications: new(units.Count(2))},
		"precision":    {Precision: new(units.Fraction(0.02))},
	} {
		q := StationQuestion{Servers: 5, Simulate: options, Traffic: sizing.Traffic{Log: &joblog.Summary{}},
			Jobs: []station.Job{{Length: 1, Width: 1}, {At: 1, Length: 1, Width: 1}}}
		_, err := Station(t.Context(), &q)
		if e := (*ask.InputError)(nil); !errors.As(err, &e) || e.Field != field {
			t.Errorf("%s of a log: %v", field, err)
		}
	}
}

// A load in erlangs has no seconds: waits were those of services of a second.
func TestStationWithoutTime(t *testing.T) {
	load := units.Exactly[units.Erlang](2)
	for name, q := range map[string]*StationQuestion{
		"load":    {Traffic: sizing.Traffic{OfferedLoad: load}},
		"classes": {JobClasses: []JobClass{{Name: "a", Load: new(units.Erlang(1))}, {Name: "b", Load: new(units.Erlang(1))}}},
		"timed":   {Traffic: sizing.Traffic{OfferedLoad: load, ServiceTime: units.Exactly[units.Duration](9)}},
	} {
		q.Servers, q.Simulate = 5, short()
		a, err := Station(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		inTime := 0
		for figure := range a.Simulation.Figures {
			if strings.HasSuffix(figure, "_s") {
				inTime++
			}
		}
		said := len(a.Warnings) > 0 && a.Warnings[len(a.Warnings)-1] == timeless
		if want := name != "timed"; said != want || (inTime == 0) != want || len(a.Simulation.Figures) == 0 {
			t.Errorf("%s: %d figures of seconds, %q", name, inTime, a.Warnings)
		}
	}
}
