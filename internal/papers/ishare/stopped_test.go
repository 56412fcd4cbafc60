package ishare

import (
	"context"
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/machines"
)

// A signal while an evaluation is under way ends the figure: what is done of it is none.
func TestStoppedEvaluationIsNoFigure(t *testing.T) {
	stopped := 0
	for _, name := range []string{"ishare-figure-11", "ishare-figure-12", "ishare-figure-14"} {
		for after := 1; after < 12; after += longtest.Of(5, 2) {
			ctx, cancel := context.WithCancel(t.Context())
			q := paper.Question{Name: name, Seed: 1, Laboratory: machines.LaboratoryQuestion{Machines: 2, Days: 14},
				Done: func(part, _ int) {
					if part >= after {
						cancel()
					}
				}}
			a, err := paper.Reproduce(ctx, &q, Reproducibles())
			if ended := ctx.Err() != nil; ended && !errors.Is(err, context.Canceled) || !ended && err != nil {
				t.Errorf("%s after %d parts: %v, %v", name, after, a != nil, err)
			} else if ended {
				stopped++
			}
			cancel()
		}
	}
	if stopped == 0 {
		t.Error("no figure was stopped")
	}
}
