package main

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

func lifetimeCommand() *command {
	s := newFlags(true)
	in := &records.Lifetimes{}
	var kind string
	var threshold *units.Count
	var bid *units.Number
	state := "up"
	var level *units.Fraction
	var steps *units.Count
	var machines bool
	oneOf(s, "input", &kind, "`KIND` of file: durations, fta, spot, price or lanl (default: by its content)", []string{"input-format"},
		string(trace.DurationsKind), string(trace.FTAKind), string(trace.SpotKind), string(trace.PriceKind), string(trace.LANLKind))
	oneOf(s, "unit", &in.Unit, "`UNIT` of durations whose file names none: ms, s, min, h or d", nil, "ms", "s", "min", "h", "d")
	oneOf(s, "state", &state, "`STATE` of a trace whose intervals are the lifetimes: up or down (default up)", nil, "up", "down")
	value(s, "threshold", &threshold, "N", "instances from which on a spot trace is up (default 1)")
	value(s, "bid", &bid, "X", "US dollars an hour: a machine at a spot price runs while the price is at most that")
	value(s, "level", &level, "P", "of the confidence bands (default 95%)")
	value(s, "steps", &steps, "N", "greatest number of steps of the survival curve in the answer (default 1000)")
	toggle(s, "per-machine", &machines, "add the figures of each machine of a trace; with --format csv a row for each")
	toggle(s, "strict", &in.Strict, "make a malformed line an error instead of a warning")
	return &command{
		name: "lifetime", usage: "which law do these lifetimes follow?", args: "FILE", maxArgs: 1, flags: s,
		description: `FILE holds durations in CSV (a header duration_s, _ms, _min, _h or _d and
optionally censored, or one number per line with + after a censored one), events
of the Failure Trace Archive, a 0/1 trace of spot instances in JSON, spot prices
in CSV (time,price_usd_per_hour, with --bid), the Los Alamos failure records in
CSV, or samples of the load of machines (as in availability label, up in S1 and
S2); plain, .gz or .xz. Laws are fitted by maximum likelihood to right-censored lifetimes; a trace
also gives MTTF, MTTR and availability of the fleet.

Remission of 21 leukaemia patients under 6-MP, of which 12 were still going on:

  $ capplan lifetime testdata/durations.csv

A fleet of four machines, and each of them:

  $ capplan lifetime testdata/events.tab --per-machine --format csv`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, &usageError{"lifetime", "no file given, want " + records.LifetimesForm}
			}
			in.Kind, in.Threshold, in.Bid = trace.TraceKind(kind), whole(threshold), float(bid)
			in.Tally = tally.NewUpDown(state == "up")
			in.Open = trace.OpenOptions{Stdin: st.in, Wrap: st.progress(args[0])}
			if err := in.Read(ctx, args[0]); err != nil {
				return nil, err
			}
			q := &survival.LifetimeQuestion{PerMachine: machines, Explain: s.output.explain}
			if level != nil {
				if q.Level = float64(*level); q.Level == 0 {
					return nil, &ask.InputError{Field: "level", Reason: "is 0, want a confidence level between 0 and 1 such as 95%"}
				}
			}
			if steps != nil {
				if *steps < 1 || *steps > math.MaxInt32 {
					return nil, &ask.InputError{Field: "steps", Reason: "want at least 1 step"}
				}
				q.Steps = int(*steps)
			}
			if in.Durations != nil {
				q.Durations, q.Censored = in.Durations, in.Censored
			} else {
				q.Fleet = in.Tally
			}
			a, err := survival.Lifetime(ctx, q)
			if err != nil {
				return nil, err
			}
			return &result{
				value: a, warnings: append(append([]string{}, in.Warnings...), a.Warnings...),
				text: func(p *page) { showLifetime(p, a, state) },
				rows: func() [][]string { return lifetimeRows(a) },
				draw: func(context.Context) (*drawing, error) { return drawLifetime(a, state) },
			}, nil
		},
	}
}

func showLifetime(p *page, a *survival.LifetimeAnswer, state string) {
	name := "lifetimes"
	if a.Fleet != nil {
		name = state + " times"
	}
	switch {
	case a.BestLaw != nil:
		p.headline("%s fits best: %s (%s %s, %s of them censored)", *a.BestLaw, lawText(a.Laws[0]), count(int64(a.Durations)), name, count(int64(a.Censored)))
	default:
		p.headline("no law could be fitted to %s %s, %s of them censored", count(int64(a.Durations)), name, count(int64(a.Censored)))
	}
	if f := a.Fleet; f != nil {
		p.row("machines", count(int64(f.Machines)), plural(int64(f.Intervals), "interval", "intervals"))
		p.row("mean up", optionalLong(f.MeanUp), plural(int64(f.UpSpells), "interval", "intervals")+" as they stand")
		p.row("mean down", optionalLong(f.MeanDown), plural(int64(f.DownSpells), "interval", "intervals")+" as they stand")
		p.row("MTTF", optionalLong(f.MTTF), plural(int64(f.Failures), "failure", "failures")+" seen")
		p.row("MTTR", optionalLong(f.MTTR), plural(int64(f.Repairs), "repair", "repairs")+" seen")
		p.row("availability", optionalFraction(f.Availability), "of the time watched")
	}
	p.row("median", optionalLong(a.Median), limits(a.MedianLow, a.MedianTop, a.Level))
	if a.Mean != nil {
		spread := ", ± " + optionalTime(a.MeanErr)
		switch {
		case a.Events == 0:
			spread = "; none has ended, so that no error can be told"
		case a.MeanErr == nil:
			spread = "; one age at the end tells of no error"
		}
		p.row("mean", optionalLong(a.Mean), "up to "+optionalTime(a.MeanUntil)+spread)
	}
	if a.MeanLower != nil {
		p.row("mean above", optionalLong(a.MeanLower), "with "+units.FormatFraction(a.Level, 4)+" confidence, lives being exponential")
	}
	if len(a.Laws) > 0 {
		rows := [][]string{{"law", "parameters", "AIC", "mean", "median"}}
		for _, l := range a.Laws {
			rows = append(rows, []string{l.Law, lawText(l), units.FormatNumber(l.AIC, 8), orDash(optionalTime(l.Mean)), orDash(optionalTime(l.Median))})
		}
		p.list(rows)
	}
	rows := [][]string{{"time", "at risk", "ended", "survival", "band"}}
	for _, s := range fewSteps(a.Survival) {
		rows = append(rows, []string{units.FormatDuration(s.Time, 4), count(int64(s.AtRisk)), count(int64(s.Events)),
			fmt.Sprintf("%.4f", s.Survival), fmt.Sprintf("%.4f to %.4f", s.Lower, s.Upper)})
	}
	if len(rows) > 1 {
		p.table(rows)
	}
	p.explain(a.Explanation)
}

// fewSteps takes at most ten steps of a curve for people.
func fewSteps(all []survival.SurvivalStep) []survival.SurvivalStep {
	const most = 10
	if len(all) <= most {
		return all
	}
	var out []survival.SurvivalStep
	for i := range most {
		out = append(out, all[i*(len(all)-1)/(most-1)])
	}
	return out
}

// optionalLong writes a time with five digits, as trace archives do.
func optionalLong(v *float64) string {
	if v == nil {
		return ""
	}
	return units.FormatDuration(*v, 5)
}

func limits(low, high *float64, level float64) string {
	if low == nil && high == nil {
		return ""
	}
	top := "no upper limit"
	if high != nil {
		top = optionalTime(high)
	}
	return fmt.Sprintf("%s limits %s to %s", units.FormatFraction(level, 4), orDash(optionalTime(low)), top)
}

// lawText writes the parameters with their standard errors.
func lawText(l survival.LawFit) string {
	var parts []string
	for _, x := range l.Parameters {
		if x.Name == "scale_s" {
			parts = append(parts, fmt.Sprintf("scale %s ± %s", units.FormatDuration(x.Value, 4), units.FormatDuration(x.StdErr, 2)))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s ± %s", x.Name, units.FormatNumber(x.Value, 5), units.FormatNumber(x.StdErr, 2)))
	}
	return strings.Join(parts, ", ")
}

// lifetimeRows are the machines if they were asked for, else the survival
// curve.
func lifetimeRows(a *survival.LifetimeAnswer) [][]string {
	if a.Machines != nil {
		return scalarRows(a.Machines)
	}
	return scalarRows(a.Survival) // no failure, no step: the header alone
}

// drawLifetime draws survival with its band and the laws above the hazard;
// on logarithmic axes where the longest duration is far above the median.
func drawLifetime(a *survival.LifetimeAnswer, state string) (*drawing, error) {
	if len(a.Survival) == 0 || len(a.Hazard) == 0 {
		return nil, &usageError{reason: "--plot: no duration was seen to its end, there is no curve to draw"}
	}
	longest := a.Hazard[len(a.Hazard)-1].To
	unit, name := timeAxis(longest)
	least := 0.0 // of the x axis; above 0 if it is logarithmic
	if a.Median != nil && longest > 20**a.Median {
		for _, s := range a.Survival {
			if s.Time > 0 {
				least = s.Time
				break
			}
		}
		if *a.Median > 0 {
			unit, name = timeAxis(*a.Median)
		}
	}
	low, high := 0.0, 1.0
	top := chart.Chart{Title: "Survival and hazard", YLabel: "survival", YMin: &low, YMax: &high,
		Subtitle: fmt.Sprintf("%s durations, %s censored, %s band", count(int64(a.Durations)), count(int64(a.Censored)), units.FormatFraction(a.Level, 4))}
	if a.Fleet != nil {
		top.Subtitle = fmt.Sprintf("%s times of %s; %s band", state, plural(int64(a.Fleet.Machines), "machine", "machines"), units.FormatFraction(a.Level, 4))
	}
	top.Series = append(top.Series, survivalBand(a, least, longest, unit))
	bottom := chart.Chart{XLabel: "age (" + name + ")", YLabel: "hazard (per " + name + ")", XLog: least > 0, YLog: least > 0}
	rates := chart.Series{Name: "observed", Style: chart.Points}
	most, fewest := 0.0, math.Inf(1)
	for _, b := range a.Hazard {
		at := (b.From + b.To) / 2
		if least > 0 && b.From > 0 {
			at = math.Sqrt(b.From * b.To)
		}
		if b.Rate > 0 && at >= least {
			rates.X, rates.Y = append(rates.X, at/unit), append(rates.Y, b.Rate*unit)
			most, fewest = max(most, b.Rate*unit), min(fewest, b.Rate*unit)
		}
	}
	if len(rates.X) == 0 {
		return nil, &usageError{reason: "--plot: too few durations to draw a hazard"}
	}
	bottom.Series = append(bottom.Series, rates)
	// A law's hazard may have no bound: the axis ends about the data.
	from, to := 0.0, 1.3*most
	if least > 0 {
		from, to = fewest/10, 10*most
	} else {
		bottom.YMin, bottom.YMax = &from, &to
	}
	for _, c := range a.Drawn(least) {
		s := chart.Series{Name: c.Law, Style: chart.Line}
		h := chart.Series{Style: chart.Line}
		for i, t := range c.Time {
			s.X, s.Y = append(s.X, t/unit), append(s.Y, c.Survival[i])
			if v := c.Hazard[i] * unit; v >= from && v <= to {
				h.X, h.Y = append(h.X, t/unit), append(h.Y, v)
			}
		}
		if len(s.X) > 0 {
			top.Series = append(top.Series, s)
		}
		bottom.Series = append(bottom.Series, h) // also if empty: the styles go by number
	}
	return &drawing{top: &top, bottom: bottom}, nil
}

// survivalBand lays the steps out as a band with its line; a step is a jump
// between two neighbouring numbers. Above least 0 the axis is logarithmic.
func survivalBand(a *survival.LifetimeAnswer, least, longest, unit float64) chart.Series {
	s := chart.Series{Name: "Kaplan-Meier", Style: chart.Band}
	add := func(x, y, low, high float64) {
		if n := len(s.X); n > 0 && x <= s.X[n-1] {
			x = math.Nextafter(s.X[n-1], math.Inf(1))
		}
		s.X, s.Y = append(s.X, x), append(s.Y, y)
		s.YLow, s.YHigh = append(s.YLow, low), append(s.YHigh, high)
	}
	y, low, high := 1.0, 1.0, 1.0
	if least == 0 {
		add(0, y, low, high)
	}
	for _, step := range a.Survival {
		if step.Time >= least && step.Time > 0 {
			add(step.Time/unit, y, low, high)
		}
		y, low, high = step.Survival, step.Lower, step.Upper
		if step.Time >= least {
			add(step.Time/unit, y, low, high)
		}
	}
	add(longest/unit, y, low, high)
	return s
}

// timeAxis chooses a unit in which the greatest time is a handy number.
func timeAxis(longest float64) (seconds float64, name string) {
	for _, u := range []struct {
		seconds float64
		name    string
	}{{86400, "d"}, {3600, "h"}, {60, "min"}} {
		if longest >= 3*u.seconds {
			return u.seconds, u.name
		}
	}
	return 1, "s"
}
