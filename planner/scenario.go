package planner

import (
	"context"
	"io"

	"github.com/capplan/capplan/planner/scenario"
)

// A PlanQuestion is a whole scenario, in the words of package scenario, which holds
// its parts.
type PlanQuestion = scenario.Question

// A ScenarioReader says how to read a scenario and the files that it names.
type ScenarioReader = scenario.Reader

// ReadScenario reads a scenario that names no files, for [Plan]; see
// [scenario.Reader.Read].
func ReadScenario(ctx context.Context, r io.Reader) (*PlanQuestion, error) {
	return scenario.Read(ctx, r)
}
