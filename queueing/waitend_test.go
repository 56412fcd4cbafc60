package queueing

import (
	"math"
	"testing"
)

// Where Lundberg's bound is below what counts as 0, nothing is solved: at a load of 1e-7 the panels
// up to there took 2 s.
func TestWaitEndsWithoutPanels(t *testing.T) {
	service := Gamma{Mean: 1, SCV: 0.25}
	w := newWaitPanels(service, 1e-7, 1-1e-7)
	if p := w.Tail(1e4); p != 0 || len(w.panels) > 0 {
		t.Errorf("P(W > 1e4 E[S]) = %v after %d panels", p, len(w.panels))
	}
	// The bound holds, and cuts nothing that counts.
	w = newWaitPanels(service, 0.9, 0.1)
	for x := 1.0; x < 4000; x *= 1.3 {
		p, bound := w.Tail(x), math.Exp(-w.lundberg*x)
		if p > bound || p == 0 && bound > leastTail {
			t.Errorf("P(W > %v E[S]) = %v, with a bound of %v", x, p, bound)
		}
	}
}
