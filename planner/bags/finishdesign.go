package bags

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// design looks for the cheapest help. If the law is drawn, the help is judged on separate runs.
func (a *FinishAnswer) design(ctx context.Context, q *FinishQuestion, c *bot.Case) error {
	cloud, err := q.cloud()
	if err != nil {
		return err
	}
	if q.By == nil {
		switch {
		case q.With != nil:
			return ask.Inputf("with", "only used with a deadline, such as %s 8h", ask.FieldName("by"))
		case q.Search:
			return ask.Inputf("search", "only used with a deadline, such as %s 8h", ask.FieldName("by"))
		}
		return nil
	}
	if !(*q.By > 0) || math.IsInf(*q.By, 1) {
		return ask.Inputf("by", "is %s after the submission: the deadline is past, want a time above 0 such as 8h",
			ask.Time(*q.By))
	}
	with := q.chance()
	if !(with > 0 && with < 1) {
		return ask.Inputf("with", "is %s, want a chance between 0 and 1 such as 95%%", ask.Digits(with))
	}
	if q.Search {
		if err := q.checkSearch(ctx, with); err != nil {
			return err
		}
	}
	margin := defaultMargin
	if q.Margin != nil {
		margin = *q.Margin
	}
	if !(margin >= 0 && margin <= 1) {
		return ask.Inputf("margin", "is %s, want a share from 0 to 100%% such as 3%%", ask.Digits(margin))
	}
	// A run done by this time is still in time if everything takes longer by the margin.
	by := *q.By / (1 + margin)
	a.by = *q.By
	a.Margin = margin
	a.Chance = ask.Figure(a.law.Chance(*q.By))
	ctx, stop := context.WithCancel(ctx)
	defer stop() // without a design there is no frontier either
	sought, err := a.law.Seek(ctx, bags.Target{By: by, Chance: with}, cloud)
	if err != nil {
		return err
	}
	h, ok := sought.Best, sought.OK
	j := newJudge(c, q, bags.Target{By: by, Chance: with}, cloud)
	switch waves := q.wavesLeft(c, h); {
	case a.Drawn > 0 && (ok || h.Workers > 0):
		h, ok, err = j.of(ctx, a.law, sought)
	case a.Drawn == 0 && ok && waves > 0:
		ok, err = a.confirm(ctx, j, h, waves)
		h = j.best
	}
	if err != nil {
		return err
	}
	if !ok { // not before the greatest possible help was judged
		g, err := j.greatest(ctx, a.law, q)
		switch {
		case err != nil:
			return err
		case !g.inTime():
			return q.refused(h, j, g, margin)
		}
		h, j = g.best, g
	}
	hours := h.Hours
	if j.told != nil {
		hours = j.told.Hours
	}
	// A search may find help within the credits.
	if spent := hours * spequlos.CreditsPerHour; q.Credits != nil && !q.Search && spent > *q.Credits {
		return tooDear(*q.Credits, spent)
	}
	a.Design = &Design{
		Start: h.Start, Workers: h.Workers, Method: "none", Strategy: NoStrategy,
		Hours:      hours,
		Cost:       q.cost(hours),
		Chance:     h.Chance(*q.By),
		LateChance: h.Chance(by),
		Finish:     percentiles(h.Quantile),
	}
	if j.told != nil {
		if (a.Drawn > 0 || j.told.Late > 0) && !j.told.Holds(with) {
			a.Warnings = append(a.Warnings, "there are too few runs to tell whether the help is in "+
				"time: it was "+j.judged().String())
		}
		a.Design.Judged = j.judged()
	}
	if h.Workers > 0 {
		a.Design.Method = "reschedule"
		a.Design.Strategy = bot.StrategyOf(h.Help, spequlos.Reschedule).String()
	}
	switch {
	case j.raced == nil:
		err = a.warnOfMargin(ctx, bags.Target{By: *q.By, Chance: with}, cloud, margin, h)
	case len(j.tried) > 1 || !sought.OK:
		a.warnOfSought(sought.OK, j.howMany())
	}
	if h != sought.Best {
		d := a.Design // the law says little about this help
		d.Chance, d.LateChance, d.Finish = j.told.DoneBy(*q.By), j.told.DoneBy(by), percentiles(j.told.Quantile)
	}
	if err != nil {
		return err
	}
	points, err := sought.Points()
	if !sought.OK {
		points, err = a.law.Frontier(ctx, with, cloud)
	}
	if a.byRuns = j.raced != nil && j.raced.Best != nil; err == nil && a.byRuns {
		points, err = j.frontier(ctx, points)
	}
	for _, p := range points {
		a.Frontier = append(a.Frontier, FrontierPoint{p.By, p.Hours, q.cost(p.Hours), p.Start, p.Workers})
	}
	return err
}

// tooDear says that the credits do not pay for the cheapest help.
func tooDear(credits, spent float64) error {
	return &ask.InfeasibleError{
		Constraint: "credits", Limit: credits, Infimum: spent,
		Reason: fmt.Sprintf("the cheapest help takes %s credits, more than the %s given", ask.Digits(spent),
			ask.Digits(credits)),
	}
}

// chance returns the chance with which the bag must be done by the deadline.
func (q *FinishQuestion) chance() float64 {
	if q.With == nil {
		return 0.95
	}
	return *q.With
}

// cost returns the cost of the hours of workers, nil without a price.
func (q *FinishQuestion) cost(hours float64) *float64 {
	if q.CloudPrice == nil {
		return nil
	}
	return ask.Figure(hours * *q.CloudPrice)
}
