package sizing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/traffic"
)

// Closed returns the figures under the names that a simulated station gives them;
// those that the model does not have are left out. A simulation and a closed form
// are compared by these names, which tests hold.
func (f *Figures) Closed() map[string]*float64 {
	closed := map[string]*float64{
		"utilization":          f.Utilization,
		"blocking_probability": f.Blocking,
		"wait_probability":     f.WaitProbability,
		"abandon_probability":  f.Abandonment,
		"mean_wait_s":          f.MeanWait,
		"mean_response_s":      f.MeanResponse,
		"mean_queue_length":    f.MeanQueueLength,
		"throughput_per_s":     f.Throughput,
		"wait_percentile_s":    f.WaitPercentile,
		"service_level":        f.ServiceLevel,
	}
	if len(f.Responses) > 0 {
		closed["response_percentile_s"] = f.ResponsePercentile
	}
	for i := range f.Responses {
		closed[station.ResponseLevel(i)] = &f.Responses[i].Level
	}
	if f.WaitPercentileOf != nil && *f.WaitPercentileOf == OfStayed {
		delete(closed, "wait_percentile_s") // it is no quantile of anybody's waits
	}
	maps.DeleteFunc(closed, func(_ string, v *float64) bool { return v == nil })
	return closed
}

// simulated simulates a fleet beside its figures. staffing is that of a curve. A
// curve is simulated over its whole period with the servers of each interval, all
// else in steady state.
func (q *SizeQuestion) simulated(ctx context.Context, kind ModelKind, servers int64, f *Figures,
	staffing *Staffing) (*simulate.Simulation, error) {
	switch {
	case q.Pool != nil:
		return nil, ask.Inputf("simulate", "a public pool is simulated by simulate pool, not here")
	case q.Log != nil:
		return nil, ask.Inputf("simulate", "a log is replayed: its jobs are not part of this question")
	}
	s := simulate.System{Closed: f.Closed()}
	// A curve brings its rates itself; the load of 1 is only to have a unit of
	// time.
	rate, mean, unit := q.simulatedLoad(1).Counted()
	s.Unit = unit
	c, err := q.customers(kind, rate, mean, unit, &s)
	if err != nil {
		return nil, err
	}
	if s.Station.Servers, err = simulate.Whole(float64(servers)); err != nil {
		return nil, err
	}
	if staffing != nil {
		q.overTheDay(&s, &c, staffing, unit)
	}
	s.Station.Classes = []station.Class{c}
	if err := q.fillStation(&s.Station, unit); err != nil {
		return nil, err
	}
	return q.Simulate.Of(ctx, s)
}

// SimulatedOn simulates the customers of the question on servers of unlike speeds, an idle one
// chosen at random, and compares with the figures of the model; a curve is simulated at its peak.
// Errors as [simulate.Question.Of].
func (q *SizeQuestion) SimulatedOn(ctx context.Context, kind ModelKind, groups []station.Group, f *Figures,
	how *simulate.Question) (*simulate.Simulation, error) {
	if q == nil || f == nil || how == nil {
		return nil, ask.NoQuestion()
	}
	if err := q.Traffic.Complete(); err != nil {
		return nil, err
	}
	rate, mean, unit := q.simulatedLoad(f.OfferedLoad).Counted()
	s := simulate.System{Closed: f.Closed(), Unit: unit}
	c, err := q.customers(kind, rate, mean, unit, &s)
	if err != nil {
		return nil, err
	}
	// Fractions of machines are rounded up: they are those of a plan, whose
	// machines come whole.
	servers := 0.0
	for _, g := range groups {
		servers += math.Ceil(g.Machines)
		if g.Speed != 1 || g.Up > 0 && g.Up < 1 {
			delete(s.Closed, "utilization") // of the model it is the share of the rate in use, here of the servers
		}
	}
	s.Station.Classes = []station.Class{c}
	s.Station.Groups = groups
	s.Station.Servers = int(min(max(servers, 1), 1<<30))
	s.Model += ", an idle machine at random, machines that come and go drawn anew for each run"
	if err := q.fillStation(&s.Station, unit); err != nil {
		return nil, err
	}
	return how.Of(ctx, s)
}

// simulatedLoad is the most likely load, of a curve the one that is given.
func (q *SizeQuestion) simulatedLoad(ofCurve float64) Load {
	if q.Curve != nil {
		return LoadOf(ofCurve, float64(q.ServiceTime.Nominal()))
	}
	return q.Nominal()
}

// customers makes the class of customers that is simulated, and describes it in words. Figures that
// the simulated system does not have, such as a wait where nobody waits, are taken out of the
// closed ones, so that they are not compared.
func (q *SizeQuestion) customers(kind ModelKind, rate, mean, unit float64,
	s *simulate.System) (c station.Class, err error) {
	if !(rate > 0) || !(mean > 0) {
		return c, ask.Inputf("simulate", "nobody arrives: there is nothing to simulate")
	}
	if c.Gaps, err = simulate.Law("arrival-scv", 1/rate, q.ArrivalSCV); err != nil {
		return c, err
	}
	if c.Service, err = simulate.Law("service-scv", mean, q.ServiceSCV); err != nil {
		return c, err
	}
	words := []string{"Poisson arrivals", "exponential service"}
	if q.ArrivalSCV != nil && *q.ArrivalSCV != 1 {
		words[0] = fmt.Sprintf("renewal arrivals of SCV %g", float64(*q.ArrivalSCV))
	}
	if q.ServiceSCV != nil && *q.ServiceSCV != 1 {
		words[1] = fmt.Sprintf("service of SCV %g", float64(*q.ServiceSCV))
	}
	switch kind {
	case Loss:
		s.Station.Loss = true
		delete(s.Closed, "mean_wait_s") // nobody waits
		delete(s.Closed, "wait_percentile_s")
	case Sharing:
		s.Station.Order = station.Sharing
		words = append(words, "all present share the servers")
		delete(s.Closed, "mean_wait_s") // nobody waits
		delete(s.Closed, "wait_probability")
	case Abandon:
		if c.Patience, err = simulate.Law("patience", float64(*q.Patience)/unit, nil); err != nil {
			return c, err
		}
		words = append(words, "exponential patience")
	}
	s.Model = strings.Join(words, ", ")
	return c, nil
}

// overTheDay has the arrivals of the curve and the servers of its staffing. The
// closed form is that of one interval; the figures by simulation are of the day
// and of each interval, whatever the closed forms are. Rates go up with the unit
// of time as times go down.
func (q *SizeQuestion) overTheDay(s *simulate.System, c *station.Class, staffing *Staffing, unit float64) {
	curve := &varying.Cycle{End: q.Curve.End / unit}
	most := int64(1)
	for _, v := range staffing.Intervals {
		curve.Start = append(curve.Start, v.Start/unit)
		curve.Rate = append(curve.Rate, v.Rate*unit)
		s.Station.Shifts = append(s.Station.Shifts, int(v.Servers))
		most = max(most, v.Servers)
	}
	c.Gaps, c.Curve = nil, curve
	s.Station.Servers = int(most)
	s.Model = fmt.Sprintf(
		"Poisson arrivals of the curve, servers by %s; a service that lasts beyond the end of a shift is completed",
		staffing.Method,
	)
	if q.ServiceSCV != nil {
		s.Model += fmt.Sprintf(", service of SCV %g", float64(*q.ServiceSCV))
	}
	s.Closed, s.All = nil, true
}

// fillStation puts the times and percentiles of the objectives into a station. Percentiles count among
// the same customers as in the closed form: otherwise the two would differ without either being
// wrong.
func (q *SizeQuestion) fillStation(s *station.Station, unit float64) (err error) {
	s.Percentile = q.PercentileOrDefault()
	if q.MaxWait != nil {
		s.MaxWait = float64(*q.MaxWait) / unit
	}
	for _, l := range q.responseLimits() {
		s.MaxResponses = append(s.MaxResponses, float64(l.Within)/unit)
		// A station has one percentile of responses; the first limit is the one
		// that figures and tables show.
		s.ResponsePercentile = cmp.Or(s.ResponsePercentile, float64(l.Percentile))
	}
	s.ServiceLevelOf, err = q.ServiceLevelOf.Meaning()
	return err
}

// CycleOf is a curve of rates as package queueing takes it, in another unit of time.
func CycleOf(c *traffic.Curve, unit float64) *varying.Cycle {
	if c == nil {
		return &varying.Cycle{}
	}
	cycle := &varying.Cycle{End: c.End / unit}
	for i, start := range c.Start[:min(len(c.Start), len(c.Rate))] {
		cycle.Start = append(cycle.Start, start/unit)
		cycle.Rate = append(cycle.Rate, c.Rate[i]*unit)
	}
	return cycle
}
