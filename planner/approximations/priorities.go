package approximations

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/priority"
	"github.com/capplan/capplan/sim/station"
)

// The spreads of the classes' means and the kinds of priorities of the measures.
var (
	prioritySpreads = []float64{2, 5, 20}
	priorityKinds   = []string{"NonPreemptive", "Preemptive"}
)

// chained are the two-class systems that an exact chain answers: either class the
// longer, the first with a fifth or half of the load. A chain answers two classes
// of exponential services on few servers, and gives the truth without a
// simulation.
func chained(preemptive bool, spread float64) []priority.Queue {
	var all []priority.Queue
	for _, c := range []int{2, 4, 10} {
		for _, rho := range []float64{0.5, 0.85} {
			for _, share := range []float64{0.2, 0.5} {
				for _, mean := range []float64{spread, 1 / spread} {
					a := rho * float64(c)
					all = append(all,
						priority.Queue{Preemptive: preemptive, Servers: c, Classes: []priority.Class{
							{Name: "first", ArrivalRate: a * share / mean, ServiceTime: mean, ServiceSCV: 1},
							{Name: "second", ArrivalRate: a * (1 - share), ServiceTime: 1, ServiceSCV: 1},
						}})
				}
			}
		}
	}
	return all
}

// priorityChains measures scaling against the exact chains. The highest class of
// a preemptive queue is left out: it does not see the others and is answered
// exactly.
func priorityChains(ctx context.Context) ([]Measure, error) {
	var all []Measure
	for kind, name := range priorityKinds {
		for _, spread := range prioritySpreads {
			m := Measure{
				Key:    fmt.Sprintf("Priority%sTwo%.0f", name, spread),
				Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)",
				Figure: "mean wait by class",
				Regime: fmt.Sprintf(
					"two exponential classes, %s, means up to %.0f times apart, 2 to 10 servers, "+
						"utilization 0.5 to 0.85",
					kindWords(kind == 1), spread,
				),
				Source: "exact chains",
				quoted: true,
			}
			var cases []Case
			for _, q := range chained(kind == 1, spread) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				exact, err := q.Figures(ctx)
				if err != nil {
					return nil, err
				}
				scaled, err := q.Scaled()
				if err != nil {
					return nil, err
				}
				if !exact.Chained {
					continue // too large
				}
				for k := range q.Classes {
					if q.Preemptive && k == 0 {
						continue // alone on the servers
					}
					cases = append(cases, Case{priorityName(&q) + ", " + q.Classes[k].Name, scaled.Classes[k].MeanWait,
						exact.Classes[k].MeanWait, 0})
				}
			}
			m.groups = [][]Case{cases}
			all = append(all, m)
		}
	}
	return all, nil
}

// kindWords names a discipline as tables do.
func kindWords(preemptive bool) string {
	if preemptive {
		return "preemptive"
	}
	return "non-preemptive"
}

// priorityName tells a system apart from all others of the study, since it is the
// key of its stored figures.
func priorityName(q *priority.Queue) string {
	load := 0.0
	text := fmt.Sprintf("%s, %d servers, means", kindWords(q.Preemptive), q.Servers)
	for _, c := range q.Classes {
		load += c.ArrivalRate * c.ServiceTime
		text += fmt.Sprintf(" %.3g", c.ServiceTime)
	}
	if scv := q.Classes[0].ServiceSCV; scv != 1 {
		text += fmt.Sprintf(", SCV %g", scv)
	}
	return text + fmt.Sprintf(", utilization %.3g", load/float64(q.Servers))
}

// laddered has classes of equal loads whose means go from 1 to spread, the longest
// first or last. The means rise by equal ratios, so that spread is the ratio of
// the last to the first.
func laddered(preemptive bool, classes, servers int, rho, spread, scv float64, longestFirst bool) priority.Queue {
	q := priority.Queue{Preemptive: preemptive, Servers: servers}
	for k := range classes {
		step := float64(k) / float64(classes-1)
		if longestFirst {
			step = 1 - step
		}
		mean := math.Pow(spread, step)
		q.Classes = append(q.Classes, priority.Class{
			Name:        fmt.Sprintf("class %d", k+1),
			ArrivalRate: rho * float64(servers) / float64(classes) / mean,
			ServiceTime: mean,
			ServiceSCV:  scv,
		})
	}
	return q
}

// A priorityGrid is a number of classes on a number of servers, by utilization.
type priorityGrid struct {
	classes, servers int
	rho              []float64
}

// many are those of exponential classes that no chain answers. On each number of
// servers the least utilization is one at which next to nobody waits.
var many = []priorityGrid{
	{3, 2, []float64{0.5, 0.85}},
	{4, 4, []float64{0.6, 0.9}},
	{3, 10, []float64{0.7, 0.95}},
	{4, 30, []float64{0.8, 0.9}},
	{2, 100, []float64{0.95}},
	{3, 100, []float64{0.9}},
	{3, 2, []float64{0.05, 0.2}},
	{6, 4, []float64{0.1, 0.3, 0.85}},
	{8, 10, []float64{0.2, 0.5, 0.9}},
	{2, 20, []float64{0.35, 0.6}},
	{6, 50, []float64{0.55, 0.75, 0.95}},
	{8, 100, []float64{0.7, 0.85}},
	{3, 300, []float64{0.85, 0.95}},
}

// general are those of classes whose services are not exponential. Constant
// services and those of SCV 4 stand for them.
var general = []priorityGrid{
	{3, 2, []float64{0.85}},
	{4, 4, []float64{0.9}},
	{3, 10, []float64{0.95}},
	{2, 2, []float64{0.05, 0.3, 0.7, 0.9}},
	{6, 4, []float64{0.1, 0.5}},
	{2, 10, []float64{0.2, 0.5, 0.85}},
	{8, 10, []float64{0.7}},
	{3, 20, []float64{0.35, 0.6}},
	{6, 50, []float64{0.55, 0.75, 0.9}},
	{2, 100, []float64{0.7, 0.85, 0.95}},
	{3, 300, []float64{0.85, 0.95}},
}

// generalSpreads are the spreads of the means of general.
var generalSpreads = prioritySpreads[1:]

// priorities are simulated where no chain answers: three classes and more, many
// servers, and services that are not exponential.
func priorities() ([]trial, error) {
	var all []trial
	add := func(grids []priorityGrid, preemptive bool, spread, scv float64, key string) error {
		for _, m := range grids {
			for _, rho := range m.rho {
				for _, longest := range []bool{true, false} {
					q := laddered(preemptive, m.classes, m.servers, rho, spread, scv, longest)
					t, err := priorityTrial(&q, key)
					if err != nil {
						return err
					}
					all = append(all, t)
				}
			}
		}
		return nil
	}
	for kind, name := range priorityKinds {
		for _, spread := range prioritySpreads {
			if err := add(many, kind == 1, spread, 1, fmt.Sprintf("Priority%sMany%.0f", name, spread)); err != nil {
				return nil, err
			}
		}
		for _, spread := range generalSpreads {
			for _, scv := range []float64{0, 4} {
				if err := add(general, kind == 1, spread, scv,
					fmt.Sprintf("Priority%sService%.0f", name, spread)); err != nil {
					return nil, err
				}
			}
		}
	}
	return all, nil
}

// priorityTrial is a station with priorities beside what scaling says of each
// class. A wait below a thousandth of a service is no wait, and its relative
// error says nothing.
func priorityTrial(q *priority.Queue, key string) (trial, error) {
	s := &station.Station{Servers: q.Servers, Priorities: true, Preemptive: q.Preemptive}
	scaled, err := q.Scaled()
	if err != nil {
		return trial{}, err
	}
	var says []saying
	for k, c := range q.Classes {
		service, err := queueing.FittedLaw(c.ServiceTime, c.ServiceSCV)
		if err != nil {
			return trial{}, err
		}
		s.Classes = append(s.Classes, station.Class{
			Name:    c.Name,
			Gaps:    queueing.Exponential{Mean: 1 / c.ArrivalRate},
			Service: service,
		})
		// The highest preemptive class is alone on the servers, as in M/M/c where its
		// services are exponential.
		if !q.Preemptive || k > 0 || c.ServiceSCV != 1 {
			says = append(says, saying{key, c.Name + ".mean_wait_s", scaled.Classes[k].MeanWait, 1e-3 * c.ServiceTime})
		}
	}
	return ofStation("priority", priorityName(q), s, says), nil
}

// priorityMeasures are those of the simulated priorities.
func priorityMeasures() []Measure {
	var all []Measure
	add := func(key string, kind int, spread float64, classes string) {
		all = append(all, Measure{
			Key:    fmt.Sprintf("Priority%s%s%.0f", priorityKinds[kind], key, spread),
			Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)",
			Figure: "mean wait by class, if above a thousandth of a service",
			Regime: fmt.Sprintf("%s, %s, means up to %.0f times apart, up to 300 servers, utilization up to 0.95",
				classes, kindWords(kind == 1), spread),
			Source: "simulation",
			quoted: true,
		})
	}
	for kind := range priorityKinds {
		for _, spread := range prioritySpreads {
			add("Many", kind, spread, "2 to 8 exponential classes")
		}
		for _, spread := range generalSpreads {
			add("Service", kind, spread, "2 to 8 classes of SCV 0 or 4")
		}
	}
	return all
}
