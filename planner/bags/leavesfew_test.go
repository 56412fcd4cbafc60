package bags

import (
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
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

// A bag that its machines do not finish before they are gone for good is done by help, which does what they
// leave: each design has the hours for it. Such questions ended in a panic, and bags of nine tenths of that work
// and more had no help that was in time, or help that began after the machines were gone.
func TestHelpWhereMachinesAreGone(t *testing.T) {
	for _, server := range longtest.Of([]string{"xwhep"}, []string{"xwhep", "boinc"}) {
		for _, share := range longtest.Of([]float64{0.97, 1.001, 2},
			[]float64{0.9, 0.95, 0.97, 0.99, 0.999, 0.99999, 1.001, 1.1, 2, 20, 100}) {
			// 50 machines with a hundredth of their stays of 4 h the last do the work of 40 for 500 h.
			p := &hosts.Platform{Name: "leavers", Count: 50, Up: law.Exponential{Scale: 4 * 3600},
				Down: law.Exponential{Scale: 3600}, Speed: hosts.Speed{Mean: 1000}, Departure: 0.01}
			tasks := math.Round(share * 40 * 500 * 3)
			for _, by := range []float64{10 * 86400, 90 * 86400} {
				a, err := Done(t.Context(), &FinishQuestion{Bag: &bags.Bag{Name: "tasks", Size: bags.Spread{Mean: tasks},
					Work: bags.Spread{Mean: 1200 * 1000}}, Hosts: p, Server: server, By: &by})
				if errors.Is(err, ask.ErrInfeasible) {
					t.Errorf("%s, %v of the work by %v s: %v", server, share, by, err)
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				theirs := 60_000 * -math.Expm1(-by/(500*3600))
				if least := (tasks - theirs) * 1200 / 3 / 3600; a.Design.Hours < 0.8*least {
					t.Errorf("%s, %v of the work by %v s: %v hours, %v are missing", server, share, by, a.Design.Hours, least)
				}
			}
		}
	}
}
