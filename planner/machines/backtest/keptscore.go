package backtest

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
)

// A keptScored is a machine of a [Scoring] as a shard keeps it, or why it is left
// out.
type keptScored struct {
	scored
	LeftOut *string `json:"left_out,omitempty"`
	Work    float64 `json:"work"` // that it is foreseen to take, by which machines are drawn
}

// keep returns what a shard keeps of a machine: its scores by the states of its record, or why it
// is left out. err says why the record has no states. Errors: that of the context, and
// *ask.InputError for windows shorter than a step.
func (s *Scoring) keep(ctx context.Context, name string, l *machines.Labelled, err error) (*keptScored, error) {
	var m *scored
	if err == nil {
		m, err = s.machine(ctx, name, l)
	}
	input, bad := errors.AsType[*ask.InputError](err)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case bad && input.Field != windowsField:
		return &keptScored{scored{Name: name}, &input.Reason, s.machineWork(l)}, nil
	case err != nil:
		return nil, err
	}
	return &keptScored{scored: *m, Work: s.machineWork(l)}, nil
}

// count adds a machine, or why it is left out. Errors: *ask.InputError for a second machine of one
// name.
func (s *Scoring) count(k *keptScored) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k.LeftOut != nil {
		s.failed = append(s.failed, leftOut{k.Name, *k.LeftOut})
		return nil
	}
	return s.take(&k.scored)
}

// Score returns as JSON what [Scoring.Add] would keep of the machine of a recorder,
// which is used up, for [Scoring.AddScored] of another Scoring that asks the same.
// Errors: those of Add, but for names.
func (s *Scoring) Score(ctx context.Context, r *machines.Recorder) (json.RawMessage, error) {
	l, err := r.Labelled()
	k, err := s.keep(given.Context(ctx), r.Name(), l, err)
	if err != nil {
		return nil, err
	}
	return json.Marshal(k)
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
	if s.draw == nil {
		return s.count(&k)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold(&waiter{name: k.Name, k: &k}, k.Work)
	return nil
}

// MarshalJSON writes the fields of a start without their names: there are millions of them.
func (t testStart) MarshalJSON() ([]byte, error) {
	return json.Marshal([7]int32{t.step, t.age, int32(t.start), int32(t.kind), int32(t.state), int32(t.scored),
		int32(t.free)})
}

// UnmarshalJSON reads what MarshalJSON wrote. Errors: those of a text that is no list of numbers.
func (t *testStart) UnmarshalJSON(text []byte) error {
	var v [7]int32
	err := json.Unmarshal(text, &v)
	*t = testStart{v[0], v[1], int16(v[2]), int8(v[3]), int8(v[4]), uint16(v[5]), uint16(v[6])}
	return err
}
