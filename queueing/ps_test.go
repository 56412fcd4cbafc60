package queueing

import (
	"errors"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestPS(t *testing.T) {
	f, err := PS{ArrivalRate: 0.8, ServiceTime: 1}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "M/G/1-PS", f.MeanResponse, 5, 1e-14)
	g, err := PS{2.5, 1, 3}.Figures()
	if err != nil {
		t.Fatal(err)
	}
	m, err := MMC{2.5, 1}.At(3)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "M/M/c-PS", g.MeanResponse, m.MeanResponse, 1e-14)
	x, err := PS{ArrivalRate: 0.75, ServiceTime: 1}.ResponseGiven(0.3)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "x/(1 − ρ)", x, 1.2, 1e-14)
	if _, err := (PS{ArrivalRate: 1, ServiceTime: 1}).Figures(); !errors.Is(err, ErrUnstable) {
		t.Errorf("ρ = 1: %v", err)
	}
	if _, err := (PS{ArrivalRate: .1, ServiceTime: 1}).ResponseGiven(-1); err == nil {
		t.Error("negative need accepted")
	}
}
