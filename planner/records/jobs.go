package records

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/capplan/capplan/joblog"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A LogAnswer is what a log of jobs holds.
type LogAnswer struct {
	joblog.Summary
	Laws joblog.Laws    `json:"laws"`
	Log  *joblog.SWFLog `json:"log"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`

	samples *joblog.Samples // for the plots
}

// FitLog answers what load a log holds, and which laws its gaps, run times and
// sizes follow.
func FitLog(s *joblog.Summary, log *joblog.SWFLog, samples *joblog.Samples, explain bool) (*LogAnswer, error) {
	if s == nil || samples == nil {
		return nil, ask.NoQuestion()
	}
	a := &LogAnswer{Summary: *s, Log: log, samples: samples}
	var err error
	if a.Laws, err = joblog.FitLaws(*samples); err != nil {
		return nil, err
	}
	if explain {
		a.explain()
	}
	return a, nil
}

// explain shows how the figures and the laws come out of the log.
func (a *LogAnswer) explain() {
	e := &ask.Explanation{Model: "load of a job log, and laws by maximum likelihood"}
	a.Explanation = e
	arrivals := units.FormatRate(a.ArrivalRate, 7)
	e.Step("arrival rate", a.RateConvention, arrivals, "unbiased for the gaps, or for a window fixed beforehand")
	e.Step("offered load", "a = λ·E[m·S]",
		fmt.Sprintf("%s · %s processor seconds = %s erl",
			arrivals, units.FormatNumber(a.WorkMean, 7), units.FormatNumber(a.OfferedLoad, 5)),
		"Little's law for busy processors")
	e.Step("peakedness", "z = E[m²S]/E[mS]", units.FormatNumber(a.Peakedness, 7), "Poisson arrivals, unlimited fleet")
	if l := a.Laws.Gaps; l != nil {
		e.Step("gaps, Weibull",
			"f(x) = (β/α)(x/α)^(β−1) e^(−(x/α)^β); β from the profile likelihood, α = (Σ x^β/n)^(1/β)",
			fmt.Sprintf("α = %.7g s, β = %.7g, mean %.7g s", l.Scale, l.Shape, l.LawMean),
			"InterGrid table 2; Johnson, Kotz, Balakrishnan 1994, chapter 21")
	}
	if l := a.Laws.Runs; l != nil {
		e.Step("run times, lognormal", "a = Σ ln x/n, b² = Σ (ln x − a)²/n",
			fmt.Sprintf("a = %.7g, b = %.7g, mean e^(a+b²/2) = %.7g s", l.A, l.B, l.LawMean), "InterGrid eq. 30")
	}
	if l := a.Laws.Sizes; l != nil && l.Parallel != nil {
		t := l.Parallel
		e.Step("sizes, two-stage log-uniform",
			"log2 size uniform on [l, m] with chance q, else on [m, h]; rounded to whole sizes",
			fmt.Sprintf("l = %.5g, m = %.5g, h = %.5g, q = %.5g", t.L, t.M, t.H, t.Q),
			"Lublin, Feitelson 2003; InterGrid eq. 29")
	}
	e.Assumptions = []string{
		"gaps, run times and sizes are independent samples: daily cycles and the relation between size and run time " +
			"are left out",
		"the KS distance describes the fit and is not a test: the parameters come from the same jobs",
	}
}

// Plots returns the gaps above the run times, each with its laws.
func (a *LogAnswer) Plots(context.Context) ([]ask.Plot, error) {
	if a.samples == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its jobs")
	}
	gaps, runs := inHalfTicks(a.samples.Gaps, a.Laws.GapTick), inHalfTicks(a.samples.Runs, a.Laws.RunTick)
	if len(gaps) == 0 || len(runs) == 0 {
		return nil, ask.NothingDrawn("too few jobs to draw")
	}
	exponential := func(mean float64) func(float64) float64 {
		return func(x float64) float64 { return -math.Expm1(-x / mean) }
	}
	top, bottom := distribution("share of gaps up to t", gaps), distribution("share of run times up to t", runs)
	if l := a.Laws.Gaps; l != nil {
		addLaw(&top, "Weibull", gaps, func(x float64) float64 { return -math.Expm1(-math.Pow(x/l.Scale, l.Shape)) })
	}
	if l := a.Laws.GapsExponential; l != nil {
		addLaw(&top, "exponential", gaps, exponential(l.Mean))
	}
	if l := a.Laws.Runs; l != nil {
		addLaw(&bottom, "lognormal",
			runs, func(x float64) float64 { return 0.5 * math.Erfc(-(math.Log(x)-l.A)/(l.B*math.Sqrt2)) })
	}
	if l := a.Laws.RunsExponential; l != nil {
		addLaw(&bottom, "exponential", runs, exponential(l.Mean))
	}
	top.Title = "Laws of a job log"
	top.Subtitle = ask.Counted(a.Jobs, "job") + "; gaps between jobs above, run times below"
	return []ask.Plot{top, bottom}, nil
}

// inHalfTicks sorts times and counts one of 0 as half a tick of the clock.
func inHalfTicks(values []float64, tick float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = cmp.Or(v, tick/2)
	}
	slices.Sort(out)
	return out
}

// distribution is the share of sorted times up to t, at some 400 of them.
func distribution(name string, sorted []float64) ask.Plot {
	const points = 400
	c := ask.Curve{Name: "log"}
	n := len(sorted)
	for i := range points + 1 {
		k := min(i*n/points, n-1)
		if len(c.X) > 0 && sorted[k] <= c.X[len(c.X)-1] {
			continue
		}
		// The step up to this value holds all that are equal to it.
		last := sort.Search(n, func(j int) bool { return sorted[j] > sorted[k] })
		c.Add(sorted[k], float64(last)/float64(n))
	}
	return ask.Plot{
		X:      ask.Axis{Name: "time t", Unit: "s", Scale: ask.Log},
		Y:      ask.Axis{Name: name, Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
		Curves: []ask.Curve{c},
	}
}

// addLaw adds a law over the range of sorted times, by equal ratios.
func addLaw(p *ask.Plot, name string, sorted []float64, cdf func(float64) float64) {
	low, high := math.Log(sorted[0]), math.Log(sorted[len(sorted)-1])
	c := ask.Curve{Name: name}
	for i := range 201 {
		v := math.Exp(low + (high-low)*float64(i)/200)
		if len(c.X) == 0 || v > c.X[len(c.X)-1] {
			c.Add(v, cdf(v))
		}
	}
	p.Curves = append(p.Curves, c)
}
