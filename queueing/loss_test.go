package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// PCU section 4.6 with figure 6's fleet, and errata: N = 1290,
// B(1290, 1200) = 4.14275072e-4.
func TestEquivalentServersPCU(t *testing.T) {
	n, err := EquivalentServers(100, Pool{Machines: 10000, Speed: 0.34, Availability: 0.7, Replicas: 2})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "N", n, 1290, 1e-14)
	b, err := ErlangB(n, 1200)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "B(1290, 1200)", b, 4.14275072e-4, 1e-8)
	if _, err := EquivalentServers(1, Pool{1, 1, 0.5, 0.5}); err == nil {
		t.Error("half a replica accepted")
	}
}

// The forerunner of two: lognormal, mean .34, cv .5 gives .43 (errata). For
// two the mean of the maximum is known: mean·2Φ(σ/√2).
func TestFastestSpeed(t *testing.T) {
	got, err := FastestSpeed(0.34, 0.5, 2)
	if err != nil {
		t.Fatal(err)
	}
	sigma := math.Sqrt(math.Log1p(0.25))
	numtest.Close(t, "two replicas", got, 0.34*math.Erfc(-sigma/2), 1e-12)
	numtest.Close(t, "two decimals", math.Round(got*100)/100, 0.43, 1e-12)
	// The speed of one replica is the mean, to the last digit: 1 is not above 1.
	for _, cv := range []float64{0, 0.3, 0.5, 1, 2, 100} {
		if one, _ := FastestSpeed(1, cv, 1); one != 1 {
			t.Errorf("one replica at cv %g: %v, want 1", cv, one)
		}
	}
	if same, _ := FastestSpeed(0.34, 0, 7); same != 0.34 {
		t.Errorf("no spread: %v, want 0.34", same)
	}
}

func TestImprovementAndSlope(t *testing.T) {
	for _, c := range []struct{ n, a float64 }{{5, 3}, {100, 84}, {100, 300}, {0, 2}, {1290.5, 1200}, {1e6, 1e6}} {
		got, err := Improvement(c.n, c.a)
		if err != nil {
			t.Fatal(err)
		}
		b0, _ := ErlangB(c.n, c.a)
		b1, _ := ErlangB(c.n+1, c.a)
		if e := math.Abs(got - c.a*(b0-b1)); e > 1e-12*c.a {
			t.Errorf("Improvement(%v, %v) = %v, difference gives %v", c.n, c.a, got, c.a*(b0-b1))
		}
		// The slopes against central differences of ln B.
		perServer, perErlang, err := ErlangBSlope(c.n, c.a)
		if err != nil {
			t.Fatal(err)
		}
		h := 1e-4 * math.Sqrt(c.a)
		up, down := erlang.LogB(c.n+h, c.a), erlang.LogB(math.Abs(c.n-h), c.a)
		if c.n == 0 {
			continue
		}
		numtest.Close(t, fmt.Sprintf("dB/dn at %v", c), perServer, b0*(up-down)/(2*h), 1e-6)
		up, down = erlang.LogB(c.n, c.a+h), erlang.LogB(c.n, c.a-h)
		numtest.Close(t, fmt.Sprintf("dB/da at %v", c), perErlang, b0*(up-down)/(2*h), 1e-6)
	}
}

// d B/dn at n = 0 is −e^a E₁(a): −1.1935... for a = 0.2 (Abramowitz, Stegun,
// table 5.1: E₁(0.2) = 1.222650544).
func TestErlangBSlopeAtZero(t *testing.T) {
	got, _, err := ErlangBSlope(0, 0.2)
	if err != nil {
		t.Fatal(err)
	}
	// ∫ ln(1+t) a e^(−at) dt = e^a E₁(a).
	numtest.Close(t, "slope", got, -math.Exp(0.2)*1.222650544, 1e-9)
}

func TestHalfinWhitt(t *testing.T) {
	// β = 1 gives α = 1/(1 + Φ(1)/φ(1)) = 0.22336...
	numtest.Close(t, "alpha(1)", halfinWhitt(1), 0.24197072451914337/(0.24197072451914337+0.8413447460685429), 1e-14)
	beta, err := SquareRootStaffing(halfinWhitt(1.3))
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "beta", beta, 1.3, 1e-12)
	// It is the limit of Erlang C.
	a := 1e10
	c, _ := ErlangC(a+math.Sqrt(a), a)
	numtest.Close(t, "limit of Erlang C", c, halfinWhitt(1), 1e-4)
}

func TestResponseTail(t *testing.T) {
	// At c = a + 1 the two rates agree; the law is continuous through it.
	for _, c := range []float64{2.5, 3 - 1e-9, 3, 3 + 1e-9, 3.5} {
		m := MMC{ArrivalRate: 2, ServiceTime: 1}
		got, err := m.ResponseTail(c, 1.7)
		if err != nil {
			t.Fatal(err)
		}
		// P(T > t) = E[P(W > t − S)]: convolution by the trapezoidal rule.
		f, _ := m.At(c)
		const steps = 200000
		sum := 0.0
		for i := 0; i <= steps; i++ {
			s := 1.7 * float64(i) / steps
			w := 1.0
			if i == 0 || i == steps {
				w = 0.5
			}
			sum += w * math.Exp(-s) * f.WaitTail(1.7-s)
		}
		numtest.Close(t, fmt.Sprintf("c = %v", c), got, sum*1.7/steps+math.Exp(-1.7), 1e-9)
	}
}

// In M/M/n+M a served arrival within t, and those served later, add up.
func TestServedWithin(t *testing.T) {
	m := ErlangA{ArrivalRate: 60, ServiceTime: 1, Patience: 10}
	f, err := m.At(50)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := m.ServedWithin(50, 1e6)
	numtest.Close(t, "served at all", all, 1-f.Abandonment, 1e-12)
	none, _ := m.ServedWithin(50, 0)
	numtest.Close(t, "served at once", none, 1-f.WaitProbability, 1e-9)
	p90 := f.WaitPercentile(0.9)
	numtest.Close(t, "percentile", f.ServiceLevel(p90), 0.9, 1e-12)
	// Little's law, and flow balance: busy servers leave at the throughput.
	numtest.Close(t, "queue", f.MeanQueueLength, 60*f.MeanWait, 1e-14)
	numtest.Close(t, "busy", f.Utilization*50, f.Throughput, 1e-14)
}

// Patience beyond the horizon turns Erlang A into Erlang C; none into Erlang B.
func TestErlangALimits(t *testing.T) {
	c, _ := MMC{80, 1}.At(100)
	a, err := ErlangA{80, 1, 1e9}.At(100)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "mean wait", a.MeanWait, c.MeanWait, 1e-6)
	numtest.Close(t, "wait probability", a.WaitProbability, c.WaitProbability, 1e-6)
	b, _ := ErlangB(100, 80)
	a, err = ErlangA{80, 1, 1e-9}.At(100)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "abandonment without patience", a.Abandonment, b, 1e-6)
}

// A share of a server carries next to nothing, and never less than nothing.
func TestLossOfAShareOfAServer(t *testing.T) {
	for _, n := range []float64{5e-324, 1e-300, 1e-20, 1e-17, 1e-9, 1e-3} {
		for _, a := range []float64{1e-9, 0.5, 1, 1.0000001, 1.5, 100} {
			f, err := Loss{ArrivalRate: a, ServiceTime: 1}.At(n)
			if err != nil || f.Blocking > 1 || !(f.Blocking > 0.5) && n < 1e-4 || !(f.Utilization >= 0 && f.Utilization <= 1) {
				t.Errorf("B(%v, %v) = %v, utilization %v, %v", n, a, f.Blocking, f.Utilization, err)
			}
			if more, err := Improvement(n, a); err != nil || !(more > 0) {
				t.Errorf("F(%v, %v) = %v, %v", n, a, more, err)
			}
		}
	}
}

// A patience of which floats hold no digits beside the service is refused, in the unit in
// which it was given: it came to no figures, and an objective on responses never ended.
func TestPatienceOfNoDigits(t *testing.T) {
	for _, p := range []float64{5e-324, 1e-320, 1e16} {
		_, err := InUnits{Model: ErlangA{1000, 1, p / 7e-3}, Unit: 7e-3}.At(500)
		e, ok := errors.AsType[*DomainError](err)
		if !ok || e.Arg != "patience" || math.Abs(e.Value-p) > .01*p {
			t.Errorf("patience %v s: %v", p, err)
		}
	}
	evaluated := 0
	integrate(func(float64) float64 { evaluated++; return math.NaN() }, []float64{0, 1}, 1)
	if evaluated > 100 {
		t.Errorf("what is not a number was asked for %d times", evaluated)
	}
}
