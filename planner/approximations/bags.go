package approximations

import (
	"fmt"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A bagCase is a bag of tasks of one work on machines of mean speed 1000. The
// laws of stays and absences are spread over those of real traces, from
// exponential to heavy tails.
type bagCase struct {
	server    bags.Server
	tasks     float64
	minutes   float64 // of a task on a machine of mean speed
	machines  int
	up, down  law.Law
	cv        float64 // of the speeds
	departure float64
	// A law of the gaps between tasks; nil: all tasks are there at the start.
	arrival law.Law
}

// bagCases are those of bags.csv.
func bagCases() []bagCase {
	var all []bagCase
	for _, r := range table("bags.csv") {
		all = append(all, bagCase{
			server:    r.server(),
			tasks:     r.number("tasks"),
			minutes:   r.number("minutes"),
			machines:  int(r.number("machines")),
			up:        r.law("up"),
			down:      r.law("away"),
			cv:        r.number("cv"),
			departure: r.number("departure"),
			arrival:   r.law("arrival"),
		})
	}
	return all
}

// late says whether tasks arrive one by one under BOINC. The closed form then has
// a way of its own, and so its errors are measured apart.
func (k bagCase) late() bool { return k.server == bags.BOINC && k.arrival != nil }

// finishing simulates bags beside their closed form.
func finishing() ([]trial, error) {
	var all []trial
	for _, k := range bagCases() {
		// A machine of mean speed does 60,000 units of work in a minute.
		b := bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.minutes * 60000}, Arrival: k.arrival}
		p := &hosts.Platform{
			Count:     k.machines,
			Up:        k.up,
			Down:      k.down,
			Speed:     hosts.Speed{Mean: 1000, SD: 1000 * k.cv},
			Departure: k.departure,
		}
		f, err := bags.Finish(&bags.Setup{Bag: b, Hosts: p, Server: k.server})
		if err != nil {
			return nil, err
		}
		server := k.server.String()
		if k.late() {
			server += "Late"
		}
		study, err := bot.NewStudy(&bot.Case{Bag: b, Hosts: p, Server: k.server})
		if err != nil {
			return nil, err
		}
		all = append(all, trial{
			study: "bags",
			name: fmt.Sprintf("%s: %g tasks of %g min on %d machines, up %v, away %v",
				k.server, k.tasks, k.minutes, k.machines, k.up, k.down),
			model:   study,
			options: sim.Options{Replications: 200},
			says: []saying{
				{"BagMedian" + server, bot.Finish + "_p50", f.Quantile(0.5), 0},
				{"BagHigh" + server, bot.Finish + "_p95", f.Quantile(0.95), 0},
			},
		})
	}
	return all, nil
}

// finishMeasures names the measures by server, and for tasks that come one by one
// apart. No model quotes them; docs/APPROXIMATIONS.md shows them.
func finishMeasures() []Measure {
	const late = "2 to 1800 tasks of 1 to 64 min that arrive one by one, on 69 to 760 machines, stays of the same laws"
	const those = "15 to 5000 tasks of 3 to 120 min on 8 to 5000 machines, stays of exponential to heavy-tailed laws"
	var all []Measure
	for _, k := range []struct{ key, server, regime string }{
		{"xwhep", "xwhep", those},
		{"boinc", "boinc", those},
		{"boincLate", "boinc", late},
		{"checkpoint", "checkpoint", those},
	} {
		all = append(all, timesOfBags("Bag", k.key, k.server, k.regime)...)
	}
	return all
}

// timesOfBags are two measures of bags under a server, of the median and of the 95% point of their times.
func timesOfBags(which, key, server, regime string) (both []Measure) {
	for _, figure := range []struct{ key, name string }{{"Median", "median time of a bag"},
		{"High", "95% point of the time of a bag"}} {
		both = append(both, Measure{
			Key:     which + figure.key + key,
			Method:  "mean numbers of tasks and machines through time, " + server,
			Figure:  figure.name,
			Regime:  regime,
			Source:  "simulation",
			Default: true,
		})
	}
	return both
}
