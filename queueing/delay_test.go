package queueing

import (
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestMMCReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/mmc.csv") {
		c, a := r.Float("servers"), r.Float("load_erl")
		f, err := MMC{ArrivalRate: a / 3, ServiceTime: 3}.At(c)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "wait probability", f.WaitProbability, r.Float("wait_probability"), 2e-12)
		numtest.Close(t, "mean wait", f.MeanWait/3, r.Float("mean_wait_services"), 2e-12)
		numtest.Close(t, "wait tail", f.WaitTail(3*r.Float("t_services")), r.Float("wait_tail"), 2e-12)
	}
}

func TestErlangAReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/erlanga.csv") {
		m := ErlangA{r.Float("arrival_rate_per_s"), r.Float("service_time_s"), r.Float("patience_s")}
		f, err := m.At(r.Float("servers"))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "wait probability", f.WaitProbability, r.Float("wait_probability"), 1e-11)
		numtest.Close(t, "abandonment", f.Abandonment, r.Float("abandonment"), 1e-11)
		numtest.Close(t, "mean wait", f.MeanWait, r.Float("mean_wait_s"), 1e-11)
		if tt := r.Float("t_s"); tt >= 0 {
			numtest.Close(t, "wait tail", f.WaitTail(tt), r.Float("wait_tail"), 1e-11)
		}
	}
}
