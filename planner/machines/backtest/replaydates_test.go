package backtest_test

import (
	"context"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/smp"
)

// A record that begins late in the evening has the short day on which clocks are set
// forward among its dates, though 24 h after 23:30 the day after has begun.
func TestReplayShortDay(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	h := machines.Trace{Name: "a"}
	at, end := time.Date(2026, 3, 28, 23, 30, 0, 0, berlin), time.Date(2026, 4, 1, 0, 0, 0, 0, berlin)
	for ; at.Before(end); at = at.Add(5 * time.Minute) {
		h.Samples = append(h.Samples, smp.Sample{Time: float64(at.Unix()), Load: 0.1, FreeMemory: 1000})
	}
	a, err := backtest.Replay(context.Background(), &backtest.ReplayQuestion{Hosts: []machines.Trace{h},
		Labelling: machines.Labelling{Location: berlin}, Train: 0.01, Model: backtest.AlwaysModel})
	if err != nil {
		t.Fatal(err)
	}
	if want := "2026-03-29"; a.First != want {
		t.Errorf("jobs are submitted from %s, want %s, the day after the first", a.First, want)
	}
}
