package queueing

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestErlangBReference(t *testing.T) {
	worst := 0.0
	for _, r := range numtest.Table(t, "testdata/erlangb.csv") {
		n, a, want := r.Float("servers"), r.Float("load_erl"), r.Float("log_blocking")
		got, err := LogErlangB(n, a)
		if err != nil {
			t.Fatal(err)
		}
		// A relative error of B is an absolute error of ln B.
		tol := math.Max(1e-13, 4e-15*math.Abs(want))
		if want < -700 {
			tol = 2e-14 * math.Abs(want)
		}
		if e := math.Abs(got - want); !(e <= tol) {
			t.Errorf("line %d: ln B(%v, %v) = %.17g, want %.17g (off by %.2g, allowed %.2g)", r.Line, n, a, got, want, e, tol)
		} else if want > -700 {
			worst = math.Max(worst, e)
		}
		if want > -700 {
			b, err := ErlangB(n, a)
			if err != nil {
				t.Fatal(err)
			}
			if e := math.Abs(math.Log(b) - want); !(e <= 1e-12) {
				t.Errorf("line %d: B(%v, %v) = %.17g is off by %.2g", r.Line, n, a, b, e)
			}
		}
	}
	t.Logf("worst relative error of B above 1e-300: %.2g", worst)
}

var _ = errors.Is
