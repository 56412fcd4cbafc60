package loss

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

func TestEngsetReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/engset.csv") {
		f, err := Engset{r.Float("sources"), r.Float("alpha") * 4, 0.25}.At(r.Float("servers"))
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		for _, v := range []struct {
			what           string
			log, want, own float64
		}{
			{"time congestion", f.LogTimeCongestion, r.Float("log_time"), f.TimeCongestion},
			{"call congestion", f.LogCallCongestion, r.Float("log_call"), f.CallCongestion},
		} {
			if d := math.Abs(v.log - v.want); v.log != v.want && !(d <= 2e-12) {
				t.Errorf("%sln %s = %v, want %v", at, v.what, v.log, v.want)
			}
			if math.Exp(v.want) > 1e-300 {
				numtest.Close(t, at+v.what, v.own, math.Exp(v.want), 2e-12)
			}
		}
		numtest.Close(t, at+"carried", f.CarriedLoad, r.Float("carried"), 1e-12)
	}
}

func TestEngsetLaws(t *testing.T) {
	// Many sources are a Poisson stream.
	f, err := Engset{1e11, 20e-11, 1}.At(25)
	if err != nil {
		t.Fatal(err)
	}
	b, err := queueing.ErlangB(25, 20)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "many sources", f.TimeCongestion, b, 1e-8)
	numtest.Close(t, "many sources", f.CallCongestion, b, 1e-8)
	// Flow: what idle sources ask for, less what is lost, is served.
	f, err = Engset{40, .3, 2}.At(12.5)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "flow", f.OfferedLoad*(1-f.CallCongestion), f.CarriedLoad, 1e-13)
	numtest.Close(t, "idle", f.OfferedLoad, f.LoadPerSource*(40-f.CarriedLoad), 1e-13)
	if f.CallCongestion >= f.TimeCongestion {
		t.Error("call congestion is not below time congestion")
	}
	for _, q := range []Engset{{-1, 1, 1}, {1, -1, 1}, {1, 1, 0}, {math.NaN(), 1, 1}} {
		var domain *queueing.DomainError
		if _, err := q.At(1); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
