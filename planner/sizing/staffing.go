package sizing

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/varying"
)

// A StaffingMethod turns a load that changes over the day into one load per
// interval. All size each interval in steady state and differ in the load that
// they give it.
type StaffingMethod string

// The staffing methods; see [varying.Method]. The empty one is MOL. SIPP takes
// the rate of the interval itself, lagged SIPP that of a mean service earlier,
// since who is served came before, and MOL the mean number of busy servers with
// no limit on them, which is what an interval really holds.
const (
	SIPP       StaffingMethod = "sipp"
	LaggedSIPP StaffingMethod = "lagged-sipp"
	MOL        StaffingMethod = "mol"
)

// Staffing is the fleet over the day. The three methods stand beside each other,
// so that a reader sees what the choice costs.
type Staffing struct {
	// Method is the one that the answer goes by.
	Method StaffingMethod `json:"method"`
	// Approximate: each interval is sized in steady state under its own load,
	// which is exact for a constant rate only.
	Approximate bool       `json:"approximate"`
	Intervals   []Interval `json:"intervals"`
	// Server hours over one period of the curve, by method.
	HoursSIPP       float64 `json:"server_hours_sipp"`
	HoursLaggedSIPP float64 `json:"server_hours_lagged_sipp"`
	HoursMOL        float64 `json:"server_hours_mol"`
	// repeats is a warning of where the curve's end meets its beginning; see seam.
	repeats string
}

// An Interval is one row of the curve with the servers it needs.
type Interval struct {
	// Start and End are from the beginning of the curve.
	Start             float64 `json:"start_s"`
	End               float64 `json:"end_s"`
	Rate              float64 `json:"arrival_rate_per_s"`
	Servers           int64   `json:"servers"` // by the chosen method
	ServersSIPP       int64   `json:"servers_sipp"`
	ServersLaggedSIPP int64   `json:"servers_lagged_sipp"`
	ServersMOL        int64   `json:"servers_mol"`
	// LoadMOL is the mean number of busy servers if there were always one free,
	// which lags behind the rate.
	LoadMOL float64 `json:"mol_load_erl"`
	// Binding is the objective that asks for the most servers in it, empty where none are needed.
	Binding string `json:"binding"`
}

// sizeCurve sizes each interval; the answer's servers and figures are those of
// the interval that needs the most, of several such the one of greatest load. The
// same objectives hold in each interval; over the day as a whole they then hold
// with room to spare.
func sizeCurve(ctx context.Context, q *SizeQuestion) (*SizeAnswer, error) {
	method := cmp.Or(q.Staffing, MOL)
	if method != SIPP && method != LaggedSIPP && method != MOL {
		return nil, ask.Inputf("staffing", "%q is not a method, want sipp, lagged-sipp or mol", string(method))
	}
	service := float64(q.ServiceTime.Nominal())
	scv := ask.Or(q.ServiceSCV, 1.0)
	cycle := varying.Cycle{Start: q.Curve.Start, End: q.Curve.End, Rate: q.Curve.Rate}
	s := newStaffing(method, cycle)
	top, assigned, err := q.staff(ctx, s, cycle, service, scv)
	if err != nil {
		return nil, err
	}
	steady, err := q.steadyLoad(ctx, top.load, top.servers, service)
	if err != nil {
		return nil, err
	}
	f, err := q.fleetOf(LoadOf(steady, service))
	if err != nil {
		return nil, err
	}
	a, err := f.sizeFrom(ctx, q.Explain, q.Headroom)
	if err != nil {
		return nil, err
	}
	a.Staffing = s
	if s.repeats, err = q.seam(ctx, cycle, service, scv, s); err != nil {
		return nil, err
	}
	s.label(&a.Figures, &a.Warnings, q.age())
	if q.Explain && a.Explanation != nil {
		s.explain(a.Explanation, top.at, service, scv, assigned)
	}
	if q.Pool != nil {
		return a, a.beside(f.pool)
	}
	return a, nil
}

// newStaffing lays out the intervals of a curve, without servers yet.
func newStaffing(method StaffingMethod, cycle varying.Cycle) *Staffing {
	s := &Staffing{Method: method, Approximate: varies(cycle.Rate), Intervals: make([]Interval, len(cycle.Rate))}
	for i := range s.Intervals {
		end := cycle.End
		if i+1 < len(cycle.Start) {
			end = cycle.Start[i+1]
		}
		s.Intervals[i] = Interval{Start: cycle.Start[i], End: end, Rate: cycle.Rate[i]}
	}
	return s
}

// A peak is the interval that needs the most servers by the method that answers.
type peak struct {
	at            int
	servers, load float64
}

// staff fills in what each interval needs by each method, and returns the peak and the loads by
// method. All three are computed, though one answers: the warning of SIPP and the agreement of the
// methods need the others.
func (q *SizeQuestion) staff(ctx context.Context, s *Staffing, cycle varying.Cycle, service, scv float64) (
	top peak, loads map[StaffingMethod][]float64, err error) {
	needs, loads, err := q.needsByMethod(ctx, cycle, service, scv)
	if err != nil {
		return top, nil, err
	}
	for _, m := range []StaffingMethod{SIPP, LaggedSIPP, MOL} {
		hours := s.hours(m)
		for i, need := range needs[m] {
			v, load := &s.Intervals[i], loads[m][i]
			// The headroom comes on top of each interval's need, so that a loss
			// at any hour is survived.
			servers := q.Headroom.Covers(need.servers)
			*hours += servers * (v.End - v.Start) / 3600
			*v.by(m) = int64(servers)
			if m == MOL {
				v.LoadMOL = load
			}
			if m != s.Method {
				continue
			}
			v.Servers, v.Binding = int64(servers), need.binding
			// Whole servers tie where loads differ: the figures and the
			// fractional need are those of the greatest load among them.
			if i == 0 || need.servers > top.servers || need.servers == top.servers && load > top.load {
				top = peak{i, need.servers, load}
			}
		}
	}
	return top, loads, nil
}

// hours are the server hours by a method.
func (s *Staffing) hours(m StaffingMethod) *float64 {
	switch m {
	case SIPP:
		return &s.HoursSIPP
	case LaggedSIPP:
		return &s.HoursLaggedSIPP
	}
	return &s.HoursMOL
}

// by is the number of servers by a method.
func (v *Interval) by(m StaffingMethod) *int64 {
	switch m {
	case SIPP:
		return &v.ServersSIPP
	case LaggedSIPP:
		return &v.ServersLaggedSIPP
	}
	return &v.ServersMOL
}

// steadyLoad returns the load nearest to the given one that needs this many servers in steady
// state. By MOL each limit of an interval has a load of its own, and the run-off may use up a part
// of it. With this one load instead, what the answer says of one server fewer, of a check and of a
// mix agrees with what the interval asks for.
func (q *SizeQuestion) steadyLoad(ctx context.Context, load, servers, service float64) (float64, error) {
	needed := func(a float64) (float64, error) {
		return needNear(ctx, LoadOf(a, service), servers, q.fleetOf)
	}
	first, err := needed(load)
	if err != nil || first == servers {
		return load, err
	}
	// Upwards find the least load with this need, downwards the greatest.
	inner, outer, up := load, load, first < servers
	beyond := func(a float64) (bool, error) {
		n, err := needed(a)
		return up && n >= servers || !up && n <= servers, err
	}
	for step := 1e-4; ; step *= 2 {
		inner, outer = outer, load*(1+step)
		if !up {
			outer = load / (1 + step)
		}
		if ok, err := beyond(outer); ok || err != nil {
			if err != nil {
				return 0, err
			}
			break
		}
	}
	for math.Abs(outer-inner) > 1e-12*outer {
		mid := inner + (outer-inner)/2
		ok, err := beyond(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			outer = mid
		} else {
			inner = mid
		}
	}
	return outer, nil
}

// needsByMethod returns what each interval asks for by each method, and the load that it was sized for. Only
// MOL knows the course of the load inside an interval.
func (q *SizeQuestion) needsByMethod(ctx context.Context, cycle varying.Cycle, service, scv float64) (
	needs map[StaffingMethod][]intervalNeed, loads map[StaffingMethod][]float64, err error) {
	loads = map[StaffingMethod][]float64{}
	for _, m := range []StaffingMethod{SIPP, LaggedSIPP} {
		if loads[m], err = varying.IntervalLoads(cycle, service, scv, m.queueing()); err != nil {
			return nil, nil, ask.FromQueueing("load_curve", err)
		}
	}
	courses, err := varying.LoadCourses(cycle, service, scv)
	if err != nil {
		return nil, nil, ask.FromQueueing("load_curve", err)
	}
	var mol, steady []intervalNeed
	mol, loads[MOL], steady, err = q.courseNeeds(ctx, courses, cycle.Rate, slices.Concat(loads[SIPP], loads[LaggedSIPP]),
		service)
	if err != nil {
		return nil, nil, err
	}
	n := len(courses)
	return map[StaffingMethod][]intervalNeed{SIPP: steady[:n], LaggedSIPP: steady[n:], MOL: mol}, loads, nil
}
