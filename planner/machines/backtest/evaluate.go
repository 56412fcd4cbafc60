package backtest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
)

// An EvaluateQuestion asks how well the prediction would have done: trained on
// the first days of each record and judged on the others, beside time-series
// models.
type EvaluateQuestion struct {
	Hosts []machines.Trace `json:"-"`
	machines.Labelling
	Day     string    `json:"day"`                // weekday, weekend or both
	Windows []float64 `json:"windows_s"`          // nil: 1 h to 10 h
	Starts  []float64 `json:"starts_s,omitempty"` // times of day; nil: every hour
	Train   float64   `json:"train,omitempty"`    // share of the days; 0: 0.5
	// Ratios are other shares to train on, for the error against the size of
	// the training set (iShare figure 12).
	Ratios []float64 `json:"ratios,omitempty"`
	Order  int       `json:"order,omitempty"`     // of the time-series models; 0: 3
	AIC    bool      `json:"aic,omitempty"`       // choose the order up to Order by Akaike's criterion
	Models []string  `json:"baselines,omitempty"` // see [BaselineNames]; nil: all
	// SameClock fits the time-series models to the same clock window on the
	// training days, not to the window just before.
	SameClock bool `json:"same_clock,omitempty"`
	// count ages from the entry of a state, not from the window's beginning
	Ages bool `json:"ages,omitempty"`
	// Counts drops stays that a day cuts, as the iShare paper does.
	Counts   bool `json:"counts,omitempty"`
	Censored bool `json:"censored,omitempty"` // give stays after a failure the weight of those before
	// Noise asks for failures that are put into the training days; nil: none.
	Noise   *NoiseQuestion `json:"noise,omitempty"`
	Explain bool           `json:"explain,omitempty"`
	// Whole judges all machines of a large fleet, and forecasts all test days, however long it takes; else
	// some are drawn by their names and dates.
	Whole bool `json:"whole,omitempty"`
	// Done, if set, is told how many of all parts are finished.
	Done func(n, all int) `json:"-"`
}

// BaselineNames are the time-series models of iShare table 4, and the share of
// the training days that were free.
var BaselineNames = []string{"ar", "bm", "ma", "arma", "last", "share"}

// shareModel is the model that predicts what it saw.
const shareModel = "SHARE"

// forecasters are the time-series models that are asked for, and whether the share of free training
// days, which is no such model, is among them.
func (q *EvaluateQuestion) forecasters() (models []baseline.Forecaster, share bool, err error) {
	order := cmp.Or(q.Order, 3)
	if order < 1 || order > 64 {
		return nil, false, ask.Inputf("order", "want 1 to 64")
	}
	all := map[string]baseline.Forecaster{
		"ar":   baseline.AR{Order: order, ByAIC: q.AIC},
		"bm":   baseline.BestMean{Order: order},
		"ma":   baseline.ARMA{MA: order, ByAIC: q.AIC},
		"arma": baseline.ARMA{AR: order, MA: order, ByAIC: q.AIC}, "last": baseline.Last{}}
	wanted := q.Models
	if wanted == nil {
		wanted = BaselineNames
	}
	for i, n := range wanted {
		f, ok := all[n]
		switch {
		case slices.Contains(wanted[:i], n):
			return nil, false, ask.Inputf("baselines", "%q is given twice", n)
		case n == "share":
			share = true
		case !ok:
			return nil, false, ask.Inputf("baselines", "%q is not one of %s", n, strings.Join(BaselineNames, ", "))
		default:
			models = append(models, f)
		}
	}
	return models, share, nil
}

// kinds returns the kinds of day; "both" is two.
func (q *EvaluateQuestion) kinds() ([]string, error) {
	if q.Day == "both" {
		return []string{"weekday", "weekend"}, nil
	}
	if q.Day == "" {
		return nil, ask.Missing("day", "weekday, weekend or both")
	}
	_, err := (&machines.DayWindow{Day: q.Day}).Kind()
	return []string{q.Day}, err
}

// kindOfDay is the kind of a name that kinds returned, and so has found to be one.
func kindOfDay(name string) smp.DayKind {
	k, _ := (&machines.DayWindow{Day: name}).Kind()
	return k
}

// evaluation is the work of one question.
type evaluation struct {
	q        *EvaluateQuestion
	kinds    []string
	windows  []float64
	starts   []float64
	models   []baseline.Forecaster
	titles   []string // SMP first
	share    bool
	train    float64
	hosts    []*machines.Labelled
	loads    []baseline.Loads
	names    []string // of the hosts that are judged
	first    string   // machine
	period   float64  // of its samples, and of all
	warnings []string
	drawnOf  int // machines; 0: none are left out
	// test days on which time-series models are judged, of a machine, start and window; 0: all
	forecasts int

	foresights *sync.Pool // of *smp.Foresight
}

// plan checks the question and fills in its defaults: half of the days, windows of 1 to 10 h and
// starts at each hour.
func (q *EvaluateQuestion) plan() (*evaluation, error) {
	e := &evaluation{q: q, windows: q.Windows, starts: q.Starts, train: q.Train, titles: []string{"SMP"},
		foresights: newForesights()}
	var err error
	if e.kinds, err = q.kinds(); err != nil {
		return nil, err
	}
	if e.models, e.share, err = q.forecasters(); err != nil {
		return nil, err
	}
	for _, m := range e.models {
		e.titles = append(e.titles, m.Name())
	}
	if e.share {
		e.titles = append(e.titles, shareModel)
	}
	// A share of 0 stands for the default.
	for _, t := range append([]float64{q.Train}, q.Ratios...) {
		if !(t >= 0 && t < 1) {
			return nil, ask.Inputf("train", "want a share above 0 and below 1 such as 50%%")
		}
	}
	if slices.Contains(q.Ratios, 0) {
		return nil, ask.Inputf("ratios", "want shares above 0 and below 1 such as 30%%,50%%")
	}
	e.train = cmp.Or(e.train, 0.5)
	if e.windows == nil {
		for h := range 10 {
			e.windows = append(e.windows, float64(h+1)*3600)
		}
	}
	if e.starts == nil {
		for h := range 24 {
			e.starts = append(e.starts, float64(h)*3600)
		}
	}
	return e, e.checkCells()
}

// Evaluate answers an EvaluateQuestion. If the context ends early, the answer is that of the
// machines that are done by then, if any are.
func Evaluate(ctx context.Context, q *EvaluateQuestion) (*EvaluateAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if len(q.Hosts) == 0 {
		return nil, ask.Missing("trace", "a trace of a machine")
	}
	e, err := q.plan()
	if err != nil {
		return nil, err
	}
	if err := machines.CheckNames(q.Hosts, nil); err != nil {
		return nil, err
	}
	if err := e.labelAll(ctx); err != nil {
		return nil, err
	}
	if err := e.drawHosts(); err != nil {
		return nil, err
	}
	// Noise is checked before anything is judged, so that a wrong question costs
	// nothing.
	noise, err := e.noisePlan(len(e.hosts))
	if err != nil {
		return nil, err
	}
	shares := e.shares()
	done := e.counter(len(e.hosts)*len(e.kinds)*len(e.starts)*len(shares) + noise.parts())
	a := e.answer(len(e.hosts))
	var kept error // of a shard, whose works follow each other whatever they come to
	for i, share := range shares {
		// Time-series models are judged with the share asked for alone.
		t, err := e.all(ctx, share, i == 0, done)
		// For the share that was asked for, some of the machines are an answer. Any other share is
		// left out as a whole.
		switch {
		case err == nil:
		case errors.Is(err, pieces.ErrKept):
			kept = err
			continue
		case i == 0 && t != nil && a.interrupted(ctx, err,
			fmt.Sprintf("of %d machines the %d that were done", len(e.hosts), t.machines)):
			a.Hosts, a.Host = t.machines, fmt.Sprintf("%d of %d machines", t.machines, len(e.hosts))
			return a, t.fill(a)
		case i > 0 && a.interrupted(ctx, err, ask.Sprintf("without training on %v", share)):
			return a, nil
		default:
			return nil, err
		}
		if i > 0 {
			a.Ratios = append(a.Ratios, t.ratio(share)...)
			continue
		}
		if err := t.fill(a); err != nil {
			return nil, err
		}
	}
	if err := e.end(ctx, a, noise, done); err != nil {
		return nil, err
	}
	if kept != nil {
		return nil, kept
	}
	return a, nil
}

// interrupted reports whether an error is that of the context, and warns of what the answer covers.
func (a *EvaluateAnswer) interrupted(ctx context.Context, err error, what string) bool {
	a.Stopped = ctx.Err() != nil && errors.Is(err, ctx.Err())
	if a.Stopped {
		a.Warnings = append(a.Warnings, "interrupted: "+what)
	}
	return a.Stopped
}

// end adds what follows the scores of all machines: the noise, nil for none, and the explanation.
func (e *evaluation) end(ctx context.Context, a *EvaluateAnswer, noise *noiseRun, done func()) (err error) {
	if noise != nil {
		a.Noise, err = noise.run(ctx, done)
		switch {
		case err == nil, errors.Is(err, pieces.ErrKept):
		case a.interrupted(ctx, err, "without noise"):
			a.Noise = nil
			return nil
		default:
			return err
		}
	}
	if e.q.Explain && len(a.Models) > 0 { // a shard keeps its scores, and has none to explain
		a.explain(e.q.Ages)
	}
	return nil
}

// shares are those of the days to train on, the asked one first.
func (e *evaluation) shares() []float64 { return append([]float64{e.train}, e.q.Ratios...) }

// answer returns what is known of the machines before they are judged.
func (e *evaluation) answer(machines int) *EvaluateAnswer {
	a := &EvaluateAnswer{
		Host:     e.first,
		Hosts:    machines,
		DrawnOf:  e.drawnOf,
		Day:      e.q.Day,
		Step:     e.period,
		Train:    e.train,
		Warnings: e.warnings,
	}
	if machines > 1 {
		a.Host = fmt.Sprintf("%d machines", machines)
	}
	if e.drawnOf > 0 {
		a.Host += fmt.Sprintf(" drawn of %d", e.drawnOf)
	}
	return a
}
