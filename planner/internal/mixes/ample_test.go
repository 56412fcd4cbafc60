package mixes

import (
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// ampleFleet is a fleet of types in groups, some two of each.
func ampleFleet(t *testing.T, types int, load, wait float64, spare int64) (x *Model, counts []int64) {
	rng := rand.New(rand.NewPCG(46, 7))
	o := &sizing.Objectives{MaxMeanWait: new(units.Duration(wait))}
	f, err := sizing.NewFleet(&sizing.Traffic{}, o, "", nil, sizing.LoadOf(load, load))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []unlike.Coming
	for range types {
		kinds = append(kinds, unlike.Coming{Up: 0.9 + 0.09*rng.Float64(), Speed: 0.5 + 2*rng.Float64(), PerJob: 1,
			Outages: unlike.Outages{Groups: float64(2 + rng.IntN(4)), Up: 0.999}})
		counts = append(counts, int64(1+rng.IntN(3)))
	}
	return NewModel(f, f, (&sizing.Traffic{}).UnlikeModelOf(f.Kind, f.Load), kinds, &sizing.Headroom{Spare: spare}), counts
}

// Many times enough machines of many types are known to be enough after every loss from those of a few
// types, and what they do after the worst is found within its limit of work, which is said.
func TestLossesOfAnAmpleFleet(t *testing.T) {
	x, counts := ampleFleet(t, 64, 1, 0.01, 1)
	if !x.Meets(counts) || !(x.Steps() < 1e7) {
		t.Errorf("met after all losses: %v, within %.3g steps", x.Meets(counts), x.Steps())
	}
	x, counts = ampleFleet(t, 12, 1, 0.01, 2)
	whole, met := x.WorstLoss(counts)
	if !met || len(x.Warnings()) > 0 {
		t.Fatalf("met %v: %v", met, x.Warnings())
	}
	defer func(steps float64) { lossSteps = steps }(lossSteps)
	lossSteps = 0
	left, met := x.WorstLoss(counts)
	if !met || len(x.Warnings()) != 1 {
		t.Errorf("met %v, warnings %v", met, x.Warnings())
	}
	of := func(left []int64) float64 { return x.slack(x.floats(left), x.all) }
	if of(left) < of(whole) {
		t.Errorf("slack %v after the first loss, %v after the worst", of(left), of(whole))
	}
}

// Mixes that few types are said to be enough for meet their objectives after every loss.
func TestAmpleIsMet(t *testing.T) {
	said := 0
	for trial := range 12 {
		x, counts := ampleFleet(t, manyTypes, 0.1+0.4*float64(trial), 0.02, int64(1+trial%2))
		if !x.ample(counts) {
			continue
		}
		said++
		for left := range x.Room.Losses(counts) {
			if s := x.slack(x.floats(left), x.all); !(s > 0) {
				t.Errorf("trial %d: slack %v of %v", trial, s, left)
			}
		}
	}
	if said < 3 || said > 10 {
		t.Errorf("of 12 mixes %d are ample", said)
	}
}

// A mix whose losses took more steps than are given to them is not held to them anew, and in a draw a share of the
// steps is enough to say as much of it.
func TestLossesAreHeldOnce(t *testing.T) {
	defer func(steps float64) { lossSteps = steps }(lossSteps)
	for _, more := range []float64{0.3, 0.5, 0.7, 0.9} {
		likely, counts := ampleFleet(t, 8, more, 0.01, 2)
		drawn, _ := ampleFleet(t, 8, more, 0.01, 2)
		free, _ := ampleFleet(t, 8, more, 0.01, 2)
		lossSteps = 2e9
		met, drawnMet := likely.Meets(counts), drawn.MeetsLike(free, counts)
		if met != drawnMet || likely.heldTo > 0 {
			t.Fatalf("met %v, in a draw %v, held to %d", met, drawnMet, likely.heldTo)
		}
		whole := likely.Steps()
		likely, _ = ampleFleet(t, 8, more, 0.01, 2)
		lossSteps = whole / 4
		if likely.Meets(counts); likely.heldTo == 0 {
			continue
		}
		before := likely.Steps()
		if likely.Meets(counts) || likely.Steps() > before+1e6 {
			t.Errorf("%v: asked again it takes %.3g steps, the first time %.3g", more, likely.Steps()-before, before)
		}
		drawn, _ = ampleFleet(t, 8, more, 0.01, 2)
		if drawn.MeetsLike(likely, counts) || drawn.Steps() > 0.9*before {
			t.Errorf("%v: a draw takes %.3g steps, the most likely figures %.3g", more, drawn.Steps(), before)
		}
		return
	}
	t.Error("no mix of these has losses that take long")
}
