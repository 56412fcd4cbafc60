package report

import (
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// The figures of a replay.
const (
	FailuresFigure = "failures" // iShare figure 15
	MakespanFigure = "makespan"
	SlowdownFigure = "slowdown" // figure 16
)

// Replay says what schedulers would have made of jobs. The figure, and the data,
// go by the length of the jobs, or by the hour of their arrival. It leads with the share of jobs
// that fail with each scheduler. The slowdown is against the scheduler that knows the future.
func Replay(a *backtest.ReplayAnswer, figure string, byArrival bool) *page.Section {
	scores := a.Lengths
	if byArrival {
		scores = a.Arrivals
	}
	s := page.New("replay", "How would schedulers have run these jobs?", a.Warnings, a.Explanation,
		page.RowsOf("replay", scores))
	// A scheduler that placed no job has no rate.
	failed := func(x backtest.ReplayScore) string {
		if x.FailureRate == nil {
			return "-"
		}
		return say.Fraction(*x.FailureRate, 3)
	}
	all := a.Schedulers
	// There are always the same three schedulers, the proactive one first.
	s.Say("%s of the jobs fail with the %s scheduler, %s %s, %s %s",
		failed(all[0]), all[0].Scheduler, failed(all[1]), all[1].Scheduler, failed(all[2]), all[2].Scheduler)
	// The paper's model is the default; only another one is named.
	if a.Model != backtest.SMPModel {
		s.Fact("proactive by", a.Model)
	}
	AddChosen(s, a.Chosen)
	// The column compared counts the jobs that every scheduler finished: makespans and slowdowns
	// are over those.
	t := s.Table("length", "scheduler", "jobs", "unscheduled", "failed", "restarts", "unfinished", "compared",
		"mean makespan", "slowdown")
	for _, x := range slices.Concat(a.Lengths, a.Schedulers) {
		length := "all"
		if x.Length != nil {
			length = say.Duration(*x.Length, 4)
		}
		t.Row(length, x.Scheduler, say.Count(x.Jobs), say.Count(x.Unscheduled), failed(x), say.Count(x.Restarts),
			say.Count(x.Unfinished),
			say.Count(x.Common), say.Maybe(x.MeanMakespan, say.Duration, 3), say.Maybe(x.Slowdown, say.Fraction, 3))
	}
	s.Fact("machines",
		say.Count(a.Hosts), fmt.Sprintf("speeds with a coefficient of variation of %s", say.Number(a.SpeedCV, 3)))
	// Each length is submitted at all of these times.
	s.Fact("submitted", say.Plural(a.Times, "time"), a.First+" to "+a.Last)
	s.Fact("horizon", say.Duration(a.Horizon, 4), fmt.Sprintf("seed %d", a.Seed))
	// Makespans are compared over the jobs that all schedulers finished, and there may be none.
	s.Draws = func(context.Context) ([]page.Figure, error) {
		p := replayPlot(a, figure, byArrival, scores)
		if len(p.Curves) == 0 {
			return nil, ask.NothingDrawn("no job finished with every scheduler, so there is no curve to draw")
		}
		return s.Figures([]ask.Plot{p}), nil
	}
	return s
}

// replayPlot is a curve for each scheduler. Titles say what is drawn; the figure chooses which
// score.
func replayPlot(a *backtest.ReplayAnswer, figure string, byArrival bool, scores []backtest.ReplayScore) ask.Plot {
	p := ask.Plot{
		Subtitle: say.Plural(a.Hosts, "machine") + ", " + say.Plural(a.Times, "submission time"),
		X:        ask.Axis{Name: "length of the job", Unit: "h", Step: 1},
	}
	// Lengths are in s, and drawn in hours.
	x := func(s backtest.ReplayScore) float64 { return *s.Length / 3600 }
	if byArrival {
		p.X = ask.Axis{Name: "hour of submission", Step: 2}
		x = func(s backtest.ReplayScore) float64 { return *s.Arrival / 3600 }
	}
	y := func(s backtest.ReplayScore) *float64 { return s.FailureRate }
	switch figure {
	case MakespanFigure:
		p.Title, p.Y = "Mean makespan by scheduler", ask.Axis{Name: "mean makespan", Unit: "s"}
		y = func(s backtest.ReplayScore) *float64 { return s.MeanMakespan }
	case SlowdownFigure:
		p.Title, p.Y = "Slowdown against the omniscient scheduler", ask.Axis{Name: "slowdown", Unit: "fraction"}
		y = func(s backtest.ReplayScore) *float64 { return s.Slowdown }
	default:
		p.Title, p.Y = "Jobs that fail by scheduler", ask.Axis{Name: "jobs that fail at least once", Unit: "fraction"}
	}
	for _, total := range a.Schedulers {
		// The slowdown is measured against the omniscient scheduler, whose own is 0 throughout.
		if figure == SlowdownFigure && total.Scheduler == "omniscient" {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(scores),
			func(s backtest.ReplayScore) bool { return s.Scheduler != total.Scheduler })
		page.AddCurve(&p, total.Scheduler, own, x, y)
	}
	return p
}
