package sizing

import (
	"cmp"
	"context"
	"math"

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

// courseNeeds returns what intervals ask for under the courses of their modified offered load, and the
// loads that were sized for; rates are those of the arrivals. Every limit holds on average over the
// arrivals of an interval, which come at one rate, to within a hundredth of itself
// (TestStaffingAgainstChain). Beside them it returns what steady loads ask for: sized together, all
// of them lie between loads that are solved.
func (q *SizeQuestion) courseNeeds(ctx context.Context, courses []varying.LoadCourse, rates, steady []float64,
	service float64) (needs []intervalNeed, loads []float64, steadies []intervalNeed, err error) {
	any, err := q.fleetOf(LoadOf(courses[0].Peak(), service))
	if err != nil {
		return nil, nil, nil, err
	}
	needs, loads = make([]intervalNeed, len(courses)), make([]float64, len(courses))
	steadies = make([]intervalNeed, len(steady))
	var tied []int // of the steady, for which two limits ask for as many servers
	for k, l := range any.Limits {
		each, at, also, err := q.limitNeeds(ctx, courses, steady, l, service)
		if err != nil {
			return nil, nil, nil, err
		}
		for i, n := range each {
			if k == 0 || n.servers > needs[i].servers {
				needs[i], loads[i] = n, at[i]
			}
		}
		for i, n := range also {
			switch {
			case k == 0 || n.servers > steadies[i].servers:
				steadies[i] = n
			case n.servers > 0 && n.servers == steadies[i].servers && !any.wholeOnly(l):
				tied = append(tied, i)
			}
		}
	}
	if len(tied) > 0 {
		some := make([]float64, len(tied))
		for k, i := range tied {
			some[k] = steady[i]
		}
		solved, err := needsOf(ctx, some, service, q.fleetOf)
		if err != nil {
			return nil, nil, nil, err
		}
		for k, i := range tied {
			steadies[i] = solved[k]
		}
	}
	// While nobody arrives, servers are kept for those who are still served, until there is hardly
	// anyone: after closing time their mean number falls for ever and never reaches 0.
	for i, c := range courses {
		if rates[i] == 0 && c.Peak() < unseen {
			needs[i] = intervalNeed{}
		}
	}
	return needs, loads, steadies, nil
}

// limitNeeds returns what one limit asks for, as courseNeeds does.
func (q *SizeQuestion) limitNeeds(ctx context.Context, courses []varying.LoadCourse, steady []float64, l Limit,
	service float64) (needs []intervalNeed, loads []float64, steadies []intervalNeed, err error) {
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
		n := len(courses)
		loads = make([]float64, n, n+len(steady))
		for i, c := range courses {
			loads[i] = c.Mean()
		}
		if needs, err = needsOf(ctx, append(loads, steady...), service, within(limit)); err != nil {
			return nil, nil, nil, err
		}
		return needs[:n], loads, needs[n:], nil
	}
	n := len(courses)
	loads = make([]float64, 2*n, 2*n+len(steady)) // the peaks, and then the least
	for i, c := range courses {
		loads[i], loads[n+i] = c.Peak(), c.Least()
	}
	if needs, err = needsOf(ctx, append(loads, steady...), service, within(limit)); err != nil {
		return nil, nil, nil, err
	}
	needs, least, steadies := needs[:n], needs[n:2*n], needs[2*n:]
	loads = loads[:n]
	return needs, loads, steadies, q.spendRunOffs(ctx, courses, l.Objective, service, within, needs, least, loads)
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
	kept := func(n int) float64 { // of the limit, once the n-th part after the first is used up
		if r := runOffs[1+n]; r > unseen {
			return o.Limit - r*room
		}
		return o.Limit
	}
	may, err := mayDoWithFewer(ctx, open, len(runOffs)-1, func(i, first, last int) (bool, error) {
		f, err := within(kept(first))(LoadOf(without[i][last], service))
		return err == nil && f.keeps(needs[i].servers-1), err
	})
	if err != nil {
		return err
	}
	for n := range runOffs[1:] {
		var left []float64
		var some []int
		for k, i := range open {
			if needs[i].servers > least[i].servers && may[k]&(1<<n) != 0 {
				some, left = append(some, i), append(left, without[i][n])
			}
		}
		if len(some) == 0 {
			continue
		}
		fewer, err := needsOf(ctx, left, service, within(kept(n)))
		if err != nil {
			return err
		}
		for k, i := range some {
			if fewer[k].servers < needs[i].servers {
				needs[i], loads[i] = fewer[k], left[k]
			}
		}
	}
	return nil
}

// mayDoWithFewer returns for which parts of a limit, a bit for each, an interval may do with a server fewer than
// its peak needs; of many intervals it is all parts, for their needs are read off a chart. keeps reports whether
// a server fewer keeps what the first of some parts leaves of the limit under what the last of them leaves of the
// load: if it does not, none of them helps, and mostly one look at all of them tells so.
func mayDoWithFewer(ctx context.Context, open []int, parts int, keeps func(i, first, last int) (bool, error)) (
	[]uint, error) {
	may := make([]uint, len(open))
	err := parallel.All(ctx, len(open), func(k int) error {
		if len(open) >= chartLeast[1] {
			may[k] = math.MaxUint
			return nil
		}
		var look func(first, last int) error
		look = func(first, last int) error {
			ok, err := keeps(open[k], first, last)
			switch {
			case err != nil || !ok:
				return err
			case first == last:
				may[k] |= 1 << first
				return nil
			}
			mid := (first + last) / 2
			return cmp.Or(look(first, mid), look(mid+1, last))
		}
		return look(0, parts-1)
	})
	return may, err
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
