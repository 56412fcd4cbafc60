package planner

import (
	"context"
	"errors"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// A Recommended is the mix to take where inputs are ranges: one that is right
// for the most likely figures alone fails as soon as they turn out worse.
type Recommended struct {
	Reason ask.Reason `json:"reason"`
	Fleet  string     `json:"fleet"` // the machines in words
	MixCandidate
	// Extra is the cost above that of the mix for the most likely figures.
	Extra float64 `json:"extra_cost_per_h"`
	// OverBudget is the cost above objectives.budget, null where none is given or
	// it is kept.
	OverBudget *float64 `json:"over_budget_per_h"`
	// WhenShort are the servers of speed 1 that are missing on average over the
	// draws in which the mix misses the objectives; null where it misses none.
	WhenShort *float64 `json:"shortfall_when_missed_servers"`
	// What the mix does at the most likely figures, and what it does there with
	// its dedicated machines alone, null where it has no public ones.
	AtLikely   *sizing.Figures   `json:"at_most_likely"`
	PublicAway *sizing.Candidate `json:"public_away"`
}

// recommend chooses among the mixes that were held against the draws; nil without
// any. Safe comes first, at least cost. Where no mix is safe the least regret
// decides, and without a price of a shortfall the greatest chance.
func (m *chosen) recommend(ctx context.Context, u *PlanUncertainty, frontier *FrontierAnswer) (*Recommended, error) {
	if m.answered() == nil || u == nil || len(u.Candidates) == 0 {
		return nil, nil
	}
	pool := append(slices.Clone(u.Candidates), frontier.Points...)
	best := -1
	better := func(i int, less func(a, b *MixCandidate) bool) {
		if best < 0 || less(&pool[i], &pool[best]) {
			best = i
		}
	}
	r := &Recommended{Reason: ask.Safe}
	for i := range pool {
		if ask.Value(pool[i].Chance) >= ask.SafeChance {
			better(i, func(a, b *MixCandidate) bool { return a.Cost < b.Cost })
		}
	}
	if best < 0 && u.LeastRegret != nil {
		r.Reason = ask.LeastRegret
		pool, best = []MixCandidate{*u.LeastRegret}, 0
	}
	// No mix is safe and a shortfall has no price: the least bad is all that can be told.
	if best < 0 {
		r.Reason = ask.Safest
		for i := range pool {
			better(i, func(a, b *MixCandidate) bool {
				p, q := ask.Value(a.Chance), ask.Value(b.Chance)
				return p > q || p == q && a.Cost < b.Cost
			})
		}
	}
	r.MixCandidate = pool[best]
	r.Fleet = m.fleetWords(r.Counts)
	r.Extra = units.ExactCents(r.Cost - m.answer.Cost)
	if b := m.objectives.Budget; b != nil {
		if over := units.ExactCents(r.Cost - perHour(b)); over > 0 {
			r.OverBudget = &over
		}
	}
	// Short is a mean over the draws that have an answer.
	if missed := 1 - ask.Value(r.Chance) - u.Infeasible; missed > 1e-9 {
		r.WhenShort = ask.Figure(ask.Value(r.Short) * (1 - u.Infeasible) / missed)
	}
	// The draws say how safe the mix is; what a planner then sees on an ordinary day is what
	// it does at the most likely figures.
	f := m.held
	switch g, err := m.does(ctx, r.Counts); {
	case errors.Is(err, queueing.ErrUnstable): // of mixes none of which is enough
	case err != nil:
		return nil, ask.FromQueueing("servers", err)
	default:
		r.AtLikely = new(sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives))
	}
	var err error
	r.PublicAway, err = m.publicAway(ctx, r.Counts)
	return r, err
}
