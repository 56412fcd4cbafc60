package forecast_test

import (
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/smp"
)

// sampled are the samples of a machine through some days, a minute apart: loads that rise
// above heavy for a minute or for long, times that it is gone, and a whole morning without.
func sampled(seed uint64, days int) (out []smp.Sample) {
	r := rand.New(rand.NewPCG(seed, 4))
	load, left := 0.1, 0
	for s := range days * 1440 {
		if left--; left < 0 {
			load, left = []float64{0.1, 0.3, 0.8, 0.9, -1}[r.IntN(5)], r.IntN(90)
			if load > 0.5 && r.IntN(2) == 0 {
				left = r.IntN(3)
			}
		}
		if gone := s > 1440*2+300 && s < 1440*3+200; load < 0 || gone && seed == 1 || seed == 2 && s < 1440*3+77 {
			continue
		}
		out = append(out, smp.Sample{Time: monday + 60*float64(s), Load: load, FreeMemory: math.NaN()})
	}
	return out
}

// added learns of five machines what lies from one minute to another, beside a fleet.
func added(t *testing.T, l machines.Labelling, before *forecast.Fleet, from, to int) *forecast.Fleet {
	t.Helper()
	minute := 60.0
	l.Period = &minute
	learning, err := forecast.NewLearning(l, nil, before)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(5) {
		r := learning.Labelling().NewRecorder(string(rune('a' + seed)))
		n := 0
		for _, s := range sampled(seed, 7) {
			if m := int(s.Time-monday) / 60; m >= from && m < to {
				if err := r.Add(s); err != nil {
					t.Fatal(err)
				}
				n++
			}
		}
		if n == 0 {
			continue // it has not joined yet, or is gone
		}
		if err := learning.Add(context.Background(), r); err != nil {
			t.Fatal(err)
		}
	}
	f, err := learning.Fleet(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	f.Warnings = nil // of each record its own
	text, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	f, err = forecast.ReadFleet(context.Background(), "f.json", strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestDaysAddedAreOneRecord: whole days, parts of days, minutes, a machine that joins late
// and one that is gone across midnight, added one after the other, are what one record of
// all is. Before, each stay began anew at midnight, at an age that was not known: 29 of 117
// machines of PlanetLab had other chances, by up to a fourth.
func TestDaysAddedAreOneRecord(t *testing.T) {
	for name, l := range map[string]machines.Labelling{"gaps are absences": {}, "gaps are unknown": {Unwatched: true}} {
		whole := added(t, l, nil, 0, 7*1440)
		for kind, cuts := range map[string][]int{
			"days":    {1440, 2 * 1440, 3 * 1440, 4 * 1440, 5 * 1440, 6 * 1440},
			"parts":   {2000, 2001, 2002, 2003, 2004, 3333, 5000, 5001, 5002, 5003, 5010, 5011, 5012, 8000},
			"a half":  {5040},
			"4, 1, 1": {4 * 1440, 5 * 1440, 6 * 1440},
		} {
			var f *forecast.Fleet
			for i, to := range append(cuts, 7*1440) {
				from := 0
				if i > 0 {
					from = cuts[i-1]
				}
				f = added(t, l, f, from, to)
			}
			if !reflect.DeepEqual(f.Records, whole.Records) {
				for i := range f.Records {
					if !reflect.DeepEqual(f.Records[i], whole.Records[i]) {
						t.Errorf("%s, %s, %s:\n%+v\n%+v", name, kind, f.Records[i].Name, f.Records[i].Last, whole.Records[i].Last)
					}
				}
			}
			if !reflect.DeepEqual(f.Hazard, whole.Hazard) || !reflect.DeepEqual(f.Returns, whole.Returns) {
				t.Errorf("%s, %s: another model", name, kind)
			}
		}
	}
}

// TestDayOutOfOrder: a day that was counted is refused, with the moments.
func TestDayOutOfOrder(t *testing.T) {
	f := added(t, machines.Labelling{}, nil, 0, 3*1440)
	l, err := forecast.NewLearning(machines.Labelling{}, nil, f)
	if err != nil {
		t.Fatal(err)
	}
	r := l.Labelling().NewRecorder("a")
	for _, s := range sampled(0, 4)[1000:] {
		if err := r.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	err = l.Add(context.Background(), r)
	if err == nil || !strings.Contains(err.Error(), "begins on 2026-01-0") ||
		!strings.Contains(err.Error(), "ends, on 2026-01-0") {
		t.Error(err)
	}
}
