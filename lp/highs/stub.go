//go:build !highs || !cgo

package highs

import (
	"context"

	"github.com/capplan/capplan/lp"
)

// Linked says whether HiGHS is part of this program.
const Linked = false

// Version returns that of HiGHS, "" without it.
func Version() string { return "" }

// Solve implements [lp.Solver].
func (Solver) Solve(context.Context, *lp.Model, lp.Settings) (*lp.Solution, error) {
	return nil, ErrNotLinked
}
