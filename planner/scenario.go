package planner

import (
	"context"
	"io"

	"github.com/capplan/capplan/planner/scenario"
)

// A PlanQuestion is a whole scenario, in the words of package scenario, which holds
// its parts. The alias stands here since most who ask a plan import this package
// alone.
type PlanQuestion = scenario.Question

// A ScenarioReader says how to read a scenario and the files that it names.
type ScenarioReader = scenario.Reader

// ReadScenario reads a scenario that names no files, for [Plan]; see
// [scenario.Reader.Read]. What is wrong with the scenario, a file that it names too, is a
// *trace.FileError with the place; no *ask.InputError, which [Plan] returns of a question
// that was made without a file. A ctx that is done is its error, wrapped.
func ReadScenario(ctx context.Context, r io.Reader) (*PlanQuestion, error) {
	return scenario.Read(ctx, r)
}
