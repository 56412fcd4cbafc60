package lp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

// cycling is a degenerate covering model of 300 rows, on which gonum's method goes on and on
// and which is too much for exact arithmetic.
func cycling(t testing.TB) *Model {
	t.Helper()
	var text strings.Builder
	text.WriteString("Minimize\n obj: x0")
	for j := 1; j < 300; j++ {
		fmt.Fprintf(&text, " + x%d", j)
	}
	text.WriteString("\nSubject To\n")
	rng := rand.New(rand.NewPCG(1, 9))
	for i := range 300 {
		fmt.Fprintf(&text, " c%d:", i)
		for k, j := range rng.Perm(300)[:6] {
			fmt.Fprintf(&text, "%s x%d", []string{"", " +"}[min(k, 1)], j)
		}
		text.WriteString(" >= 1\n")
	}
	text.WriteString("End\n")
	m, err := Parse(context.Background(), []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What is too much for exact arithmetic is given up, not waited for.
func TestExactGivesUpCycling(t *testing.T) {
	if status := exactlyWithin(context.Background(), cycling(t), longtest.Of(exactWork/20.0, exactWork)).status; status != Unknown {
		t.Errorf("%v, want unknown", status)
	}
}

// BenchmarkExactGivesUp tells how far counted work is from that of the clock: with
// [mostPatience] no answer then takes ten seconds.
func BenchmarkExactGivesUp(b *testing.B) {
	m := cycling(b)
	for b.Loop() {
		exactly(context.Background(), m)
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N)/(exactWork/1e9), "of-the-count")
}

// A search that would go on for days ends at the limit of the solver, with the best that
// it has found.
func TestGoHasALimit(t *testing.T) {
	m := &Model{}
	const equations, choices = 4, 30
	for j := range choices {
		m.Variables = append(m.Variables, Variable{Upper: 1, Integer: true, Name: fmt.Sprint("x", j)})
	}
	for i := range equations {
		row := Row{}
		sum := 0.0
		for j := range choices {
			c := float64((37*(i+1)*(j+3) + 11*j*j) % 100)
			row.Terms = append(row.Terms, Term{j, c})
			sum += c
		}
		row.Lower, row.Upper = math.Floor(sum/2), math.Floor(sum/2)
		for _, sign := range []float64{1, -1} { // what is missing or too much
			m.Variables = append(m.Variables, Variable{Upper: math.Inf(1), Cost: 1})
			row.Terms = append(row.Terms, Term{len(m.Variables) - 1, sign})
		}
		m.Rows = append(m.Rows, row)
	}
	s, err := Go{Limit: 100 * time.Millisecond}.Solve(context.Background(), m, Settings{})
	if err != nil || s.Reason != TimeLimit {
		t.Errorf("%+v, %v, want it to end at its limit", s, err)
	}
}
