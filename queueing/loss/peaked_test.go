package loss

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// What is said of the methods is what exact chains show.
func TestPeakedErrorsAreMeasured(t *testing.T) {
	var found [3][]float64
	for _, r := range numtest.Table(t, "../../planner/approximations/references/peaked.csv") {
		n, s, loss := r.Float("servers"), Peaked{r.Float("mean"), r.Float("peakedness")}, r.Float("loss")
		hayward, _, err := PeakedLoss(n, s, HaywardMethod)
		if err != nil {
			t.Fatal(err)
		}
		if r.Text("kind") == "sources" {
			found[2] = append(found[2], hayward/loss-1)
			continue
		}
		ert, _, err := PeakedLoss(n, s, EquivalentRandomTheory)
		if err != nil {
			t.Fatal(err)
		}
		best, a, err := PeakedLoss(n, s, BestPeaked)
		if err != nil || best != ert || a != &peakedErrors[0] {
			t.Errorf("line %d: the best is %v by %v, %v", r.Line, best, a, err)
		}
		if r.Text("kind") == "overflow" {
			numtest.Close(t, "overflow of one group", ert, loss, 1e-6)
		}
		found[0] = append(found[0], ert/loss-1)
		found[1] = append(found[1], hayward/loss-1)
	}
	for i, a := range peakedErrors {
		numtest.SameRange(t, a.Method, numtest.Range(a.Blocking), numtest.Outwards(found[i]))
	}
}

func TestPeakedLossRefuses(t *testing.T) {
	var domain *queueing.DomainError
	for _, q := range []struct {
		s Peaked
		m PeakedMethod
	}{{Peaked{1, 0.5}, EquivalentRandomTheory}, {Peaked{1, 0}, BestPeaked}, {Peaked{-1, 2}, BestPeaked}, {Peaked{1, 2}, 7}} {
		if _, _, err := PeakedLoss(3, q.s, q.m); !errors.As(err, &domain) {
			t.Errorf("%v: %v", q, err)
		}
	}
	// z = 1 is Erlang B whatever the method, and exact.
	b, err := queueing.ErlangB(5, 3)
	if err != nil {
		t.Fatal(err)
	}
	var loss float64
	for _, m := range []PeakedMethod{BestPeaked, EquivalentRandomTheory, HaywardMethod} {
		var a *queueing.Approximation
		if loss, a, err = PeakedLoss(5, Peaked{3, 1}, m); err != nil || a != nil || loss != b {
			t.Errorf("z = 1 by method %d: %v, %v, %v, want %v", m, loss, a, err, b)
		}
	}
	numtest.Close(t, "z = 1", loss, b, 1e-14)
}
