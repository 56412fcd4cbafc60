package papers

import (
	"context"
	"slices"

	"github.com/capplan/capplan/internal/papers/intergrid"
	"github.com/capplan/capplan/internal/papers/ishare"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/pcu"
	"github.com/capplan/capplan/internal/papers/qosgraf"
	"github.com/capplan/capplan/internal/papers/spequlos"
)

// Reproducibles are all figures, tables and examples, those that no model
// computes last. Their order is that of the list, and of --out and all.
func Reproducibles() []paper.Reproducible {
	all := slices.Concat(pcu.Reproducibles(), intergrid.Reproducibles(), qosgraf.Reproducibles(),
		ishare.Reproducibles(), spequlos.Reproducibles(), reproduceApproximations())
	tallies := paper.Listed()
	for i := range all {
		// Verdicts come from the stored ones, since computing them takes hours.
		all[i].Computed, all[i].Verdicts, all[i].Uncompared = true, tallies[all[i].Name], uncompared[all[i].Name]
		all[i].Relative = tallies[all[i].Name+paper.RelativeLaw]
	}
	return append(all, notReproduced()...)
}

// Check refuses a name that [Reproduce] would refuse. Errors: those of [paper.Named].
func Check(name string) error {
	_, err := paper.Named(name, Reproducibles())
	return err
}

// Reproduce answers a question by one of [Reproducibles]. Errors: those of [paper.Reproduce].
func Reproduce(ctx context.Context, q *paper.Question) (*paper.Reproduction, error) {
	return paper.Reproduce(ctx, q, Reproducibles())
}
