package sizing

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/units"
)

// seam says what it costs that a curve of no whole number of days repeats; "" where
// it costs nothing. By lagged SIPP and MOL who is served at its end is there at its
// beginning too, as at the midnight of a day. Of a curve from 8 to 18 o'clock that
// is the evening's load in the next morning, and only the reader knows whether the
// night between is closed or was just not recorded.
func (q *SizeQuestion) seam(ctx context.Context, cycle varying.Cycle, service, scv float64, s *Staffing) (
	string, error) {
	const day = 86400
	first, length := cycle.Start[0], cycle.End-cycle.Start[0]
	whole := math.Ceil(length/day-1e-9) * day
	if s.Method == SIPP || !s.Approximate || whole-length < 1 {
		return "", nil
	}
	closed := varying.Cycle{End: first + whole}
	closed.Start = append(append(closed.Start, cycle.Start...), cycle.End)
	closed.Rate = append(append(closed.Rate, cycle.Rate...), 0)
	apart, needs, err := q.needsApart(ctx, cycle, closed, service, scv, s.Method.queueing())
	if err != nil {
		return "", err
	}
	differ, most, at := 0, int64(0), 0
	for k, i := range apart {
		v := s.Intervals[i]
		more := v.Servers - int64(q.Headroom.Covers(needs[k].servers))
		if more > 0 {
			differ++
		}
		if more > most {
			most, at = more, i
		}
	}
	if differ == 0 {
		return "", nil
	}
	v := s.Intervals[at]
	intervals := "an interval"
	if differ > 1 {
		intervals = fmt.Sprintf("%d intervals", differ)
	}
	return fmt.Sprintf("the curve lasts %s and repeats, so that work left over at its end is still there at its "+
		"beginning: %s would need fewer servers if nothing arrived in the %s until the next day, the interval from "+
		"%s needs %d instead of %d; rows of rate 0 that fill the day say that it is closed then",
		units.FormatDuration(length, 3), intervals, units.FormatDuration(whole-length, 3),
		ask.Clock(math.Mod(math.Mod(v.Start, day)+day, day)), v.Servers-most, v.Servers), nil
}

// forgotten is the share of a load by which two that differ in what came long before are the same.
const forgotten = 1e-9

// needsApart returns the intervals of a cycle whose loads are others in a second cycle, which begins alike, and what
// they need there: a few service times from the beginning on the loads are the same.
func (q *SizeQuestion) needsApart(ctx context.Context, cycle, second varying.Cycle, service, scv float64,
	method varying.Method) (apart []int, needs []intervalNeed, err error) {
	differ := func(a, b float64) bool { return math.Abs(a-b) > forgotten*a }
	if method != varying.MOL {
		var loads [2][]float64
		for n, c := range []varying.Cycle{cycle, second} {
			if loads[n], err = varying.IntervalLoads(c, service, scv, method); err != nil {
				return nil, nil, ask.FromQueueing("load_curve", err)
			}
		}
		var there []float64
		for i, a := range loads[0] {
			if b := loads[1][i]; differ(a, b) {
				apart, there = append(apart, i), append(there, b)
			}
		}
		if len(apart) > 0 {
			needs, err = needsOf(ctx, there, service, q.fleetOf)
		}
		return apart, needs, err
	}
	var courses [2][]varying.LoadCourse
	for n, c := range []varying.Cycle{cycle, second} {
		if courses[n], err = varying.LoadCourses(c, service, scv); err != nil {
			return nil, nil, ask.FromQueueing("load_curve", err)
		}
	}
	var there []varying.LoadCourse
	var rates []float64
	for i, a := range courses[0] {
		if b := courses[1][i]; differ(a.Peak(), b.Peak()) || differ(a.Least(), b.Least()) {
			apart, there, rates = append(apart, i), append(there, b), append(rates, cycle.Rate[i])
		}
	}
	if len(apart) > 0 {
		needs, _, _, err = q.courseNeeds(ctx, there, rates, nil, service)
	}
	return apart, needs, err
}
