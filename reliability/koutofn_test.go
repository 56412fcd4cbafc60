package reliability_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestKofN(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/koutofn.csv") {
		f, err := reliability.KofN{reliability.Component{r.Float("mttf"), r.Float("mttr")}, int(r.Float("needed")), int(r.Float("total"))}.Figures()
		if err != nil {
			t.Fatal(err)
		}
		tol := 1e-12
		numtest.Close(t, "availability", f.Availability, r.Float("availability"), tol)
		numtest.Close(t, "unavailability", f.Unavailability, r.Float("unavailability"), tol)
		numtest.Close(t, "frequency", f.FailureFrequency, r.Float("frequency"), tol)
		if t.Failed() {
			t.Fatalf("at line %d", r.Line)
		}
	}
}

func TestSpares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := reliability.Component{math.Exp(rapid.Float64Range(-3, 8).Draw(t, "f")), 1}
		needed := rapid.IntRange(1, 200).Draw(t, "needed")
		want := 1 - math.Exp(rapid.Float64Range(-20, -0.01).Draw(t, "log q"))
		s, err := reliability.Spares(c, needed, want)
		if err != nil {
			t.Fatal(err)
		}
		if s.At.Availability < want-1e-12 {
			t.Fatalf("%+v misses %v", s, want)
		}
		if s.Spares > 0 && s.Fewer.Availability > want+1e-12 {
			t.Fatalf("%+v: one fewer meets %v", s, want)
		}
		if s.Total != needed+s.Spares {
			t.Fatalf("%+v", s)
		}
		if needed == 1 {
			r, err := reliability.Replicas(c, want)
			if err != nil || r.Replicas != s.Total {
				t.Fatalf("one needed: %d, replicas %d, %v", s.Total, r.Replicas, err)
			}
		}
	})
	ok := reliability.Component{9, 1}
	if _, err := reliability.Spares(ok, 3, 1); !errors.Is(err, reliability.ErrNoFiniteCount) {
		t.Errorf("target 1: %v", err)
	}
	_, err := reliability.Spares(ok, 0, 0.9)
	wantDomain(t, err, "needed")
	_, err = reliability.KofN{ok, 3, 2}.Figures()
	wantDomain(t, err, "Total")
	_, err = reliability.KofN{ok, 0, 2}.Figures()
	wantDomain(t, err, "Needed")
}
