package backtest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
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
}

// mostWindows is the number of lengths of window that one run can score. A
// testStart has a bit for each.
const mostWindows = 16

// A Scoring takes the records of machines one by one, of each of which it keeps
// a few kilobytes, and then scores the models. Machines may be added from
// several goroutines; the answer does not depend on their order.
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
}

// A leftOut machine is one that tells nothing, and why.
type leftOut struct{ name, reason string }

// A scored is a machine of a Scoring.
type scored struct {
	name     string
	period   float64
	first    int64
	record   frailty.Record // of the older days
	failures float64        // of them
	exposure float64        // steps at risk of them
	starts   []testStart
	windows  int
	p        [][]uint16 // by model and window, in units of 1/65535
	sums     []scoreSums
	free     int // windows
	warnings []string
	limit    []limitSpell // until it is counted
	// The machine within its older days, until it is counted, or why it is not there.
	inner     *scored
	innerless string
}

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

// Add counts the machine of a recorder, which is used up. A record that tells
// nothing is left out, and said to be; an error is that of the context.
func (s *Scoring) Add(ctx context.Context, r *machines.Recorder) error {
	ctx = given.Context(ctx)
	l, err := r.Labelled()
	return s.add(ctx, r.Name(), l, err)
}

// add counts a machine by its states, or by the error that it has none.
func (s *Scoring) add(ctx context.Context, name string, l *machines.Labelled, err error) error {
	var m *scored
	if err == nil {
		m, err = s.machine(ctx, name, l)
	}
	var input *ask.InputError
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &input) && input.Field != windowsField: // what no machine can help
		s.failed = append(s.failed, leftOut{name, plainReason(input)})
		return nil
	case err != nil:
		return err
	}
	return s.take(m)
}

// take adds a machine; the lock is held.
func (s *Scoring) take(m *scored) error {
	if s.names[m.name] {
		return ask.Inputf("trace", "two machines are named %q", m.name)
	}
	s.names[m.name] = true
	m.starts = slices.Clone(m.starts) // of many machines, what growing left over is much
	m.record.Exposure.Clip()
	m.record.Failures.Clip()
	s.machines = append(s.machines, m)
	s.km.add(m.limit)
	m.limit = nil
	if s.inner == nil {
		return nil
	}
	inner := m.inner
	m.inner = nil
	if inner == nil {
		s.inner.failed = append(s.inner.failed, leftOut{m.name, m.innerless})
		return nil
	}
	return s.inner.take(inner)
}

// plainReason is what is said of a machine that is left out; its field is that of the question, which
// other machines answer.
func plainReason(e *ask.InputError) string { return e.Reason }

// machine learns from the older days of one machine and foresees the later ones by each model that
// needs no other machine; the models of the fleet follow when all are read. It returns an
// *ask.InputError for a machine whose record is too short, which is left out.
func (s *Scoring) machine(ctx context.Context, name string, l *machines.Labelled) (*scored, error) {
	h := l.History
	if len(h.Runs) == 0 {
		return nil, &ask.InputError{Field: "trace", Reason: "no usable sample"}
	}
	m := &scored{
		name:     name,
		period:   h.Period,
		first:    h.Runs[0].First,
		warnings: l.Warnings,
		sums:     make([]scoreSums, len(s.models)),
		p:        make([][]uint16, len(s.models)),
	}
	m.record.Name = m.name
	if s.q.Group != nil {
		m.record.Group = s.q.Group(m.name)
	}
	// The steps of a test window are kept as int32, since a fleet has very many of them.
	if h.Runs[len(h.Runs)-1].End()-m.first > math.MaxInt32 {
		return nil, ask.Inputf("trace", "the record spans more than %d steps", math.MaxInt32)
	}
	steps := make([]int, len(s.windows))
	var err error
	for w, length := range s.windows {
		if steps[w], err = horizon(length, h.Period); err != nil {
			return nil, err
		}
	}
	cut, later, err := s.split(l, slices.Min(steps))
	if err != nil {
		return nil, err
	}
	if len(later) == 0 {
		return nil, ask.Inputf("trace", "too few days to train and to test on")
	}
	space := smp.FiveStates()
	if err := m.record.Add(frailty.Clock{Period: h.Period, Calendar: l.Calendar}, space, h, m.first, cut); err != nil {
		return nil, machines.InputError(err)
	}
	m.failures, m.exposure = float64(m.record.Failures.Total()), float64(m.record.Exposure.Total())/2
	trained, foreseen, err := s.learnt(ctx, l, cut, steps)
	if err != nil {
		return nil, err
	}
	m.starts = s.testStarts(l, cut, later, steps, trained)
	for i := range m.starts {
		t := &m.starts[i]
		for w := range steps {
			if t.scored&(1<<w) != 0 {
				m.windows++
				m.free += int(t.free >> w & 1)
			}
		}
	}
	if m.windows == 0 {
		return nil, ask.Inputf("trace", "too few days to train and to test on")
	}
	s.judgeAlone(m, steps, foreseen)
	if slices.Contains(s.models, KMModel) {
		m.limit = limitSpells(space, h, m.first, cut)
	}
	// The model auto is chosen within the older days alone, so that it does not see what it is judged
	// by.
	if s.inner != nil {
		var input *ask.InputError
		if m.inner, err = s.inner.machine(ctx, name, l.Before(cut)); errors.As(err, &input) {
			m.innerless, err = input.Reason, nil
		}
	}
	return m, err
}

// learnt trains the models of the machine's own days on those before cut: what each foresees in a cell
// by the state in which the window begins, and whether a cell has a day to learn from.
func (s *Scoring) learnt(ctx context.Context, l *machines.Labelled, cut int64, steps []int) (trained []bool,
	foreseen [][][2]float64, err error) {
	trained = make([]bool, len(s.kinds)*len(s.starts)*len(s.windows))
	foreseen = make([][][2]float64, len(s.models))
	for i := range foreseen {
		foreseen[i] = make([][2]float64, len(trained))
	}
	h, before := l.History, l.Moment(cut)
	for k, kind := range s.kinds {
		day, err := (&machines.DayWindow{Day: kind}).Kind()
		if err != nil {
			return nil, nil, err
		}
		for i, clock := range s.starts {
			for w, n := range steps {
				if err := ctx.Err(); err != nil {
					return nil, nil, err
				}
				days, _, err := h.Days(l.Calendar,
					smp.Window{Clock: time.Duration(clock * float64(time.Second)), Steps: n}, day, before, 0)
				if err != nil {
					return nil, nil, machines.InputError(err)
				}
				days = smp.DenseDays(days)
				if len(days) == 0 {
					continue
				}
				at := s.cell(k, i, w)
				trained[at] = true
				for j, model := range s.models {
					if !slices.Contains(ownModels, model) {
						continue
					}
					if foreseen[j][at], err = own(ctx, model, days, n); err != nil {
						return nil, nil, machines.InputError(err)
					}
				}
			}
		}
	}
	return trained, foreseen, nil
}

// judgeAlone judges the models that need no other machine; foreseen is of those of ownModels.
func (s *Scoring) judgeAlone(m *scored, steps []int, foreseen [][][2]float64) {
	for j, model := range s.models {
		switch {
		case slices.Contains(ownModels, model):
			s.judge(m, j, func(t *testStart, w int) float64 {
				return foreseen[j][s.cell(int(t.kind), int(t.start), w)][t.state&^atLeast]
			})
		case model == AlwaysModel:
			s.judge(m, j, func(*testStart, int) float64 { return 1 })
		case model == ExponentialModel:
			// Half a failure more keeps the rate of a machine that never failed above 0, which would
			// foresee certainty; the log loss of an error would then be infinite.
			rate := (m.failures + 0.5) / math.Max(m.exposure, 1)
			s.judge(m, j, func(_ *testStart, w int) float64 { return math.Exp(-rate * float64(steps[w])) })
		}
	}
}

// ownModels learn from the machine's own days of a window.
var ownModels = []string{SMPModel, CensoredModel, CountsModel, ShareOfDaysModel}

// judge scores the windows of a machine by one model. What is kept of the chances
// for the best tenths is rounded; the sums are not.
func (s *Scoring) judge(m *scored, model int, predict func(t *testStart, window int) float64) {
	m.p[model] = make([]uint16, 0, m.windows)
	sums := &m.sums[model]
	for i := range m.starts {
		t := &m.starts[i]
		for w := range s.windows {
			if t.scored&(1<<w) != 0 {
				p := predict(t, w)
				m.p[model] = append(m.p[model], uint16(math.Round(p*math.MaxUint16)))
				sums.add(p, t.free&(1<<w) != 0)
			}
		}
	}
}

// Finish scores the models. Models of the fleet are judged here, where all
// machines are known.
func (s *Scoring) Finish(ctx context.Context) (*ScoreAnswer, error) {
	ctx = given.Context(ctx)
	// Sums in the order of names do not hang on the order in which machines came.
	slices.SortFunc(s.machines, func(a, b *scored) int { return cmp.Compare(a.name, b.name) })
	if len(s.machines) == 0 {
		if len(s.failed) == 0 {
			return nil, ask.Inputf("trace", "no machine in it")
		}
		first := slices.MinFunc(s.failed, func(a, b leftOut) int { return cmp.Compare(a.name, b.name) })
		return nil, ask.Inputf("trace", "none of %d machines could be scored; %s: %s",
			len(s.failed), first.name, first.reason)
	}
	period := s.machines[0].period
	for _, m := range s.machines {
		if m.period != period {
			return nil, ask.Inputf("period",
				"machine %s has a sample every %s s, machine %s every %s s: give the period", s.machines[0].name,
				ask.Digits(period), m.name, ask.Digits(m.period))
		}
	}
	a := &ScoreAnswer{
		Machines: len(s.machines),
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
	calendar := smp.Calendar{Location: s.q.Location, Holidays: s.q.Holidays}
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
	}
	return a, s.fill(ctx, a)
}
