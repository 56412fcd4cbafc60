package fault

import (
	"errors"
	"fmt"
	"testing"
)

func TestProblem(t *testing.T) {
	kind := errors.New("too few")
	for _, c := range []struct {
		err           error
		text, problem string
	}{
		{New("law", "FitWeibull", "2 durations", kind), "law: FitWeibull: 2 durations: too few", "2 durations"},
		{New("law", "FitWeibull", "", kind), "law: FitWeibull: too few", "too few"},
		{New("lp", "", "no cbc", kind), "lp: no cbc: too few", "no cbc"},
		{fmt.Errorf("machine 3: %w", New("law", "Fit", "2 durations", kind)), "machine 3: law: Fit: 2 durations: too few", "2 durations"},
		{kind, "too few", "too few"},
	} {
		if c.err.Error() != c.text || Problem(c.err) != c.problem || !errors.Is(c.err, kind) {
			t.Errorf("%q, problem %q, want %q and %q", c.err, Problem(c.err), c.text, c.problem)
		}
	}
}
