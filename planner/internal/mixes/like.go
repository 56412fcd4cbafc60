package mixes

import (
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/queueing/unlike"
)

// Like returns a model that need not find anew what another knows, both of the same
// headroom: the other where both hold the same machines to the same objectives, else this
// one, which takes over how many machines of each type that is the same are enough alone.
// The figures are those that it would find itself.
func (x *Model) Like(y *Model) *Model {
	if y == nil || x.alike != y.alike || x.Fleet.Kind != y.Fleet.Kind || !alike(&x.queue, &y.queue) ||
		!slices.Equal(x.all, y.all) || !slices.Equal(x.rising, y.rising) {
		return x
	}
	if slices.Equal(x.Kinds, y.Kinds) {
		return y
	}
	x.like = y
	return x
}

// Knowing has this model take over how many machines of each type that is the same are
// enough alone, as [Model.Like] does, from one that may have another headroom, and returns
// it: the same model, whose headroom and types may be changed afterwards.
func (x *Model) Knowing(y *Model) *Model {
	if y != nil && x.alike == y.alike && x.Fleet.Kind == y.Fleet.Kind && alike(&x.queue, &y.queue) &&
		slices.Equal(x.rising, y.rising) {
		x.like = y
	}
	return x
}

// alike reports whether two queues are the same but for servers that stand beside.
func alike(x, y *unlike.Queue) bool {
	return x.ArrivalRate == y.ArrivalRate && x.ServiceTime == y.ServiceTime && x.WhenFull == y.WhenFull &&
		x.Patience == y.Patience && x.ArrivalSCV == y.ArrivalSCV && x.ServiceSCV == y.ServiceSCV &&
		len(x.Beside)+len(y.Beside) == 0
}

// taken takes over what the model that this one is like knows of one type alone.
func (x *Model) taken(i int) bool {
	if !x.takes(i) {
		return false
	}
	x.short[i], x.enough[i] = x.like.short[i], x.like.enough[i]
	return true
}

// takes reports whether the model that this one is like knows of one type alone.
func (x *Model) takes(i int) bool {
	y := x.like
	return y != nil && i < len(y.short) && y.short[i] > 0 && x.Kinds[i] == y.Kinds[i]
}

// KeepsCheapest reports whether a cheapest mix of the items of a model is one here too,
// because only machines differ that it has none of, and those do less or cost
// more here: every mix that meets the objectives here did there, for no less. It says no
// where that is not proven, such as of responses, which a faster machine may harm.
func (x *Model) KeepsCheapest(items []cover.Item, y *Model, of []cover.Item, counts []int64) bool {
	if x != y && (y == nil || x.like != y) || !x.Plain || len(counts) != len(items) {
		return false
	}
	for i, n := range counts {
		a, b, here, there := &x.Kinds[i], &y.Kinds[i], &items[i], &of[i]
		if *a == *b && here.Price == there.Price && here.Least == there.Least && here.Most == there.Most {
			continue
		}
		if n > 0 || here.Price < there.Price || here.Least != there.Least || here.Most > there.Most ||
			a.Speed > b.Speed || a.PerJob < b.PerJob || a.Outages.Groups != b.Outages.Groups ||
			a.Outages.Up > b.Outages.Up || within(*a) > within(*b) || a.Up > b.Up {
			return false
		}
	}
	return true
}
