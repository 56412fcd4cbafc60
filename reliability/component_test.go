package reliability_test

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestComponent(t *testing.T) {
	for _, r := range []struct{ mttf, mttr, p, q, logQ float64 }{
		{5, 2, 5.0 / 7, 2.0 / 7, math.Log(2.0 / 7)},
		{1e20, 1, 1, 1e-20, -20 * math.Ln10},
		{1e300, 1e-300, 1, 0, -600 * math.Ln10},
		{1, 1e20, 1e-20, 1, -1e-20},
		{1e308, 1e308, 0.5, 0.5, -math.Ln2},
	} {
		c := reliability.Component{r.mttf, r.mttr}
		p, err := c.Availability()
		if err != nil {
			t.Fatal(err)
		}
		q, _ := c.Unavailability()
		l, _ := c.LogUnavailability()
		numtest.Close(t, "availability", p, r.p, 1e-15)
		numtest.Close(t, "unavailability", q, r.q, 1e-15)
		numtest.Close(t, "log unavailability", l, r.logQ, 1e-15)
	}
	if m, err := (reliability.Component{5, 2}).MTBF(); m != 7 || err != nil {
		t.Errorf("MTBF = %v, %v", m, err)
	}
	_, err := reliability.Component{1e308, 1e308}.MTBF()
	wantDomain(t, err, "MTTF + MTTR")
	for _, f := range []func(reliability.Component) (float64, error){
		reliability.Component.Availability, reliability.Component.Unavailability, reliability.Component.LogUnavailability, reliability.Component.MTBF,
	} {
		_, err := f(reliability.Component{0, 1})
		wantDomain(t, err, "MTTF")
		_, err = f(reliability.Component{1, math.NaN()})
		wantDomain(t, err, "MTTR")
	}
}
