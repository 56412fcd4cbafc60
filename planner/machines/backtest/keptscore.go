package backtest

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/frailty"
)

// A keptScored is a machine of a [Scoring] as a shard keeps it, or why it is left
// out.
type keptScored struct {
	Name     string          `json:"name"`
	LeftOut  *string         `json:"left_out,omitempty"`
	Period   partials.Number `json:"period"`
	First    int64           `json:"first"`
	Record   frailty.Record  `json:"record"`
	Failures partials.Number `json:"failures"`
	Exposure partials.Number `json:"exposure"`
	Starts   [][7]int32      `json:"starts"` // the fields of a testStart
	Windows  int             `json:"windows"`
	P        [][]uint16      `json:"p"`
	Sums     []keptSums      `json:"sums"`
	Free     int             `json:"free"`
	Warnings []string        `json:"warnings"`
	Limit    []limitSpell    `json:"limit"`
	// Of the older days alone, for AutoModel.
	Inner     *keptScored `json:"inner,omitempty"`
	Innerless string      `json:"innerless,omitempty"`
}

// keptSums are the [scoreSums] of one model.
type keptSums struct {
	N       int                 `json:"n"`
	Sums    [4]partials.Number  `json:"sums"` // brier, log, predicted and spread
	Diagram [12]keptDiagramCell `json:"diagram"`
}

// A keptDiagramCell is a [diagramCell].
type keptDiagramCell struct {
	N         int             `json:"n"`
	Free      int             `json:"f"`
	Predicted partials.Number `json:"p"`
}

// Score returns as JSON what [Scoring.Add] would keep of the machine of a recorder,
// which is used up, for [Scoring.AddScored] of another Scoring that asks the same. An
// error is that of the context.
func (s *Scoring) Score(ctx context.Context, r *machines.Recorder) (json.RawMessage, error) {
	ctx = given.Context(ctx)
	l, err := r.Labelled()
	var m *scored
	if err == nil {
		m, err = s.machine(ctx, r.Name(), l)
	}
	var input *ask.InputError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, &input):
		return json.Marshal(keptScored{Name: r.Name(), LeftOut: &input.Reason})
	case err != nil:
		return nil, err
	}
	return json.Marshal(m.kept())
}

// AddScored counts a machine by what Score returned. Errors: *ask.InputError for a
// second machine of one name, and that of a text that Score did not return.
func (s *Scoring) AddScored(text json.RawMessage) error {
	var k keptScored
	if err := json.Unmarshal(text, &k); err != nil {
		return err
	}
	// A shard of another question has another number of models.
	if k.LeftOut == nil && (len(k.Sums) != len(s.models) || len(k.P) != len(s.models)) {
		return errCells
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.LeftOut != nil {
		s.failed = append(s.failed, leftOut{k.Name, *k.LeftOut})
		return nil
	}
	return s.take(k.scored())
}

// kept is the machine as a shard keeps it.
func (m *scored) kept() keptScored {
	k := keptScored{
		Name:     m.name,
		Period:   partials.Number(m.period),
		First:    m.first,
		Record:   m.record,
		Failures: partials.Number(m.failures),
		Exposure: partials.Number(m.exposure),
		Windows:  m.windows,
		P:        m.p,
		Free:     m.free,
		Warnings: m.warnings,
		Limit:    m.limit,
	}
	for _, t := range m.starts {
		k.Starts = append(k.Starts,
			[7]int32{t.step, t.age, int32(t.start), int32(t.kind), int32(t.state), int32(t.scored), int32(t.free)})
	}
	for _, x := range m.sums {
		sums := keptSums{N: x.n}
		for i, v := range []float64{x.brier, x.log, x.predicted, x.spread} {
			sums.Sums[i] = partials.Number(v)
		}
		for i, c := range x.diagram {
			sums.Diagram[i] = keptDiagramCell{c.n, c.free, partials.Number(c.predicted)}
		}
		k.Sums = append(k.Sums, sums)
	}
	if k.Innerless = m.innerless; m.inner != nil {
		k.Inner = new(m.inner.kept())
	}
	return k
}

// scored is the machine again.
func (k *keptScored) scored() *scored {
	m := &scored{
		name:     k.Name,
		period:   float64(k.Period),
		first:    k.First,
		record:   k.Record,
		failures: float64(k.Failures),
		exposure: float64(k.Exposure),
		windows:  k.Windows,
		p:        k.P,
		free:     k.Free,
		warnings: k.Warnings,
		limit:    k.Limit,
	}
	for _, t := range k.Starts {
		m.starts = append(m.starts, testStart{
			step:   t[0],
			age:    t[1],
			start:  int16(t[2]),
			kind:   int8(t[3]),
			state:  int8(t[4]),
			scored: uint16(t[5]),
			free:   uint16(t[6]),
		})
	}
	for _, x := range k.Sums {
		sums := scoreSums{
			n:         x.N,
			brier:     float64(x.Sums[0]),
			log:       float64(x.Sums[1]),
			predicted: float64(x.Sums[2]),
			spread:    float64(x.Sums[3]),
		}
		for i, c := range x.Diagram {
			sums.diagram[i] = diagramCell{c.N, c.Free, float64(c.Predicted)}
		}
		m.sums = append(m.sums, sums)
	}
	if m.innerless = k.Innerless; k.Inner != nil {
		m.inner = k.Inner.scored()
	}
	return m
}
