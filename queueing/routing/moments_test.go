package routing

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/law"
)

func TestMomentsReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/moments.csv") {
		a, b := r.Float("a"), r.Float("b")
		stage := law.TwoStage{L: a, M: b, H: r.Float("c"), Q: r.Float("d")}
		var got float64
		switch name := r.Text("law"); name {
		case "twostage":
			got = stage.Moment(int(r.Float("k")))
		case "twostage-ceil":
			got = stage.CeilMoment(int(r.Float("k")))
		case "lognormal-mean":
			got = law.LogNormal{Mu: a, Sigma: b}.Mean()
		case "lognormal-scv":
			got = law.LogNormal{Mu: a, Sigma: b}.SCV()
		case "weibull-mean":
			got = law.Weibull{Scale: a, Shape: b}.Mean()
		case "weibull-scv":
			got = law.Weibull{Scale: a, Shape: b}.SCV()
		default:
			t.Fatalf("line %d: law %q", r.Line, name)
		}
		numtest.Close(t, r.Text("law"), got, r.Float("value"), 2e-13)
	}
}

// Both readings of eq. 28 at the first row of InterGrid table 2.
func TestReadings(t *testing.T) {
	parallel := law.TwoStage{L: 0.8, M: 2.5, H: 6, Q: 0.9}
	m := parallel.MeanLog2()
	numtest.Close(t, "E[r], eq. 29", m, 1.91, 1e-15) // (0.9·0.8 + 2.5 + 0.1·6)/2
	e := parallel.Moment(1)
	if math.Round(100*math.Exp2(m)) != 376 || math.Round(100*e) != 540 {
		t.Errorf("2^E[r] = %.4g, E[2^r] = %.4g, want 3.76 and 5.40", math.Exp2(m), e)
	}
	sizes := SizeLaw{0.2, 0.5, parallel}
	printed, err := sizes.Mean(AsPrinted)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "eq. 28 as printed", printed, 0.2+0.5*4+0.3*math.Exp2(1.91), 1e-15)
	exact, err := sizes.Mean(Exact)
	if err != nil {
		t.Fatal(err)
	}
	up := parallel.CeilMoment(1)
	numtest.Close(t, "eq. 28, exact", exact, 0.2+0.5*up+0.3*e, 1e-15)
	if !(exact > printed) {
		t.Errorf("exact mean %g is not above the printed %g", exact, printed)
	}
	if _, err := sizes.Mean(Reading(7)); err == nil {
		t.Error("unknown reading: no error")
	}
}

func TestWorkEquations(t *testing.T) {
	s, err := Work{VMs: 5, Duration: 420, ReferenceSpeed: 2000, Power: 64 * 2000}.ServiceTime()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "own speed: v·d/M", s, 5*420/64., 1e-15)
	s, _ = Work{VMs: 5, Duration: 420, Power: 64 * 2000}.ServiceTime()
	numtest.Close(t, "eq. 16 as printed", s, 5*420./128000, 1e-15)
	m, _ := SecondMoment(3, 0.5)
	numtest.Close(t, "eq. 18", m, 1.5*1.5+9, 1e-15)
	for i, f := range []func() error{
		func() error { _, err := (Work{VMs: 0, Duration: 1, Power: 1}).ServiceTime(); return err },
		func() error { _, err := (Work{VMs: 1, Duration: math.NaN(), Power: 1}).ServiceTime(); return err },
		func() error { _, err := SecondMoment(-1, 0); return err },
		func() error { return checkTwoStage("test", law.TwoStage{L: 3, M: 2, H: 6, Q: 0.5}) },
		func() error { return checkTwoStage("test", law.TwoStage{L: 1, M: 2, H: 6, Q: 1.5}) },
		func() error {
			_, err := SizeLaw{0.6, 0.6, law.TwoStage{L: 1, M: 2, H: 6, Q: 0.5}}.Mean(Exact)
			return err
		},
		func() error { return checkDuration("test", law.LogNormal{Mu: 0, Sigma: -1}) },
		func() error { return checkGap("test", law.Weibull{Scale: 0, Shape: 1}) },
		func() error { return checkGap("test", law.Weibull{Scale: 1, Shape: math.NaN()}) },
		func() error { _, err := DAS2(DAS2Setting{Knee: 5}); return err },
		func() error { _, err := DAS2(DAS2Setting{Experiment: 3}); return err },
		func() error { _, err := DAS2(DAS2Setting{LocalScale: math.NaN()}); return err },
	} {
		var d *DomainError
		if err := f(); !errors.As(err, &d) {
			t.Errorf("case %d: error %v, want a *DomainError", i, err)
		}
	}
}

func TestDAS2(t *testing.T) {
	w, err := DAS2(DAS2Setting{})
	if err != nil {
		t.Fatal(err)
	}
	d := w.External.Duration.Mean()
	numtest.Close(t, "default mean duration", d, 420, 1e-14)
	cs, rate, err := w.Clusters(Conversion{})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "external rate", rate, 1./14, 1e-14)
	if len(cs) != 3 || cs[0].Name != "C64" || cs[2].Name != "C256" {
		t.Fatalf("clusters %+v", cs)
	}
	// Γ(1 + 1/0.35) by testdata/moments.csv: gaps of 10.06, 8.05 and 6.04 s.
	for j, gap := range []float64{2.0, 1.6, 1.2} {
		g := law.Weibull{Scale: gap, Shape: 0.35}.Mean()
		numtest.Close(t, "local rate", cs[j].LocalRate, 1/g, 1e-15)
		numtest.Close(t, "θ·power is the same work everywhere", cs[j].ServiceTime*cs[j].Power, cs[0].ServiceTime*cs[0].Power, 1e-14)
		numtest.Close(t, "external CV", cs[j].SecondMoment/cs[j].ServiceTime/cs[j].ServiceTime, 1.25, 1e-14)
		numtest.Close(t, "local CV", cs[j].LocalSecondMoment/cs[j].LocalServiceTime/cs[j].LocalServiceTime, 1.01, 1e-14)
	}
	numtest.Close(t, "power of C128", cs[1].Power, 128*3000, 0)
	if _, err := Compare(cs, rate); err != nil {
		t.Errorf("as printed: %v", err)
	}
	// Durations at the clusters' own speed: their local requests saturate them.
	cs, rate, err = w.Clusters(Conversion{ReferenceSpeed: 2000, Sizes: AsPrinted})
	if err != nil {
		t.Fatal(err)
	}
	var sat *SaturatedError
	if _, err := PAP(cs, rate); !errors.As(err, &sat) || !sat.Local {
		t.Errorf("at 2000 MIPS: %v, want a cluster that its local stream saturates", err)
	}
	// A cluster of M/v̄ servers has the same utilization.
	several, _, err := w.Clusters(Conversion{SeveralServers: true, ReferenceSpeed: 100})
	if err != nil {
		t.Fatal(err)
	}
	one, _, err := w.Clusters(Conversion{ReferenceSpeed: 100})
	if err != nil {
		t.Fatal(err)
	}
	for j := range one {
		numtest.Close(t, "utilization", several[j].LocalRate*several[j].LocalServiceTime/several[j].Servers, one[j].LocalRate*one[j].LocalServiceTime, 1e-14)
	}
	lo, err := DAS2(DAS2Setting{Experiment: LocalRatesVaried})
	if err != nil {
		t.Fatal(err)
	}
	hi, err := DAS2(DAS2Setting{Experiment: LocalRatesVaried, LocalScale: 1})
	if err != nil {
		t.Fatal(err)
	}
	if lo.Sites[1].Local.Gap.Scale != 6.0 || math.Abs(hi.Sites[2].Local.Gap.Scale-0.06) > 1e-12 || lo.External.Gap != (law.Weibull{Scale: 7.0, Shape: 1.1}) {
		t.Errorf("local rates varied: %+v, %+v", lo.Sites[1].Local.Gap, hi.Sites[2].Local.Gap)
	}
	scv, err := w.External.WorkSCV()
	if err != nil || !(scv > 64 && scv < 66) {
		t.Errorf("SCV of the external work = %g, %v", scv, err)
	}
}

// Requests kept at random: the rate falls in proportion, and so does what the
// variability of gaps has above 1 (a thinned renewal stream).
func TestConversionLocalShare(t *testing.T) {
	w, err := DAS2(DAS2Setting{})
	if err != nil {
		t.Fatal(err)
	}
	all, rate, err := w.Clusters(Conversion{GapSCV: true, SeveralServers: true})
	if err != nil {
		t.Fatal(err)
	}
	some, same, err := w.Clusters(Conversion{GapSCV: true, SeveralServers: true, LocalShare: 0.25})
	if err != nil || same != rate {
		t.Fatal(rate, same, err)
	}
	for j := range all {
		want := all[j]
		want.LocalRate /= 4
		want.LocalExcessSCV /= 4
		if some[j] != want {
			t.Errorf("%+v, want %+v", some[j], want)
		}
	}
	for _, share := range []float64{-0.1, 1.1, math.NaN()} {
		var d *DomainError
		if _, _, err := w.Clusters(Conversion{LocalShare: share}); !errors.As(err, &d) || d.Arg != "local share" {
			t.Errorf("share %g: %v", share, err)
		}
	}
}
