package highs

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/lptest"
)

// A program without HiGHS says so; one with it passes the suite.
func TestConformance(t *testing.T) {
	if !Linked {
		if _, err := (Solver{}).Solve(context.Background(), &lp.Model{}, lp.Settings{}); !errors.Is(err, lp.ErrNoSolver) || !strings.Contains(err.Error(), "-tags highs") {
			t.Errorf("err = %v", err)
		}
		if Version() != "" {
			t.Errorf("version %q of nothing", Version())
		}
		return
	}
	if !strings.HasPrefix(Version(), "1.") {
		t.Errorf("version %q", Version())
	}
	lptest.Run(t, Solver{})
	t.Run("threads", func(t *testing.T) { lptest.Run(t, Solver{Threads: 2, Seed: 7}) })
}

// CI sets the variable where HiGHS must be linked, so that the suite does not
// pass because it is not.
func TestLinked(t *testing.T) {
	if os.Getenv("CAPPLAN_WANT_HIGHS") != "" && !Linked {
		t.Error("HiGHS is not linked")
	}
}
