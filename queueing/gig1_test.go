package queueing

import (
	"fmt"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Pollaczek's integral against what is known by other means: GI/M/1 by its
// root, M/G/1 by Pollaczek and Khinchine, M/D/c by Crommelin's chain.
func TestPollaczekAgainstClosedForms(t *testing.T) {
	h, err := BalancedHyperexponential(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(at string, p pollaczek, ok bool, f Figures) {
		t.Helper()
		if !ok {
			t.Errorf("%s: not resolved", at)
			return
		}
		mean, _ := p.moments()
		numtest.Close(t, at+"wait probability", p.waitProbability(), f.WaitProbability, 1e-10)
		numtest.Close(t, at+"mean wait", mean, f.MeanWait, 1e-9)
		far := f.WaitPercentile(1 - 1e-7)
		numtest.Close(t, at+"tail", asymptote(p, f).Tail(far), 1e-7, 1e-3)
	}
	scaled := func(l Hyperexponential, mean float64) Hyperexponential {
		return Hyperexponential{l.Shares, []float64{l.Means[0] * mean, l.Means[1] * mean}}
	}
	for _, rho := range []float64{0.3, 0.9, 0.999} {
		for _, gap := range []Law{Exponential{1}, h, Gamma{1, 0.3}, Deterministic{1}, ErlangK{1, 50}} {
			f, err := GIM1{gap, rho}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			p, ok := newPollaczek(gap, Exponential{rho}, 1)
			compare(fmt.Sprintf("%T/M/1 at %v: ", gap, rho), p, ok, f.Figures)
		}
		for _, service := range []Law{scaled(h, rho), Gamma{rho, 0.3}, Deterministic{rho}, ErlangK{rho, 2}} {
			f, err := MG1{1, service}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			p, ok := newPollaczek(Exponential{1}, service, 1)
			compare(fmt.Sprintf("M/%T/1 at %v: ", service, rho), p, ok, f.Figures)
		}
	}
	for _, c := range []int{2, 5, 20, 100} {
		for _, rho := range []float64{0.9, 0.999} {
			f, err := MDC{float64(c), rho, c}.Figures()
			if err != nil {
				t.Fatal(err)
			}
			p, ok := newPollaczek(Exponential{1 / float64(c)}, Deterministic{rho}, float64(c))
			compare(fmt.Sprintf("M/D/%d at %v: ", c, rho), p, ok, f)
		}
	}
}

// asymptote is α·e^(−ηt) alone.
func asymptote(p pollaczek, f Figures) WaitLaw {
	return twoExponentials{lead: p.tailWeight(), slow: p.pole, fast: 1e9 / f.ServiceTime}
}
