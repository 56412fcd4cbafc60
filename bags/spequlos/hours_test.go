package spequlos

import (
	"fmt"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// Workers are started at once and so begin their hours together, but each pays for its own: of three with 8
// hours one ends in its first, the two others begin three each, and the first of these has the last.
func TestHoursOfEachWorker(t *testing.T) {
	p := bag(t, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	strategy, _ := ParseStrategy("9C-3-R")
	s, err := NewScheduler(p, Options{Strategy: strategy, Order: order(t, 8*CreditsPerHour), Billing: ByHour})
	if err != nil {
		t.Fatal(err)
	}
	if d := s.Tick(60); d.Start != 3 {
		t.Fatalf("%d started, want 3", d.Start)
	}
	s.Ended(1, 100)
	for _, at := range []struct {
		now, spent float64
		stop       []int
	}{
		{3600, 3, nil}, {3660, 5, nil}, {7259, 5, nil}, {7320, 7, nil}, {10860, 8, []int{2}}, {14460, 8, []int{0}},
	} {
		d := s.Tick(at.now)
		if !slices.Equal(d.Stop, at.stop) {
			t.Errorf("at %v s %v stop, want %v", at.now, d.Stop, at.stop)
		}
		numtest.Close(t, fmt.Sprintf("credits at %v s", at.now), s.o.Order.Spent(), at.spent*CreditsPerHour, 1e-12)
		numtest.Close(t, fmt.Sprintf("billed at %v s", at.now), s.Billed(), at.spent*3600, 1e-12)
	}
}

// A look takes no longer the more workers run, however they are paid.
func BenchmarkTick(b *testing.B) {
	for name, billing := range map[string]Billing{"second": BySecond, "hour": ByHour} {
		for _, workers := range []int{10, 100000} {
			b.Run(fmt.Sprintf("by=%s/workers=%d", name, workers), func(b *testing.B) {
				p, err := NewProgress(2)
				if err != nil {
					b.Fatal(err)
				}
				if err := p.Assign(0); err != nil {
					b.Fatal(err)
				}
				var bank Bank
				_ = bank.Deposit("u", 1e15)
				o, err := bank.Order("u", 1e15)
				if err != nil {
					b.Fatal(err)
				}
				s, err := NewScheduler(p, Options{
					Strategy: Strategy{When{Assigned, 0.5}, HowMany{Exactly, workers}, Flat}, Order: o, Billing: billing,
				})
				if err != nil {
					b.Fatal(err)
				}
				now := 0.0
				if d := s.Tick(now); d.Start != workers {
					b.Fatalf("%d started, want %d", d.Start, workers)
				}
				for b.Loop() {
					now += 3600
					s.Tick(now)
				}
			})
		}
	}
}
