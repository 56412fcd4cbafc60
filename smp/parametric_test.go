package smp

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestSojournLaws(t *testing.T) {
	for _, row := range numtest.Table(t, "testdata/sojourn.csv") {
		var l SojournLaw = DiscreteWeibull{row.Float("a"), row.Float("b")}
		if row.Text("law") == "negbin" {
			l = NegativeBinomial{row.Float("a"), row.Float("b")}
		}
		k := int(row.Float("steps"))
		numtest.Close(t, l.Name()+" mass", l.Mass(k), row.Float("mass"), 1e-12)
		numtest.Close(t, l.Name()+" survival", l.Survival(k), row.Float("survival"), 1e-12)
		numtest.Close(t, l.Name()+" mean", l.Mean(), row.Float("mean"), 1e-12)
	}
	// Shape 1 is the geometric law.
	g, w, b := Geometric{0.2}, DiscreteWeibull{-math.Log1p(-0.2), 1}, NegativeBinomial{1, 0.2}
	for _, k := range []int{1, 3, 30} {
		for _, l := range []SojournLaw{w, b} {
			numtest.Close(t, l.Name(), l.Mass(k), g.Mass(k), 1e-12)
			numtest.Close(t, l.Name(), l.Survival(k), g.Survival(k), 1e-12)
		}
	}
	numtest.Close(t, "mean", w.Mean(), 5, 1e-13)
	// A heavy law whose mean needs the integral: β = 1/2, Σ by mpmath.
	numtest.Close(t, "heavy mean", DiscreteWeibull{0.01, 0.5}.Mean(), heavyMean, 1e-10)
}

// heavyMean is Σ_{k≥0} exp(−0.01·√k), by mpmath: the first 1000 terms and
// Euler and Maclaurin with mp.quad for the rest.
const heavyMean = 20000.502074699830633

// parametricExample is the data of testdata/sojourn.py.
func parametricExample() []Sequence {
	var w []Sequence
	exit := func(times, entry, end int) {
		for range times {
			w = append(w, Sequence{{State: 0, Elapsed: entry, Steps: end - entry, Next: 1}})
		}
	}
	cut := func(times, entry, end int) {
		for range times {
			w = append(w, Sequence{{State: 0, Elapsed: entry, Steps: end - entry, Next: Cut}})
		}
	}
	exit(9, 0, 1)
	exit(5, 0, 2)
	exit(4, 0, 3)
	exit(3, 0, 5)
	exit(2, 0, 9)
	exit(1, 2, 6)
	exit(1, 4, 15)
	exit(1, 0, 22)
	cut(3, 0, 4)
	cut(1, 0, 30)
	cut(1, 5, 12)
	cut(1, 0, 1)
	return w
}

func TestParametricLikelihood(t *testing.T) {
	space := Space{[]string{"up", "down"}, []bool{false, true}}
	f, err := EstimateParametric(space, parametricExample())
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for _, row := range numtest.Table(t, "testdata/sojournfit.csv") {
		found := false
		for _, c := range f.Rows[0].Candidates {
			if c.Law.Name() == row.Text("law") {
				found = true
				numtest.Close(t, c.Law.Name()+" log-likelihood", c.LogLikelihood, row.Float("loglik"), 1e-9)
				least = math.Min(least, c.AIC)
			}
		}
		if !found {
			t.Errorf("no %s", row.Text("law"))
		}
	}
	if bestAIC(f.Rows[0]) != least {
		t.Errorf("chose %s", f.Rows[0].Law.Name())
	}
	// Down is never left; up always leads to it: MTTF is the mean sojourn.
	m, err := f.MTTF(Start{})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "MTTF", m, f.Rows[0].Law.Mean(), 1e-14)
	k, err := f.Kernel(500)
	if err != nil {
		t.Fatal(err)
	}
	c := solveFrom(t, k, 500, Auto, Start{State: 0, Elapsed: 0})
	numtest.Close(t, "R(300)", c.Reliability[300], f.Rows[0].Law.Survival(300), 1e-12)
	// An age: the mean of what is left is a sum of survivals.
	const u = 6
	rest := 0.0
	for h := u; h < 200000; h++ {
		rest += f.Rows[0].Law.Survival(h)
	}
	m, err = f.MTTF(Start{State: 0, Elapsed: u})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "aged MTTF", m, rest/f.Rows[0].Law.Survival(u), 1e-9)
}

// Data drawn from each law are recognised by AIC and its parameters found.
func TestParametricRecovers(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, law := range []SojournLaw{DiscreteWeibull{0.25, 0.6}, DiscreteWeibull{0.01, 2}, NegativeBinomial{4, 0.3}} {
		var w []Sequence
		for range 1500 {
			u, l := rng.Float64(), 1
			for law.Survival(l) > u {
				l++
			}
			s := Sojourn{State: 0, Steps: l, Next: 1}
			if c := 1 + rng.IntN(40); c < l {
				s.Steps, s.Next = c, Cut
			}
			w = append(w, Sequence{s})
		}
		f, err := EstimateParametric(Space{[]string{"up", "down"}, []bool{false, true}}, w)
		if err != nil {
			t.Fatal(err)
		}
		got := f.Rows[0].Law
		if got.Name() != law.Name() {
			t.Errorf("%s%v taken for %s%v", law.Name(), law.Parameters(), got.Name(), got.Parameters())
			continue
		}
		for i, p := range law.Parameters() {
			if math.Abs(got.Parameters()[i]-p) > 0.15*p {
				t.Errorf("%s: parameters %v, want near %v", law.Name(), got.Parameters(), law.Parameters())
				break
			}
		}
	}
	f, err := EstimateParametric(FiveStates(), []Sequence{{{State: S1, Steps: 5, Next: Cut}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.MTTF(Start{State: S1}); !errors.Is(err, ErrInfinite) {
		t.Errorf("never left: %v", err)
	}
	if k, err := f.Kernel(10); err != nil || k.Tail(S1) != 1 {
		t.Errorf("kernel of a state never left: %v", err)
	}
	// Every stay of one step.
	f, err = EstimateParametric(FiveStates(), []Sequence{SequenceOf([]int{0, 1, 0, 1, 0, 1})})
	if err != nil || f.Rows[0].Law != (Geometric{1}) {
		t.Errorf("stays of one step: %+v, %v", f.Rows[0].Law, err)
	}
}
