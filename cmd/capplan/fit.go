package main

import (
	"context"
	"fmt"
	"math"
	"sort"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// fitAnswer is what a log holds.
type fitAnswer struct {
	joblog.Summary
	Laws joblog.Laws    `json:"laws"`
	Log  *joblog.SWFLog `json:"log"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

func fitCommand() *command {
	s := newFlags(true)
	var w window
	w.flags(s)
	return &command{
		name: "fit", usage: "what load does this job log hold?", args: "FILE.swf", maxArgs: 1, flags: s,
		description: `Reads a log in the Standard Workload Format, plain, .gz or .xz, and
reports its load, its variability, and the laws that the DAS-2 workload model
uses, fitted by maximum likelihood: Weibull gaps, lognormal run times, two-stage
log-uniform sizes.

  $ capplan fit testdata/das2-small.swf.gz`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			if len(args) == 0 {
				return nil, &usageError{"fit", "no log given, want a file such as log.swf or log.swf.gz, or - for stdin"}
			}
			a, samples, err := fitLog(ctx, args[0], st, w.options())
			if err != nil {
				return nil, err
			}
			if s.output.explain {
				a.Explanation = explainFit(a)
			}
			return &result{
				value: a, warnings: append(append([]string{}, a.Summary.Warnings...), a.Laws.Warnings...),
				text: func(p *page) { showFit(p, a) },
				draw: func(context.Context) (*drawing, error) { return drawFit(a, samples) },
			}, nil
		},
	}
}

func fitLog(ctx context.Context, path string, s *streams, o joblog.SWFOptions) (*fitAnswer, *joblog.Samples, error) {
	var samples joblog.Samples
	kept := source.Keeper{What: "jobs", Want: "a part of the log: --from and --to"}
	summary, log, err := scanLog(ctx, path, s, o, func(j joblog.Job) error {
		samples.Add(j)
		return kept.Keep(path)
	})
	if err != nil {
		return nil, nil, err
	}
	a := &fitAnswer{Summary: *summary, Log: log}
	a.Laws, err = joblog.FitLaws(samples)
	return a, &samples, err
}

func showFit(p *page, a *fitAnswer) {
	p.headline("%s erlangs of processors offered by %s", units.FormatNumber(a.OfferedLoad, 5), plural(int64(a.Jobs), "job", "jobs"))
	p.row("job rate", units.FormatRate(a.ArrivalRate, 4), a.RateConvention)
	p.row("gap between jobs", units.FormatDuration(a.InterarrivalMean, 4), "SCV "+units.FormatNumber(a.InterarrivalSCV, 4))
	p.row("run time", units.FormatDuration(a.ServiceMean, 4), "SCV "+units.FormatNumber(a.ServiceSCV, 4))
	p.row("processors per job", units.FormatNumber(a.ProcessorsMean, 4), fmt.Sprintf("in %s", plural(int64(len(a.Classes)), "width", "widths")))
	p.row("peakedness", units.FormatNumber(a.Peakedness, 4), "variance over mean of busy processors in an unlimited fleet")
	p.row("span", units.FormatDuration(a.SpanS, 4))
	p.row("skipped jobs", count(int64(a.SkippedJobs)), "cancelled, or without run time or processors")
	p.row("malformed lines", count(int64(a.MalformedLines)))
	laws := [][]string{{"law", "parameters", "log-likelihood", "KS distance"}}
	add := func(name, parameters string, g joblog.Goodness) {
		laws = append(laws, []string{name, parameters, units.FormatNumber(g.LogLikelihood, 7), units.FormatNumber(g.KS, 3)})
	}
	if l := a.Laws.Gaps; l != nil {
		add("gaps: Weibull", fmt.Sprintf("scale %s ± %s, shape %.4f ± %.2g", units.FormatDuration(l.Scale, 4), units.FormatDuration(l.ScaleSE, 2), l.Shape, l.ShapeSE), l.Goodness)
	}
	if l := a.Laws.GapsExponential; l != nil {
		add("gaps: exponential", "mean "+units.FormatDuration(l.Mean, 4), l.Goodness)
	}
	if l := a.Laws.Runs; l != nil {
		add("run times: lognormal", fmt.Sprintf("a %.4f ± %.2g, b %.4f ± %.2g", l.A, l.ASE, l.B, l.BSE), l.Goodness)
	}
	if l := a.Laws.RunsExponential; l != nil {
		add("run times: exponential", "mean "+units.FormatDuration(l.Mean, 4), l.Goodness)
	}
	if l := a.Laws.Sizes; l != nil {
		parameters := fmt.Sprintf("one processor %.3f, power of two %.3f", l.POne, l.PPow2)
		if t := l.Parallel; t != nil {
			parameters = fmt.Sprintf("l %.3f, m %.3f, h %.3f, q %.3f; %s", t.L, t.M, t.H, t.Q, parameters)
			add("sizes: two-stage log-uniform", parameters, t.Goodness)
		} else {
			laws = append(laws, []string{"sizes", parameters, "-", "-"})
		}
	}
	p.list(laws)
	p.explain(a.Explanation)
}

// explainFit shows how the figures and the laws come out of the log.
func explainFit(a *fitAnswer) *ask.Explanation {
	e := &ask.Explanation{Model: "load of a job log, and laws by maximum likelihood"}
	step := func(name, formula, numbers, source string) {
		e.Steps = append(e.Steps, ask.Step{Name: name, Formula: formula, Numbers: numbers, Source: source})
	}
	step("arrival rate", a.RateConvention, units.FormatRate(a.ArrivalRate, 7), "unbiased for the gaps, or for a window fixed beforehand")
	step("offered load", "a = λ·E[m·S]", fmt.Sprintf("%s · %s processor seconds = %s", units.FormatRate(a.ArrivalRate, 7), units.FormatNumber(a.WorkMean, 7), erlangs(a.OfferedLoad)), "Little's law for busy processors")
	step("peakedness", "z = E[m²S]/E[mS]", units.FormatNumber(a.Peakedness, 7), "Poisson arrivals, unlimited fleet")
	if l := a.Laws.Gaps; l != nil {
		step("gaps, Weibull", "f(x) = (β/α)(x/α)^(β−1) e^(−(x/α)^β); β from the profile likelihood, α = (Σ x^β/n)^(1/β)", fmt.Sprintf("α = %.7g s, β = %.7g, mean %.7g s", l.Scale, l.Shape, l.LawMean), "InterGrid table 2; Johnson, Kotz, Balakrishnan 1994, chapter 21")
	}
	if l := a.Laws.Runs; l != nil {
		step("run times, lognormal", "a = Σ ln x/n, b² = Σ (ln x − a)²/n", fmt.Sprintf("a = %.7g, b = %.7g, mean e^(a+b²/2) = %.7g s", l.A, l.B, l.LawMean), "InterGrid eq. 30")
	}
	if l := a.Laws.Sizes; l != nil && l.Parallel != nil {
		t := l.Parallel
		step("sizes, two-stage log-uniform", "log2 size uniform on [l, m] with chance q, else on [m, h]; rounded to whole sizes", fmt.Sprintf("l = %.5g, m = %.5g, h = %.5g, q = %.5g", t.L, t.M, t.H, t.Q), "Lublin, Feitelson 2003; InterGrid eq. 29")
	}
	e.Assumptions = []string{"gaps, run times and sizes are independent samples: daily cycles and links between size and run time are left out",
		"the KS distance is a figure of fit, not a test: the parameters come from the same jobs"}
	return e
}

// drawFit draws the gaps and the run times against their laws.
func drawFit(a *fitAnswer, s *joblog.Samples) (*drawing, error) {
	half := func(values []float64, tick float64) []float64 {
		out := make([]float64, len(values))
		for i, v := range values {
			if v == 0 {
				v = tick / 2
			}
			out[i] = v
		}
		sort.Float64s(out)
		return out
	}
	gaps, runs := half(s.Gaps, a.Laws.GapTick), half(s.Runs, a.Laws.RunTick)
	if len(gaps) == 0 || len(runs) == 0 {
		return nil, &usageError{reason: "--plot: too few jobs to draw"}
	}
	top := cdfChart("Gaps between jobs", gaps)
	if l := a.Laws.Gaps; l != nil {
		addLaw(&top, "Weibull", gaps, func(x float64) float64 { return -math.Expm1(-math.Pow(x/l.Scale, l.Shape)) })
	}
	if l := a.Laws.GapsExponential; l != nil {
		addLaw(&top, "exponential", gaps, func(x float64) float64 { return -math.Expm1(-x / l.Mean) })
	}
	bottom := cdfChart("", runs)
	bottom.YLabel = "share of run times up to t"
	if l := a.Laws.Runs; l != nil {
		addLaw(&bottom, "lognormal", runs, func(x float64) float64 { return 0.5 * math.Erfc(-(math.Log(x)-l.A)/(l.B*math.Sqrt2)) })
	}
	if l := a.Laws.RunsExponential; l != nil {
		addLaw(&bottom, "exponential", runs, func(x float64) float64 { return -math.Expm1(-x / l.Mean) })
	}
	top.Title = "Laws of a job log"
	top.Subtitle = fmt.Sprintf("%s; gaps between jobs above, run times below", plural(int64(a.Jobs), "job", "jobs"))
	return &drawing{top: &top, bottom: bottom}, nil
}

func cdfChart(title string, sorted []float64) chart.Chart {
	low, high := 0.0, 1.0
	c := chart.Chart{Title: title, XLabel: "time t (s)", YLabel: "share of gaps up to t", XLog: true, YMin: &low, YMax: &high}
	const points = 400
	var x, y []float64
	n := len(sorted)
	for i := range points + 1 {
		k := min(i*n/points, n-1)
		// The step up to this value holds all that are equal to it.
		last := sort.Search(n, func(j int) bool { return sorted[j] > sorted[k] })
		if len(x) > 0 && sorted[k] <= x[len(x)-1] {
			continue
		}
		x, y = append(x, sorted[k]), append(y, float64(last)/float64(n))
	}
	c.Series = []chart.Series{{Name: "log", X: x, Y: y, Style: chart.Line}}
	return c
}

func addLaw(c *chart.Chart, name string, sorted []float64, cdf func(float64) float64) {
	low, high := math.Log(sorted[0]), math.Log(sorted[len(sorted)-1])
	var x, y []float64
	for i := range 201 {
		v := math.Exp(low + (high-low)*float64(i)/200)
		if len(x) > 0 && v <= x[len(x)-1] {
			continue
		}
		x, y = append(x, v), append(y, cdf(v))
	}
	c.Series = append(c.Series, chart.Series{Name: name, X: x, Y: y, Style: chart.Line})
}
