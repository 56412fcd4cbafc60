package mixes

import (
	"slices"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
)

// Alike reports whether the figures are those of servers of one speed, which are known better than
// those of unlike ones.
func (x *Model) Alike() bool { return x.alike }

// SameSpeed is the speed of all machines where they have one and are always there, although the
// figures of unlike servers are not known so well or not at all: where arrivals or services have an
// SCV of their own, and where some jobs give up and a response is limited. 0 of all others.
func SameSpeed(f *sizing.Fleet, queue unlike.Queue, kinds []unlike.Coming) float64 {
	varied := queue.WhenFull == unlike.Queued && (queue.ArrivalSCV != 1 || queue.ServiceSCV != 1)
	responses := slices.ContainsFunc(f.Limits, func(l sizing.Limit) bool {
		return l.Objective.Metric == queueing.ResponseShare
	})
	if f.Model == nil || len(kinds) == 0 || !varied && !(responses && queue.WhenFull == unlike.Impatient) ||
		slices.ContainsFunc(kinds, func(k unlike.Coming) bool { return k.Up != 1 || k.Speed != kinds[0].Speed }) {
		return 0
	}
	return kinds[0].Speed
}
