package alloc

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// stopwatch is a context that ends after it was asked so many times, by any goroutine.
type stopwatch struct {
	context.Context
	left atomic.Int64
}

func (c *stopwatch) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever a search is stopped, what it hands back is whole and passes its check.
func TestStoppedAnywhere(t *testing.T) {
	for name, o := range map[string]GeneratorOptions{
		"apart":  {},
		"priced": {PriceFactor: 0.5},
		"tied":   {OptionalShare: 0.5, FeeFactor: 0.5},
		"budget": {OptionalShare: 0.5, FeeFactor: 0.5, PriceFactor: 0.5, BudgetFactor: 0.5},
	} {
		t.Run(name, func(t *testing.T) {
			o.Jobs, o.Resources, o.PrimaryFactor, o.BackupFactor, o.Seed = 300, 8, 0.6, 0.3, 1
			b, err := Generate(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := New(b)
			if err != nil {
				t.Fatal(err)
			}
			bounds, err := s.bounds(t.Context(), BoundOptions{})
			if err != nil {
				t.Fatal(err)
			}
			options, err := Options{Effort: 0.1}.check()
			if err != nil {
				t.Fatal(err)
			}
			stopped := 0
			for asked := int64(0); asked < 20_000; asked += 1 + asked*longtest.Of[int64](8, 1)/2 {
				ctx := &stopwatch{Context: t.Context()}
				ctx.left.Store(asked)
				plan := &Plan{Bounds: bounds, Choices: s.empty(), Dependencies: make([]DependencyPlan, len(s.deps))}
				if s.tied() {
					err = s.allocateTied(ctx, options, bounds, plan)
				} else {
					err = s.allocateApart(ctx, ctx, options, bounds, plan)
				}
				if err == nil {
					err = s.total(options, bounds, plan)
				}
				if err != nil {
					t.Fatalf("stopped after %d questions: %v", asked, err)
				}
				if ctx.left.Load() >= 0 {
					break
				}
				stopped++
			}
			if stopped < 3 {
				t.Errorf("stopped %d times, want 3 or more", stopped)
			}
		})
	}
}
