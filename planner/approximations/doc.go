// Package approximations answers: how far off is each approximation of this module,
// and over which regime was that found?
//
//	references ──┐
//	             ├──▶ [Measure]: estimate over truth, case by case ──▶ range, median
//	closed forms ┘
//
// The truth is an exact model of small systems, a chain of another program, or a
// simulation on the engine of package sim with its interval. Simulations are run
// once and kept in references/simulated.csv; [Question.Seeds] runs them anew.
//
// What a model says of its own error is written here too: go generate computes the
// ranges and writes queueing/internal/measured/measured.go, which the warnings quote, and
// docs/APPROXIMATIONS.md. A test holds that both are what the references say.
package approximations

//go:generate go test -run ^TestMeasuredIsCurrent$ -update .
