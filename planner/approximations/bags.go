package approximations

import (
	"fmt"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A bagCase is a bag of tasks of one work on machines of mean speed 1000.
type bagCase struct {
	server    bags.Server
	tasks     float64
	minutes   float64 // of a task on a machine of mean speed
	machines  int
	up, down  law.Law
	cv        float64 // of the speeds
	departure float64
	arrival   law.Law
}

// bagCases are those of TestFinishAgainstSimulation in package sim/bot, all but three of
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
}

// finishing simulates bags beside their closed form.
func finishing() ([]trial, error) {
	var all []trial
	for _, k := range bagCases {
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
				{"BagMedian" + k.server.String(), bot.Finish + "_p50", f.Quantile(0.5), 0},
				{"BagHigh" + k.server.String(), bot.Finish + "_p95", f.Quantile(0.95), 0},
			},
		})
	}
	return all, nil
}

func finishMeasures() []Measure {
	var all []Measure
	for _, s := range []bags.Server{bags.XWHEP, bags.BOINC, bags.Checkpoint} {
		for _, figure := range []struct {
			key, name string
		}{{"BagMedian", "median time of a bag"}, {"BagHigh", "95% point of the time of a bag"}} {
			all = append(all, Measure{
				Key:     figure.key + s.String(),
				Method:  "mean numbers of tasks and machines through time, " + s.String(),
				Figure:  figure.name,
				Regime:  "15 to 5000 tasks of 3 to 120 min on 8 to 5000 machines, stays of exponential to heavy-tailed laws",
				Source:  "simulation",
				Default: true,
			})
		}
	}
	return all
}
