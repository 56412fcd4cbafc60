package ishare

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
)

// Reproducibles are the figures and tables of iShare. All need traces, which a generated
// laboratory gives where none are named; errors of prediction on it say nothing of the paper's
// machines.
func Reproducibles() []paper.Reproducible {
	differs := "the paper's traces of student machines, sampled every 6 s, are not to be had: " +
		"without --trace they are computed on a generated laboratory that meets its tables 2 and 3 (see " +
		"smp.Laboratory), which is no evidence for the paper; errors grow as test days get fewer"
	trace := func(number, title, reproduced, more string,
		run func(context.Context, *paper.Question, *paper.Reproduction) error) paper.Reproducible {
		what := "figure"
		if number == "2" || number == "3" {
			what = "table"
		}
		return paper.Reproducible{
			Name:       "ishare-" + what + "-" + number,
			Source:     "iShare " + what + " " + number,
			Title:      title,
			Reproduced: reproduced,
			Differs:    more + differs,
			NeedsTrace: true,
			Run:        run,
		}
	}
	return []paper.Reproducible{
		trace("2", "Time in each state, CPU and memory available", "shares of all machines' time, means over machines",
			"the paper's shares add up to 99.8%, and its 61.8% of CPU are those of S1 and S2; ", table2),
		trace("3", "Failures by cause", "least, mean and greatest machine, brought to 90 days", "", table3),
		trace("6", "Lengths of free intervals and of failures",
			"empirical distributions over all machines, without the intervals that the records cut", "", figure6),
		trace("7", "Failures by hour of the day",
			"mean, least and greatest over days, all machines together; a failure counts in each hour that it touches",
			"", figure7),
		trace("10", "Time that a prediction takes",
			"wall time of estimate and solution against the length of the window, on this machine, the least of five",
			"the one figure whose numbers are not the same each time; the horizon in steps is that of the trace; ",
			figure10),
		trace("11", "Error of the predicted reliability",
			"mean, least and greatest relative error over start hours with the test days of all machines taken "+
				"together, and the mean by machine; half of the days for training",
			"of free intervals as in figure 6 all but none lasts 10 h, so that the relative error of such a window "+
				"is not defined or huge: the two figures do not fit together; ",
			figure11),
		trace("12", "Error against the share of days for training",
			"mean and greatest relative error on weekdays by share, over start hours, lengths and machines", "",
			figure12),
		trace("13", "Greatest error beside time-series models",
			"windows from 8:00, weekdays and weekends, models of the paper's table 4", "", figure13),
		trace("14", "What noise in the training days changes",
			"discrepancy by length of window and number of failures put in around 8:00",
			"means over 20 draws and all machines, where the paper shows one draw on one: "+
				"a machine that is predicted to be all but never free makes them very large; ",
			figure14),
		trace("15", "Jobs that fail by scheduler", "60 submission times, seven lengths from 30 min to 6 h", "",
			figure15),
		trace("16", "Slowdown of jobs by scheduler", "mean makespan over that of the omniscient scheduler, less 1",
			"all machines have the same speed unless traces say otherwise; ", figure16),
	}
}

// evaluate runs an evaluation on the given traces. The warnings of the evaluation become those of
// the figure.
func evaluate(ctx context.Context, q *paper.Question, a *paper.Reproduction,
	e *backtest.EvaluateQuestion) (*backtest.EvaluateAnswer, error) {
	e.Hosts, e.Labelling, e.Done = q.Hosts, q.Labelling, q.Done
	e.Whole = true // as the paper does
	r, err := backtest.Evaluate(ctx, e)
	if err != nil {
		return nil, err
	}
	if r.Stopped { // a figure of some of the machines would be judged as one of all
		return nil, ctx.Err()
	}
	// Without them a figure on few days would look as sure as the paper's.
	a.Warnings = r.Warnings
	return r, nil
}

// hoursOf returns windows of whole hours in s. The slice that is given is changed, so that a list
// that is kept has to be cloned.
func hoursOf(hours ...float64) []float64 {
	for i := range hours {
		hours[i] *= 3600
	}
	return hours
}

var oneToTen = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}

// figure10 is the computing time of a prediction. It times the two steps of a prediction for
// windows of 1 to 10 h and fits the exponent of the time in the number of steps.
func figure10(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X, a.Drawn = "window (h)", []paper.Panel{{Quantity: "time", YLabel: "time of a prediction (s)", YLog: true}}
	var logSteps, logTimes []float64
	for _, h := range oneToTen {
		var estimate, whole time.Duration
		steps := 0
		// The least of five is nearest to the time without other work on the machine.
		for i := range 5 {
			clock := time.Now()
			k, err := machines.EstimateKernel(&machines.KernelQuestion{Host: &q.Hosts[0], Labelling: q.Labelling,
				DayWindow: machines.DayWindow{Day: "weekday", Start: 8 * 3600, Window: h * 3600}})
			if err != nil {
				return err
			}
			half := time.Since(clock)
			window := h * 3600
			p, err := machines.Solve(ctx, &machines.SolveQuestion{Kernel: &k.Kernel, Window: window})
			if err != nil {
				return err
			}
			if all := time.Since(clock); i == 0 || all < whole {
				estimate, whole = half, all
			}
			steps = p.Horizon
		}
		for _, line := range []struct {
			name    string
			d       time.Duration
			printed float64
		}{{"kernel, with labelling the trace", estimate, 0.02935}, {"kernel and solution", whole, 2.1}} {
			row := paper.Row{
				Quantity: "time",
				Series:   line.name,
				X:        &h,
				Unit:     "s",
				Computed: ask.Figure(line.d.Seconds()),
				Note:     fmt.Sprintf("%s, %d steps", q.Hosts[0].Name, steps),
			}
			if h == 10 {
				row.Printed = &line.printed
				row.Note += "; the paper has 6000"
			}
			a.Add(row)
		}
		// A straight line through logarithms has the exponent as its slope.
		logSteps, logTimes = append(logSteps, math.Log(float64(steps))), append(logTimes, math.Log(whole.Seconds()))
		if h == 10 {
			a.Compare("time of a prediction over its window of 10 h", "", 0.00006, whole.Seconds()/(h*3600),
				"the text: an overhead of 0.006%")
		}
	}
	_, exponent := stat.LinearRegression(logSteps, logTimes, nil, false)
	a.Compare("exponent of the whole time in the steps", "", 1.85, exponent, "least squares over windows of 1 to 10 h")
	return nil
}

// figure11 is the error of the predicted reliability by the length of the window. Pooled days
// have less chance in them than single machines, so that they are judged; those by machine stand
// beside.
func figure11(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	e, err := evaluate(ctx, q, a,
		&backtest.EvaluateQuestion{Day: "both", Windows: hoursOf(slices.Clone(oneToTen)...), Models: []string{}})
	if err != nil {
		return err
	}
	a.X, a.Drawn = "window (h)", []paper.Panel{{Quantity: "relative error", YLabel: "relative error"}}
	for _, m := range e.Models {
		if m.Model != "SMP" {
			continue
		}
		for _, w := range m.Windows {
			x := w.Window / 3600
			a.Rows = append(a.Rows,
				paper.Row{
					Quantity: "relative error", Series: m.Day, X: &x,
					Computed: w.PoolMean, Low: w.PoolLeast, High: w.PoolGreatest,
					Note: "test days of all machines taken together",
				},
				paper.Row{
					Quantity: "relative error", Series: m.Day + ", by machine", X: &x,
					Computed: w.Mean, Note: undefinedNote(w.ErrorSummary),
				})
			if x != 10 {
				continue
			}
			// The text states accuracies, which are 1 less the relative error.
			printed := paper.Row{
				Quantity: "greatest error", Series: m.Day, X: &x,
				Computed: w.PoolGreatest, Note: "from an accuracy of 73.38% in the worst case",
			}
			v := 1 - 0.7338
			if m.Day == "weekend" {
				printed = paper.Row{
					Quantity: "mean error", Series: m.Day, X: &x,
					Computed: w.PoolMean, Note: "from an accuracy above 86.5%",
				}
				v = 1 - 0.865
			}
			printed.Printed = &v
			a.Add(printed)
		}
	}
	errorsByLength(a)
	return nil
}

// errorsByLength judges what the text says of figure 11 in words, from the mean
// errors of the test days of all machines.
func errorsByLength(a *paper.Reproduction) {
	shortest, longest := map[string]paper.Row{}, map[string]paper.Row{}
	for _, r := range a.Rows {
		if r.Quantity != "relative error" || r.Computed == nil || strings.HasSuffix(r.Series, "machine") {
			continue
		}
		if first, ok := shortest[r.Series]; !ok || *r.X < *first.X {
			shortest[r.Series] = r
		}
		if last, ok := longest[r.Series]; !ok || *r.X > *last.X {
			longest[r.Series] = r
		}
	}
	// The text gives no numbers here, and the ratio of the ends decides.
	for _, day := range []string{"weekday", "weekend"} {
		if from, to := shortest[day], longest[day]; to.X != nil && *to.X > *from.X {
			ratio := *to.Computed / *from.Computed
			a.Says(ratio > 1, fmt.Sprintf("error of %g h over that of %g h, %s", *to.X, *from.X, day), "times", ratio,
				"the text: it increases with the length of the window; the longest that has one")
		}
	}
	if week, end := shortest["weekday"], shortest["weekend"]; week.X != nil && end.X != nil && *week.X == *end.X {
		ratio := *end.Computed / *week.Computed
		a.Says(ratio > 1, fmt.Sprintf("error of %g h, weekend over weekday", *week.X), "times", ratio,
			"the text: short windows are slightly worse on weekends")
	}
}

// undefinedNote says how many scores have no relative error.
func undefinedNote(s backtest.ErrorSummary) string {
	if s.Undefined == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d start hours have none: no test day was free", s.Undefined, s.Scores+s.Undefined)
}

// figure12 is the error by how much of the record trains the model. Shares from 20 % to 80 %
// of the days train the model, and the rest tests it.
func figure12(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	e, err := evaluate(ctx, q, a, &backtest.EvaluateQuestion{
		Day:     "weekday",
		Windows: hoursOf(slices.Clone(oneToTen)...),
		Models:  []string{},
		Ratios:  []float64{0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8},
	})
	if err != nil {
		return err
	}
	a.X, a.Drawn = "share of the days for training", []paper.Panel{{Quantity: "relative error",
		YLabel: "relative error, weekdays"}}
	// The best share is the one number that the text prints of the figure.
	var best *backtest.RatioScore
	for _, r := range e.Ratios {
		x := r.Train
		for _, line := range []struct {
			name string
			v    *float64
		}{{"mean", r.Mean}, {"greatest mean over lengths", r.GreatestMean}, {"greatest", r.Greatest}} {
			a.Add(paper.Row{
				Quantity: "relative error",
				Series:   line.name,
				X:        &x,
				Computed: line.v,
				Note:     undefinedNote(r.ErrorSummary),
			})
		}
		if r.Mean != nil && (best == nil || *r.Mean < *best.Mean) {
			best = &r
		}
	}
	if best != nil {
		a.Compare("best share for training", "", 0.6, best.Train, "of least mean error")
	}
	return nil
}

// figure13 puts the models of linear time series beside the semi-Markov process. The models
// are those of table 4 of the paper: AR, BM, MA, ARMA and LAST.
func figure13(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	e, err := evaluate(ctx, q, a, &backtest.EvaluateQuestion{
		Day:     "both",
		Windows: hoursOf(slices.Clone(oneToTen)...),
		Starts:  []float64{8 * 3600},
		Models:  []string{"ar", "bm", "ma", "arma", "last"},
	})
	if err != nil {
		return err
	}
	a.X = "window from 8:00 (h)"
	for _, day := range []string{"weekday", "weekend"} {
		// Two panels, since people use machines otherwise on weekends.
		quantity := "greatest error, " + day
		errors := map[float64]map[string]float64{} // by hours and model
		for _, m := range e.Models {
			if m.Day != day {
				continue
			}
			for _, w := range m.Windows {
				x := w.Window / 3600
				a.Add(paper.Row{
					Quantity: quantity,
					Series:   m.Model,
					X:        &x,
					Computed: w.Greatest,
					Note:     undefinedNote(w.ErrorSummary),
				})
				if w.Greatest == nil {
					continue
				}
				if errors[x] == nil {
					errors[x] = map[string]float64{}
				}
				errors[x][m.Model] = *w.Greatest
			}
		}
		a.Drawn = append(a.Drawn, paper.Panel{Quantity: quantity, YLabel: "greatest relative error, " + day})
		againstTimeSeries(a, day, errors)
	}
	return nil
}

// againstTimeSeries judges what the text says of figure 13, from greatest errors
// by hours and model: it gives no numbers. A window counts where SMP and another
// model have an error. errors are by hours of the window, then by model.
func againstTimeSeries(a *paper.Reproduction, day string, errors map[float64]map[string]float64) {
	var better, worse, ahead, growth []float64 // hours, hours, and ratios by hours
	for _, h := range slices.Sorted(maps.Keys(errors)) {
		smp, ok := errors[h]["SMP"]
		least, sum := math.Inf(1), 0.0
		for model, e := range errors[h] {
			if model != "SMP" {
				least, sum = min(least, e), sum+e
			}
		}
		if !ok || math.IsInf(least, 1) {
			continue
		}
		switch {
		case smp < least:
			better = append(better, h)
		case smp > least:
			worse = append(worse, h)
		}
		// ahead is how many times the error of the best other model is that of SMP; growth sums the
		// errors of the others.
		ahead, growth = append(ahead, least/smp), append(growth, sum)
	}
	n := len(ahead)
	if n == 0 {
		return
	}
	said := a.Says(len(better) == n, "windows in which SMP errs least, "+day, fmt.Sprintf("of %d", n),
		float64(len(better)), "the text: SMP performs better than all five time-series models")
	// Windows in which errors are the same neither hold nor break the claim.
	if len(worse) == 0 && len(better) < n {
		said.Verdict = paper.CannotBeTold // as good in the others
	}
	long := ahead[n-1] / ahead[0]
	a.Says(long > 1, "lead of SMP, longest window over shortest, "+day, "times",
		long, "the text: the advantage is more pronounced for large windows")
	long = growth[n-1] / growth[0]
	a.Says(long > 1, "error of time-series models, longest window over shortest, "+day, "times",
		long, "the text: their error increases with the steps they look ahead")
}
