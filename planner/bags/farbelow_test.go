package bags

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim/bot"
)

// drawnFarBelow draws a bag of hundreds of tasks for each machine, to be done by a deadline of a 50th to a 2,000th of
// the time that it takes without help, in which a worker has time for three tasks at least.
func drawnFarBelow(r *rand.Rand) wanted {
	pick := func(of ...float64) float64 { return of[r.IntN(len(of))] }
	between := func(low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }
	for {
		machines := math.Round(between(10, 60))
		b := bags.Bag{
			Size: bags.Spread{Mean: math.Round(machines * between(60, 400))},
			Work: bags.Spread{Mean: between(10, 60) * 60_000},
		}
		p := &hosts.Platform{
			Count: int(machines),
			Up:    law.Exponential{Scale: between(3600, 40_000)},
			Down:  law.Exponential{Scale: between(600, 10_000)},
			Speed: hosts.Speed{Mean: 1000, SD: 1000 * pick(0, 0.1, 0.25)},
		}
		server := []bags.Server{bags.XWHEP, bags.BOINC, bags.Checkpoint}[r.IntN(3)]
		speed, boot, with := pick(3000, 6000, 30_000), pick(0, 120), pick(0.9, 0.95, 0.99)
		by := math.Round(b.Size.Mean / machines * b.Work.Mean / 1000 / between(50, 2000))
		if by < boot+60+3*b.Work.Mean/speed {
			continue
		}
		return wantedOf(b, p, server, speed, boot, by, with)
	}
}

// Help is found for deadlines far below the time that a bag takes without it, and is in time.
func TestDrawnDeadlinesFarBelow(t *testing.T) {
	const runs = 20
	r := rand.New(rand.NewPCG(28, 11))
	late := 0
	for n := range longtest.Of(2, 5) {
		w := drawnFarBelow(r)
		share, d, ok := w.inTime(t, uint64(50_000+n), runs)
		if inTime := (distuv.Binomial{N: runs, P: w.with}); ok && inTime.CDF(math.Round(share*runs)) >= 0.01 {
			continue
		}
		late++
		t.Logf("%d: %v, %.0f tasks of %.1f min on %d machines by %.0f s: %+v, in time in %.2f of %.2f", n, w.q.Server,
			w.q.Bag.Size.Mean, w.q.Bag.Work.Mean/60_000, w.q.Hosts.Count, w.by, d, share, w.with)
	}
	if late > 0 {
		t.Errorf("%d designs are late, or there is none", late)
	}
}

// So it is where runs take too long for help to be judged by them. In cells of the law without help, of up to two days
// each, there was none for the first, and for the second a tenth more workers than are needed. Help from the beginning
// was simulated from when a thousandth of the tasks were given out on: six hours after it on two machines.
func TestDeadlineFarBelowTheBag(t *testing.T) {
	const runs = 5
	for _, x := range []struct {
		machines    int
		by          float64 // h
		least, most int
	}{{2, 30, 180, 205}, {50, 9, 600, 650}} {
		by, with := 3600*x.by, 0.95
		b := &bags.Bag{Size: bags.Spread{Mean: 50_000}, Work: bags.Spread{Mean: 1.2e6}}
		p := &hosts.Platform{Count: x.machines, Speed: hosts.Speed{Mean: 1000, SD: 250}}
		w := wanted{&bot.Case{Bag: *b, Hosts: p, Credits: 1e12, Cloud: bot.Cloud{Boot: 120}},
			&FinishQuestion{Bag: b, Hosts: p, By: &by, With: &with}, by, with}
		share, d, ok := w.inTime(t, 1, runs)
		if !ok || d.Workers < x.least || d.Workers > x.most || d.Start > 0 || share < 1 {
			t.Errorf("%d machines by %v h: %+v, found %v, in time in %.2f of the runs, want %d to %d workers from the start",
				x.machines, x.by, d, ok, share, x.least, x.most)
		}
	}
}
