package mixes

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// Where a machine that a cheapest mix has none of does less, the mix found anew is not
// cheaper and the old one still meets the objectives; what one model takes over from
// another of one type alone is what it finds itself.
func TestLike(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 7))
	ctx := context.Background()
	kept := 0
	for trial := range 40 {
		o := &sizing.Objectives{MaxBlocking: new(units.Fraction(0.03))}
		if trial%2 == 0 {
			o = &sizing.Objectives{MaxWait: new(units.Duration(0.2)), Percentile: new(units.Percentile(0.9))}
		}
		f, err := sizing.NewFleet(&sizing.Traffic{}, o, "", nil, sizing.LoadOf(20, 1))
		if err != nil {
			t.Fatal(err)
		}
		need, _, err := f.Need(ctx)
		if err != nil {
			t.Fatal(err)
		}
		model := func(kinds []unlike.Coming) *Model {
			return NewModel(f, f, (&sizing.Traffic{}).UnlikeModelOf(f.Kind, f.Load), kinds, nil)
		}
		kinds, items := make([]unlike.Coming, 3), make([]cover.Item, 3)
		for i := range kinds {
			k := unlike.Coming{Up: 1 - 0.1*rng.Float64()*float64(i%2), Speed: 0.5 + rng.Float64(), PerJob: 1}
			kinds[i], items[i] = k, cover.Item{Worth: k.Speed * k.Up, Most: cover.MostCount, Price: k.Speed * (0.5 + rng.Float64())}
		}
		x := model(kinds)
		s, err := x.Cheapest(ctx, items, nil, need, 0)
		if err != nil {
			t.Fatal(err)
		}
		moved, worse, after := rng.IntN(3), append([]unlike.Coming(nil), kinds...), append([]cover.Item(nil), items...)
		switch worse[moved].Speed *= 0.9; rng.IntN(4) {
		case 0:
			worse[moved].Up *= 0.9
		case 1:
			after[moved].Price *= 1.1
		case 2: // in some ways better
			worse[moved].Up = 1
			if kinds[moved].Up == 1 {
				after[moved].Price *= 0.9
			}
		}
		better := worse[moved].Up > kinds[moved].Up || after[moved].Price < items[moved].Price
		y, alone := model(worse).Like(x), model(worse)
		keeps := y.KeepsCheapest(after, x, items, s.Counts)
		if want := s.Counts[moved] == 0 && !better; keeps != want {
			t.Fatalf("%d of type %d, which is better %v: kept %v", s.Counts[moved], moved, better, keeps)
		}
		y.Prepare(after, need)
		alone.Prepare(after, need)
		for i := range items {
			numtest.Close(t, "short", y.short[i], alone.short[i], 1e-6)
			numtest.Close(t, "enough", y.enough[i], alone.enough[i], 1e-6)
		}
		if !keeps {
			continue
		}
		kept++
		again, err := alone.Cheapest(ctx, after, nil, need, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !alone.Meets(s.Counts) || again.Cost < s.Cost*(1-1e-9) {
			t.Errorf("%v costs %v, and with worse machines %v costs %v", s.Counts, s.Cost, again.Counts, again.Cost)
		}
	}
	if kept < 5 {
		t.Errorf("%d mixes were kept", kept)
	}
	// Of responses a faster machine may do harm, and another load asks for other machines.
	f, err := sizing.NewFleet(&sizing.Traffic{}, &sizing.Objectives{MaxMeanResponse: new(units.Duration(3))}, "", nil, sizing.LoadOf(20, 1))
	if err != nil {
		t.Fatal(err)
	}
	kinds := []unlike.Coming{{Up: 1, Speed: 1, PerJob: 1}}
	item := []cover.Item{{Worth: 1, Price: 1, Most: 100}}
	x := NewModel(f, f, (&sizing.Traffic{}).UnlikeModelOf(f.Kind, f.Load), kinds, nil)
	other := NewModel(f, f, (&sizing.Traffic{}).UnlikeModelOf(f.Kind, sizing.LoadOf(21, 1)), kinds, nil)
	if x.KeepsCheapest(item, x, item, []int64{0}) || other.Like(x) != other || other.KeepsCheapest(item, x, item, []int64{0}) {
		t.Error("a mix was kept that need not be the cheapest")
	}
}

// A model without a guard, of other headroom and with a type without its groups, takes over
// what is enough alone of the types that stay, and finds that of the other; it stays its own.
func TestKnowing(t *testing.T) {
	traffic, o := &sizing.Traffic{Patience: new(units.Duration(1))}, &sizing.Objectives{MaxAbandon: new(units.Fraction(0.03))}
	f, err := sizing.NewFleet(traffic, o, "", nil, sizing.LoadOf(20, 1))
	if err != nil {
		t.Fatal(err)
	}
	need, _, err := f.Need(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	shared := unlike.Outages{Groups: 2, Up: 0.99}
	kinds := []unlike.Coming{
		{Up: 0.9, Speed: 1, PerJob: 1, Outages: shared}, {Up: 0.95, Speed: 1.5, PerJob: 1, Outages: shared},
		{Up: 0.97, Speed: 1.2, PerJob: 1}, {Up: 1, Speed: 2, PerJob: 1},
	}
	items := make([]cover.Item, len(kinds))
	for i, k := range kinds {
		items[i] = cover.Item{Worth: k.Speed * k.Up, Price: k.Speed, Most: cover.MostCount}
	}
	of := func(room *sizing.Headroom) *Model {
		return NewModel(f, f, traffic.UnlikeModelOf(f.Kind, f.Load), kinds, room)
	}
	whole := of(&sizing.Headroom{Spare: 1})
	whole.Prepare(items, need)
	lift := func(x *Model) *Model {
		x.Room, x.Kinds[0].Outages = nil, unlike.Outages{}
		return x
	}
	x, alone := of(&sizing.Headroom{Spare: 1}).Knowing(whole), lift(of(nil))
	if lift(x) == whole || whole.Room == nil || whole.Kinds[0].Outages != shared {
		t.Fatal("the model with the guard was changed")
	}
	for i := range items {
		if taken := x.takes(i); taken != (i > 0) {
			t.Errorf("type %d is taken over: %v", i, taken)
		}
	}
	x.Prepare(items, need)
	alone.Prepare(items, need)
	for i := range items {
		numtest.Close(t, "short", x.short[i], alone.short[i], 1e-6)
		numtest.Close(t, "enough", x.enough[i], alone.enough[i], 1e-6)
	}
	other := NewModel(f, f, traffic.UnlikeModelOf(f.Kind, sizing.LoadOf(21, 1)), kinds, nil)
	if other.Knowing(whole).takes(1) {
		t.Error("what is enough was taken over from another load")
	}
}

// A model that was asked of few types finds of the others what is enough alone when they
// are asked of.
func TestPreparedForFewer(t *testing.T) {
	o := &sizing.Objectives{MaxWait: new(units.Duration(0.2)), Percentile: new(units.Percentile(0.9))}
	f, err := sizing.NewFleet(&sizing.Traffic{}, o, "", nil, sizing.LoadOf(20, 1))
	if err != nil {
		t.Fatal(err)
	}
	kinds := []unlike.Coming{{Up: 0.9, Speed: 1, PerJob: 1}, {Up: 0.95, Speed: 1.5, PerJob: 1}}
	items := []cover.Item{{Worth: 0.9, Price: 1, Most: 0}, {Worth: 1.4, Price: 2, Most: 100}}
	x := NewModel(f, f, (&sizing.Traffic{}).UnlikeModelOf(f.Kind, f.Load), kinds, nil)
	if x.Prepare(items, 20); x.short[0] != 0 || x.short[1] == 0 {
		t.Errorf("not enough of one type alone: %v", x.short)
	}
	items[0].Most = 100
	if x.Prepare(items, 20); x.short[0] == 0 || x.enough[0] == 0 {
		t.Errorf("nothing known of the type that can be had: %v", x.short)
	}
}
