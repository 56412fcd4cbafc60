package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
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
	b, err := ErlangB(25, 20)
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
		var domain *DomainError
		if _, err := q.At(1); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

func TestMMCKReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/mmck.csv") {
		q := MMCK{r.Float("rate"), r.Float("service"), int(r.Float("buffer"))}
		f, err := q.At(r.Float("servers"))
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		if want := r.Float("blocking"); want > 1e-300 {
			numtest.Close(t, at+"blocking", f.Blocking, want, 3e-11)
		}
		numtest.Close(t, at+"mean queue", f.MeanQueueLength, r.Float("queue"), 1e-11)
		numtest.Close(t, at+"mean wait", f.MeanWait, r.Float("wait_mean"), 1e-11)
		numtest.Close(t, at+"tail", f.WaitTail(r.Float("t")), r.Float("tail"), 1e-10)
	}
}

func TestMMCKLimits(t *testing.T) {
	// An endless room below saturation is M/M/c, none at all is a loss system.
	f, err := MMCK{4, 1, 1e6}.At(5)
	if err != nil {
		t.Fatal(err)
	}
	m, err := MMC{4, 1}.At(5)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "wait", f.MeanWait, m.MeanWait, 1e-12)
	numtest.Close(t, "tail", f.WaitTail(2), m.WaitTail(2), 1e-11)
	f, err = MMCK{4, 1, 0}.At(5)
	if err != nil {
		t.Fatal(err)
	}
	b, err := ErlangB(5, 4)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "no room", f.Blocking, b, 1e-14)
	// Overload with a room of 1e6: 1 − 1/r is lost, the room is full but for
	// a geometric rest.
	f, err = MMCK{6, 1, 1e6}.At(5)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "overload", f.Blocking, 1./6, 1e-14)
	numtest.Close(t, "overload", f.MeanQueueLength, 1e6-5, 1e-14)
	x := f.WaitPercentile(0.95)
	if got := f.ServiceLevel(x); math.Abs(got-.95) > 1e-9 {
		t.Errorf("P(W <= %v) = %v", x, got)
	}
	// Across r = 1 nothing jumps.
	var last Figures
	for i, a := range []float64{5 - 1e-9, 5, 5 + 1e-9} {
		f, err = MMCK{a, 1, 1e5}.At(5)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			numtest.Close(t, "blocking near r = 1", f.Blocking, last.Blocking, 1e-4)
			numtest.Close(t, "tail near r = 1", f.WaitTail(1e4), last.WaitTail(1e4), 1e-4)
		}
		last = f
	}
	for _, q := range []MMCK{{1, 1, -1}, {-1, 1, 2}, {1, 0, 2}} {
		var domain *DomainError
		if _, err := q.At(2); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := (MMCK{1, 1, 1}).At(0); err == nil {
		t.Error("0 servers accepted")
	}
}

func TestFiniteSourceReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/finitesource.csv") {
		q := FiniteSource{int(r.Float("customers")), r.Float("think"), r.Float("service"), int(r.Float("servers"))}
		f, err := q.Figures()
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprintf("line %d: ", r.Line)
		numtest.Close(t, at+"throughput", f.Throughput, r.Float("throughput"), 1e-13)
		numtest.Close(t, at+"mean wait", f.MeanWait, r.Float("wait_mean"), 1e-11)
		numtest.Close(t, at+"tail", f.WaitTail(r.Float("t")), r.Float("tail"), 1e-11)
		// The network of one station is the same system.
		n, err := ClosedNetwork{[]Station{{Servers: q.Servers}}, []ClosedClass{{Customers: q.Customers, ThinkTime: q.ThinkTime, Demands: []float64{q.ServiceTime}}}}.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, at+"as a network", n.Classes[0].Throughput, f.Throughput, 1e-12)
	}
	// All 400 at the station: 300 servers at work.
	f, err := FiniteSource{400, 0, .444, 300}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "no think time", f.Throughput, 300/.444, 1e-15)
	var domain *DomainError
	if _, err := (FiniteSource{1, 1, 0, 1}).Figures(); !errors.As(err, &domain) {
		t.Errorf("service time 0: %v", err)
	}
}

// The tail of a long queue against the whole sum over what an arrival may find.
func TestFiniteSourceTailWholeSum(t *testing.T) {
	for _, q := range []FiniteSource{{3000, 5, 1, 7}, {3000, 5, 1, 480}, {3000, 1e-3, 1, 1}, {3000, 5e6, 1, 2}} {
		f, err := q.Figures()
		if err != nil {
			t.Fatal(err)
		}
		seen := q.states(q.Customers - 1)
		for _, x := range []float64{.01, 1, 30, 300, 3000} {
			want, below, n := 0., 0., x*float64(q.Servers)
			for k := q.Servers; k < len(seen); k++ { // k − c + 1 services outlast t
				lg, _ := math.Lgamma(float64(k-q.Servers) + 1)
				below += math.Exp(float64(k-q.Servers)*math.Log(n) - n - lg)
				want += seen[k] * below
			}
			if want > 1e-290 {
				numtest.Close(t, fmt.Sprintf("%+v: P(W > %v)", q, x), f.WaitTail(x), want, 1e-10)
			}
		}
	}
}

// A sum of probabilities is no more than the whole by its rounding either.
func TestFiniteSourceNeverAboveOne(t *testing.T) {
	for sources := 31; sources < 800; sources++ {
		q := FiniteSource{Customers: sources, Servers: 30, ThinkTime: 1 - 0x1p-53, ServiceTime: 0.444}
		f, err := q.Figures()
		if err != nil || f.WaitProbability > 1 || f.WaitTail(1e-9) > 1 {
			t.Errorf("%d sources: P(W > 0) = %v, %v", sources, f.WaitProbability, err)
		}
	}
}
