package papers

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/approximations"
	"github.com/capplan/capplan/planner/ask"
)

// reproduceApproximations lists the table of approximations. What is reproduced here is no figure
// of a paper: each approximation of the models is measured against what is exact or simulated.
func reproduceApproximations() []paper.Reproducible {
	return []paper.Reproducible{{
		Name: "approximations", Source: "capplan", Title: "How far off each approximation was found, over its regime",
		Reproduced: "relative errors, estimate over truth less 1, against exact models, " +
			"chains of other programs and simulations on package sim; the warnings of the models quote these ranges, " +
			"docs/APPROXIMATIONS.md has them as a table",
		Differs: "simulations are those that are stored; --seeds N runs them anew. " +
			"A range is what was found over its regime, no bound",
		Run: measuredApproximations,
	}}
}

// measuredApproximations measures the methods. A row is a figure of a method over its regime: the
// error of the worst case, and the range that holds nine of ten.
func measuredApproximations(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	seeds := q.Seeds
	if seeds == 1 { // as where all figures are asked for with one
		seeds = 0
		a.Warnings = append(a.Warnings, "one seed has no interval: the stored simulations are taken")
	}
	all, err := approximations.Ask(ctx, &approximations.Question{Seeds: seeds, Seed: q.Seed, Done: q.Done})
	if err != nil {
		return err
	}
	if seeds > 0 {
		a.Seed = &q.Seed
	}
	for i := range all {
		m := &all[i]
		name := m.Method
		if m.Default {
			name += ", the default"
		}
		a.Add(paper.Row{
			Quantity: m.Figure,
			Series:   name,
			Computed: ask.Figure(m.Most),
			Low:      ask.Figure(m.Low),
			High:     ask.Figure(m.High),
			Note: fmt.Sprintf("nine of ten within; %+.0f to %+.0f%%, half within %.1f%%, %d cases against %s: %s",
				100*m.Low, 100*m.High, 100*m.Median, m.Cases, m.Source, m.Regime),
		})
	}
	return nil
}
