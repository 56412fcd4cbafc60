package mixes

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// A loss that is left out does no more harm than one that is looked at, and servers
// missing beside a mix are those of the worst loss of all.
func TestLosses(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 22))
	left := 0
	for trial := range 120 {
		load := 1 + 30*rng.Float64()
		var traffic sizing.Traffic
		o := &sizing.Objectives{}
		switch trial % 3 {
		case 0:
			o.MaxBlocking = new(units.Fraction(0.3 * rng.Float64()))
		case 1:
			o.MaxWait, o.Percentile = new(units.Duration(load*rng.Float64())), new(units.Percentile(0.5+0.49*rng.Float64()))
		case 2:
			traffic.Patience = new(units.Duration(load*2*rng.Float64() + 0.01))
			o.MaxAbandon = new(units.Fraction(0.2 * rng.Float64()))
		}
		var kinds []unlike.Coming
		var counts []int64
		for range 2 + rng.IntN(3) {
			k := unlike.Coming{Up: 1, Speed: math.Exp(1.5*rng.Float64() - 0.7), PerJob: float64(1 + rng.IntN(2))}
			if trial%2 == 0 && rng.IntN(2) == 0 {
				k.Up = 0.6 + 0.3*rng.Float64()
			}
			kinds = append(kinds, k)
			counts = append(counts, int64(1.6*load*rng.Float64()))
		}
		f, err := sizing.NewFleet(&traffic, o, "", nil, sizing.LoadOf(load, load))
		if err != nil {
			t.Fatal(err)
		}
		room := &sizing.Headroom{Spare: int64(1 + rng.IntN(2)), Zones: 3, Survive: int64(rng.IntN(2))}
		if room.Survive == 0 {
			room.Zones = 0
		}
		x := NewModel(f, f, traffic.UnlikeModelOf(f.Kind, f.Load), kinds, room)
		least, missing, all, seen := math.Inf(1), 0.0, 0, 0
		for after := range room.Losses(counts) {
			least = math.Min(least, x.slack(x.floats(after), x.rising))
			missing = math.Max(missing, x.missingNow(slices.Clone(after), 3*load, 0, math.Inf(1)))
			all++
		}
		worst := math.Inf(1)
		for after := range x.losses(counts) {
			worst = math.Min(worst, x.slack(x.floats(after), x.rising))
			seen++
		}
		if left += all - seen; worst > least+1e-6*math.Abs(least) {
			t.Errorf("trial %d: slack %v after the losses looked at, %v after all: %v of %+v", trial, worst, least, counts, kinds)
		}
		if got := x.Missing(counts, 3*load); math.Abs(got-missing) > 1e-3*load {
			t.Errorf("trial %d: %v missing, want %v: %v of %+v", trial, got, missing, counts, kinds)
		}
		if missing > 0 && !math.IsInf(x.missing(counts, 3*load, 0.9*missing), 1) && missing < 3*load {
			t.Errorf("trial %d: 0.9 of the missing are enough", trial)
		}
	}
	if left < 100 {
		t.Errorf("%d losses were left out, want most", left)
	}
}
