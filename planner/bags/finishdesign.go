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
	t, margin, ok, err := q.aim(ctx)
	if err != nil || !ok {
		return err
	}
	a.by, a.Margin, a.Chance = *q.By, margin, ask.Figure(a.law.Chance(*q.By))
	ctx, stop := context.WithCancel(ctx)
	defer stop() // without a design there is no frontier either
	plain, share := bags.Target{By: *q.By, Chance: t.Chance}, 1/dearMargin
	if margin == 0 {
		share = 0
	}
	sought, err := a.law.Seek(ctx, t, cloud, plain, share)
	if err != nil {
		return err
	}
	h, j, err := a.choose(ctx, q, newJudge(c, q, t, cloud), sought)
	if err != nil {
		return err
	}
	hours := h.Hours
	if j.told != nil {
		hours = j.told.Hours
	}
	// A search may find help within the credits.
	if spent := hours * spequlos.CreditsPerHour; q.Credits != nil && !q.Search && spent > *q.Credits {
		return tooDear(*q.Credits, spent)
	}
	a.Design, a.helped = q.designOf(h, j, t, hours), h.Quantile
	if j.told != nil && (a.Drawn > 0 || j.told.Late > 0) && !j.told.Holds(t.Chance) {
		a.Warnings = append(a.Warnings, "there are too few runs to tell whether the help is in "+
			"time: it was "+j.judged().String())
	}
	if j.tooLong {
		a.warnOfLong()
	}
	switch {
	case j.raced == nil:
		err = a.warnOfMargin(sought, plain, margin, h)
	case len(j.tried) > 1 || !sought.OK:
		a.warnOfSought(sought.OK, j.howMany())
	}
	// A law says little about help that it did not find, and a drawn one knows help only by groups of runs.
	if h != sought.Best || a.Drawn > 0 && j.told != nil {
		d := a.Design
		a.helped = j.told.Quantile
		d.Chance, d.LateChance, d.Finish = j.told.DoneBy(*q.By), j.told.DoneBy(t.By), percentiles(a.helped)
	}
	if err != nil {
		return err
	}
	return a.drawFrontier(ctx, q, j, sought)
}

// aim returns the target of a design: a bag done by its time is still in time if everything takes
// longer by the margin. ok is false without a deadline. Errors: *ask.InputError.
func (q *FinishQuestion) aim(ctx context.Context) (t bags.Target, margin float64, ok bool, err error) {
	with := q.chance()
	if margin = defaultMargin; q.Margin != nil {
		margin = *q.Margin
	}
	switch {
	case q.By == nil:
		for _, f := range []struct {
			field string
			given bool
		}{
			{"with", q.With != nil}, {"margin", q.Margin != nil}, {"cloud_price", q.CloudPrice != nil},
			{"cloud_speed", q.CloudSpeed != nil}, {"boot", q.Boot != nil}, {"hourly", q.Hourly},
			{"credits", q.Credits != nil}, {"search", q.Search},
		} {
			if f.given {
				return t, 0, false, ask.Inputf(f.field, "only used with a deadline, such as {by} 8h")
			}
		}
		return t, 0, false, nil
	case !(*q.By > 0) || math.IsInf(*q.By, 1):
		err = ask.Inputf("by", "is %s after the submission: the deadline is past, want a time above 0 such as 8h",
			ask.Time(*q.By))
	case !(with > 0 && with < 1):
		err = ask.Inputf("with", "is %s, want a chance between 0 and 1 such as 95%%", ask.Digits(with))
	case !(margin >= 0 && margin <= 1):
		err = ask.Inputf("margin", "is %s, want a share from 0 to 100%% such as 3%%", ask.Digits(margin))
	case q.Search:
		err = q.checkSearch(ctx, with)
	}
	if err != nil {
		return t, 0, false, err
	}
	return bags.Target{By: *q.By / (1 + margin), Chance: with}, margin, true, nil
}

// choose returns the help that was sought or, if the law is not to be trusted, what its judge finds,
// with that judge. Errors: *ask.InfeasibleError if no help is in time.
func (a *FinishAnswer) choose(ctx context.Context, q *FinishQuestion, j *judge, sought *bags.Sought) (
	*bags.Helped, *judge, error) {
	h, ok, err := sought.Best, sought.OK, error(nil)
	if takes := fastest(j); takes > *q.By {
		return nil, nil, q.refused(h, j, &judge{by: *q.By, takes: takes}, a.Margin)
	}
	switch waves := q.wavesLeft(j.c, h); {
	case a.Drawn > 0 && (ok || h.Workers > 0):
		h, ok, err = j.of(ctx, a.law, sought)
	case a.Drawn == 0 && ok && waves > 0:
		ok, err = a.confirm(ctx, j, h, waves)
		h = j.best
	}
	// Of unlike tasks that machines hardly ever finish the law tells other hours: 915 for the 1,744 of
	// TestHelpForATaskThatNoMachineDoes.
	doubted := ok && a.Drawn == 0 && a.Finish.P50 == nil && q.Bag.Unlike() > 0 && !q.Search
	if err != nil || ok && !doubted {
		return h, j, err
	}
	// No refusal before the greatest possible help was judged.
	g, err := j.greatest(ctx, a.law, q)
	switch {
	case err != nil:
		return nil, nil, err
	case doubted && g.told == nil:
		return h, j, nil
	case !g.inTime():
		return nil, nil, q.refused(h, j, g, a.Margin)
	}
	return g.best, g, nil
}

// designOf returns help as a design, with the judgement of j if it judged.
func (q *FinishQuestion) designOf(h *bags.Helped, j *judge, t bags.Target, hours float64) *Design {
	d := &Design{
		Start: h.Start, Workers: h.Workers, Method: "none", Strategy: NoStrategy,
		Hours:      hours,
		Cost:       q.cost(hours),
		Chance:     h.Chance(*q.By),
		LateChance: h.Chance(t.By),
		Finish:     percentiles(h.Quantile),
	}
	if h.Workers > 0 {
		d.Method, d.Strategy = "reschedule", bot.StrategyOf(h.Help, spequlos.Reschedule).String()
	}
	if j.told != nil {
		d.Judged = j.judged()
	}
	return d
}

// drawFrontier sets the frontier: by runs if runs found the design.
func (a *FinishAnswer) drawFrontier(ctx context.Context, q *FinishQuestion, j *judge, sought *bags.Sought) error {
	points, err := sought.Points()
	if !sought.OK {
		points, err = a.law.Frontier(ctx, j.Chance, j.Cloud)
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
