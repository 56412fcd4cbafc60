//go:build unix

package lp

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// A degenerate model on which gonum's method goes on and on, and which is too much for
// exact arithmetic, is given up after the work that is meant: with [mostPatience] no
// answer then takes ten seconds.
func TestExactWorkIsThatOfTheClock(t *testing.T) {
	longtest.Skip(t)
	var b strings.Builder
	b.WriteString("Minimize\n obj: x0")
	for j := 1; j < 300; j++ {
		fmt.Fprintf(&b, " + x%d", j)
	}
	b.WriteString("\nSubject To\n")
	rng := rand.New(rand.NewPCG(1, 9))
	for i := range 300 {
		fmt.Fprintf(&b, " c%d:", i)
		for k, j := range rng.Perm(300)[:6] {
			fmt.Fprintf(&b, "%s x%d", []string{"", " +"}[min(k, 1)], j)
		}
		b.WriteString(" >= 1\n")
	}
	b.WriteString("End\n")
	m, err := Parse(t.Context(), []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	begun := processor(t)
	status := exactly(context.Background(), m).status
	if took := processor(t) - begun; status != Unknown || took > 2*exactWork/1e9 {
		t.Errorf("%v after %.2f s of processor time, want unknown after %.2g s at most", status, took, 2*exactWork/1e9)
	} else {
		t.Logf("%v after %.2f s", status, took)
	}
}

// processor returns the seconds that this process has taken of the processors.
func processor(t *testing.T) float64 {
	t.Helper()
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		t.Fatal(err)
	}
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}
