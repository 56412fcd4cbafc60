package planner

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/capplan/capplan/smp"
)

// An EvaluateQuestion asks how well the prediction would have done: trained on
// the first days of a record and judged on the others, beside time-series
// models.
type EvaluateQuestion struct {
	Host *HostTrace `json:"-"`
	Labelling
	Day     string    `json:"day"`
	Windows []float64 `json:"windows_s"`           // nil: 1 h to 10 h
	Starts  []float64 `json:"starts_s,omitempty"`  // times of day; nil: every hour
	Train   float64   `json:"train,omitempty"`     // share of the days; 0: 0.5
	Order   int       `json:"order,omitempty"`     // of the time-series models; 0: 3
	Models  []string  `json:"baselines,omitempty"` // see [BaselineNames]; nil: all
	Counts  bool      `json:"counts,omitempty"`
	Explain bool      `json:"explain,omitempty"`
	// Done, if set, is told how many of all parts are finished.
	Done func(n, all int) `json:"-"`
}

// BaselineNames are the time-series models of iShare table 4.
var BaselineNames = []string{"ar", "bm", "ma", "arma", "last"}

// An EvaluateAnswer compares predicted with observed reliability.
type EvaluateAnswer struct {
	Host     string       `json:"host"`
	Day      string       `json:"day"`
	Step     float64      `json:"step_s"`
	Train    float64      `json:"train"`
	Models   []ModelScore `json:"models"` // SMP first
	Best     *string      `json:"best"`   // of least mean relative error over all windows; null where none is defined
	Warnings []string     `json:"warnings,omitempty"`

	Explanation *Explanation `json:"explanation,omitempty"`
}

// A ModelScore is one model.
type ModelScore struct {
	Model   string        `json:"model"`
	Mean    *float64      `json:"mean_relative_error"` // over all windows and starts
	Windows []WindowScore `json:"windows"`
}

// A WindowScore gathers the start hours of one length of window. Its error is
// |predicted − observed|/observed; null where none is defined.
type WindowScore struct {
	Model     string   `json:"model"`
	Window    float64  `json:"window_s"`
	Starts    int      `json:"starts"`     // with a defined error
	Undefined int      `json:"undefined"`  // no test day, or none without failure
	TestDays  int      `json:"test_days"`  // in all starts
	TrainDays int      `json:"train_days"` // greatest of the starts
	Mean      *float64 `json:"mean_relative_error"`
	Least     *float64 `json:"least_relative_error"`
	Greatest  *float64 `json:"greatest_relative_error"`
}

func (q *EvaluateQuestion) forecasters() ([]smp.Forecaster, error) {
	order := q.Order
	if order == 0 {
		order = 3
	}
	if order < 1 || order > 64 {
		return nil, &InputError{"order", "want 1 to 64"}
	}
	all := map[string]smp.Forecaster{"ar": smp.AR{Order: order}, "bm": smp.BestMean{Order: order}, "ma": smp.ARMA{MA: order}, "arma": smp.ARMA{AR: order, MA: order}, "last": smp.Last{}}
	wanted := q.Models
	if wanted == nil {
		wanted = BaselineNames
	}
	var out []smp.Forecaster
	for _, n := range wanted {
		f, ok := all[n]
		if !ok {
			return nil, &InputError{"baselines", fmt.Sprintf("%q is none of %s", n, strings.Join(BaselineNames, ", "))}
		}
		out = append(out, f)
	}
	return out, nil
}

// EvaluatePrediction answers an EvaluateQuestion.
func EvaluatePrediction(ctx context.Context, q *EvaluateQuestion) (*EvaluateAnswer, error) {
	l, err := q.label(q.Host)
	if err != nil {
		return nil, err
	}
	kind, err := (&DayWindow{Day: q.Day}).kind()
	if err != nil {
		return nil, err
	}
	baselines, err := q.forecasters()
	if err != nil {
		return nil, err
	}
	if q.Train < 0 || q.Train >= 1 {
		return nil, &InputError{"train", "want a share above 0 and below 1 such as 50%"}
	}
	windows, starts := q.Windows, q.Starts
	if windows == nil {
		for h := range 10 {
			windows = append(windows, float64(h+1)*3600)
		}
	}
	if starts == nil {
		for h := range 24 {
			starts = append(starts, float64(h)*3600)
		}
	}
	e := &evaluation{q: q, labelled: l, kind: kind, models: baselines, loads: l.loads(q.Host)}
	cells := make([]cell, 0, len(windows)*len(starts))
	for w, length := range windows {
		n, err := horizon(length, l.history.Period)
		if err != nil {
			return nil, err
		}
		for _, s := range starts {
			cells = append(cells, cell{window: w, clock: time.Duration(s * float64(time.Second)), steps: n})
		}
	}
	if err := e.all(ctx, cells); err != nil {
		return nil, err
	}
	return e.gather(windows, cells)
}

// A cell is one window: a length and a start.
type cell struct {
	window int
	clock  time.Duration
	steps  int
	scores []*smp.Score // by model; nil: too few days
}

type evaluation struct {
	q        *EvaluateQuestion
	labelled *labelled
	kind     smp.DayKind
	models   []smp.Forecaster
	loads    smp.Loads
}

// all scores the cells on all cores.
func (e *evaluation) all(ctx context.Context, cells []cell) error {
	errs := make([]error, len(cells))
	next := make(chan int)
	var wg sync.WaitGroup
	var mu sync.Mutex
	done := 0
	for range min(runtime.GOMAXPROCS(0), len(cells)) {
		wg.Go(func() {
			for i := range next {
				errs[i] = e.score(ctx, &cells[i])
				mu.Lock()
				if done++; e.q.Done != nil {
					e.q.Done(done, len(cells))
				}
				mu.Unlock()
			}
		})
	}
	for i := range cells {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, err := range errs {
		if err != nil {
			return smpError(err)
		}
	}
	return nil
}

func (e *evaluation) score(ctx context.Context, c *cell) error {
	l := e.labelled
	w := smp.Window{Clock: c.clock, Steps: c.steps}
	days, _, err := l.history.Days(l.calendar, w, e.kind, l.end(), 0)
	if err != nil {
		return err
	}
	o := &smp.EvaluateOptions{Train: e.q.Train, Counts: e.q.Counts, Ageless: true}
	s, err := smp.Evaluate(ctx, smp.FiveStates(), days, w, o)
	if errors.Is(err, smp.ErrNoData) {
		return nil
	}
	if err != nil {
		return err
	}
	if s.TestDays == 0 {
		return nil
	}
	c.scores = append(c.scores, s)
	for _, m := range e.models {
		s, err := smp.EvaluateForecaster(ctx, m, days, e.loads, l.calendar, w, l.thresholds, o)
		if err != nil {
			return err
		}
		c.scores = append(c.scores, s)
	}
	return nil
}

// gather turns scores into the answer.
func (e *evaluation) gather(windows []float64, cells []cell) (*EvaluateAnswer, error) {
	q, l := e.q, e.labelled
	a := &EvaluateAnswer{Host: q.Host.Name, Day: q.Day, Step: l.history.Period, Train: q.Train, Warnings: l.warnings}
	if a.Train == 0 {
		a.Train = 0.5
	}
	titles := []string{"SMP"}
	for _, m := range e.models {
		titles = append(titles, m.Name())
	}
	empty := 0
	for _, c := range cells {
		if c.scores == nil {
			empty++
		}
	}
	if empty == len(cells) {
		return nil, &InputError{"day", fmt.Sprintf("the record has too few days of kind %s to train and to test on", q.Day)}
	}
	if empty > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%d of %d windows have too few days to train and to test on", empty, len(cells)))
	}
	for m, title := range titles {
		model := ModelScore{Model: title}
		total, defined := 0.0, 0
		for w, length := range windows {
			s := WindowScore{Model: title, Window: length}
			sum := 0.0
			for _, c := range cells {
				if c.window != w {
					continue
				}
				if c.scores == nil || !c.scores[m].Defined {
					s.Undefined++
					continue
				}
				v := c.scores[m].RelativeError
				s.Starts++
				s.TestDays += c.scores[m].TestDays
				s.TrainDays = max(s.TrainDays, c.scores[m].TrainDays)
				sum += v
				if s.Least == nil || v < *s.Least {
					s.Least = number(v)
				}
				if s.Greatest == nil || v > *s.Greatest {
					s.Greatest = number(v)
				}
			}
			if s.Starts > 0 {
				s.Mean = number(sum / float64(s.Starts))
			}
			total, defined = total+sum, defined+s.Starts
			model.Windows = append(model.Windows, s)
		}
		if defined > 0 {
			model.Mean = number(total / float64(defined))
		}
		a.Models = append(a.Models, model)
	}
	for i := range a.Models {
		m := &a.Models[i]
		if m.Mean != nil && (a.Best == nil || *m.Mean < *a.mean(*a.Best)) {
			a.Best = &m.Model
		}
	}
	if q.Explain {
		a.explain()
	}
	return a, nil
}

func (a *EvaluateAnswer) mean(model string) *float64 {
	for _, m := range a.Models {
		if m.Model == model {
			return m.Mean
		}
	}
	return nil
}

func (a *EvaluateAnswer) explain() {
	e := &Explanation{Model: "train and test by date"}
	numbers := "none is defined"
	if m := a.Models[0].Mean; m != nil {
		numbers = fmt.Sprintf("SMP: mean %s over all windows and starts", num(*m))
	}
	e.step("relative error", "|TR predicted − TR observed| / TR observed", numbers, "iShare 8.2, figure 11")
	e.step("time-series models", "fitted to the samples of the window of the same length before, continued, labelled and counted", fmt.Sprintf("%d models", len(a.Models)-1), "iShare 8.2.1, table 4 and figure 13")
	e.Assumptions = append(e.Assumptions, "the state at the window's beginning counts as just entered; a test day that begins failed, or is not whole, is left out")
	a.Explanation = e
}
