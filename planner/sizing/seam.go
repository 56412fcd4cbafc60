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
	needs, _, err := q.needsBy(ctx, closed, service, scv, s.Method.queueing())
	if err != nil {
		return "", err
	}
	differ, most, at := 0, int64(0), 0
	for i, v := range s.Intervals {
		more := v.Servers - int64(q.Headroom.Covers(needs[i].servers))
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
