package bags

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A FinishSearch is the cheapest help found by simulation. Chance and hours are from runs that had
// no part in choosing it, unless the search was stopped before these.
type FinishSearch struct {
	Start    float64           `json:"start"`    // share of the tasks done when workers are started
	Workers  int               `json:"workers"`  // 0: no help is needed
	Method   string            `json:"method"`   // flat, reschedule, duplicate, or none
	Strategy string            `json:"strategy"` // for simulate bot
	Chance   float64           `json:"chance"`   // share of the runs that were in time
	Hours    simulate.Interval `json:"hours"`    // of all workers
	Cost     *float64          `json:"cost"`     // of the mean hours; null without a price
	// Late of Runs were late when it was chosen: the chance is at least the one wanted with a
	// confidence of 95 %.
	Late int `json:"late"`
	Runs int `json:"replications"`
	// Tried is how many designs were tried, in Simulated runs altogether.
	Tried       int  `json:"tried"`
	Simulated   int  `json:"simulated"`
	Interrupted bool `json:"interrupted"` // there may be cheaper help
}

// leastSearchRuns is the least default number of runs, and searchRuns how many times the fewest
// runs that can show the chance a search uses by default. With more runs a smaller share of them
// has to be in time, and the help is cheaper.
const (
	leastSearchRuns = 200
	searchRuns      = 4
)

// searchEffort bounds a search whose number of runs nobody gave, in events on few machines, so that it takes less than
// ten seconds of one core.
const searchEffort = simulate.MostEvents * 3 / 2

// SearchReplications returns the number of runs on which a search judges help by default.
func SearchReplications(with float64) int {
	return max(leastSearchRuns, searchRuns*bot.LeastRuns(with))
}

// checkSearch returns an error if the search is not well put.
func (q *FinishQuestion) checkSearch(ctx context.Context, with float64) error {
	switch least := bot.LeastRuns(with); {
	case q.Replications < least:
		return ask.Inputf("replications",
			"is %d, want %d or more: if all of fewer runs are in time, the chance of %s is still not shown with "+
				"a confidence of 95%%",
			q.Replications, least, ask.Percent(with, 3))
	case q.MostWorkers != 0:
		return ask.Inputf("search", "tries any number of workers: leave out the limit of %d", q.MostWorkers)
	case pieces.Parted(ctx):
		return ask.Inputf("search", "chooses each run by those before it, so it cannot be split into shards")
	}
	return nil
}

// search looks for the cheapest help by simulation, beginning with that of the closed form.
func (a *FinishAnswer) search(ctx context.Context, q *FinishQuestion, c *bot.Case) error {
	with := q.chance()
	cloud, err := q.cloud()
	if err != nil {
		return err
	}
	from, err := a.searchFrom(ctx, bags.Target{By: *q.By, Chance: with}, cloud)
	if err != nil {
		return err
	}
	o := &bot.Refinement{
		Case: q.helped(c, cloud), Target: bags.Target{By: *q.By, Chance: with}, From: from,
		Runs: q.Replications, Seed: q.Seed,
	}
	if q.Progress != nil {
		// The number of runs that a search takes is not known in advance.
		const about = 30 // multiple of the runs of one design
		of := about * q.Replications
		o.Progress = func(simulated int) { q.Progress(min(simulated, of), of) }
	}
	if q.Bounded {
		o.Effort = searchEffort / weight(c)
		runs := &bot.Study{Case: o.Case, HelpOnly: true}
		if err := simulate.Bearable(ctx, runs, &sim.Options{Events: searchEffort}); err != nil {
			return err
		}
	}
	r, err := bot.Refine(ctx, o)
	if err != nil && ctx.Err() != nil || err == nil && r.Best == nil && r.Interrupted {
		// What was answered before remains an answer.
		a.Warnings = append(a.Warnings, "the search was stopped before it found help that is in time"+goOn(ctx))
		return nil
	}
	if err != nil {
		return FromModel(err)
	}
	if r.Best == nil {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"no help that was tried is in time with chance %s on %d simulated runs with a confidence of 95%%: %d were tried",
			ask.Percent(with, 3), r.Runs, len(r.Trials)))
		return nil
	}
	a.Search = q.found(r)
	if spent := *a.Search.Hours.Mean * spequlos.CreditsPerHour; q.Credits != nil && spent > *q.Credits {
		if !r.Interrupted {
			return tooDear(*q.Credits, spent)
		}
		a.Search = nil
		a.Warnings = append(a.Warnings, fmt.Sprintf("the search was stopped before it found help that %s credits pay, "+
			"the cheapest so far takes %s%s", ask.Digits(*q.Credits), ask.Digits(spent), goOn(ctx)))
		return nil
	}
	if r.Interrupted {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"the search was stopped after %d simulated runs: there may be cheaper help%s", r.Simulated, goOn(ctx)))
	}
	return nil
}

// goOn says how runs go on that their effort ended, and not the context.
func goOn(ctx context.Context) string {
	if ctx.Err() != nil {
		return ""
	}
	return "; ask for a number of replications to have it go on"
}

// searchFrom returns the help of the closed form for each start, for the deadline or, if that needs
// no help, for an earlier one.
func (a *FinishAnswer) searchFrom(ctx context.Context, t bags.Target, c bags.Cloud) ([]*bags.Helped, error) {
	for _, sooner := range []float64{1, 0.95, 0.9, 0.8, 0.7, 0.5} {
		all, err := a.law.Designs(ctx, bags.Target{By: sooner * t.By, Chance: t.Chance}, c)
		if err != nil {
			return nil, err
		}
		if len(all) > 0 && all[0].Workers > 0 {
			return all, nil
		}
	}
	return nil, nil
}

// found returns the best help as part of the answer.
func (q *FinishQuestion) found(r *bot.Refined) *FinishSearch {
	t := r.Best
	// Runs that had no part in choosing the help say how good it is.
	if r.Again != nil {
		t = r.Again
	}
	half := t.HoursHalf()
	s := &FinishSearch{
		Start: t.Start, Workers: t.Workers, Method: "none", Strategy: NoStrategy,
		Chance: 1 - float64(t.Late)/float64(t.Runs),
		Hours: simulate.Interval{
			Mean: ask.Figure(t.Hours), Low: ask.Figure(max(0, t.Hours-half)), High: ask.Figure(t.Hours + half),
		},
		Cost: q.cost(t.Hours),
		Late: r.Best.Late, Runs: r.Best.Runs,
		Tried: len(r.Trials), Simulated: r.Simulated, Interrupted: r.Interrupted,
	}
	if t.Workers > 0 {
		s.Method = map[spequlos.How]string{
			spequlos.Flat: "flat", spequlos.Reschedule: "reschedule", spequlos.Duplicate: "duplicate",
		}[t.How]
		s.Strategy = t.Strategy().String()
	}
	return s
}
