package survival

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
)

// A LifetimeQuestion asks which law durations follow: those of a list, or of
// one state of a trace. The laws are fitted by maximum likelihood with what is
// censored counted as such: leaving it out would make lives look shorter.
type LifetimeQuestion struct {
	Durations []float64     `json:"durations_s,omitempty"`
	Censored  []bool        `json:"censored,omitempty"` // longer than its duration; nil: none is
	Fleet     *tally.UpDown `json:"-"`                  // in place of Durations
	Level     float64       `json:"level,omitempty"`    // of the confidence bands; 0: 0.95
	// Steps is the greatest number of steps of the survival curve in the
	// answer, spread evenly over the failures; 0: 1000.
	Steps int `json:"steps,omitempty"`
	// PerMachine lists the machines of the trace, each with its figures.
	PerMachine bool `json:"per_machine,omitempty"`
	Explain    bool `json:"explain,omitempty"`
}

// A LifetimeAnswer holds the fitted laws, the best first, and the survival
// curve that assumes none.
type LifetimeAnswer struct {
	Durations int      `json:"durations"`
	Events    int      `json:"events"`   // durations seen to their end
	Censored  int      `json:"censored"` // and not
	BestLaw   *string  `json:"best_law"` // of least AIC
	Mean      *float64 `json:"mean_s"`   // restricted to the greatest duration
	MeanUntil *float64 `json:"mean_until_s"`
	MeanErr   *float64 `json:"mean_std_err_s"` // null where nothing tells of a spread
	// where no end was seen: the mean is above it at this level, lives being exponential
	MeanLower *float64 `json:"mean_lower_s"`
	Median    *float64 `json:"median_s"` // of the survival curve; null where it stays above a half
	// MedianLow and MedianTop are its band at the level; null where the band does
	// not reach a half.
	MedianLow *float64 `json:"median_lower_s"`
	MedianTop *float64 `json:"median_upper_s"`
	// Level is that of all bands.
	Level float64  `json:"level"`
	Laws  []LawFit `json:"laws"`
	// NotFitted are the laws that the durations do not tell the parameters of.
	NotFitted []LawFailure `json:"not_fitted"`
	// Survival is the Kaplan-Meier curve, thinned to the steps asked for.
	Survival []SurvivalStep `json:"kaplan_meier"`
	AllSteps int            `json:"kaplan_meier_steps"` // of the whole curve
	// Hazard is the rate of ends by age, in bins of about as many ends each.
	Hazard   []HazardBin     `json:"hazard"`
	Fleet    *tally.Fleet    `json:"fleet"` // null for a list of durations
	Machines []tally.Machine `json:"machines,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
	// Only Plots needs them: an answer that was read is drawn without laws.
	fits    []law.Fit
	longest float64
}

// A LawFit is a law fitted by maximum likelihood.
type LawFit struct {
	Law         string         `json:"law"`
	Parameters  []LawParameter `json:"parameters"`
	Correlation float64        `json:"correlation"` // of the two estimates
	LogLik      float64        `json:"log_likelihood"`
	// AIC is twice the parameters less twice the log-likelihood: less is better.
	AIC      float64 `json:"aic"`
	DeltaAIC float64 `json:"delta_aic"` // above the best law
	// Mean is null where it is beyond the greatest number.
	Mean   *float64 `json:"mean_s"`
	Median *float64 `json:"median_s"`
}

// A LawParameter is an estimate: scale_s in seconds, shape, or mu and sigma of
// the logarithm of the seconds.
type LawParameter struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	StdErr float64 `json:"std_err"`
}

// A LawFailure is a law without a fit.
type LawFailure struct {
	Law    string `json:"law"`
	Reason string `json:"reason"`
}

// A SurvivalStep is the Kaplan-Meier estimate from a failure time on.
type SurvivalStep struct {
	Time float64 `json:"time_s"`
	// AtRisk is how many had lasted at least that long and were still watched.
	AtRisk int `json:"at_risk"`
	Events int `json:"events"`
	// Survival is the share that lasts beyond Time.
	Survival  float64 `json:"survival"`
	StdErr    float64 `json:"std_err"` // Greenwood
	Lower     float64 `json:"lower"`   // log-log band
	Upper     float64 `json:"upper"`
	CumHazard float64 `json:"cumulative_hazard"` // Nelson-Aalen
}

// A HazardBin is the failure rate between two ages.
type HazardBin struct {
	From   float64 `json:"from_s"`
	To     float64 `json:"to_s"`
	Events int     `json:"events"`
	// Rate is the ends seen over the time watched at these ages.
	Rate   float64 `json:"rate_per_s"`
	StdErr float64 `json:"std_err_per_s"`
}

// defaultSteps is as much as a picture shows; hazardBins keeps the errors of
// their rates readable.
const (
	defaultSteps = 1000
	hazardBins   = 20
)

// Lifetime answers a LifetimeQuestion. Errors: *ask.InputError. The survival
// curve needs no law and comes first, then the hazard by age, then the laws.
func Lifetime(ctx context.Context, q *LifetimeQuestion) (*LifetimeAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	o, a, err := q.observations()
	if err != nil {
		return nil, err
	}
	curve, err := law.KaplanMeier(o, a.Level)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a.Durations, a.Events, a.Censored, a.longest =
		curve.Observations, curve.Events, curve.Observations-curve.Events, curve.Last
	a.AllSteps = len(curve.Steps)
	a.Survival = thinned(curve.Steps, q.Steps)
	if len(a.Survival) < a.AllSteps {
		ask.Warn(&a.Warnings, "the answer gives the Kaplan-Meier curve at %d of its %d steps",
			len(a.Survival), a.AllSteps)
	}
	if err := a.summaries(curve); err != nil {
		return nil, err
	}
	a.boundMean(o)
	if edges := hazardEdges(curve); edges != nil {
		bins, err := law.HazardRates(o, edges)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		for _, b := range bins {
			a.Hazard = append(a.Hazard, HazardBin{b.From, b.To, b.Events, b.Rate, b.StdErr})
		}
	}
	if err := a.fit(ctx, o); err != nil {
		return nil, err
	}
	if q.Explain {
		a.explain()
	}
	return a, nil
}

// observations collects the durations and starts the answer.
func (q *LifetimeQuestion) observations() (o law.Observations, a *LifetimeAnswer, err error) {
	a = &LifetimeAnswer{
		Level:     q.Level,
		Laws:      []LawFit{},
		NotFitted: []LawFailure{},
		Survival:  []SurvivalStep{},
		Hazard:    []HazardBin{},
	}
	a.Level = cmp.Or(a.Level, 0.95)
	switch {
	case !(a.Level > 0 && a.Level < 1):
		return o, nil, ask.Inputf("level", "is %s, want a confidence level between 0 and 1 such as 95%%",
			ask.Digits(q.Level))
	case q.Steps < 0:
		return o, nil, ask.Inputf("steps", "want at least 1 step")
	case q.Fleet != nil && len(q.Durations) > 0:
		return o, nil, ask.Inputf("durations", "give durations or a trace, not both")
	case q.Fleet == nil && q.PerMachine:
		return o, nil, ask.Inputf("per_machine", "a list of durations does not say which machine each belongs to: "+
			"give a trace")
	}
	o = law.Observations{Durations: q.Durations, Censored: q.Censored}
	if t := q.Fleet; t != nil {
		o = t.Lengths()
		a.Fleet = t.Fleet()
		// The warnings of the fleet are those of the answer, and told once.
		a.Warnings = append(a.Warnings, a.Fleet.Warnings...)
		a.Fleet.Warnings = nil
		if q.PerMachine {
			a.Machines = t.PerMachine()
		}
		if t.Cut() > 0 {
			ask.Warn(&a.Warnings,
				"intervals that began before the trace (%d) count for the fleet but not for laws and survival, because "+
					"their age is not known",
				t.Cut())
		}
	}
	if len(o.Durations) == 0 {
		if q.Fleet != nil {
			return o, nil, ask.Inputf("", "no interval of the requested state began within the trace")
		}
		return o, nil, ask.Inputf("", "no durations given")
	}
	return o, a, nil
}

// fit fits the laws. An observed duration of 0, which only the exponential
// allows, counts as half the shortest other one.
func (a *LifetimeAnswer) fit(ctx context.Context, o law.Observations) error {
	if a.Events == 0 {
		a.Warnings = append(a.Warnings, "no law is fitted: no duration was seen to its end")
		return nil
	}
	zeros, least := 0, math.Inf(1)
	for _, t := range o.Durations {
		if t == 0 {
			zeros++
		} else {
			least = math.Min(least, t)
		}
	}
	// The caller's durations stay as they are.
	if zeros > 0 && !math.IsInf(least, 1) {
		o.Durations = slices.Clone(o.Durations)
		for i, t := range o.Durations {
			if t == 0 {
				o.Durations[i] = least / 2
			}
		}
		ask.Warn(&a.Warnings, "%s as %s, half the shortest other one, in the fits",
			fault.Count(zeros, "duration of 0 counts", "durations of 0 count"),
			ask.Time(least/2))
	}
	fits, failed, err := law.FitLaws(ctx, o)
	if err != nil {
		return ask.FromReliability(err)
	}
	for _, f := range failed {
		a.NotFitted = append(a.NotFitted, LawFailure{f.Law, fault.Problem(f.Err)})
		ask.Warn(&a.Warnings, "%s is not fitted: %s", f.Law, fault.Problem(f.Err))
	}
	a.fits = fits
	// The laws come in the order of their AIC, so that the first is the best.
	for _, f := range fits {
		l := LawFit{
			Law:         f.Law.Name(),
			Correlation: f.Correlation,
			LogLik:      f.LogLik,
			AIC:         f.AIC,
			DeltaAIC:    f.AIC - fits[0].AIC,
			Mean:        ask.Figure(f.Law.Mean()),
		}
		for _, p := range f.Params {
			l.Parameters = append(l.Parameters, LawParameter{parameterName(p.Name), p.Value, p.StdErr})
		}
		if m, err := f.Law.Quantile(0.5); err == nil {
			l.Median = ask.Figure(m)
		}
		if l.Mean == nil {
			a.Warnings = append(a.Warnings, "no mean of the law "+l.Law+": it is beyond the greatest number")
		}
		a.Laws = append(a.Laws, l)
	}
	if len(a.Laws) > 0 {
		a.BestLaw = &a.Laws[0].Law
	}
	return nil
}

// parameterName is the name that JSON has for a parameter of a law: one with a
// unit says it.
func parameterName(field string) string {
	switch field {
	case "Scale":
		return "scale_s"
	case "Shape":
		return "shape"
	case "Mu":
		return "mu"
	case "Sigma":
		return "sigma"
	}
	return field
}

// explain shows the formulas.
func (a *LifetimeAnswer) explain() {
	e := &ask.Explanation{Model: "right-censored lifetimes: Kaplan-Meier and laws by maximum likelihood"}
	e.Step("survival", "S(t) = Π_{tᵢ≤t} (1 − dᵢ/nᵢ)",
		fmt.Sprintf("%s, %s seen, %s", fault.Count(a.Durations, "duration"), fault.Count(a.Events, "end"),
			fault.Count(a.AllSteps, "step")),
		"Kaplan & Meier 1958; Kalbfleisch & Prentice 2002, 1.4")
	e.Step("band", "S^exp(±zσ), σ = √(Σ dᵢ/(nᵢ(nᵢ − dᵢ)))/|log S|", "level "+ask.Digits(a.Level),
		"log-log band on Greenwood's variance")
	if a.MeanLower != nil {
		e.Step("mean above", "Σt/−ln(1 − level)", ask.Digits(*a.MeanLower)+" s",
			"no end in an exponential time of mean m has chance exp(−Σt/m); the rule of three at 95%")
	}
	for _, l := range a.Laws {
		text := ""
		for _, p := range l.Parameters {
			text += ask.Sprintf("%s = %v ± %v, ", p.Name, p.Value, p.StdErr)
		}
		e.Step(l.Law, "max Σ log f(t) (seen) + Σ log S(t) (censored); AIC = 2p − 2ℓ",
			ask.Sprintf("%sℓ = %v, AIC = %v", text, l.LogLik, l.AIC), "Lawless 2003, chapter 5")
	}
	if a.Fleet != nil {
		e.Step("fleet", "MTTF = time up/failures seen, MTTR = time down/repairs seen",
			fault.Count(a.Fleet.Failures, "failure")+", "+fault.Count(a.Fleet.Repairs, "repair"),
			"maximum likelihood for exponential intervals, cut off ones included")
	}
	e.Assumptions = []string{"durations are independent and follow one law; censored durations would have continued " +
		"like the others"}
	a.Explanation = e
}
