package lp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

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
