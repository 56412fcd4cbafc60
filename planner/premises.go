package planner

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// The premises of a plan are what its scenario gives. Once the machines are resolved
// nothing changes them but the warnings, which the parts add to in their order and no
// part reads, and the work that is left.
type premises struct {
	*scenario.Question
	sizing.Traffic // of the parts load and service

	limits     sizing.Objectives // those of the part objectives that a fleet has
	service    scenario.Service  // the part, without values where there is none
	objectives scenario.Objectives
	seed       uint64
	money      *units.PriceForm // how prices are written

	types  []worth.Machine
	worths []MachineWorth // what one of each type is worth

	warnings []string
	work     *mixes.Work // what is left to searches; each of them takes off what it made
}

// newPremises takes what a checked scenario gives, with no machines yet.
func newPremises(q *scenario.Question) *premises {
	p := &premises{
		Question:   q,
		Traffic:    q.Incoming(),
		limits:     q.Limits(),
		service:    ask.Value(q.Service),
		objectives: ask.Value(q.Objectives),
		seed:       q.FirstSeed(),
		work:       mixes.NewWork(1),
	}
	p.money, _ = q.PriceForm() // check names the error
	return p
}

// warn adds warnings to those of the plan.
func (p *premises) warn(warnings ...string) { p.warnings = append(p.warnings, warnings...) }

// sizable reports whether there is something to size a fleet by.
func (p *premises) sizable() bool {
	return p.Traffic.Loaded() && !p.limits.None()
}

// size answers how many servers of speed 1 the load needs; nil where nothing
// says. A log is replayed by its own command only, so that the size of a plan
// simulates nothing there.
func (p *premises) size(ctx context.Context) (*sizing.SizeAnswer, error) {
	if !p.sizable() {
		return nil, nil
	}
	q := p.SizeQuestion()
	if p.Log == nil {
		q.Simulate = p.Simulate
	}
	a, err := sizing.Size(ctx, q)
	if p.unmetAlone(ctx, err) {
		return nil, nil
	}
	if err != nil {
		return nil, sized(err)
	}
	p.warn(a.Warnings...)
	return a, nil
}
