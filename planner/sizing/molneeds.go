package sizing

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
)

// runOffs are the parts of a limit that the run-off after a step may use up. An interval keeps a
// limit L on a share of its arrivals if, for one of these parts r, at most r·L of the arrivals meet
// a load above a, all of which then count against the limit, and the others keep (1 − r)·L at the
// load a. Of a limit on responses only what the service leaves for the wait can be used up, and L
// is that rest. The first part is for the peak of the load, whatever follows it; the others need
// servers only if the run-off is long.
var runOffs = []float64{0, unseen, 0.02, 0.035, 0.06, 0.1, 0.17, 0.3, 0.5}

// unseen is the part of a limit that nobody sees: rates are means over intervals,
// and no more is known of when one stepped down. A run-off that uses up less is
// left out, or a service of milliseconds would at times ask for a server for the
// first second of an hour.
const unseen = 0.01

// molNeeds returns what each interval asks for under the course of its modified
// offered load, and the load that was sized for. Every limit holds on average
// over the arrivals of an interval, which come at one rate, to within a
// hundredth of itself (TestStaffingAgainstChain).
func (q *SizeQuestion) molNeeds(ctx context.Context, cycle varying.Cycle, service,
	scv float64) ([]intervalNeed, []float64, error) {
	courses, err := varying.LoadCourses(cycle, service, scv)
	if err != nil {
		return nil, nil, ask.FromQueueing("load_curve", err)
	}
	any, err := q.fleetOf(LoadOf(courses[0].Peak(), service))
	if err != nil {
		return nil, nil, err
	}
	needs, loads := make([]intervalNeed, len(courses)), make([]float64, len(courses))
	for k, l := range any.Limits {
		each, at, err := q.limitNeeds(ctx, courses, l, service)
		if err != nil {
			return nil, nil, err
		}
		for i, n := range each {
			if k == 0 || n.servers > needs[i].servers {
				needs[i], loads[i] = n, at[i]
			}
		}
	}
	// While nobody arrives, servers are kept for those who are still served, until there is hardly
	// anyone: after closing time their mean number falls for ever and never reaches 0.
	for i, c := range courses {
		if cycle.Rate[i] == 0 && c.Peak() < unseen {
			needs[i] = intervalNeed{}
		}
	}
	return needs, loads, nil
}

// limitNeeds returns what one limit asks for.
func (q *SizeQuestion) limitNeeds(ctx context.Context, courses []varying.LoadCourse, l Limit,
	service float64) ([]intervalNeed, []float64, error) {
	within := func(limit float64) func(Load) (*Fleet, error) {
		return func(s Load) (*Fleet, error) {
			f, err := q.fleetOf(s)
			if err != nil {
				return nil, err
			}
			f.Limits = []Limit{l}
			f.Limits[0].Objective.Limit = limit
			return f, nil
		}
	}
	limit := l.Objective.Limit
	if l.Objective.Metric == queueing.Utilization {
		// The utilization is a mean over the interval, and so the mean load is sized for.
		var loads []float64
		for _, c := range courses {
			loads = append(loads, c.Mean())
		}
		needs, err := needsOf(ctx, loads, service, within(limit))
		return needs, loads, err
	}
	loads, lowest := make([]float64, len(courses)), make([]float64, len(courses))
	for i, c := range courses {
		ends, err := c.Above(0, 1)
		if err != nil {
			return nil, nil, ask.FromQueueing("load_curve", err)
		}
		loads[i], lowest[i] = ends[0], ends[1]
	}
	needs, err := needsOf(ctx, loads, service, within(limit))
	if err != nil {
		return nil, nil, err
	}
	least, err := needsOf(ctx, lowest, service, within(limit))
	if err != nil {
		return nil, nil, err
	}
	return needs, loads, q.spendRunOffs(ctx, courses, l.Objective, service, within, needs, least, loads)
}

// spendRunOffs takes servers from intervals whose peak is but the run-off of the one before, as many
// as the limit can do without while the run-off lasts. needs and loads are those of the peaks, and
// least is what each interval needs at its lowest load, below which no run-off takes it.
func (q *SizeQuestion) spendRunOffs(ctx context.Context, courses []varying.LoadCourse, o queueing.Objective,
	service float64, within func(limit float64) func(Load) (*Fleet, error), needs, least []intervalNeed,
	loads []float64) error {
	// Only these intervals may need fewer servers than their peak asks for.
	var open []int
	for i := range needs {
		if needs[i].servers > least[i].servers {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return nil
	}
	room, err := q.roomOf(o, loads[open[0]], needs[open[0]].servers, service)
	if err != nil {
		return err
	}
	without := make([][]float64, len(courses))
	if err := parallel.All(ctx, len(open), func(k int) (err error) {
		without[open[k]], err = afterRunOffs(courses[open[k]], o.Metric, room, service)
		return err
	}); err != nil {
		return err
	}
	for n, r := range runOffs[1:] {
		if len(open) == 0 {
			return nil
		}
		kept := o.Limit
		if r > unseen {
			kept -= r * room
		}
		may, err := mayDoWithFewer(ctx, open, needs, func(i int) (*Fleet, error) {
			return within(kept)(LoadOf(without[i][n], service))
		})
		if err != nil {
			return err
		}
		if len(may) == 0 {
			continue
		}
		left := make([]float64, len(may))
		for k, i := range may {
			left[k] = without[i][n]
		}
		fewer, err := needsOf(ctx, left, service, within(kept))
		if err != nil {
			return err
		}
		for k, i := range may {
			if fewer[k].servers < needs[i].servers {
				needs[i], loads[i] = fewer[k], left[k]
			}
		}
		open = slices.DeleteFunc(open, func(i int) bool { return needs[i].servers <= least[i].servers })
	}
	return nil
}

// mayDoWithFewer returns the intervals that keep a limit with a server fewer than they need so far, of many all:
// their needs are read off a chart, and of few it is mostly none, which one evaluation tells.
func mayDoWithFewer(ctx context.Context, open []int, needs []intervalNeed, fleet func(i int) (*Fleet, error)) (
	[]int, error) {
	if len(open) >= chartLeast[1] {
		return open, nil
	}
	may := make([]bool, len(open))
	err := parallel.All(ctx, len(open), func(k int) error {
		f, err := fleet(open[k])
		if err == nil {
			may[k] = f.keeps(needs[open[k]].servers - 1)
		}
		return err
	})
	var some []int
	for k, i := range open {
		if may[k] {
			some = append(some, i)
		}
	}
	return some, err
}

// roomOf returns what a limit leaves once nobody waits: all of it but what the
// service alone takes of a response.
func (q *SizeQuestion) roomOf(o queueing.Objective, load, servers, service float64) (float64, error) {
	f, err := q.fleetOf(LoadOf(load, service))
	if err != nil {
		return 0, err
	}
	g, err := f.Model.At(f.others + servers)
	return o.Limit - o.Infimum(g), err
}

// afterRunOffs returns the load left in an interval, for each part of a limit after the first, if the
// arrivals that meet a greater load may use up that part. Those arrivals are taken to be late, lost or
// impatient for certain. A mean wait is longer by at most the time in which a queue that grew up to the
// peak runs off,
//
//	(peak/a − 1)·E[S]
//
// with as many servers as the load a keeps busy.
func afterRunOffs(c varying.LoadCourse, metric queueing.Metric, room, service float64) ([]float64, error) {
	mean := metric == queueing.MeanWait || metric == queueing.MeanResponse
	var shares []float64
	if mean {
		for s := 1e-4; s < 1; s *= math.Sqrt2 {
			shares = append(shares, s)
		}
	} else {
		for _, r := range runOffs[1:] {
			shares = append(shares, math.Min(r*room, 1))
		}
	}
	loads, err := c.Above(shares...)
	if err != nil {
		return nil, ask.FromQueueing("load_curve", err)
	}
	if !mean {
		return loads, nil
	}
	left := make([]float64, len(runOffs)-1)
	for n, r := range runOffs[1:] {
		left[n] = c.Peak()
		for k, a := range loads {
			if a > 0 && shares[k]*(c.Peak()/a-1)*service <= r*room {
				left[n] = a
			}
		}
	}
	return left, nil
}
