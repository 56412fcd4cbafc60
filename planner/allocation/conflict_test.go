package allocation

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/alloc"
)

// A liar calls the first model that it is given infeasible, and solves others.
type liar struct {
	truth lp.Solver
	asked bool
}

func (*liar) Name() string { return "liar" }

func (l *liar) Solve(ctx context.Context, m *lp.Model, s lp.Settings) (*lp.Solution, error) {
	if !l.asked {
		l.asked = true
		return lp.None(lp.Finished, lp.Infeasible, ""), nil
	}
	return l.truth.Solve(ctx, m, s)
}

// chain is a model of so many rows, of which the last asks for more than the others leave
// by miss.
func chain(rows int, miss float64) string {
	var b strings.Builder
	b.WriteString("Min\n x0\nst\n")
	for i := range rows {
		fmt.Fprintf(&b, " r%d: x%d - x%d <= 1\n", i, i+1, i)
	}
	fmt.Fprintf(&b, " least: x%d >= %g\n most: x0 <= 0\nEnd\n", rows, float64(rows)+miss)
	return b.String()
}

// What a solver calls infeasible says what shows it: exact arithmetic where the model is
// small, the least by which rows must give way, or no more than its word; and where
// they need not give way it is not infeasible.
func TestInfeasibleSaysWhatShowsIt(t *testing.T) {
	for _, c := range []struct {
		rows   int
		miss   float64
		truth  lp.Solver
		status lp.Status
		proof  lp.Proof
	}{
		{3, 1, lp.Go{}, lp.Infeasible, lp.ByExact},
		{3, 0, lp.Go{}, lp.Unknown, ""},
		{60, 1, lp.Go{}, lp.Infeasible, lp.ByWeights},
		{60, 0, lp.Go{}, lp.Unknown, ""},
		{60, 1, &liar{truth: lp.Go{}}, lp.Infeasible, lp.ByWord}, // nothing is found out of the rows
	} {
		q := &ModelQuestion{Model: mustRead(t, chain(c.rows, c.miss)), Solver: &NamedSolver{&liar{truth: c.truth}, "liar"}}
		a, err := Solve(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if a.Status != c.status || a.Proof != c.proof {
			t.Errorf("%+v: %s shown by %q: %s", c, a.Status, a.Proof, a.Message)
		}
		if (len(a.Conflict) > 0) != (a.Status == lp.Infeasible && a.Proof != lp.ByWord) {
			t.Errorf("%+v: %v must give way", c, a.Conflict)
		}
	}
	a, err := Solve(t.Context(), &ModelQuestion{Model: mustRead(t, chain(60, 1)), Solver: goSolver(t)})
	if err != nil || a.Status != lp.Infeasible || a.Proof != lp.ByWeights && a.Proof != lp.ByExact {
		t.Errorf("%+v, %v", a, err)
	}
}

// Failures in turn of a large batch are few.
func TestFewFailuresOfALargeBatch(t *testing.T) {
	b := &alloc.Batch{Dependencies: []string{"cpu", "disk"}, Resources: make([]alloc.Resource, 1000),
		Jobs: make([]alloc.Job, 2000)}
	for n, want := range map[int]bool{400: true, 401: false} { // of 2 million / (1000 + 2·2000)
		err := (&Question{Fail: make([]string, n)}).checkFail(b)
		if (err == nil) != want {
			t.Errorf("%d failures: %v", n, err)
		}
	}
}
