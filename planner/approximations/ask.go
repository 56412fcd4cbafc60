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

// A Question asks how far off approximations are.
type Question struct {
	// Seeds runs every simulated reference anew with as many replications; 0 takes
	// those that are stored.
	Seeds int
	Seed  uint64
	// Done, where it is not nil, is called with the simulations finished and their
	// number, one call at a time.
	Done func(part, parts int)
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
		runs = slices.DeleteFunc(runs, func(t trial) bool { return t.study == "curve" }) // see curveMeasures
		if k, err = simulateAll(ctx, runs, q.Seeds, q.Seed, q.Done); err != nil {
			return nil, err
		}
	}
	var all []Measure
	for _, of := range []func() ([]Measure, error){
		func() ([]Measure, error) { return gigc(ctx) },
		responseMeasures,
		func() ([]Measure, error) { return priorityChains(ctx) },
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
	} {
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
		if m.groups == nil {
			m.groups = [][]Case{casesOf(m.Key, runs, k), m.also}
		}
		if m.judge(); m.Cases == 0 && q.Seeds == 0 {
			return nil, fmt.Errorf("approximations: nothing was measured of %s", m.Key)
		}
	}
	// Of a few replications some figures are known too badly to measure anything.
	all = slices.DeleteFunc(all, func(m Measure) bool { return m.Cases == 0 })
	return all, ctx.Err()
}

// simulateAll runs the trials one after another, each on all cores.
func simulateAll(ctx context.Context, runs []trial, seeds int, seed uint64, done func(part, parts int)) (known, error) {
	k := known{}
	var kept error // of a shard, whose works follow each other whatever they come to
	for i := range runs {
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
