package bags

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/bot"
)

// A FinishCheck is the design as simulated.
type FinishCheck struct {
	Finish Finish   `json:"finish_s"`
	Chance *float64 `json:"chance"` // share of the runs done by the deadline
	// Hours is the sum over all workers; null without help.
	Hours *simulate.Interval `json:"hours"`
	Runs  int                `json:"replications"`
}

// check simulates the design, or the bag without help.
func (a *FinishAnswer) check(ctx context.Context, q *FinishQuestion) error {
	s := &SimulateQuestion{
		Bag: q.Bag, Hosts: q.Hosts, Server: q.Server, Seed: q.Seed,
		Replications: q.Replications, Progress: q.Progress, helpOnly: true,
	}
	switch {
	case q.Bounded && q.Search: // which runs more
		s.events = simulate.MostEvents / 4
	case q.Bounded:
		s.events = simulate.MostEvents
	}
	if d := a.Design; d != nil && d.Workers > 0 {
		s.Strategy = d.Strategy
		// The design determines what is spent, so credits must not limit it.
		credits := 1e12
		s.Credits, s.Boot = &credits, q.Boot
		s.CloudSpeed, s.Hourly = q.CloudSpeed, q.Hourly
	}
	r, err := Simulate(ctx, s)
	if err != nil {
		return err
	}
	if r.result.Interrupted || r.Replications < q.Replications {
		a.Warnings = append(a.Warnings,
			fmt.Sprintf("stopped after %s: the simulated figures are of these alone%s",
				fault.Count(r.Replications, "run"), goOn(ctx)))
	}
	if r.Unfinished > 0 {
		a.Warnings = append(a.Warnings, r.givenUp(0)+" and count as late")
	}
	a.Simulation = &FinishCheck{Finish: r.Finish, Runs: r.Replications}
	if q.By != nil {
		// A run given up at the horizon counts as late.
		runs := Values(&r.result, bot.Finish)
		met := 0
		for _, v := range runs {
			if v[0] <= *q.By {
				met++
			}
		}
		a.Simulation.Chance = ask.Figure(float64(met) / float64(r.Replications))
	}
	if r.Help != nil {
		hours := func(v *float64) *float64 {
			if v == nil {
				return nil
			}
			return ask.Figure(*v / 3600)
		}
		t := r.Help.CloudTime
		a.Simulation.Hours = &simulate.Interval{Mean: hours(t.Mean), Low: hours(t.Low), High: hours(t.High)}
	}
	return nil
}
