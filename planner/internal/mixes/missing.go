package mixes

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// missingSlack is how near to its limit an objective is taken to be met exactly
// where servers are missing, a share: it moves the mean over draws by less than a
// hundredth of its standard error.
const missingSlack = 1e-5

// missingSteps are those after which the search for the servers missing ends with more than are. Tests
// lower it.
var missingSteps = 2e9

// Missing returns the servers of speed 1 that have to stand beside a mix for all
// objectives to be met, also by what is left after the losses that it has to
// survive; 0 where they are, at most the need.
func (x *Model) Missing(counts []int64, need float64) float64 {
	return x.missing(counts, need, math.Inf(1))
}

// missing is Missing where it is no more than enough, else +Inf.
func (x *Model) missing(counts []int64, need, enough float64) float64 {
	x.begun = x.work.Steps
	if x.Room == nil {
		return x.missingNow(counts, need, 0, enough)
	}
	// What most worth is lost of mostly lacks most: of the others it is asked whether
	// that many more are enough.
	most := x.missingNow(x.leastLeft(counts), need, 0, enough)
	if !x.Plain && most < need {
		most = x.missingNow(counts, need, most, enough)
	}
	had := x.Room.ZonesLeft(counts)
	looked := 0
	for left := range x.losses(counts) {
		if most >= need {
			break
		}
		if x.beyond(x.begun+missingSteps, looked) {
			x.heldTo = looked
			break
		}
		looked++
		if _, met, _, _ := x.slackAfter(had, left, most); !met {
			most = x.missingNow(left, need, most, enough)
		}
	}
	return most
}

// missingNow is missing for machines as they stand, without a loss; the answer is at least least.
func (x *Model) missingNow(counts []int64, need, least, enough float64) float64 {
	n := x.floats(counts)
	if places, one := x.alikePlaces(n); one > 0 {
		if lacks := math.Max((one-places)*x.Kinds[len(x.Kinds)-1].PerJob, least); lacks <= enough {
			return math.Min(lacks, need)
		}
		return math.Inf(1)
	}
	at := func(servers float64) float64 {
		n[len(n)-1] = servers
		return x.slack(n, x.all)
	}
	low, from := least, at(least)
	if from >= 0 || least > 0 && from > -missingSlack {
		return least
	}
	high, to := enough, 0.0
	if high < need {
		if high <= low {
			return math.Inf(1)
		}
		if to = at(high); to < 0 {
			return math.Inf(1)
		}
	} else {
		// The plane says about how many are missing.
		high = need
		for i, c := range counts {
			if x.short != nil && x.short[i] > 0 {
				high -= need * float64(c) / x.short[i]
			}
		}
		high = math.Min(math.Max(1.002*high, low)+1e-3*need, need)
		for to = at(high); to < 0 && high < need; to = at(high) {
			low, from = high, to
			high = math.Min(2*high, need)
		}
	}
	if to <= 0 { // slow machines take jobs that servers of speed 1 are asked for
		return need
	}
	last := 0 // the end that moved
	for range 60 {
		if high-low <= 1e-6*need || math.Min(to, -from) < missingSlack {
			break
		}
		if x.work.Steps > x.begun+missingSteps {
			x.gap = math.Max(x.gap, high-low)
			return high
		}
		middle := low + (high-low)/2
		if !math.IsInf(from, -1) && !math.IsInf(to, 1) {
			middle = low + (high-low)*math.Min(math.Max(-from/(to-from), 1e-3), 1-1e-3)
		}
		switch s := at(middle); {
		case s == 0:
			return middle
		case s > 0:
			if high, to = middle, s; last > 0 { // the Illinois rule
				from /= 2
			}
			last = 1
		default:
			if low, from = middle, s; last < 0 {
				to /= 2
			}
			last = -1
		}
	}
	if -from < to {
		return low
	}
	return high
}

// More returns, by type, how many more machines of that type alone a mix that misses the objectives
// needs, up to the most; NaN if those are not enough. lacks are the servers of speed 1 that it needs
// otherwise. It ends with the context, or after a number of steps of work (the first type may take
// twice as many) with the types done so far. It assumes that more machines never harm.
func (x *Model) More(ctx context.Context, counts, most []int64, lacks, steps float64) (more []float64) {
	steps = math.Min(steps, math.Max(planSteps-x.work.Steps, steps/4)) // of what its figures left
	x.stop = x.work.Steps + 2*steps
	defer func() { x.stop = 0 }()
	// The plane says about how many, or the speed of the machines, and how far it is off the type before.
	gap := math.Max(1-x.above(x.floats(counts)), 0)
	with := slices.Clone(counts)
	for i := range counts {
		if i == 1 {
			x.stop -= steps
		}
		k, plane := x.Kinds[i], x.Plain && i < len(x.short)
		rate := k.Up * k.Speed / k.PerJob
		guess := lacks / math.Max(rate, 1e-300)
		if plane {
			guess = gap * x.short[i]
		}
		n, ok := numeric.LeastInteger(func(n float64) bool {
			with[i] = counts[i] + int64(n)
			return ctx.Err() != nil || x.stopped() || x.Meets(with)
		}, 1, guess, float64(most[i]))
		with[i] = counts[i]
		if ctx.Err() != nil || x.stopped() {
			break
		}
		switch {
		case most[i] < 1 || !ok:
			n = math.NaN()
		case plane && x.short[i] > 0:
			gap = n / x.short[i]
		case !plane:
			lacks = n * rate
		}
		more = append(more, n)
	}
	return more
}
