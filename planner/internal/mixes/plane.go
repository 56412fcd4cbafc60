package mixes

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
)

// secantShare is how far below the secant plane of the objectives a mix may
// meet them where no plane is proven; see [Model.measured].
const (
	secantShare   = 0.95
	averagedShare = 0.985 // for loss averaged over the machines up
)

// mostTable is the need up to which one table of the figure stands for all
// mixes: beyond it would be wide, and a few machines more or less cost nothing.
const mostTable = 20_000

// enoughOfOne reports whether one type alone is enough, or all where they are alike.
func (x *Model) enoughOfOne(counts []float64) bool {
	for i, enough := range x.enough {
		if enough > 0 && counts[i] >= enough {
			return true
		}
	}
	places, one := x.alikePlaces(counts)
	return one > 0 && places >= one*(1+1e-9)
}

// alikePlaces returns the places of machines that are alike, and how many of them are just
// enough; 0 where they are not alike, or that is not known.
func (x *Model) alikePlaces(counts []float64) (places, enough float64) {
	if !x.alike {
		return 0, 0
	}
	for i, k := range x.Kinds {
		if places += counts[i] / k.PerJob; i < len(x.enough) {
			enough = math.Max(enough, x.enough[i]/k.PerJob)
		}
	}
	return places, enough
}

// wellAbove is the height above the secant plane from which mixes are taken to
// meet the objectives where that only saves looking into a box.
const wellAbove = 1.05

// above is the height of counts over the secant plane; 0 where there is none.
func (x *Model) above(counts []float64) (height float64) {
	for i, s := range x.short {
		if s > 0 {
			height += counts[i] / s
		}
	}
	return height
}

// reaches reports whether a number of machines of each type may meet the objectives that more
// machines never harm. false is certain, true is not.
func (x *Model) reaches(most []int64) bool {
	n := x.floats(most)
	return x.above(n) > wellAbove || x.enoughOfOne(n) ||
		x.steps.ask(most, func() bool { return x.slack(n, x.rising) >= -1e-9 })
}

// Prepare finds how many machines of each type are just enough alone, and just
// not enough. With xⱼ of the latter every mix that meets the objectives has
// about
//
//	Σ nⱼ/xⱼ ≥ 1
//
// It is proven for loss of machines that are always there, because −ln B is
// convex in the counts: below the plane through the points xⱼ lie only mixtures
// of 0 and those. For N machines up p of the time, r of which hold a job, it is
// proven with another xⱼ: by Jensen's inequality and, for r ≥ 1, the concavity
// of the r-th root
//
//	1/E[B] ≤ E[1/B] ≤ ∫ e^(−t) (1 + p·t/a)^(N/r) … dt
//
// so that no mix loses less than with N/r servers of p times the speed that are
// always there; where m = 1/r > 1 jobs share a machine p^(1/m) stands for p,
// by Minkowski's inequality. It is proven for any objective where all machines
// have one speed and are always there. Outages that machines share leave fewer of them, so
// that a plane without those outages lies below one with them.
func (x *Model) Prepare(items []cover.Item, need float64) {
	f := x.Fleet
	load := f.Load.Offered()
	if x.rising == nil || !(load > 0) || !(need > 0) || x.preparedFor(items) {
		return
	}
	x.enough, x.short = make([]float64, len(items)), make([]float64, len(items))
	x.Tabulate(need)
	alike, speed := true, 0.0
	for i, k := range x.Kinds[:len(items)] {
		if items[i].Most == 0 {
			continue
		}
		alike = alike && k.Up == 1 && (speed == 0 || k.Speed == speed)
		speed = k.Speed
		if same := x.asBefore(items, i); same >= 0 {
			x.short[i], x.enough[i] = x.short[same], x.enough[same]
		} else if !x.taken(i) {
			x.alone(i, need/items[i].Worth)
		}
	}
	if f.Kind != sizing.Loss {
		if alike && x.Plain {
			x.proven = x.short
		}
		return
	}
	coming := false
	for i, k := range x.Kinds[:len(items)] {
		coming = coming || k.Up < 1 && items[i].Most > 0
	}
	if x.proven = x.short; !coming || len(x.rising) != 1 {
		return
	}
	x.proven = make([]float64, len(items))
	for i, k := range x.Kinds[:len(items)] {
		x.proven[i] = x.short[i]
		if k.Up == 1 || items[i].Most == 0 {
			continue
		}
		slow := queueing.Loss{
			ArrivalRate: load,
			ServiceTime: 1 / (k.Speed * math.Pow(within(k), math.Min(k.PerJob, 1))),
		}
		r, err := queueing.LeastServers(slow, x.rising[0])
		if err != nil {
			x.proven = nil
			return
		}
		x.proven[i] = math.Min(r.Real*k.PerJob*(1-1e-9), x.short[i])
	}
}

// asBefore returns the index of an earlier type that is the same machine and for which it is known
// how many are enough alone; -1 if there is none.
func (x *Model) asBefore(items []cover.Item, i int) int {
	for j, k := range x.Kinds[:i] {
		if k == x.Kinds[i] && items[j].Most > 0 && items[j].Worth == items[i].Worth {
			return j
		}
	}
	return -1
}

// Tabulate makes the table of losses, if only those are limited. It is all that a mix which
// is given asks for: how many machines of each type are enough alone is for a search.
func (x *Model) Tabulate(need float64) {
	load := x.Fleet.Load.Offered()
	if x.loss != nil || x.Fleet.Kind != sizing.Loss || x.rising == nil || !(load > 0) || !(need < mostTable) {
		return
	}
	if m, err := unlike.NewLossMix(load, x.Kinds, math.Max(x.rising[0].Limit/100, 1e-200)); err == nil {
		x.loss, m.Work = m, &x.work
	}
}

// preparedFor reports whether it is known how many machines are enough alone of each type
// that can be had.
func (x *Model) preparedFor(items []cover.Item) bool {
	for i, it := range items {
		if x.short == nil || it.Most > 0 && x.short[i] == 0 {
			return false
		}
	}
	return x.short != nil
}

// alone finds a number of machines of one type that is enough by itself, and
// one that is not: 1e-9 below it, of machines that come and go less than one. Of
// machines that share outages it is not enough without these.
func (x *Model) alone(i int, guess float64) {
	k := x.Kinds[i]
	shared := k.Outages.Groups > 0 && k.Up < 1
	if k.Up = within(k); k.Up == 1 { // closed forms
		queue, most := x.queue, 0.0
		queue.AddedSpeed = k.Speed
		model := queueing.Model(queue)
		if x.alike {
			model = x.places
		}
		for _, o := range x.rising {
			// Of servers that are alike the need is that of the fleet, which is known.
			r, err := queueing.RealNear(model, o, 0, math.Ceil(guess/k.PerJob))
			if err != nil {
				x.short[i] = 0.02
				return
			}
			most = math.Max(most, r.Real)
		}
		x.short[i] = math.Max(most*k.PerJob*(1-1e-9), 1e-9)
		if x.enough[i] = most * k.PerJob * (1 + 1e-9); shared {
			x.enough[i] = 0
		}
		return
	}
	counts := make([]float64, len(x.Kinds))
	slack := func(n float64) float64 {
		counts[i] = n
		if shared {
			return x.slackOf(k, n)
		}
		return x.slack(counts, x.rising)
	}
	low, high, under, over := 0.0, math.Max(math.Ceil(guess), 1), math.Inf(-1), 0.0
	for over = slack(high); over < 0; over = slack(high) {
		if low, under, high = high, over, math.Ceil(1.1*high)+1; high > 1e13 {
			x.short[i] = low
			return
		}
	}
	// Slack is about straight in the count, so that most steps of regula falsi
	// land beside the root; every third halves.
	for k := 0; high-low > 1 && high-low > 1e-6*high; k++ {
		middle := math.Floor((low + high) / 2)
		if math.IsInf(under, -1) {
			middle = math.Max(middle, math.Floor(0.9*high))
		} else if width := over - under; k%3 < 2 && width > 0 && !math.IsInf(width, 1) {
			middle = math.Floor(low - under/width*(high-low))
			if k%3 == 1 { // from the other side
				middle++
			}
		}
		middle = math.Min(math.Max(middle, low+1), high-1)
		if s := slack(middle); s >= 0 {
			high, over = middle, s
		} else {
			low, under = middle, s
		}
	}
	if x.short[i] = math.Max(low, 0.02); !shared { // with the outages no number may be enough
		x.enough[i] = high
	}
}

// plane states the choice as one whose worths are those of a plane.
func (x *Model) plane(items []cover.Item, need float64, points []float64, share float64) ([]cover.Item, float64) {
	out := append([]cover.Item(nil), items...)
	load := x.Fleet.Load.Offered()
	if points == nil {
		// The rate of all machines exceeds the load where jobs wait.
		if x.Fleet.Kind == sizing.Wait && load > 0 {
			return out, x.roomFor(load, items)
		}
		if served := load * (1 - x.mostLeave()); served > 0 {
			return out, x.roomFor(served*(1-1e-9), items)
		}
		return x.usedMost(out), x.roomFor(x.usedWorth(items), items)
	}
	for i := range out {
		if out[i].Most > 0 {
			out[i].Worth = math.Min(need/points[i], 1e15)
		}
		if x.Plain && x.crossing == nil && x.enough[i] > 0 && x.covering(x.enough[i]) < out[i].Most {
			out[i].Most = max(out[i].Least, x.covering(x.enough[i])) // more is of no use
		}
	}
	return out, x.roomFor(need*share, out)
}

// mostLeave is the least limit on the share of jobs that give up, 1 where there is none: all
// others are served, by machines whose rate is no less, on average over the numbers up.
func (x *Model) mostLeave() float64 {
	limit := 1.0
	for _, o := range x.all {
		if o.Metric == queueing.Abandonment {
			limit = math.Min(limit, o.Limit)
		}
	}
	return limit
}

// measured returns the share of the plane from which on random fleets met the
// objectives, less a margin: loss averaged over the machines up did from 0.996
// on and the others from 0.97 (TestMixSecant).
func (x *Model) measured() float64 {
	if x.Fleet.Kind == sizing.Loss {
		return averagedShare
	}
	return secantShare
}

// leastBeside returns how many machines of type i there have to be beside the others of a
// mix for it to come up to the plane below which none is looked for; see [Model.measured].
func (x *Model) leastBeside(counts []int64, i int) int64 {
	if i >= len(x.short) || !(x.short[i] > 0) {
		return 0
	}
	others := 0.0 // their height above the plane; of most types there are none
	for j, s := range x.short {
		if s > 0 && j != i && counts[j] != 0 {
			others += float64(counts[j]) / s
		}
	}
	return int64(math.Min(math.Max(math.Ceil((x.measured()-others)*x.short[i]*(1-1e-9)), 0), 1e15))
}
