package highs

import (
	"errors"
	"fmt"

	"github.com/capplan/capplan/lp"
)

// A Solver is HiGHS in this process. The zero value is ready to use.
type Solver struct {
	Threads int   // of one run; 0 means 1
	Seed    int32 // of its random choices, at least 0
}

// Name returns "highs".
func (Solver) Name() string { return "highs" }

// ErrNotLinked says that this program was built without HiGHS. It is an
// [lp.ErrNoSolver].
var ErrNotLinked error = notLinked{}

type notLinked struct{}

func (notLinked) Error() string {
	return `highs: not linked into this program; lp/highs/install.sh installs it, go build -tags highs links it`
}

func (notLinked) Unwrap() error { return lp.ErrNoSolver }

// A CallError says that HiGHS refused a call, which for a checked model and
// checked options means that it does not fit into memory.
type CallError struct{ Call string }

func (e *CallError) Error() string { return fmt.Sprintf("highs: %s failed", e.Call) }

// ErrTooLarge says that a model has more entries than the C interface can
// count.
var ErrTooLarge = errors.New("highs: more than 2³¹ rows, columns or coefficients")
