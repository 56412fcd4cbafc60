package routing

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func TestBaselines(t *testing.T) {
	cs := threeClusters()
	for _, c := range []struct {
		p    Policy
		want [3]float64 // by hand from eq. 25 to 27, eq. 26 halved
	}{
		{PolicyRR, [3]float64{1. / 3, 1. / 3, 1. / 3}},
		{PolicyLRF, [3]float64{0.9 / 2.4, 0.7 / 2.4, 0.8 / 2.4}},
		{PolicyBCF, [3]float64{1. / 7, 2. / 7, 4. / 7}},
	} {
		s, err := c.p.Apply(cs, 1.5)
		if err != nil {
			t.Fatal(err)
		}
		mean := 0.0
		for j, want := range c.want {
			numtest.Close(t, c.p.String()+": probability", s.Routes[j].Probability, want, 1e-15)
			// Eq. 4 as printed, with κm = xω + λμ.
			k := cs[j]
			x, rho := 1.5*want, k.LocalRate*k.LocalServiceTime
			response := (k.ServiceTime + (x*k.SecondMoment+k.LocalRate*k.LocalSecondMoment)/(2*(1-rho-x*k.ServiceTime))) / (1 - rho)
			numtest.Close(t, c.p.String()+": response", s.Routes[j].Response, response, 1e-13)
			numtest.Close(t, c.p.String()+": utilization", s.Routes[j].Utilization, rho+x*k.ServiceTime, 1e-14)
			mean += want * response
		}
		numtest.Close(t, c.p.String()+": mean", s.MeanResponse, mean, 1e-13)
	}
	cs[0].Power, cs[1].Power, cs[2].Power = 1, 1, 2
	s, err := BiggestClusterFirst(cs, 1)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "BCF by power", s.Routes[2].Probability, 0.5, 1e-15)
}

func TestBaselineEdges(t *testing.T) {
	one := threeClusters()[2:]
	for _, p := range policies {
		s, err := p.Apply(one, 2)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, p.String()+": one cluster takes all", s.Routes[0].Rate, 2, 1e-15)
	}
	idle := threeClusters()
	for j := range idle {
		idle[j].LocalRate = 0
	}
	s, err := LeastRateFirst(idle, 0.3)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "LRF without local requests", s.Routes[1].Probability, 1./3, 1e-15)
	if _, err := Policy(9).Apply(idle, 1); err == nil {
		t.Error("unknown policy: no error")
	}
}

func TestCompare(t *testing.T) {
	cs := threeClusters()
	out, err := Compare(cs, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 4 || out[0].Policy != PolicyPAP || out[0].Price != 1 {
		t.Fatalf("outcomes: %+v", out)
	}
	for _, o := range out[1:] {
		if o.Err != nil || !(o.Price > 1) {
			t.Errorf("%v: price %g, %v", o.Policy, o.Price, o.Err)
		}
		numtest.Close(t, "price", o.Price*out[0].Split.MeanResponse, o.Split.MeanResponse, 1e-14)
	}
	// At 3/s round robin sends A 1/s, above its 0.76, and B 1/s, below its 1.1.
	out, err = Compare(cs, 3)
	if err != nil {
		t.Fatal(err)
	}
	rr := out[1]
	var sat *SaturatedError
	if !errors.As(rr.Err, &sat) || !errors.Is(rr.Err, queueing.ErrUnstable) || sat.Cluster != `cluster "A"` || sat.Others != 0 || sat.Local {
		t.Fatalf("round robin at 3/s: %v", rr.Err)
	}
	numtest.Close(t, "utilization of the overloaded cluster", sat.Utilization, 1.24, 1e-14)
	numtest.Close(t, "its rate, not clipped", rr.Split.Routes[0].Rate, 1, 1e-15)
	if rr.Price != 0 || rr.Split.MeanResponse != 0 || rr.Split.Routes[0].Response != 0 || !(rr.Split.Routes[1].Response > 0) {
		t.Errorf("round robin at 3/s: %+v", rr)
	}
	if _, err := Compare(cs, 6); !errors.Is(err, queueing.ErrInfeasible) {
		t.Errorf("beyond capacity: %v", err)
	}
}

func TestEvaluateBadInput(t *testing.T) {
	cs := threeClusters()
	for _, x := range [][]float64{nil, {1, 1}, {-1, 1, 1}, {0, 0, 0}} {
		var d *DomainError
		if _, err := Evaluate(cs, x); !errors.As(err, &d) {
			t.Errorf("rates %v: %v", x, err)
		}
	}
}

// By another objective the rates of the baselines stay, their values are
// those of the objective, and the price is the ratio of values.
func TestCompareFor(t *testing.T) {
	cs := threeClusters()
	for j, price := range []float64{0.5, 3, 2} {
		cs[j].Price = price
	}
	plain, err := Compare(cs, 1.5)
	if err != nil {
		t.Fatal(err)
	}
	out, err := CompareFor(cs, 1.5, Cost{Delay: 0.8})
	if err != nil {
		t.Fatal(err)
	}
	best, err := Minimize(cs, 1.5, Cost{Delay: 0.8})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "optimum", out[0].Split.Value, best.Value, 0)
	for i, o := range out[1:] {
		s := plain[i+1].Split
		value := 0.8 * s.MeanResponse
		for j, r := range s.Routes {
			numtest.Close(t, "rate", o.Split.Routes[j].Rate, r.Rate, 0)
			numtest.Close(t, "marginal", o.Split.Routes[j].Marginal, 0.8*r.Marginal+cs[j].Price, 1e-13)
			value += r.Probability * cs[j].Price
		}
		numtest.Close(t, o.Policy.String()+": value", o.Split.Value, value, 1e-14)
		numtest.Close(t, o.Policy.String()+": price", o.Price, value/best.Value, 1e-14)
	}
	if _, err := CompareFor(cs, 1.5, Cost{}); err == nil {
		t.Error("a cost without a price of delay: no error")
	}
	for _, o := range out {
		if s, err := o.Policy.ApplyFor(cs, 1.5, nil); err != nil || s.Value != s.MeanResponse {
			t.Errorf("%v without an objective: %v, %v", o.Policy, s.Value, err)
		}
	}
}
