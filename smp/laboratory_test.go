package smp

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/longtest"
)

// labelled returns the states of a machine of a laboratory.
func (l Laboratory) labelled(t *testing.T, m int) ([]Sample, *History) {
	t.Helper()
	samples, err := l.Machine(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Thresholds().Resolve()
	if err != nil {
		t.Fatal(err)
	}
	h, _, err := Label(p, samples)
	if err != nil {
		t.Fatal(err)
	}
	return samples, h
}

// What iShare prints of its laboratory, and how near a generated one comes: the
// bounds are what the model was fitted to, no more than the rounding of the
// least of two seeds.
func TestLaboratoryMeetsThePaper(t *testing.T) {
	for _, seed := range longtest.Of([]uint64{1}, []uint64{1, 2}) {
		l := Laboratory{Seed: seed}
		machines, _, err := l.Size()
		if err != nil || machines != 20 {
			t.Fatalf("%d machines, %v, want 20", machines, err)
		}
		var steps [5]int64
		var all int64
		var short, failures [5]int
		var up, between [2]float64 // weekday, weekend
		var spells [2]int
		least, most := math.MaxInt, 0
		for m := range machines {
			_, h := l.labelled(t, m)
			for _, r := range h.Runs {
				steps[r.State] += r.Steps
				all += r.Steps
			}
			count := 0
			for _, v := range Spells(FiveStates(), h.Runs) {
				length := float64(v.Steps) * h.Period
				if v.State != Up {
					count++
					failures[v.State]++
					if length < 300 {
						short[v.State]++
					}
					continue
				}
				if v.Cut {
					continue
				}
				kind := 0
				if d := time.Unix(v.First*int64(h.Period), 0).UTC().Weekday(); d == time.Saturday || d == time.Sunday {
					kind = 1
				}
				spells[kind]++
				up[kind] += length / 3600
				if from := 2 + 2*float64(kind); length >= from*3600 && length <= (from+2)*3600 {
					between[kind]++
				}
			}
			least, most = min(least, count), max(most, count)
		}
		near := func(what string, got, want, within float64) {
			t.Helper()
			if !(math.Abs(got-want) <= within) {
				t.Errorf("seed %d: %s is %.4g, the paper prints %v, want within %v", seed, what, got, want, within)
			}
		}
		// Table 2.
		for s, want := range []float64{0.558, 0.066, 0.259, 0.092, 0.023} {
			near("the share of "+FiveStates().Names[s], float64(steps[s])/float64(all), want, 0.01)
		}
		// Table 3: 405 to 453 by machine, 283 to 356 by load, 83 to 121 by
		// memory, 3 to 12 gone: the middle of each, as a mean over machines.
		n := float64(machines)
		near("the least count", float64(least), 405, 20)
		near("the greatest count", float64(most), 453, 20)
		near("failures by load", float64(failures[S3])/n, 319.5, 15)
		near("failures by memory", float64(failures[S4])/n, 102, 8)
		near("times gone", float64(failures[S5])/n, 7.5, 2)
		// Figure 6: "close to 3 h", "above 5 h", "about 60 %" of either between
		// 2 and 4 h or 4 and 6 h, about 60 % of failures under 5 min.
		near("the mean spell on weekdays (h)", up[0]/float64(spells[0]), 3, 0.3)
		near("the mean spell on weekends (h)", up[1]/float64(spells[1]), 5, 0.3)
		near("the share of 2 to 4 h", between[0]/float64(spells[0]), 0.6, 0.1)
		near("the share of 4 to 6 h", between[1]/float64(spells[1]), 0.6, 0.25)
		near("the share under 5 min", float64(short[S3]+short[S4]+short[S5])/float64(failures[S3]+failures[S4]+failures[S5]), 0.6, 0.06)
	}
}

// Each machine is down through the half hour after 4:00, on every day.
func TestLaboratoryIndexesAtFour(t *testing.T) {
	l := Laboratory{Machines: 3, Days: 14, Seed: 5}
	for m := range 3 {
		_, h := l.labelled(t, m)
		for day := range 14 {
			from := l.filled().Begin.Unix()/30 + int64(day)*2880 + 480
			for _, r := range h.Runs {
				if r.State <= S2 && r.First < from+60 && r.End() > from {
					t.Errorf("machine %d is free between 4:00 and 4:30 of day %d", m, day)
				}
			}
		}
	}
}

// A machine's samples depend on the seed and its number alone, and lie in the
// domain of samples.
func TestLaboratoryIsAFunctionOfItsSeed(t *testing.T) {
	ctx := context.Background()
	few, err := Laboratory{Machines: 2, Days: 3, Seed: 9}.Machine(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	many, err := Laboratory{Machines: 40, Days: 3, Seed: 9}.Machine(ctx, 1)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(few, many) {
		t.Error("the number of machines changes what one does")
	}
	for seed, m := range map[uint64]int{9: 0, 10: 1} {
		if other, _ := (Laboratory{Machines: 2, Days: 3, Seed: seed}).Machine(ctx, m); slices.Equal(few, other) {
			t.Errorf("seed %d, machine %d is the same as seed 9, machine 1", seed, m)
		}
	}
	for i, s := range few {
		if s.Load < 0 || s.Load > 1 || s.FreeMemory <= 0 || s.Down || i > 0 && s.Time <= few[i-1].Time {
			t.Fatalf("sample %d: %+v", i, s)
		}
	}
}

func TestLaboratoryRefuses(t *testing.T) {
	ctx := context.Background()
	for _, l := range []Laboratory{{Machines: -1}, {Machines: min(1<<40, math.MaxInt)}, {Days: -3}, {Days: math.MaxInt}, {Period: math.NaN()}, {Period: 1e-300}, {Period: math.Inf(1)}} {
		var domain *DomainError
		if _, err := l.Machine(ctx, 0); !errors.As(err, &domain) {
			t.Errorf("%+v: %v, want a *DomainError", l, err)
		}
	}
	for _, m := range []int{-1, 20} {
		if _, err := (Laboratory{}).Machine(ctx, m); err == nil {
			t.Errorf("machine %d of 20 is there", m)
		}
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := (Laboratory{}).Machine(stopped, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// A path by hand: 0 and 1 are free, 2 and 3 are failures; the record breaks off
// for two steps after step 9.
func TestSpells(t *testing.T) {
	runs := []Run{{S1, 0, 2}, {S2, 2, 1}, {S3, 3, 2}, {S4, 5, 1}, {S1, 6, 4}, {S1, 12, 3}, {S5, 15, 2}}
	want := []Spell{
		{Up, 0, 3, true},
		{S3, 3, 2, false},
		{S4, 5, 1, false},
		{Up, 6, 4, true},
		{Up, 12, 3, true},
		{S5, 15, 2, true},
	}
	if got := Spells(FiveStates(), runs); !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := Spells(FiveStates(), nil); len(got) != 0 {
		t.Errorf("no runs give %+v", got)
	}
}
