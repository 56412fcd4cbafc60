package backtest

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// A ScoreQuestion asks how well models foresee whether machines stay free: each
// learns from the older days of every record and is judged on the later ones.
type ScoreQuestion struct {
	machines.Labelling
	Day     string    `json:"day"`       // weekday, weekend or both
	Models  []string  `json:"models"`    // of [ModelNames]; nil: frailty, smp, km
	Windows []float64 `json:"windows_s"` // nil: 1, 2, 4 and 8 h
	Starts  []float64 `json:"starts_s"`  // times of day; nil: every hour
	Train   float64   `json:"train"`     // share of the days; 0: 0.5
	Explain bool      `json:"explain,omitempty"`
	// Group names the group of a machine, whose machines share a frailty; nil:
	// none.
	Group func(machine string) string `json:"-"`
	// Whole scores all machines of a large fleet, however long it takes; else some are drawn by their names.
	Whole bool `json:"whole,omitempty"`
	// Done, if set, is told how many of the machines that waited for the end are scored.
	Done func(n, all int) `json:"-"`
}

// mostWindows is the number of lengths of window that one run can score. A
// testStart has a bit for each.
const mostWindows = 16

// A Scoring takes the records of machines one by one, keeps a few kilobytes of each, and then
// scores the models. Machines may be added from several goroutines; the answer does not depend on
// their order.
type Scoring struct {
	q       *ScoreQuestion
	kinds   []string
	models  []string
	shown   []string // of these, where others are scored for [AutoModel]; nil: all
	inner   *Scoring // of the older days alone, for AutoModel
	windows []float64
	starts  []float64
	train   float64

	mu       sync.Mutex
	machines []*scored
	km       productLimit
	failed   []leftOut
	names    map[string]bool
	draw     *draw     // nil: none
	waiting  []*waiter // the machines of the draw
	bytes    float64   // of the records that wait
}

// A leftOut machine is one without usable data, with the reason.
type leftOut struct{ name, reason string }

// NewScoring checks the question.
func NewScoring(q *ScoreQuestion) (*Scoring, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	// Days, starts and shares are checked as those of Evaluate.
	e := &EvaluateQuestion{
		Day:     q.Day,
		Windows: q.Windows,
		Starts:  q.Starts,
		Train:   q.Train,
		Hosts:   []machines.Trace{{}},
		Models:  []string{},
	}
	plan, err := e.plan()
	if err != nil {
		return nil, err
	}
	s := &Scoring{
		q:       q,
		kinds:   plan.kinds,
		models:  q.Models,
		windows: q.Windows,
		starts:  plan.starts,
		train:   plan.train,
		names:   map[string]bool{},
	}
	if !q.Whole {
		s.draw = &draw{most: mostScoreWork}
	}
	if s.models == nil {
		s.models = []string{FrailtyModel, SMPModel, KMModel}
	}
	if s.windows == nil {
		s.windows = []float64{3600, 7200, 14400, 28800}
	}
	if len(s.windows) > mostWindows {
		return nil, ask.Inputf("windows", "%d lengths, want at most %d", len(s.windows), mostWindows)
	}
	if len(s.starts) > 1440 {
		return nil, ask.Inputf("starts", "%d times of day, want at most one a minute", len(s.starts))
	}
	if err := checkModels(s.models); err != nil {
		return nil, err
	}
	if slices.Contains(s.models, AutoModel) {
		return s, s.nested()
	}
	return s, nil
}

// cell numbers a kind of day, a time of day and a length.
func (s *Scoring) cell(kind, start, window int) int {
	return (kind*len(s.starts)+start)*len(s.windows) + window
}

// Add counts the machine of a recorder and consumes it. A record without usable data is left out,
// with a note. Errors: that of the context, and *ask.InputError for a second machine of one name
// and for windows shorter than a step of the machine.
func (s *Scoring) Add(ctx context.Context, r *machines.Recorder) error {
	ctx = given.Context(ctx)
	l, err := r.Labelled()
	return s.enter(ctx, r.Name(), l, err)
}

// add counts a machine by its states, or by the error that it has none.
func (s *Scoring) add(ctx context.Context, name string, l *machines.Labelled, err error) error {
	k, err := s.keep(ctx, name, l, err)
	if err != nil {
		return err
	}
	return s.count(k)
}

// take adds a machine; the lock is held.
func (s *Scoring) take(m *scored) error {
	if s.names[m.Name] {
		return ask.Inputf("trace", "two machines are named %q", m.Name)
	}
	s.names[m.Name] = true
	m.Starts = slices.Clone(m.Starts) // of many machines, what growing left over is much
	m.Record.Exposure.Clip()
	m.Record.Failures.Clip()
	s.machines = append(s.machines, m)
	s.km.add(m.Limit)
	m.Limit = nil
	if s.inner == nil {
		return nil
	}
	inner := m.Inner
	m.Inner = nil
	if inner == nil {
		s.inner.failed = append(s.inner.failed, leftOut{m.Name, m.Innerless})
		return nil
	}
	return s.inner.take(inner)
}

// Finish scores the models. Models of the fleet are judged here, where all
// machines are known.
func (s *Scoring) Finish(ctx context.Context) (*ScoreAnswer, error) {
	ctx = given.Context(ctx)
	if err := s.settle(ctx); err != nil {
		return nil, err
	}
	// Summing in the order of names makes the sums independent of the order in which machines came.
	slices.SortFunc(s.machines, func(a, b *scored) int { return cmp.Compare(a.Name, b.Name) })
	if len(s.machines) == 0 {
		if len(s.failed) == 0 {
			return nil, ask.Inputf("trace", "no machine in it")
		}
		first := slices.MinFunc(s.failed, func(a, b leftOut) int { return cmp.Compare(a.name, b.name) })
		return nil, ask.Inputf("trace", "none of %s could be scored; %s: %s",
			fault.Count(len(s.failed), "machine"), first.name, first.reason)
	}
	period := s.machines[0].Period
	for _, m := range s.machines {
		if m.Period != period {
			return nil, ask.Inputf("period",
				"machine %s has a sample every %s, machine %s every %s: give the period", s.machines[0].Name,
				ask.Time(period), m.Name, ask.Time(m.Period))
		}
	}
	a := &ScoreAnswer{
		Machines: len(s.machines),
		DrawnOf:  s.draw.drawnOf(),
		LeftOut:  len(s.failed),
		Day:      s.q.Day,
		Step:     period,
		Train:    s.train,
		Windows:  s.windows,
	}
	steps := make([]int64, len(s.windows))
	for w, length := range s.windows {
		n, err := machines.Horizon(length, period)
		if err != nil {
			return nil, err
		}
		steps[w] = int64(n)
	}
	calendar := smp.NewCalendar(s.q.Location, s.q.Holidays)
	for j, model := range s.models {
		switch model {
		case FrailtyModel:
			if err := s.frailty(ctx, j, calendar, steps, a); err != nil {
				return nil, err
			}
		case KMModel:
			limit := s.km.curve()
			err := each(ctx, len(s.machines), func(i int) error {
				s.judge(s.machines[i], j,
					func(t *testStart, w int) float64 { return limit.survival(int64(t.age), steps[w]) })
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
	}
	if s.inner != nil {
		var err error
		if a.Chosen, err = s.inner.choice(ctx); err != nil {
			return nil, err
		}
		a.Chosen.DrawnOf = a.DrawnOf // the same machines within their older days
	}
	return a, s.fill(ctx, a)
}
