package frailty

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/capplan/capplan/smp"
)

// TestRecordCountsEveryStep counts the cells of random records step by step, as
// one would by hand.
func TestRecordCountsEveryStep(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(9, 9))
	space := smp.FiveStates()
	for trial := range 60 {
		clock := Clock{Period: []float64{60, 300, 997, 5400}[trial%4]}
		if trial%2 == 1 {
			clock.Calendar.Location = berlin
		}
		h := &smp.History{Period: clock.Period}
		states := map[int64]int{}
		step := int64(5_000_000) + rng.Int64N(100000)
		begin := step
		for range 30 {
			if rng.IntN(5) == 0 {
				step += 1 + rng.Int64N(9)
			}
			run := smp.Run{State: rng.IntN(5), First: step, Steps: 1 + rng.Int64N(40)}
			if h.Add(run) != nil {
				t.Fatal("bad run")
			}
			for ; step < run.End(); step++ {
				states[step] = run.State
			}
		}
		from, to := begin+rng.Int64N(200), step-rng.Int64N(200)
		var got Record
		if err := got.Add(clock, space, h, from, to); err != nil {
			t.Fatal(err)
		}
		exposure, failures := map[uint16]uint32{}, map[uint16]uint32{}
		for s := from; s < to; s++ {
			now, ok := states[s]
			next, known := states[s+1]
			if !ok || !known || space.Failure[now] {
				continue
			}
			age := Age{AtLeast: true}
			for back := s - 1; ; back-- {
				before, ok := states[back]
				if ok && space.Failure[before] {
					age.AtLeast = false
				}
				if !ok || space.Failure[before] {
					break
				}
				age.Steps++
			}
			at := time.Unix(int64(float64(s)*clock.Period), 0)
			if loc := clock.Calendar.Location; loc != nil {
				at = at.In(loc)
			} else {
				at = at.UTC()
			}
			hour := at.Hour()
			if at.Weekday() == time.Saturday || at.Weekday() == time.Sunday {
				hour += 24
			}
			cell := uint16(age.Bin()*Hours + hour)
			exposure[cell] += 2
			if space.Failure[next] {
				exposure[cell]--
				failures[cell]++
			}
		}
		same(t, "exposure", &got.Exposure, exposure)
		same(t, "failures", &got.Failures, failures)

		// Parts of it add up, in any order.
		middle := (from + to) / 2
		var late, early Record
		if late.Add(clock, space, h, middle, to) != nil || early.Add(clock, space, h, from, middle) != nil || late.Merge(&early) != nil {
			t.Fatal("parts are refused")
		}
		if !slices.Equal(late.Exposure.count, got.Exposure.count) || !slices.Equal(late.Exposure.index, got.Exposure.index) {
			t.Error("parts do not add up to the whole")
		}
	}
}

func same(t *testing.T, what string, got *Cells, want map[uint16]uint32) {
	t.Helper()
	if got.Len() != len(want) {
		t.Errorf("%s: %d cells, want %d", what, got.Len(), len(want))
	}
	for i, cell := range got.index {
		if got.count[i] != want[cell] {
			t.Errorf("%s: cell %d: %d, want %d", what, cell, got.count[i], want[cell])
		}
	}
}

func FuzzCells(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte("AAICBQ=="))
	f.Fuzz(func(t *testing.T, text []byte) {
		var c Cells
		if c.UnmarshalText(text) != nil {
			return
		}
		again, err := c.MarshalText()
		var d Cells
		if err != nil || d.UnmarshalText(again) != nil || !slices.Equal(c.index, d.index) || !slices.Equal(c.count, d.count) {
			t.Errorf("%q comes back as %q", text, again)
		}
	})
}
