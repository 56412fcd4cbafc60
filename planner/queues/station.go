package queues

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// A StationQuestion asks for a station of servers by simulation alone: whatever a
// queue of this package has may stand together. The question of one queue refuses
// what its formula does not know; here patience, classes, priorities and a small
// waiting room go together, since nothing is computed but counted.
type StationQuestion struct {
	Servers units.Count `json:"servers"`
	sizing.Traffic
	// A law that is named stands before an SCV. Sources have no gaps: the arrival
	// law is then that of their thinking.
	ArrivalLaw string       `json:"arrival_law,omitempty"` // empty: by arrival_scv
	ServiceLaw string       `json:"service_law,omitempty"` // empty: by service_scv
	Sources    *units.Count `json:"sources,omitempty"`     // finitely many customers
	// ThinkTime is how long a source waits after an answer before it asks again.
	ThinkTime *units.Duration `json:"think_time_s,omitempty"`
	Capacity  *units.Count    `json:"capacity,omitempty"` // room for customers, waiting and served
	Loss      bool            `json:"loss,omitempty"`     // nobody waits
	// Order is one of [station.Orders]; empty: fcfs.
	Order string `json:"order,omitempty"`
	// WholeQueue plans all of a queue under conservative backfilling, however long that takes.
	WholeQueue bool       `json:"whole_queue,omitempty"`
	Priorities bool       `json:"priorities,omitempty"` // classes go before those after them
	Preemptive bool       `json:"preemptive,omitempty"` // and interrupt them
	JobClasses []JobClass `json:"job_classes,omitempty"`
	// Jobs are those of Log, which are replayed. They are a field and not read
	// here, since a log is a file and this package opens none.
	Jobs []station.Job `json:"-"`

	Percentile *units.Percentile `json:"percentile,omitempty"`
	// MaxWait asks for the share that waits no longer.
	MaxWait        *units.Duration       `json:"max_wait_s,omitempty"`
	ServiceLevelOf sizing.ServiceLevelOf `json:"service_level_of,omitempty"`
	Simulate       simulate.Question     `json:"simulate"`
}

// A SimulatedStation is what the simulation found. It has no closed form to agree
// with: each figure has its interval alone.
type SimulatedStation struct {
	Servers    int64                `json:"servers"`
	Order      string               `json:"order"`
	Simulation *simulate.Simulation `json:"simulation"`
	Warnings   []string             `json:"warnings,omitempty"`
}

// Station simulates. Errors: *ask.InputError, *ask.InfeasibleError for a station
// without a steady state where no horizon is given, and that of the context.
func Station(ctx context.Context, q *StationQuestion) (*SimulatedStation, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	clocked, err := q.given()
	if err != nil {
		return nil, err
	}
	s, err := q.system()
	if err != nil {
		return nil, err
	}
	// The order is that which was taken, which an empty one does not tell.
	a := &SimulatedStation{Servers: int64(q.Servers), Order: s.Station.Order.String()}
	if a.Simulation, err = q.Simulate.Of(ctx, *s); err != nil {
		return nil, err
	}
	a.Warnings = a.Simulation.Warnings("")
	if !clocked {
		maps.DeleteFunc(a.Simulation.Figures,
			func(name string, _ simulate.Figure) bool { return strings.HasSuffix(name, "_s") })
		a.Warnings = append(a.Warnings, timeless)
	}
	return a, nil
}

// system makes the simulated system. The order of the checks is that of what depends on what: a limit
// on waits is in units that who comes decides.
func (q *StationQuestion) system() (*simulate.System, error) {
	servers, err := simulate.Whole(float64(q.Servers))
	if err != nil {
		return nil, err
	}
	// No figure has a closed form here, and without All each would be left out.
	s := &simulate.System{All: true}
	t := &s.Station
	t.Servers, t.Loss = servers, q.Loss
	// A class that interrupts others goes before them: preemption implies priorities.
	t.Priorities, t.Preemptive = q.Priorities || q.Preemptive, q.Preemptive
	if q.Order != "" {
		i := slices.Index(station.Orders, q.Order)
		if i < 0 {
			return nil, ask.Inputf("order", "%q is not an order, want one of %v", q.Order, station.Orders)
		}
		t.Order = station.Order(i)
	}
	if q.WholeQueue {
		if t.Order != station.Conservative {
			return nil, ask.Inputf("whole_queue", "only used with {order} conservative")
		}
		t.Steps = math.Inf(1)
	}
	// Fewer places than servers would be a smaller station under another name. A
	// simulation ends far below the bound on the places.
	if q.Capacity != nil {
		if t.Places = int(min(*q.Capacity, 1<<30)); t.Places < servers {
			return nil, ask.Inputf("capacity", "room for %s with %s, want at least as many",
				fault.Count(*q.Capacity, "customer"), fault.Count(servers, "server"))
		}
	}
	t.Percentile = ask.Or(q.Percentile, t.Percentile)
	if t.ServiceLevelOf, err = q.ServiceLevelOf.Meaning(); err != nil {
		return nil, err
	}
	if err := q.comers(s); err != nil {
		return nil, err
	}
	// The unit is known only when those who come are: with a load in erlangs and
	// no service time it is the mean service.
	if q.MaxWait != nil {
		t.MaxWait = float64(*q.MaxWait) / cmp.Or(s.Unit, 1)
	}
	// The station knows combinations that no single field shows, such as patience
	// beside processor sharing, and its own words say which.
	if err := t.Check(); err != nil {
		var domain *sim.DomainError
		errors.As(err, &domain)
		what := domain.Arg[strings.LastIndexByte(domain.Arg, '.')+1:] // of a class too, such as Classes[0].Patience
		return nil, ask.Inputf("", "these cannot be combined: %s = %s, want %s", strings.ToLower(what),
			ask.Digits(domain.Value), domain.Want)
	}
	return s, nil
}

// comers puts in who comes. Classes, sources, a log, a curve and one rate exclude
// each other, and each brings its own unit of time.
func (q *StationQuestion) comers(s *simulate.System) error {
	if len(q.JobClasses) > 0 {
		return q.classes(s)
	}
	if q.Sources != nil {
		return q.finite(s)
	}
	if err := q.Complete(); err != nil {
		return err
	}
	switch {
	case q.Uncertain():
		return ask.Inputf("load", "a station takes one load: values, not ranges")
	case q.Log != nil:
		if len(q.Jobs) == 0 {
			return ask.Inputf("swf", "the log has no usable job to replay")
		}
		for _, j := range q.Jobs {
			// A job that is wider than the station would wait without end and all
			// jobs behind it too.
			if j.Width > int(q.Servers) {
				return ask.Inputf("servers", "the log holds a job on %d processors: want at least as many", j.Width)
			}
		}
		s.Model = "the log itself, averaged over time up to its last arrival and over all its jobs"
		s.Station.Jobs = q.Jobs
		return nil
	}
	// A curve has its own rates: only the service time and its unit count, and
	// the rate of 1 is never read.
	load := sizing.LoadOf(1, float64(ask.Value(q.ServiceTime).Nominal()))
	if q.Curve == nil {
		load = q.Nominal()
	}
	rate, mean, unit := load.Counted()
	if !(rate > 0) || !(mean > 0) {
		return ask.Inputf("load", "nobody arrives: there is nothing to simulate")
	}
	s.Unit = unit
	c, err := q.served(mean, unit)
	if err != nil {
		return err
	}
	if q.Curve != nil {
		c.Curve = sizing.CycleOf(q.Curve, unit)
		s.Model = "Poisson arrivals of the curve"
	} else {
		if c.Gaps, err = lawBy("arrival_law", q.ArrivalLaw, 1/rate, q.ArrivalSCV); err != nil {
			return err
		}
		s.Model = "gaps " + cmp.Or(lawName(q.ArrivalLaw), lawWords(q.ArrivalSCV))
	}
	s.Model += ", service " + cmp.Or(lawName(q.ServiceLaw), lawWords(q.ServiceSCV))
	if c.Patience != nil {
		s.Model += ", exponential patience"
	}
	s.Station.Classes = []station.Class{c}
	return nil
}

// served is a class by its service and patience. The unit is that of the mean:
// patience is given in seconds and so divided by it.
func (q *StationQuestion) served(mean, unit float64) (c station.Class, err error) {
	if c.Service, err = lawBy("service_law", q.ServiceLaw, mean, q.ServiceSCV); err != nil {
		return c, err
	}
	if q.Patience != nil {
		c.Patience, err = simulate.Law("patience", float64(*q.Patience)/unit, nil)
	}
	return c, err
}

// lawBy returns the law of a name, or without one that of two moments. A name and
// an SCV together are refused where the name has its own.
func lawBy(field, name string, mean float64, scv *units.Number) (station.Law, error) {
	scvField := strings.TrimSuffix(field, "_law") + "_scv"
	if name == "" {
		return simulate.Law(scvField, mean, scv)
	}
	l, err := serviceLaw(field, name, mean, scv)
	if err != nil || scv == nil {
		return l, err
	}
	return l, simulate.Drawable(scvField, l, float64(*scv))
}

// finite puts in sources that think, ask and wait, each for itself. Nobody comes
// from outside, so that no other load may be given.
func (q *StationQuestion) finite(s *simulate.System) error {
	switch {
	case q.ServiceTime == nil || !(q.ServiceTime.Nominal() > 0):
		return ask.Inputf("service-time",
			"finitely many sources want a mean service time above 0, such as {service_time} 90s")
	case q.ThinkTime == nil || !(*q.ThinkTime > 0):
		return ask.Inputf("think_time",
			"finitely many sources want the mean time between service and the next request, such as {think_time} 5s")
	case q.OfferedLoad != nil || q.Rate != nil || q.Curve != nil || q.Log != nil:
		return ask.Inputf("sources", "finitely many sources make their own load: leave the other load out")
	case *q.Sources < 1:
		return ask.Inputf("sources", "nobody arrives: there is nothing to simulate")
	}
	c, err := q.served(float64(q.ServiceTime.Nominal()), 1)
	if err != nil {
		return err
	}
	if c.Think, err = lawBy("arrival_law", q.ArrivalLaw, float64(*q.ThinkTime), q.ArrivalSCV); err != nil {
		return err
	}
	// The bound keeps the count within an int on every machine; the simulation refuses that many
	// for lack of memory.
	c.Sources = int(min(*q.Sources, 1<<40, math.MaxInt))
	s.Model = fmt.Sprintf("%s, service %s", fault.Count(c.Sources, "source"),
		cmp.Or(lawName(q.ServiceLaw), lawWords(q.ServiceSCV)))
	s.Station.Classes = []station.Class{c}
	return nil
}

// classes are several, each with its own rate. They are made by the code for
// queue priority, which checks them, and get what only a station knows
// afterwards: widths, reserves and patience.
func (q *StationQuestion) classes(s *simulate.System) error {
	if q.OfferedLoad != nil || q.Rate != nil || q.Curve != nil || q.Log != nil || q.Sources != nil {
		return ask.Inputf("class", "classes bring their own load: leave the other load out")
	}
	inner := &QueueQuestion{Queue: Priority, JobClasses: q.JobClasses}
	named, err := inner.named()
	if err != nil {
		return err
	}
	a := &QueueAnswer{Classes: make([]ClassAnswer, len(named))}
	for i := range named {
		a.Classes[i].Name = named[i].Name
	}
	// classSystem notes the figures of an answer to compare with. There is none
	// here, and what it noted is dropped at the end.
	s.Closed = map[string]*float64{}
	if err := inner.classSystem(s, a); err != nil {
		return err
	}
	s.Station.Priorities = q.Priorities || q.Preemptive
	s.Station.Preemptive = q.Preemptive
	for i := range s.Station.Classes {
		c := &s.Station.Classes[i]
		c.Width = int(min(ask.Value(named[i].Servers), 1<<30))
		c.Reserve = int(min(ask.Value(named[i].Reserve), 1<<30))
		if q.Patience != nil {
			if c.Patience, err = simulate.Law("patience", float64(*q.Patience), nil); err != nil {
				return err
			}
		}
	}
	s.Closed = nil
	return nil
}
