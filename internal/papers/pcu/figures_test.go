package pcu

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/papers/papertest"
)

// The numbers are those of mpmath: quadrature over the lognormal law for the
// fastest of k, and the formulas of section 4.6 written out.
func TestReproducePCUFigures(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got/want-1) < 1e-9) {
			t.Errorf("%s = %.12g, want %.12g", what, got, want)
		}
	}
	seven := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-figure-7"})
	near("100 dedicated at 1200 erl", papertest.Plotted(t, seven, "throughput", "100 dedicated, public", 1200), 0.24*(1-4.14275072e-4))
	printed, computed := papertest.Compared(seven, "greatest rate of the link")
	if len(printed) != 1 || printed[0] != 5.4 {
		t.Errorf("printed rates %v", printed)
	}
	near("rate of the link", computed[0], 6.25-100./120)
	last := 0.0
	for _, series := range []string{"25 dedicated, public", "50 dedicated, public", "100 dedicated, public", "150 dedicated, public", "200 dedicated, public"} {
		v := papertest.Plotted(t, seven, "throughput", series, 2000)
		if v <= last {
			t.Errorf("%s: %v at 2000 erl, with fewer %v", series, v, last)
		}
		last = v
	}

	ten := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-figure-10"})
	for _, c := range []struct{ replicas, transfer, failures, migrations float64 }{
		{1, 8.74553314121, 192.564518603, 7.28794428434},
		{2, 9.50438871473, 88.1802066047, 7.92032392894},
		{6, 14.5927536232, 1.39782321234, 12.1606280193},
	} {
		near("transfer", papertest.Plotted(t, ten, "migration time", "a transfer", c.replicas), c.transfer)
		near("failures", papertest.Plotted(t, ten, "jobs down", "failures", c.replicas), c.failures)
		near("migrations", papertest.Plotted(t, ten, "jobs down", "migrations", c.replicas), c.migrations)
		near("both", papertest.Plotted(t, ten, "jobs down", "both", c.replicas), c.failures+c.migrations)
	}

	eleven := papertest.Ask(t, Reproducibles(), paper.Question{Name: "pcu-figure-11"})
	for _, c := range []struct {
		series                      string
		replicas, speed, elongation float64
	}{
		{"speeds of cv 0.5", 1, 0.34, 1.55294117647},
		{"speeds of cv 0.5", 2, 0.428957008884, 1.06498875979},
		{"speeds of cv 0.5", 5, 0.55465457718, 0.642339129458},
		{"speeds of cv 0.7", 1, 0.34, 1.55294117647},
		{"speeds of cv 0.7", 2, 0.457226818266, 0.949678645346},
		{"speeds of cv 0.7", 5, 0.637317013323, 0.455262268661},
		{"speeds of cv 1", 1, 0.34, 1.55294117647},
		{"speeds of cv 1", 2, 0.490939880277, 0.829527427165},
		{"speeds of cv 1", 5, 0.746404271135, 0.271805227995},
	} {
		near("speed", papertest.Plotted(t, eleven, "speed of the fastest replica", c.series, c.replicas), c.speed)
		near("elongation", papertest.Plotted(t, eleven, "elongation", c.series, c.replicas), c.elongation)
	}
}
