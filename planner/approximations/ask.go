package approximations

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
)

// A Question asks how far off approximations are. The errors are those that
// docs/APPROXIMATIONS.md shows and that the models quote.
type Question struct {
	// Seeds runs every simulated reference anew with as many replications; 0 takes
	// those that are stored.
	Seeds int
	Seed  uint64
	// Done, where it is not nil, is called with the simulations finished and their
	// number, one call at a time.
	Done func(part, parts int)

	unchained bool // without the exact chains of priorities, half of the work
}

// mostSeeds bounds the replications of each of some hundred simulations.
const mostSeeds = 10_000

// Ask measures all approximations, but those of which few seeds tell nothing. Errors:
// *ask.InputError for seeds that are none, and that of the context.
func Ask(ctx context.Context, q *Question) ([]Measure, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if q.Seeds < 0 || q.Seeds == 1 || q.Seeds > mostSeeds {
		return nil, ask.Inputf("seeds", "is %d, want 2 to %d: an interval needs two", q.Seeds, mostSeeds)
	}
	// The exact references take seconds without looking at the context, and the
	// caller is let go when it ends.
	return parallel.Await(ctx, func() ([]Measure, error) { return q.measures(ctx) })
}

// measures holds each approximation against its references, in the order of the documentation. Without
// seeds the references are the simulations that are stored.
func (q *Question) measures(ctx context.Context) ([]Measure, error) {
	runs, err := trials()
	if err != nil {
		return nil, err
	}
	k := stored()
	if q.Seeds > 0 {
		// The days are measured against exact chains. Their simulation checks
		// those chains once, and to run it anew would measure nothing.
		runs = slices.DeleteFunc(runs, func(t trial) bool { return t.study == "curve" }) // see curveMeasures
		if k, err = simulateAll(ctx, runs, q.Seeds, q.Seed, q.Done); err != nil {
			return nil, err
		}
	}
	var all []Measure
	// The order is that of the documentation, and a Measure finds its cases in
	// groups of its own or, by its key, among the simulations.
	parts := []func() ([]Measure, error){
		func() ([]Measure, error) { return gigc(ctx) },
		responseMeasures,
		func() ([]Measure, error) {
			if q.unchained {
				return nil, nil
			}
			return priorityChains(ctx)
		},
		func() ([]Measure, error) { return priorityMeasures(), nil },
		peaked,
		func() ([]Measure, error) { return reserved(ctx) },
		func() ([]Measure, error) { return fixedPoint(ctx) },
		equivalent,
		curveMeasures,
		func() ([]Measure, error) { return schweitzer(ctx) },
		func() ([]Measure, error) { return elasticMeasures(), nil },
		func() ([]Measure, error) { return finishMeasures(), nil },
		func() ([]Measure, error) { return drawnMeasures(), nil },
		func() ([]Measure, error) { return preemptionMeasures(), nil },
	}
	for _, of := range parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		some, err := of()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	for i := range all {
		m := &all[i]
		// Without groups of its own a measure takes the simulated figures of its
		// key, and with them what another program has simulated.
		if m.groups == nil {
			m.groups = [][]Case{casesOf(m.Key, runs, k), m.also}
		}
		// A measure without a case would quote a range of nothing. With few seeds
		// that happens, and the measure is left out; with the stored figures it
		// is a fault of the tables.
		if m.judge(); m.Cases == 0 && q.Seeds == 0 {
			return nil, fmt.Errorf("approximations: nothing was measured of %s", m.Key)
		}
	}
	// Of a few replications some figures are known too badly to measure anything.
	all = slices.DeleteFunc(all, func(m Measure) bool { return m.Cases == 0 })
	return all, ctx.Err()
}

// simulateAll runs the trials one after another, each on all cores. Each has its
// seed and so comes out the same whichever others run. A shard of the work keeps
// some trials and leaves the rest to others.
func simulateAll(ctx context.Context, runs []trial, seeds int, seed uint64, done func(part, parts int)) (known, error) {
	k := known{}
	var kept error // of a shard, whose works follow each other whatever they come to
	for i := range runs {
		// The part is kept in a file of the shard and adds nothing here; the next
		// trial runs all the same.
		some, err := runs[i].run(ctx, seeds, max(seed, 1))
		if errors.Is(err, pieces.ErrKept) {
			kept = err
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("approximations: %s: %w", runs[i].name, err)
		}
		maps.Copy(k, some)
		if done != nil {
			done(i+1, len(runs))
		}
	}
	return k, kept
}
