package highs

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
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

// Runs side by side, each on its own thread, agree.
func TestSideBySide(t *testing.T) {
	if !Linked {
		return
	}
	m := lptest.Random(rand.New(rand.NewPCG(1, 2)), true)
	want, err := Solver{}.Solve(context.Background(), m, lp.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 64 {
		group.Add(1)
		go func() {
			defer group.Done()
			if sol, err := (Solver{}).Solve(context.Background(), m, lp.Settings{}); err != nil || sol.Objective != want.Objective {
				t.Errorf("%+v, %v, want %v", sol, err, want.Objective)
			}
		}()
	}
	group.Wait()
}

// CI sets the variable where HiGHS must be linked, so that the suite does not
// pass because it is not.
func TestLinked(t *testing.T) {
	if os.Getenv("CAPPLAN_WANT_HIGHS") != "" && !Linked {
		t.Error("HiGHS is not linked")
	}
}
