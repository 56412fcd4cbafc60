package queueing

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

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
