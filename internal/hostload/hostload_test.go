package hostload

import (
	"context"
	"testing"
	"time"

	"github.com/shirou/gopsutil/v4/cpu"
)

func TestShare(t *testing.T) {
	from := cpu.TimesStat{User: 10, System: 5, Idle: 100, Iowait: 3, Guest: 7}
	for _, c := range []struct {
		to   cpu.TimesStat
		want float64
		ok   bool
	}{
		{cpu.TimesStat{User: 13, System: 6, Idle: 104, Iowait: 5, Guest: 9}, 0.4, true},
		{cpu.TimesStat{User: 10, System: 5, Idle: 101, Iowait: 3}, 0, true},
		{cpu.TimesStat{User: 11, System: 5, Idle: 100, Iowait: 2}, 1, true}, // a step back
		{from, 0, false},
	} {
		if got, ok := share(from, c.to); got != c.want || ok != c.ok {
			t.Errorf("%+v: %v, %v, want %v, %v", c.to, got, ok, c.want, c.ok)
		}
	}
}

// This machine: a busy process shows, and there is memory.
func TestMeter(t *testing.T) {
	var m Meter
	if _, _, ok, err := m.Read(context.Background()); ok || err != nil {
		t.Errorf("the first reading: %v, %v", ok, err)
	}
	for stop := time.Now().Add(200 * time.Millisecond); time.Now().Before(stop); {
	}
	load, free, ok, err := m.Read(context.Background())
	if err != nil || !ok || !(load > 0 && load <= 1) || !(free > 1e6) {
		t.Errorf("load %v, free %v, %v, %v", load, free, ok, err)
	}
}
