package mixes

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// shortFleet is a fleet of types in groups, short of servers, that has to be able to lose any machine.
func shortFleet(t *testing.T, types int) (x *Model, counts, most []int64) {
	t.Helper()
	load := 0.0
	var kinds []unlike.Coming
	for i := range types {
		k := unlike.Coming{Up: 0.95, Speed: 0.8 + 0.1*float64(i), PerJob: 1, Outages: unlike.Outages{Groups: 3, Up: 0.99}}
		kinds, counts, most = append(kinds, k), append(counts, 30), append(most, 10_000)
		load += 30 * k.Speed
	}
	f, err := sizing.NewFleet(&sizing.Traffic{}, &sizing.Objectives{MaxBlocking: new(units.Fraction(0.01))}, "", nil,
		sizing.LoadOf(load, load))
	if err != nil {
		t.Fatal(err)
	}
	queue := (&sizing.Traffic{}).UnlikeModelOf(f.Kind, f.Load)
	return NewModel(f, f, queue, kinds, &sizing.Headroom{Spare: 1}), counts, most
}

// How many more machines would do is told of as many types as the work allows; it took 50 times as much
// where one type alone takes it.
func TestMoreEndsWithinItsWork(t *testing.T) {
	x, counts, most := shortFleet(t, 14)
	all := x.More(t.Context(), counts, most, 200, 1e9)
	whole := x.Steps()
	if len(all) != len(counts) || whole > 1e9 {
		t.Fatalf("%d types told in %.3g steps", len(all), whole)
	}
	for _, share := range []float64{0.01, 0.1, 0.3} {
		x, _, _ := shortFleet(t, 14)
		more := x.More(t.Context(), counts, most, 200, share*whole)
		if x.Steps() > (2*share+0.07)*whole || !slices.Equal(more, all[:len(more)]) || len(more) == len(all) {
			t.Errorf("with %v of the work: %d types told, %v, with %v", share, len(more), more, x.Steps()/whole)
		}
	}
}

// A search for the servers missing that ends at its limit says more than are, by no more than it says.
func TestMissingEndsWithinItsWork(t *testing.T) {
	x, counts, _ := shortFleet(t, 12)
	want := x.Missing(counts, 1e4)
	if want <= 0 || len(x.Warnings()) > 0 {
		t.Fatalf("%v are missing: %s", want, x.Warnings())
	}
	defer func(steps float64) { missingSteps = steps }(missingSteps)
	missingSteps = 0
	got := x.Missing(counts, 1e4)
	if !(got >= want) || !(got-want <= x.gap*(1+1e-9)) || len(x.Warnings()) == 0 || math.IsInf(got, 1) {
		t.Errorf("%v are missing where %v are, by up to %v too many", got, want, x.gap)
	}
}
