package frailty

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/capplan/capplan/smp"
)

const week = 7 * 288

func TestFitRecoversKnownProcess(t *testing.T) {
	k := newKnownFleet(1, 2)
	records, theta := k.fleet(400, 2*week)
	m, err := Fit(context.Background(), k.clock, records, nil)
	if err != nil || !m.Converged {
		t.Fatalf("%v, converged %v after %d", err, m != nil && m.Converged, m.Iterations)
	}
	if m.Shape < 1.6 || m.Shape > 2.5 {
		t.Errorf("shape %v, the process has 2", m.Shape)
	}
	for _, hour := range []int{3, 12, 30} {
		for _, age := range []int64{0, 1, 3, 6, 20, 100} {
			got := m.Age[Age{Steps: age}.Bin()] * m.Hour[hour]
			if want := k.hazard(Age{Steps: age}, hour); math.Abs(got/want-1) > 0.2 {
				t.Errorf("hazard at age %d, hour %d: %.5f, the process has %.5f", age, hour, got, want)
			}
		}
	}
	// Frailties that are known from much data lie near those drawn.
	off := 0.0
	for i, x := range m.Machines {
		off += math.Abs(math.Log(x.Frailty / theta[i]))
	}
	if off /= float64(len(theta)); off > 0.25 { // some 30 failures a machine leave 0.2
		t.Errorf("mean |ln frailty/true| = %v", off)
	}
}

func TestFitKeepsCounts(t *testing.T) {
	k := newKnownFleet(2, 1)
	records, _ := k.fleet(60, week)
	m, err := Fit(context.Background(), k.clock, records, &Options{AgePseudo: 1e-9})
	if err != nil {
		t.Fatal(err)
	}
	failures, expected, shrunk := 0.0, 0.0, 0.0
	for _, x := range m.Machines {
		failures += x.Failures
		expected += x.Frailty * x.Expected
		shrunk += x.Frailty
		if want := (x.Failures + m.Shape) / (x.Expected + m.Shape); math.Abs(x.Frailty-want) > 1e-12*want {
			t.Errorf("%s: frailty %v, want %v", x.Name, x.Frailty, want)
		}
	}
	if math.Abs(expected/failures-1) > 1e-4 {
		t.Errorf("the fit expects %v failures, there were %v", expected, failures)
	}
	// At the maximum over the scale of λ the mean frailty is 1.
	if mean := shrunk / float64(len(m.Machines)); math.Abs(mean-1) > 1e-3 {
		t.Errorf("mean frailty %v", mean)
	}
	if weight := slices.Min(m.Hour); weight <= 0 {
		t.Errorf("an hour's factor is %v", weight)
	}
}

func TestFitDoesNotDependOnOrderAndCores(t *testing.T) {
	k := newKnownFleet(3, 1)
	k.groupShape, k.size = 2, 5
	records, _ := k.fleet(300, 200)
	want, err := Fit(context.Background(), k.clock, records, &Options{Iterations: 5})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(records)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	got, err := Fit(context.Background(), k.clock, records, &Options{Iterations: 5})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Age, want.Age) || !slices.Equal(got.Hour, want.Hour) || got.Shape != want.Shape || !slices.Equal(got.Machines, want.Machines) {
		t.Error("another order on one core gives another model")
	}
}

func TestUpdateComesToTheFitOfAll(t *testing.T) {
	k := newKnownFleet(4, 1.5)
	const machines, day = 30, 288
	var first, second, all []Record
	for i := range machines {
		name := string(rune('a'+i/26)) + string(rune('a'+i%26))
		h := k.history(k.gamma(k.shape), 8*day)
		add := func(from, to int64) Record {
			r := Record{Name: name}
			if err := r.Add(k.clock, smp.FiveStates(), h, from, to); err != nil {
				t.Fatal(err)
			}
			return r
		}
		if i > 0 { // the first machine is new on the last day
			first = append(first, add(0, 7*day))
		}
		second = append(second, add(7*day, 8*day))
		whole := add(0, 8*day)
		if i == 0 {
			whole = add(7*day, 8*day)
		}
		all = append(all, whole)
	}
	o := &Options{Tolerance: 1e-9, Iterations: 5000}
	m, err := Fit(context.Background(), k.clock, first, o)
	if err != nil {
		t.Fatal(err)
	}
	got, merged, err := m.Update(context.Background(), smp.Calendar{}, first, second, o)
	if err != nil {
		t.Fatal(err)
	}
	want, err := Fit(context.Background(), k.clock, all, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if !slices.Equal(merged[i].Exposure.count, all[i].Exposure.count) || !slices.Equal(merged[i].Failures.index, all[i].Failures.index) {
			t.Fatalf("%s: the days do not add up to the record", all[i].Name)
		}
	}
	if math.Abs(got.Shape/want.Shape-1) > 1e-4 {
		t.Errorf("shape %v, the fit of all has %v", got.Shape, want.Shape)
	}
	for i := range want.Machines {
		if a, b := got.Machines[i], want.Machines[i]; math.Abs(a.Expected/b.Expected-1) > 1e-4 || a.Failures != b.Failures {
			t.Errorf("%v, the fit of all has %v", a, b)
		}
	}
}

func TestFitRefuses(t *testing.T) {
	clock := Clock{Period: 300}
	if _, err := Fit(context.Background(), clock, []Record{{Name: "a"}}, nil); !errors.Is(err, ErrNoData) {
		t.Errorf("no exposure: %v", err)
	}
	var domain *smp.DomainError
	if _, err := Fit(context.Background(), Clock{}, nil, nil); !errors.As(err, &domain) {
		t.Errorf("no period: %v", err)
	}
	for _, o := range []Options{{AgePseudo: -1}, {Tolerance: math.Inf(1)}, {Iterations: -1}} {
		if _, err := Fit(context.Background(), clock, nil, &o); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	k := newKnownFleet(5, 1)
	records, _ := k.fleet(3, 50)
	if _, err := Fit(ctx, clock, records, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Fleets of groups come to an end, few or many: each round sets the scale of the hazard, to which rounds without it
// come too slowly.
func TestGroupedFitsConverge(t *testing.T) {
	for _, c := range []struct{ machines, group int }{{12, 6}, {60, 2}, {60, 30}, {200, 4}} {
		k := newKnownFleet(uint64(c.machines+c.group), 0.7)
		k.groupShape, k.size = 3, c.group
		records, _ := k.fleet(c.machines, 4*288)
		m, err := Fit(context.Background(), k.clock, records, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Converged || m.Iterations > 250 {
			t.Errorf("%d machines in groups of %d: %d rounds, converged %v", c.machines, c.group, m.Iterations, m.Converged)
		}
	}
}
