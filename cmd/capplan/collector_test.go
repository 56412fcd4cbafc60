package main

import (
	"math"
	"testing"
)

func TestGarbagePercent(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 1200, 1 << 20: 400, 16 << 20: 200, 24 << 20: 100, 300 << 20: 100, 400 << 20: 50, 500 << 20: 20, 4 << 30: 20,
	} {
		if got := garbagePercent(live); got != want {
			t.Errorf("%d MiB: %d %%, want %d", live>>20, got, want)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	for live, want := range map[uint64]int64{0: 768 << 20, 690 << 20: 768 << 20, 700 << 20: math.MaxInt64} {
		if got := memoryLimit(live); got != want {
			t.Errorf("%d MiB: %d, want %d", live>>20, got, want)
		}
	}
}
