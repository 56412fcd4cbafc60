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

// bagCases are those of TestFinishAgainstSimulation in package sim/bot, all but five of
// which were not used while the closed forms were made.
var bagCases = []bagCase{
	{bags.XWHEP, 400, 20, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 0, nil},
	{bags.XWHEP, 100, 40, 300, law.Weibull{Shape: 0.7, Scale: 17000}, law.LogNormal{Mu: 8, Sigma: 0.8}, 0.25, 0, nil},
	{bags.XWHEP, 5000, 5, 250, law.Gamma{Shape: 0.5, Scale: 20000}, law.Exponential{Scale: 2500}, 0.2, 0, nil},
	{bags.XWHEP, 3000, 8, 90, law.LogNormal{Mu: 8.5, Sigma: 1.2}, law.Weibull{Shape: 0.8, Scale: 1500}, 0.3, 0, nil},
	{bags.XWHEP, 150, 15, 1000, law.Exponential{Scale: 5400}, law.Exponential{Scale: 5400}, 0.1, 0, nil},
	{bags.XWHEP, 900, 30, 400, law.Weibull{Shape: 0.9, Scale: 20000}, law.Exponential{Scale: 7200}, 0.15, 0, nil},
	{bags.BOINC, 500, 30, 300, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 0, nil},
	{bags.BOINC, 3000, 10, 200, law.Weibull{Shape: 0.7, Scale: 17000}, law.LogNormal{Mu: 7.5, Sigma: 0.8}, 0.2, 0, nil},
	{bags.BOINC, 1200, 6, 150, law.Gamma{Shape: 0.6, Scale: 15000}, law.Exponential{Scale: 1500}, 0.25, 0, nil},
	{bags.Checkpoint, 600, 60, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 0, nil},
	{bags.Checkpoint, 2000, 15, 120, law.Weibull{Shape: 0.7, Scale: 9000}, law.LogNormal{Mu: 7, Sigma: 1}, 0.2, 0, nil},
	{bags.XWHEP, 1000, 20, 60, law.Weibull{Shape: 0.4, Scale: 600}, law.Exponential{Scale: 900}, 0.2, 0, nil},
	{bags.XWHEP, 250, 10, 100, law.LogNormal{Mu: 7, Sigma: 1.5}, law.Exponential{Scale: 1800}, 0, 0, nil},
	{bags.Checkpoint, 250, 30, 100, law.LogNormal{Mu: 7, Sigma: 1.5}, law.Exponential{Scale: 1800}, 0, 0, nil},
	{bags.XWHEP, 400, 10, 80, law.Exponential{Scale: 7200}, law.Exponential{Scale: 3600}, 0.25, 0.1, nil},
	{bags.BOINC, 200, 15, 100, law.Weibull{Shape: 0.5, Scale: 8000}, law.LogNormal{Mu: 7, Sigma: 1.2}, 0.2, 0, nil},
	{bags.BOINC, 800, 10, 400, law.Gamma{Shape: 0.4, Scale: 30000}, law.Exponential{Scale: 4000}, 0.25, 0, nil},
	{bags.XWHEP, 500, 10, 80, law.Exponential{Scale: 5000}, law.Exponential{Scale: 2500}, 0.2, 0,
		law.Weibull{Shape: 0.6, Scale: 600}},
	{bags.XWHEP, 15, 30, 8, law.Exponential{Scale: 10000}, law.Exponential{Scale: 5000}, 0.2, 0, nil},
	{bags.BOINC, 40, 20, 12, law.Exponential{Scale: 10000}, law.Exponential{Scale: 5000}, 0.2, 0, nil},
	{bags.Checkpoint, 300, 40, 70, law.Weibull{Shape: 0.5, Scale: 2500}, law.Exponential{Scale: 3000}, 0.25, 0, nil},
	{bags.BOINC, 300, 60, 5000, law.LogNormal{Mu: 6.3, Sigma: 2.2}, law.LogNormal{Mu: 6.8, Sigma: 1.8}, 0.25, 0, nil},
	{bags.BOINC, 100, 120, 2000, law.Weibull{Shape: 0.35, Scale: 3000}, law.Exponential{Scale: 3000}, 0.3, 0, nil},
	{bags.BOINC, 1500, 20, 300, law.Gamma{Shape: 0.2, Scale: 200000}, law.Weibull{Shape: 0.4, Scale: 2000}, 0, 0, nil},
	{bags.XWHEP, 2000, 12, 300, law.LogNormal{Mu: 6.5, Sigma: 2}, law.LogNormal{Mu: 7, Sigma: 1.5}, 0.2, 0, nil},
	{bags.Checkpoint, 800, 45, 200, law.Weibull{Shape: 0.45, Scale: 5000}, law.Exponential{Scale: 2500}, 0.25, 0, nil},
	{bags.BOINC, 250, 10, 90, law.Exponential{Scale: 600}, law.Exponential{Scale: 300}, 0.2, 0, nil},
	{bags.BOINC, 600, 30, 200, law.LogNormal{Mu: 5, Sigma: 2.8}, law.LogNormal{Mu: 6, Sigma: 2}, 0, 0, nil},
	{bags.BOINC, 900, 12, 150, law.LogNormal{Mu: 6, Sigma: 2.5}, law.LogNormal{Mu: 5, Sigma: 2}, 0, 0, nil},
	{bags.BOINC, 400, 45, 250, law.Weibull{Shape: 0.4, Scale: 2500}, law.Weibull{Shape: 0.5, Scale: 1500}, 0.1, 0, nil},
	{bags.BOINC, 2000, 5, 120, law.Gamma{Shape: 0.3, Scale: 40000}, law.LogNormal{Mu: 6.5, Sigma: 1.5}, 0.25, 0, nil},
	{bags.BOINC, 700, 60, 400, law.LogNormal{Mu: 7, Sigma: 2}, law.Exponential{Scale: 3600}, 0, 0, nil},
	{bags.BOINC, 150, 20, 60, law.LogNormal{Mu: 5.5, Sigma: 2.5}, law.LogNormal{Mu: 6.5, Sigma: 1.5}, 0.2, 0, nil},
	{bags.BOINC, 1000, 30, 300, law.Exponential{Scale: 1800}, law.Exponential{Scale: 900}, 0, 0, nil},
	{bags.BOINC, 500, 25, 100, law.Weibull{Shape: 3, Scale: 5000}, law.Exponential{Scale: 2000}, 0, 0, nil},
	{bags.BOINC, 300, 40, 500, law.LogNormal{Mu: 6, Sigma: 2.4}, law.Weibull{Shape: 0.6, Scale: 3000}, 0.25, 0, nil},
	{bags.BOINC, 4000, 3, 250, law.Weibull{Shape: 0.45, Scale: 2000}, law.LogNormal{Mu: 6, Sigma: 1}, 0.2, 0, nil},
	{bags.BOINC, 120, 90, 80, law.LogNormal{Mu: 4.5, Sigma: 3}, law.Exponential{Scale: 5000}, 0, 0, nil},

	{bags.BOINC, 800, 6.8, 320, law.Weibull{Shape: 0.5, Scale: 4000}, law.Exponential{Scale: 5600}, 0.3, 0,
		law.Weibull{Shape: 2.3, Scale: 1300}},
	{bags.BOINC, 76, 4.1, 100, law.Weibull{Shape: 0.53, Scale: 3500}, law.LogNormal{Mu: 7.07, Sigma: 1.2}, 0.25, 0,
		law.Weibull{Shape: 2.4, Scale: 1000}},
	{bags.BOINC, 360, 21, 220, law.LogNormal{Mu: 7.35, Sigma: 0.91}, law.Exponential{Scale: 1300}, 0.3, 0,
		law.Weibull{Shape: 2.1, Scale: 14000}},
	{bags.BOINC, 1600, 2.4, 580, law.LogNormal{Mu: 6.68, Sigma: 1.6}, law.Weibull{Shape: 0.57, Scale: 790}, 0, 0,
		law.Exponential{Scale: 9000}},
	{bags.BOINC, 290, 15, 69, law.Exponential{Scale: 5500}, law.Exponential{Scale: 5000}, 0.25, 0,
		law.Exponential{Scale: 5400}},
	{bags.BOINC, 290, 13, 520, law.LogNormal{Mu: 7.49, Sigma: 1.8}, law.Weibull{Shape: 1.1, Scale: 4400}, 0.2, 0,
		law.Exponential{Scale: 380}},
	{bags.BOINC, 170, 16, 270, law.Exponential{Scale: 11000}, law.Weibull{Shape: 0.89, Scale: 9100}, 0, 0,
		law.Weibull{Shape: 1.4, Scale: 1000}},
	{bags.BOINC, 100, 11, 160, law.LogNormal{Mu: 7.23, Sigma: 1.3}, law.LogNormal{Mu: 7, Sigma: 1.3}, 0.2, 0,
		law.Weibull{Shape: 0.76, Scale: 500}},
	{bags.BOINC, 1100, 6.6, 100, law.Exponential{Scale: 28000}, law.LogNormal{Mu: 8.96, Sigma: 1.3}, 0.1, 0,
		law.Exponential{Scale: 10000}},
	{bags.BOINC, 1800, 1.2, 720, law.Exponential{Scale: 24000}, law.Exponential{Scale: 4100}, 0.1, 0,
		law.Weibull{Shape: 2.7, Scale: 6900}},
	{bags.BOINC, 680, 5.7, 180, law.Exponential{Scale: 34000}, law.LogNormal{Mu: 9.25, Sigma: 1.5}, 0.2, 0,
		law.Exponential{Scale: 6500}},
	{bags.BOINC, 1300, 3.4, 760, law.LogNormal{Mu: 6.46, Sigma: 1.7}, law.Weibull{Shape: 0.91, Scale: 500}, 0.3, 0,
		law.Weibull{Shape: 2.5, Scale: 1000}},
	{bags.BOINC, 9, 5.8, 130, law.Weibull{Shape: 1.1, Scale: 5200}, law.LogNormal{Mu: 6.84, Sigma: 1.3}, 0.3, 0,
		law.Weibull{Shape: 2.7, Scale: 21000}},
	{bags.BOINC, 2, 1.5, 92, law.Exponential{Scale: 6400}, law.LogNormal{Mu: 7.65, Sigma: 1.4}, 0.2, 0,
		law.Weibull{Shape: 0.77, Scale: 50000}},
	{bags.BOINC, 4, 11, 620, law.Exponential{Scale: 40000}, law.Weibull{Shape: 0.89, Scale: 32000}, 0.3, 0,
		law.Exponential{Scale: 8300}},
	{bags.BOINC, 19, 64, 410, law.Exponential{Scale: 25000}, law.Weibull{Shape: 0.61, Scale: 3900}, 0.3, 0,
		law.Weibull{Shape: 0.72, Scale: 3500}},
	{bags.BOINC, 51, 35, 110, law.Weibull{Shape: 0.55, Scale: 8100}, law.Exponential{Scale: 12000}, 0.1, 0,
		law.Exponential{Scale: 43000}},
	{bags.BOINC, 14, 1, 420, law.Exponential{Scale: 11000}, law.Exponential{Scale: 9700}, 0, 0,
		law.Weibull{Shape: 1.5, Scale: 12000}},
	{bags.BOINC, 11, 7, 590, law.LogNormal{Mu: 8.16, Sigma: 1.3}, law.LogNormal{Mu: 7.35, Sigma: 1.3}, 0.3, 0,
		law.Exponential{Scale: 13000}},
	{bags.BOINC, 2, 51, 510, law.LogNormal{Mu: 7.86, Sigma: 1.2}, law.LogNormal{Mu: 7.71, Sigma: 0.93}, 0.25, 0,
		law.Weibull{Shape: 0.53, Scale: 24000}},
	{bags.BOINC, 6, 21, 160, law.Weibull{Shape: 0.64, Scale: 2400}, law.Exponential{Scale: 1400}, 0.3, 0,
		law.Weibull{Shape: 1.9, Scale: 46000}},
	{bags.BOINC, 59, 1.4, 81, law.Exponential{Scale: 2600}, law.LogNormal{Mu: 7.56, Sigma: 0.7}, 0, 0,
		law.Weibull{Shape: 1.7, Scale: 10000}},
}

// late says whether tasks arrive one by one under BOINC. The closed form then has
// a way of its own, and so its errors are measured apart.
func (k bagCase) late() bool { return k.server == bags.BOINC && k.arrival != nil }

// finishing simulates bags beside their closed form.
func finishing() ([]trial, error) {
	var all []trial
	for _, k := range bagCases {
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
	const late = "2 to 1800 tasks of 1 to 64 min that arrive one by one, on 69 to 760 machines, stays as above"
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
