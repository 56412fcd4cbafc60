package mixes

import (
	"context"
	"errors"
	"strings"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
)

// A Choice chooses mixes: the cheapest that is worth a need, or with a model that
// meets the objectives by its own figures.
type Choice struct {
	Crossing *Crossing             // nil: link and epoch allow every mix
	Floor    float64               // share of the need that dedicated machines cover alone
	Model    *Model                // holds mixes to their own figures; nil: by worth
	Ends     func(found bool) bool // ends a search by worth within the crossing; nil: nothing does
}

// Cheapest returns the cheapest mix worth the need that link and epoch allow.
// Where a shortfall has a price, what is missing is paid for.
func (m *Choice) Cheapest(ctx context.Context, items []cover.Item, need, shortfall float64,
	nodes int) (*cover.Solution, error) {
	s, err := m.choose(ctx, items, need, shortfall, nodes)
	return s, beyondCover(err)
}

// choose holds mixes to their own figures where there is a model. With a price
// for a shortfall it goes by worth: what may be missing has no objective to meet.
func (m *Choice) choose(ctx context.Context, items []cover.Item, need, shortfall float64,
	nodes int) (*cover.Solution, error) {
	if m.Model != nil && shortfall == 0 {
		based, err := m.based(items, need)
		if err != nil {
			return nil, err
		}
		return m.Model.Cheapest(ctx, based, m.Crossing, need, nodes)
	}
	p := &cover.Problem{Items: items, Need: need, MostCounted: -1, Shortfall: shortfall, MaxNodes: nodes,
		Ends: m.Ends}
	if m.Crossing == nil {
		return m.covered(p)
	}
	limit := &crossingLimit{Crossing: m.Crossing, items: items}
	if shortfall == 0 {
		limit.need = need
	}
	return cover.SolveWithin(ctx, p, limit, m.covered)
}

// covered chooses in two steps where dedicated machines have to cover a share
// of the need alone.
func (m *Choice) covered(p *cover.Problem) (*cover.Solution, error) {
	if m.Floor == 0 {
		return cover.Solve(p)
	}
	based, err := m.based(p.Items, p.Need)
	if err != nil {
		return nil, err
	}
	rest := *p
	rest.Items = based
	return cover.Solve(&rest)
}

// basedNodes bounds the search for the dedicated machines of a share of the need, which a frontier
// makes a hundred times.
const basedNodes = 50_000

// based raises the least number of dedicated machines to what is worth their
// share of the need.
func (m *Choice) based(items []cover.Item, need float64) ([]cover.Item, error) {
	if m.Floor == 0 {
		return items, nil
	}
	if m.Floor == 1 && m.Model != nil {
		out := append([]cover.Item(nil), items...)
		for i := range out {
			if !out[i].Counted {
				out[i].Most = out[i].Least
			}
		}
		return out, nil
	}
	alone := &cover.Problem{Items: append([]cover.Item(nil), items...), Need: need * m.Floor, MostCounted: -1,
		MaxNodes: basedNodes}
	for i := range alone.Items {
		if it := &alone.Items[i]; !it.Counted {
			it.Most = it.Least
			it.Worth = 0
		}
	}
	base, err := cover.Solve(alone)
	if err != nil {
		return nil, err
	}
	out := append([]cover.Item(nil), items...)
	for i := range out {
		if out[i].Counted {
			out[i].Least = base.Counts[i]
		}
	}
	return out, nil
}

// beyondCover says of a number that the choice of a mix does not take which field
// of the scenario it comes from.
func beyondCover(err error) error {
	var domain *cover.DomainError
	if !errors.As(err, &domain) {
		return err
	}
	place := strings.NewReplacer("Items", "machines", ".Price", ".price", ".Worth", ".speed", "Need", "load",
		"Shortfall", "costs.shortfall").Replace(domain.Arg)
	return ask.Inputf(place, "%s is outside the range in which mixes are chosen, want %s",
		ask.Digits(domain.Value), domain.Want)
}

// ForCase returns the mixer for another case of the load.
func (m *Choice) ForCase(rate, load float64) *Choice {
	out := *m
	out.Model = nil
	out.Crossing = m.Crossing.ForCase(rate, load)
	return &out
}

// FewNodes bounds the search of mixes beside that of a plan; 0: that of the cover. A node
// takes the longer the more types there are.
func (m *Choice) FewNodes() int {
	if m.Model == nil {
		return 0
	}
	return max(fewNodes*10/max(10, len(m.Model.Kinds)), fewNodes/20)
}
