package queues

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// simulated simulates the queue beside its answer. Differences beyond chance are
// among the warnings.
func (q *QueueQuestion) simulated(ctx context.Context, a *QueueAnswer) error {
	// Pool is no station of the kind that package station knows: its servers
	// differ in speed.
	if q.Queue == Backed {
		var err error
		if a.Simulation, err = q.simulatedPool(ctx, a); err == nil {
			a.Warnings = append(a.Warnings, a.Simulation.Warnings("")...)
		}
		return err
	}
	s, err := q.system(a)
	if err != nil {
		return err
	}
	if a.Simulation, err = q.Simulate.Of(ctx, *s); err != nil {
		return err
	}
	method := a.Method
	// Where the answer names no approximation, the method that was asked for is
	// the word for it.
	if method == "" && q.Queue == GGC {
		method = q.Method
	}
	a.Warnings = append(a.Warnings, a.Simulation.Warnings(method)...)
	return nil
}

// system is the station of the queue, with the figures of the answer. Figures of
// the answer that the simulated station does not have are left out, as are those
// for which no time is known.
func (q *QueueQuestion) system(a *QueueAnswer) (*simulate.System, error) {
	s := &simulate.System{Closed: a.Figures.Closed()}
	s.Station.Percentile = float64(ask.Value(q.Percentile))
	var err error
	if s.Station.ServiceLevelOf, err = q.ServiceLevelOf.Meaning(); err != nil {
		return nil, err
	}
	switch q.Queue {
	// Classes and finite sources bring more than one stream or none from outside;
	// all other queues have one stream, which plainSystem chooses the laws of.
	case Priority, Classes:
		err = q.classSystem(s, a)
	case Engset, Finite:
		err = q.finiteSystem(s, a)
	default:
		err = q.plainSystem(s)
	}
	if err != nil {
		return nil, err
	}
	if q.MaxWait != nil { // a unit of 0 stands for seconds
		s.Station.MaxWait = float64(*q.MaxWait) / cmp.Or(s.Unit, 1)
	}
	// Only classes have set their servers by now, to the capacity. Whole refuses
	// fractions of a server; those below 1 are asked again as they are, so that
	// the error shows the number of the question and not the 1 of a queue that
	// may leave servers out.
	if s.Station.Servers == 0 {
		if s.Station.Servers, err = simulate.Whole(max(q.Servers, 1)); q.Servers > 0 && q.Servers < 1 {
			_, err = simulate.Whole(q.Servers)
		}
	}
	if s.Station.Loss { // whoever is in waits for nothing
		delete(s.Closed, "mean_wait_s")
		delete(s.Closed, "wait_percentile_s")
	}
	return s, err
}

// plainSystem is that of one class of customers that come at a rate. The laws are
// exponential unless the queue says otherwise, and the words name what is
// simulated beside the figures.
func (q *QueueQuestion) plainSystem(s *simulate.System) error {
	load := q.Nominal()
	rate, mean, unit := load.Counted()
	s.Unit = unit
	if !(rate > 0) || !(mean > 0) {
		return ask.Inputf("simulate", "nobody arrives: there is nothing to simulate")
	}
	gaps, err := simulate.Law("arrival-scv", 1/rate, nil)
	if err != nil {
		return err
	}
	service, err := simulate.Law("service-scv", mean, nil)
	if err != nil {
		return err
	}
	c := station.Class{Gaps: gaps, Service: service}
	words := "Poisson arrivals, exponential service"
	switch q.Queue {
	case ErlangC:
	case ErlangB:
		s.Station.Loss = true
	case ErlangA:
		if c.Patience, err = simulate.Law("patience", float64(ask.Value(q.Patience))/unit, nil); err != nil {
			return err
		}
		words += ", exponential patience"
	// The places count all customers as the capacity does, those in service too.
	case MMCK:
		s.Station.Places = int(*q.Capacity)
	case MG1:
		c.Service, err = serviceLaw("service_law", q.ServiceLaw, mean, q.ServiceSCV)
		words = "Poisson arrivals, service " + cmp.Or(lawName(q.ServiceLaw), "exponential")
	case GIM1:
		c.Gaps, err = serviceLaw("arrival_law", q.ArrivalLaw, 1/rate, q.ArrivalSCV)
		words = "gaps " + cmp.Or(lawName(q.ArrivalLaw), "exponential") + ", exponential service"
	case MDC:
		c.Service = queueing.Deterministic{Time: mean}
		words = "Poisson arrivals, constant service"
	case PS:
		s.Station.Order = station.Sharing
		words += ", shared"
	case GGC:
		if c.Gaps, err = simulate.Law("arrival-scv", 1/rate, q.ArrivalSCV); err != nil {
			return err
		}
		c.Service, err = simulate.Law("service-scv", mean, q.ServiceSCV)
		words = fmt.Sprintf("gaps %s, service %s", lawWords(q.ArrivalSCV), lawWords(q.ServiceSCV))
	case Hayward:
		s.Station.Loss = true
		var scv float64
		if c.Gaps, scv, err = peakedGaps(load.Offered(), float64(ask.Value(q.Peakedness)), mean); err != nil {
			return err
		}
		words = ask.Sprintf("renewal arrivals of that peakedness, gaps of SCV %v, exponential service", scv)
	// A queue that is new in the list of [Queue] ends here until somebody has
	// said what its laws are.
	default: // exponential service would be another system
		return ask.Inputf("simulate", "there is no simulation of %s", q.Queue)
	}
	s.Model = words
	s.Station.Classes = []station.Class{c}
	return err
}

// lawName is a law as it was given, but of a long list of measured values the first few and their number.
func lawName(law string) string {
	const most = 60
	first, _, more := strings.Cut(law[min(most, len(law)):], ",")
	if !more {
		return law
	}
	return fmt.Sprintf("%s%s, ... (%d values)", law[:most], first, 1+strings.Count(law, ","))
}

// lawWords names the law of an SCV. By these the names of the simulated laws
// match those of package queueing: constant for 0, gamma below 1, a balanced
// hyperexponential above.
func lawWords(scv *units.Number) string {
	switch {
	case scv == nil || *scv == 1:
		return "exponential"
	case *scv == 0:
		return "constant"
	case *scv < 1:
		return fmt.Sprintf("gamma of SCV %g", float64(*scv))
	}
	return fmt.Sprintf("hyperexponential with balanced means of SCV %g", float64(*scv))
}

// finiteSystem is that of finitely many sources. An idle source thinks for an
// exponential time. For Engset that is the service time over the load of an idle
// source, and a request that is lost ends in thinking again.
func (q *QueueQuestion) finiteSystem(s *simulate.System, a *QueueAnswer) error {
	mean := 1.0
	if q.ServiceTime != nil {
		mean = float64(q.ServiceTime.Nominal())
	}
	think := 0.0
	if q.Queue == Engset {
		think = mean / float64(*q.LoadPerSource)
		s.Station.Loss = true
		s.Closed["time_congestion"] = a.TimeCongestion
	} else {
		think = float64(ask.Value(q.ThinkTime))
	}
	// Without a service time the unit is a mean service, in which the answer has
	// no rate to compare.
	if q.Queue == Engset && q.ServiceTime == nil {
		delete(s.Closed, "throughput_per_s")
	}
	service, err := simulate.Law("service_time", mean, nil)
	if err != nil {
		return err
	}
	thinks, err := simulate.Law("think_time", think, nil)
	if err != nil {
		return err
	}
	s.Model = "finitely many sources, exponential thinking and service"
	s.Station.Classes = []station.Class{{Sources: int(*q.Sources), Think: thinks, Service: service}}
	return nil
}

// classSystem is that of several classes. The loss system takes exponential
// services, of which its figures depend on the mean alone; with priorities the
// law fits mean and SCV.
func (q *QueueQuestion) classSystem(s *simulate.System, a *QueueAnswer) error {
	classes, err := q.named()
	if err != nil {
		return err
	}
	s.Model = "Poisson arrivals by class, services by mean and SCV"
	if q.Queue == Priority {
		s.Station.Priorities, s.Station.Preemptive = true, q.Preemptive
	} else {
		s.Station.Loss = true
		s.Station.Servers = int(a.Servers)
		s.Model = "Poisson arrivals by class, exponential service"
	}
	for i, c := range classes {
		// A class with a load and no service time is simulated in units of its
		// own mean service, which changes no loss.
		mean, rate := ask.Or(c.ServiceTime, 1.0), 0.0
		if rate = float64(ask.Value(c.Rate)); c.Rate == nil {
			rate = float64(ask.Value(c.Load)) / mean
		}
		if !(rate > 0) {
			return ask.Inputf("class", "nobody of class %q arrives: leave it out to simulate the others", c.Name)
		}
		gaps, err := simulate.Law("class", 1/rate, nil)
		if err != nil {
			return err
		}
		service, err := simulate.Law("class", mean, c.SCV)
		if err != nil {
			return err
		}
		s.Station.Classes = append(s.Station.Classes, station.Class{
			Name:    c.Name,
			Gaps:    gaps,
			Service: service,
			Width:   int(ask.Value(c.Servers)),
			Reserve: int(ask.Value(c.Reserve)),
		})
		// Of a single class the figures are those of all, and stand there
		// already.
		if len(classes) > 1 {
			addClass(s, &a.Classes[i])
		}
	}
	return nil
}

// addClass adds the figures of a class. Those of loss have no waits to compare, and
// where a class has no rate, no unit of time.
func addClass(s *simulate.System, c *ClassAnswer) {
	figures := sizing.Figures{
		Utilization:     c.Utilization,
		Blocking:        c.Blocking,
		MeanWait:        c.MeanWait,
		MeanResponse:    c.MeanResponse,
		MeanQueueLength: c.MeanQueueLength,
		Throughput:      c.Throughput,
	}
	if s.Station.Loss {
		figures.MeanWait = nil
	}
	for name, v := range figures.Closed() {
		s.Closed[c.Name+"."+name] = v
	}
}
