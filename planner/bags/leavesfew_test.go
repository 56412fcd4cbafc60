package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim/bot"
)

// leaver is a bag of so many hours of work for each machine that is up, on machines a tenth of whose stays are their
// last.
func leaver(machines int, hours float64) *bot.Case {
	p := &hosts.Platform{Name: "leavers", Count: machines, Up: law.Exponential{Scale: 8 * 3600},
		Down: law.Exponential{Scale: 3600}, Speed: hosts.Speed{Mean: 1000}, Departure: 0.1}
	tasks := hours * 3600 / 600 * float64(machines) * p.Availability()
	return &bot.Case{Server: bot.XWHEP, Hosts: p,
		Bag: bags.Bag{Name: "work", Size: bags.Spread{Mean: tasks}, Work: bags.Spread{Mean: 6e5}}}
}

// Where few machines are left at the end the 95 % point of the formula is far too early, or there is none in runs;
// where enough are it is within a tenth.
func TestFewMachinesRemain(t *testing.T) {
	for _, k := range longtest.Of([]struct {
		machines int
		hours    float64
	}{{50, 70}, {100, 40}}, []struct {
		machines int
		hours    float64
	}{{50, 70}, {200, 80}, {100, 40}, {200, 40}, {200, 60}}) {
		c := leaver(k.machines, k.hours)
		off, open := beside(t, c, longtest.Of(200, 400), 0.95)
		t.Logf("%d machines, %v h each: the 95 %% point is %+.1f %% off, ±%.1f %%, few remain: %v",
			k.machines, k.hours, 100*off, 100*open, leavesFew(c))
		if leavesFew(c) != (k.hours > 65) {
			t.Errorf("%d machines, %v h each: few remain: %v", k.machines, k.hours, leavesFew(c))
		}
		if leavesFew(c) && off > -0.3 {
			t.Errorf("%d machines, %v h each: the 95 %% point is %+.3f off: it need not be drawn", k.machines, k.hours, off)
		}
		if !leavesFew(c) && math.Abs(off) > 0.1+open {
			t.Errorf("%d machines, %v h each: the 95 %% point is %+.3f ± %.3f off", k.machines, k.hours, off, open)
		}
	}
}
