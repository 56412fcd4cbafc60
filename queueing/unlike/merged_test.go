package unlike

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// manyKinds are kinds of machines whose speeds, times up and numbers differ.
func manyKinds(kinds int, machines float64) []Coming {
	var all []Coming
	for i := range kinds {
		f := float64(i)
		all = append(all, Coming{Machines: machines + f, Up: 0.95 - 0.04*f, Speed: 1 + 0.3*f, PerJob: 1 + 0.5*math.Mod(f, 3)})
	}
	return all
}

// Merged numbers up give what all of them give, of loss, waits and abandonment.
func TestMergedStates(t *testing.T) {
	cases := []struct {
		load, machines float64
		kinds          int
	}{{20, 8, 4}, {10, 10, 3}, {100, 60, 3}}
	for _, c := range cases[:longtest.Of(2, len(cases))] {
		for _, when := range []WhenFull{Lossy, Queued, Impatient} {
			m := Varying{Queue: Queue{ArrivalRate: c.load, ServiceTime: 1, WhenFull: when, Patience: 0.6},
				Coming: manyKinds(c.kinds, c.machines)}
			if when != Queued {
				m.Beside = []Group{{3, 1.5}}
			}
			exact, err := m.within(0, 10_000_000)
			if err != nil {
				t.Fatal(err)
			}
			near, err := m.within(0, 1000)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range []struct {
				name       string
				near, want float64
			}{
				{"blocking", near.Blocking, exact.Blocking}, {"waits", near.WaitProbability, exact.WaitProbability},
				{"mean wait", near.MeanWait, exact.MeanWait}, {"tail", near.WaitTail(0.5), exact.WaitTail(0.5)},
				{"utilization", near.Utilization, exact.Utilization},
			} {
				if f.want == 0 || math.IsInf(f.want, 1) {
					continue
				}
				tolerance := 1e-4
				if f.want < 1e-10 {
					tolerance = 1e-3
				}
				if !(math.Abs(f.near/f.want-1) < tolerance) {
					t.Errorf("%v %v: %s %g, want %g", c, when, f.name, f.near, f.want)
				}
			}
		}
	}
}

// Kinds multiply numbers up, and take neither memory nor time with them. The likeliest
// of many kinds count however rare each is.
func TestStatesAreBounded(t *testing.T) {
	for _, c := range []struct{ machines, load float64 }{{5, 60}, {300, 2e5}} {
		m := Varying{Queue: Queue{ArrivalRate: c.load, ServiceTime: 1}, Coming: manyKinds(12, c.machines)}
		states, err := m.states(0, mostStates)
		if err != nil || len(states) > mostStates {
			t.Errorf("%v: %d numbers up, %v, want at most %d", c, len(states), err, mostStates)
		}
		for j, k := range m.Coming {
			up := 0.0
			for _, s := range states {
				up += s.chance * s.up[j]
			}
			if want := k.Machines * k.Up; !(math.Abs(up/want-1) < 1e-9) {
				t.Errorf("%v: %g machines of kind %d up on average, want %g", c, up, j, want)
			}
		}
	}
}

// Numbers up that a state of next to no chance bends regressions of stay numbers up:
// a check of 16 types was refused for -3,291,665 servers.
func TestMergedNumbersAreNumbersUp(t *testing.T) {
	m := Varying{
		Queue: Queue{ArrivalRate: 592, ServiceTime: 100, WhenFull: Impatient, Patience: 30,
			Beside: []Group{
				{5828, 0.948}, {4596, 1.598}, {3317, 0.616}, {4124, 1.739},
				{4186, 1.564}, {4875, 1.308}, {5652, 1.282}, {5279, 1.540}}},
		Coming: []Coming{
			{Machines: 4357, Up: 0.9158, Speed: 1.598, PerJob: 1},
			{Machines: 5019, Up: 0.9765, Speed: 1.129, PerJob: 1},
			{Machines: 3035, Up: 0.8878, Speed: 1.305, PerJob: 1},
			{Machines: 5439, Up: 0.9534, Speed: 1.594, PerJob: 1},
			{Machines: 3857, Up: 0.9758, Speed: 1.509, PerJob: 1},
			{Machines: 4924, Up: 0.9696, Speed: 1.495, PerJob: 1},
			{Machines: 3088, Up: 0.9143, Speed: 1.728, PerJob: 1},
			{Machines: 3647, Up: 0.8372, Speed: 0.321, PerJob: 1},
		},
	}
	states, err := m.states(0, mostStates)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range states {
		for j, u := range s.up {
			if !(u > -m.Coming[j].Machines) {
				t.Fatalf("%g machines of kind %d up, of %g", u, j, m.Coming[j].Machines)
			}
		}
	}
}

// A few machines of many kinds are merged into points of no fewer than no servers: a check of 32
// types was refused for -3.8 servers.
func TestMergedNumbersAreServers(t *testing.T) {
	m := Varying{
		Queue: Queue{ArrivalRate: 50.8676, ServiceTime: 0.232473, WhenFull: Impatient, Patience: 0.23247,
			Beside: []Group{
				{3, 1.41659}, {2, 1.05114}, {3, 0.657869}, {2, 1.14086}, {2, 1.32644}, {2, 1.52446}, {1, 0.804062},
				{2, 0.76644}, {1, 0.779234}, {1, 1.55388}, {2, 0.613484}, {3, 0.439731}, {2, 1.76561}}},
		Coming: []Coming{
			{Machines: 1, Up: 0.894737, Speed: 1.80895, PerJob: 1},
			{Machines: 3, Up: 0.961538, Speed: 2.09581, PerJob: 1},
			{Machines: 2, Up: 0.992565, Speed: 1.34803, PerJob: 1},
			{Machines: 1, Up: 0.993377, Speed: 2.52222, PerJob: 2},
			{Machines: 3, Up: 0.966102, Speed: 0.840626, PerJob: 1},
			{Machines: 3, Up: 0.980198, Speed: 1.27658, PerJob: 1},
			{Machines: 3, Up: 0.9, Speed: 1.63134, PerJob: 1},
			{Machines: 2, Up: 0.992126, Speed: 2.32816, PerJob: 1},
			{Machines: 2, Up: 0.995122, Speed: 0.671931, PerJob: 1},
			{Machines: 1, Up: 0.997669, Speed: 2.24284, PerJob: 2},
			{Machines: 1, Up: 0.976471, Speed: 1.6941, PerJob: 1},
			{Machines: 4, Up: 0.991416, Speed: 0.4223, PerJob: 1},
			{Machines: 2, Up: 0.989691, Speed: 1.49377, PerJob: 2},
		},
	}
	if f, err := m.At(0); err != nil || !(f.Abandonment > 0 && f.Abandonment < 1e-10) {
		t.Errorf("abandonment %v, %v", f.Abandonment, err)
	}
}
