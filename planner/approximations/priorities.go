package approximations

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim/station"
)

// The spreads of the classes' means and the kinds of priorities of the measures.
var (
	prioritySpreads = []float64{2, 5, 20}
	priorityKinds   = []string{"NonPreemptive", "Preemptive"}
)

// chained are the two-class systems that an exact chain answers: either class the
// longer, the first with a fifth or half of the load.
func chained(preemptive bool, spread float64) []queueing.Priority {
	var all []queueing.Priority
	for _, c := range []int{2, 4, 10} {
		for _, rho := range []float64{0.5, 0.85} {
			for _, share := range []float64{0.2, 0.5} {
				for _, mean := range []float64{spread, 1 / spread} {
					a := rho * float64(c)
					all = append(all, queueing.Priority{Preemptive: preemptive, Servers: c, Classes: []queueing.PriorityClass{
						{Name: "first", ArrivalRate: a * share / mean, ServiceTime: mean, ServiceSCV: 1},
						{Name: "second", ArrivalRate: a * (1 - share), ServiceTime: 1, ServiceSCV: 1},
					}})
				}
			}
		}
	}
	return all
}

// priorityChains measures scaling against the exact chains.
func priorityChains(ctx context.Context) ([]Measure, error) {
	var all []Measure
	for kind, name := range priorityKinds {
		for _, spread := range prioritySpreads {
			m := Measure{
				Key:    fmt.Sprintf("Priority%sTwo%.0f", name, spread),
				Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)",
				Figure: "mean wait by class",
				Regime: fmt.Sprintf("two exponential classes, %s, means up to %.0f times apart, 2 to 10 servers, utilization 0.5 to 0.85", kindWords(kind == 1), spread),
				Source: "exact chains",
				quoted: true,
			}
			var cases []Case
			for _, q := range chained(kind == 1, spread) {
				if err := ctx.Err(); err != nil {
					return nil, err
				}
				exact, err := q.Figures()
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
					cases = append(cases, Case{priorityName(&q) + ", " + q.Classes[k].Name, scaled.Classes[k].MeanWait, exact.Classes[k].MeanWait, 0})
				}
			}
			m.groups = [][]Case{cases}
			all = append(all, m)
		}
	}
	return all, nil
}

func kindWords(preemptive bool) string {
	if preemptive {
		return "preemptive"
	}
	return "non-preemptive"
}

func priorityName(q *queueing.Priority) string {
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
// first or last.
func laddered(preemptive bool, classes, servers int, rho, spread, scv float64, longestFirst bool) queueing.Priority {
	q := queueing.Priority{Preemptive: preemptive, Servers: servers}
	for k := range classes {
		step := float64(k) / float64(classes-1)
		if longestFirst {
			step = 1 - step
		}
		mean := math.Pow(spread, step)
		q.Classes = append(q.Classes, queueing.PriorityClass{
			Name:        fmt.Sprintf("class %d", k+1),
			ArrivalRate: rho * float64(servers) / float64(classes) / mean,
			ServiceTime: mean,
			ServiceSCV:  scv,
		})
	}
	return q
}

// many are the classes, servers and utilizations that no chain answers.
var many = []struct {
	classes, servers int
	rho              []float64
}{
	{3, 2, []float64{0.5, 0.85}},
	{4, 4, []float64{0.6, 0.9}},
	{3, 10, []float64{0.7, 0.95}},
	{4, 30, []float64{0.8, 0.9}},
	{2, 100, []float64{0.95}},
	{3, 100, []float64{0.9}},
}

// priorities are simulated where no chain answers: three classes and more, many
// servers, and services that are not exponential.
func priorities() ([]trial, error) {
	var all []trial
	add := func(q queueing.Priority, key string) error {
		t, err := priorityTrial(&q, key)
		if err == nil {
			all = append(all, t)
		}
		return err
	}
	for kind, name := range priorityKinds {
		for _, spread := range prioritySpreads {
			for _, m := range many {
				for _, rho := range m.rho {
					for _, longest := range []bool{true, false} {
						if err := add(laddered(kind == 1, m.classes, m.servers, rho, spread, 1, longest), fmt.Sprintf("Priority%sMany%.0f", name, spread)); err != nil {
							return nil, err
						}
					}
				}
			}
		}
		for _, scv := range []float64{0, 4} {
			for _, m := range many[:3] {
				for _, longest := range []bool{true, false} {
					if err := add(laddered(kind == 1, m.classes, m.servers, slices.Max(m.rho), prioritySpreads[1], scv, longest), "Priority"+name+"Service"); err != nil {
						return nil, err
					}
				}
			}
		}
	}
	return all, nil
}

func priorityTrial(q *queueing.Priority, key string) (trial, error) {
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
		if !q.Preemptive || k > 0 {
			says = append(says, saying{key, c.Name + ".mean_wait_s", scaled.Classes[k].MeanWait, 1e-3 * c.ServiceTime})
		}
	}
	return ofStation("priority", priorityName(q), s, says), nil
}

// priorityMeasures are those of the simulated priorities.
func priorityMeasures() []Measure {
	var all []Measure
	for kind, name := range priorityKinds {
		for _, spread := range prioritySpreads {
			all = append(all, Measure{
				Key:    fmt.Sprintf("Priority%sMany%.0f", name, spread),
				Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)",
				Figure: "mean wait by class, from a thousandth of a service on",
				Regime: fmt.Sprintf("2 to 4 exponential classes, %s, means up to %.0f times apart, up to 100 servers, utilization from 0.5 on 2 servers and 0.9 on 100 up to 0.95", kindWords(kind == 1), spread),
				Source: "simulation",
				quoted: true,
			})
		}
		all = append(all, Measure{
			Key:    "Priority" + name + "Service",
			Method: "scaling by M/M/c over M/M/1 (Bondi-Buzen)",
			Figure: "mean wait by class",
			Regime: fmt.Sprintf("3 and 4 classes of SCV 0 or 4, %s, means up to 5 times apart, 2 to 10 servers, utilization 0.85 to 0.95", kindWords(kind == 1)),
			Source: "simulation",
			quoted: true,
		})
	}
	return all
}
