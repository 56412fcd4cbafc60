package scenario

import (
	"context"
	"errors"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/trace"
)

// learn fits the hazard and the frailties of the machines of a trace, from which the risk of a type
// is computed. A trace that no fleet can be fitted to has no risk, with a warning; its share of
// time up is still used.
func (s *scenarioFiles) learn(ctx context.Context, name string) (*forecast.Fleet, error) {
	label, err := s.q.Availability.Labelling()
	if err != nil {
		return nil, ask.In("availability", err)
	}
	learning, err := forecast.NewLearning(label, nil, nil)
	if err != nil {
		return nil, err
	}
	in := &records.Stream{
		Hosts:     records.Hosts{Options: trace.MachineOptions{Open: s.open(name, "")}, Many: true},
		Labelling: learning.Labelling(),
	}
	if err = in.Read(ctx, []string{s.path(name)}, learning.Add); err == nil {
		var f *forecast.Fleet
		if f, err = learning.Fleet(ctx); err == nil {
			return f, nil
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var input *ask.InputError
	why := err.Error()
	if errors.As(err, &input) {
		why = input.Reason
	}
	ask.Warn(&s.warnings, "%s: it is not known how much its machines differ and how likely they leave: %s", name, why)
	return nil, nil
}

// fitted reads the file of a fitted fleet.
func (s *scenarioFiles) fitted(ctx context.Context, field, name string) (*forecast.Fleet, error) {
	return readNamed(ctx, s, field, name, "a fleet file, fitted to traces of machines", forecast.ReadFleet)
}
