package backtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// A scored is a machine of a Scoring, as a shard keeps it too.
type scored struct {
	Name     string         `json:"name"`
	Period   float64        `json:"period"`
	First    int64          `json:"first"`
	Record   frailty.Record `json:"record"`   // of the older days
	Failures float64        `json:"failures"` // of them
	Exposure float64        `json:"exposure"` // steps at risk of them
	Starts   []testStart    `json:"starts"`
	Windows  int            `json:"windows"`
	P        [][]uint16     `json:"p"` // by model and window, in units of 1/65535
	Sums     []scoreSums    `json:"sums"`
	Free     int            `json:"free"` // windows
	Warnings []string       `json:"warnings"`
	Limit    []limitSpell   `json:"limit"` // until it is counted
	// The machine within its older days, until it is counted, or why it is not there.
	Inner     *scored `json:"inner,omitempty"`
	Innerless string  `json:"innerless,omitempty"`
}

// machine learns from the older days of one machine and foresees the later ones by each model that
// needs no other machine; the models of the fleet follow when all are read. It returns an
// *ask.InputError for a machine whose record is too short, which is left out.
func (s *Scoring) machine(ctx context.Context, name string, l *machines.Labelled) (*scored, error) {
	h := l.History
	if len(h.Runs) == 0 {
		return nil, &ask.InputError{Field: "trace", Reason: "no usable sample"}
	}
	m := &scored{
		Name:     name,
		Period:   h.Period,
		First:    h.Runs[0].First,
		Warnings: l.Warnings,
		Sums:     make([]scoreSums, len(s.models)),
		P:        make([][]uint16, len(s.models)),
	}
	m.Record.Name = m.Name
	if s.q.Group != nil {
		m.Record.Group = s.q.Group(m.Name)
	}
	// The steps of a test window are kept as int32, since a fleet has very many of them.
	if h.Runs[len(h.Runs)-1].End()-m.First > math.MaxInt32 {
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
	if err := m.Record.Add(frailty.Clock{Period: h.Period, Calendar: l.Calendar}, space, h, m.First, cut); err != nil {
		return nil, machines.InputError(err)
	}
	m.Failures, m.Exposure = float64(m.Record.Failures.Total()), float64(m.Record.Exposure.Total())/2
	trained, foreseen, err := s.fitModels(ctx, l, cut, steps)
	if err != nil {
		return nil, err
	}
	m.Starts = s.testStarts(l, cut, later, steps, trained)
	for i := range m.Starts {
		t := &m.Starts[i]
		for w := range steps {
			if t.scored&(1<<w) != 0 {
				m.Windows++
				m.Free += int(t.free >> w & 1)
			}
		}
	}
	if m.Windows == 0 {
		return nil, ask.Inputf("trace", "too few days to train and to test on")
	}
	s.judgeAlone(m, steps, foreseen)
	if slices.Contains(s.models, KMModel) {
		m.Limit = limitSpells(space, h, m.First, cut)
	}
	// The model auto is chosen within the older days alone, so that it does not see what it is judged
	// by.
	if s.inner != nil {
		var input *ask.InputError
		if m.Inner, err = s.inner.machine(ctx, name, l.Before(cut)); errors.As(err, &input) {
			m.Innerless, err = input.Reason, nil
		}
	}
	return m, err
}

// fitModels fits the models of the machine's own days on those before cut: what each foresees in a cell
// by the state in which the window begins, and whether a cell has a day to learn from.
func (s *Scoring) fitModels(ctx context.Context, l *machines.Labelled, cut int64, steps []int) (trained []bool,
	foreseen [][][2]float64, err error) {
	trained = make([]bool, len(s.kinds)*len(s.starts)*len(s.windows))
	foreseen = make([][][2]float64, len(s.models))
	for i := range foreseen {
		foreseen[i] = make([][2]float64, len(trained))
	}
	f, err := smp.NewForesight(smp.FiveStates())
	if err != nil {
		return nil, nil, err
	}
	h, before := l.History, l.Moment(cut)
	for k, kind := range s.kinds {
		day := kindOfDay(kind)
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
				f.Learn(days, n)
				for j, model := range s.models {
					if !slices.Contains(ownModels, model) {
						continue
					}
					if foreseen[j][at], err = own(ctx, model, f, days, n); err != nil {
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
			rate := (m.Failures + 0.5) / math.Max(m.Exposure, 1)
			s.judge(m, j, func(_ *testStart, w int) float64 { return math.Exp(-rate * float64(steps[w])) })
		}
	}
}

// ownModels learn from the machine's own days of a window.
var ownModels = []string{SMPModel, CensoredModel, CountsModel, ShareOfDaysModel}

// judge scores the windows of a machine by one model. What is kept of the chances
// for the best tenths is rounded; the sums are not.
func (s *Scoring) judge(m *scored, model int, predict func(t *testStart, window int) float64) {
	m.P[model] = make([]uint16, 0, m.Windows)
	sums := &m.Sums[model]
	for i := range m.Starts {
		t := &m.Starts[i]
		for w := range s.windows {
			if t.scored&(1<<w) != 0 {
				p := predict(t, w)
				m.P[model] = append(m.P[model], uint16(math.Round(p*math.MaxUint16)))
				sums.add(p, t.free&(1<<w) != 0)
			}
		}
	}
}
