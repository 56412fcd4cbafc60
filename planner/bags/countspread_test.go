package bags_test

import (
	"context"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/bags"
)

// Machines that leave for good are fewer and fewer: their number spreads about the mean of the runs, which is as little
// that of the start as the mean is.
func TestCountSpreadsAboutItsMean(t *testing.T) {
	p := &hosts.Platform{Count: 200, Up: law.Exponential{Scale: 2 * 86400}, Down: law.Exponential{Scale: 86400},
		Departure: 0.1, Speed: hosts.Speed{Mean: 1}}
	horizon := 4 * 86400.0
	a, err := bags.Hosts(context.Background(), &bags.HostsQuestion{Hosts: p, Horizon: &horizon, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	// Of 6000 runs the deviation is 8.089; about the mean of the start it would be 10.25.
	if sd := a.Simulated.SD; !(*sd.Low < 8.09 && *sd.High > 8.09 && *sd.High < 9.5) {
		t.Errorf("standard deviation %.3f, %.3f to %.3f, want 8.09", *sd.Mean, *sd.Low, *sd.High)
	}
}

// A machine that is there throughout all runs does not spread there, and squares about the mean of the law leave no
// rounding; how much it spreads at most the runs do not tell.
func TestCountOfNoneAway(t *testing.T) {
	p := &hosts.Platform{Count: 1, Up: law.Exponential{Scale: 900 * 86400}, Down: law.Exponential{Scale: 1},
		Speed: hosts.Speed{Mean: 1}}
	a, err := bags.Hosts(context.Background(), &bags.HostsQuestion{Hosts: p, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if s := a.Simulated; *s.Mean.Mean != 1 || *s.SD.Mean != 0 || s.SD.High != nil {
		t.Errorf("a mean of %v with a standard deviation of %v up to %v, want 0 up to null",
			*s.Mean.Mean, *s.SD.Mean, s.SD.High)
	}
}

// Of the intervals of the deviation from 30 runs, the default, 94 % hold what it is by the law, and 92 % do
// where five machines are away once in ten days; of ten runs 93 % and 89 %, of a hundred 95 % and 93 %.
func TestCountSpreadCovers(t *testing.T) {
	e := func(m float64) law.Law { return law.Exponential{Scale: m} }
	const seeds = 400
	all := 0
	for _, c := range []struct {
		p    hosts.Platform
		days float64
	}{
		{hosts.Platform{Count: 40, Up: e(3600), Down: e(3600)}, 1},
		{hosts.Platform{Count: 10, Up: e(2 * 86400), Down: e(86400)}, 4},
		{hosts.Platform{Count: 5, Up: e(9 * 86400), Down: e(86400)}, 10},
		{hosts.Platform{Count: 1, Up: e(9 * 86400), Down: e(86400)}, 10},
		{hosts.Platform{Count: 20, Up: e(86400), Down: e(86400),
			Groups: hosts.Groups{Count: 1, Up: e(86400), Down: e(8 * 3600)}}, 4},
	} {
		c.p.Speed.Mean = 1
		_, want := c.p.Present()
		horizon := c.days * 86400
		held := 0
		for seed := range uint64(seeds) {
			q := &bags.HostsQuestion{Hosts: &c.p, Horizon: &horizon, Seed: seed + 1}
			a, err := bags.Hosts(context.Background(), q)
			if err != nil {
				t.Fatal(err)
			}
			if s := a.Simulated.SD; *s.Low <= want && (s.High == nil || want <= *s.High) {
				held++
			}
		}
		t.Logf("%d machines: %d of %d", c.p.Count, held, seeds)
		if all += held; held < seeds*88/100 || held > seeds*98/100 {
			t.Errorf("%d machines: %d of %d intervals hold the deviation", c.p.Count, held, seeds)
		}
	}
	if all < 5*seeds*92/100 {
		t.Errorf("%d of %d intervals hold the deviation", all, 5*seeds)
	}
}
