package bags

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A wanted design is a bag on machines that are drawn, with a deadline and a cloud.
type wanted struct {
	c        *bot.Case
	q        *FinishQuestion
	by, with float64
}

// drawnWanted draws a bag of equal tasks, half a task to eight for each machine, on machines that
// stay for one to eleven hours, to be done by a time between the least possible and the 95 % point.
func drawnWanted(t *testing.T, r *rand.Rand) wanted {
	t.Helper()
	pick := func(of ...float64) float64 { return of[r.IntN(len(of))] }
	between := func(low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }
	for {
		machines, stay := math.Round(between(60, 400)), between(3600, 40_000)
		var up law.Law = law.Exponential{Scale: stay}
		if r.IntN(2) == 0 {
			up = law.Weibull{Shape: 0.7, Scale: stay}
		}
		b := bags.Bag{
			Size: bags.Spread{Mean: math.Round(machines * between(0.5, 8))},
			Work: bags.Spread{Mean: between(3, 60) * 60_000},
		}
		p := &hosts.Platform{
			Count: int(machines),
			Up:    up,
			Down:  law.Exponential{Scale: between(600, 10_000)},
			Speed: hosts.Speed{Mean: 1000, SD: 1000 * pick(0, 0.1, 0.25)},
		}
		server := []bags.Server{bags.XWHEP, bags.BOINC, bags.Checkpoint}[r.IntN(3)]
		speed, boot, with := pick(1000, 3000, 6000), pick(60, 120, 300), pick(0.9, 0.95, 0.99)
		l, err := bags.Finish(&bags.Setup{Bag: b, Hosts: p, Server: server})
		if err != nil {
			t.Fatal(err)
		}
		by := math.Round(l.Ideal + r.Float64()*(l.Quantile(0.95)-l.Ideal))
		if by > 0 && !math.IsInf(by, 1) && l.Chance(by) < with {
			return wantedOf(b, p, server, speed, boot, by, with)
		}
	}
}

func wantedOf(b bags.Bag, p *hosts.Platform, server bags.Server, speed, boot, by, with float64) wanted {
	return wanted{
		&bot.Case{Bag: b, Hosts: p, Server: server, Credits: 1e12,
			Cloud: bot.Cloud{Speed: hosts.Speed{Mean: speed}, Boot: boot}},
		&FinishQuestion{Bag: &b, Hosts: p, Server: server.String(), By: &by, With: &with, CloudSpeed: &speed, Boot: &boot},
		by, with,
	}
}

// inTime is the share of runs in which the design of finish is in time; ok is false where it has
// none.
func (w wanted) inTime(t *testing.T, seed uint64, runs int) (share float64, d *Design, ok bool) {
	t.Helper()
	a, err := Done(context.Background(), w.q)
	var none *ask.InfeasibleError
	if errors.As(err, &none) || err == nil && a.Design.Workers == 0 {
		return 0, nil, false
	}
	if err != nil {
		t.Fatal(err)
	}
	strategy := bot.StrategyOf(bags.Help{Start: a.Design.Start, Workers: a.Design.Workers}, spequlos.Reschedule)
	w.c.Strategy = &strategy
	for i := range runs {
		o, err := bot.Simulate(w.c, func(e ...uint64) *rand.Rand { return sim.Stream(seed, i, e...) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		if o.Done() && o.End <= w.by {
			share += 1 / float64(runs)
		}
	}
	return share, a.Design, true
}

// told is with which chance a design is told to be in time.
func (d *Design) told() float64 {
	if d.Judged != nil {
		return d.Judged.Chance
	}
	return d.Chance
}

// Designs of finish are late no more often than chance leaves open, and where it was told no more
// than that they are in time about as often. Before those of few waves were judged (see
// wavesInDoubt), and the law of machines that are done together knew it, 8 of 397 were late, one
// in time in 58 % of its runs where 90 % were wanted.
func TestMostDrawnDesignsHold(t *testing.T) {
	longtest.Skip(t)
	const draws, runs = 400, 100
	r := rand.New(rand.NewPCG(31, 1123))
	late, wrong, judged, most, worst := 0, 0, 0, 0, 1.0
	for n := range draws {
		w := drawnWanted(t, r)
		if !longtest.Chosen(n, 16) {
			continue
		}
		share, d, ok := w.inTime(t, uint64(40_000+n), runs)
		if !ok {
			continue
		}
		most++
		if d.Judged != nil {
			judged++
		}
		done := math.Round(share * runs)
		isLate := distuv.Binomial{N: runs, P: w.with}.CDF(done) < 0.01
		// Told by 100 runs the chance itself is as uncertain as the share.
		told := d.told()
		sd := math.Sqrt(max(told*(1-told), share*(1-share), 0.01) / runs * 2)
		isWrong := told-share > max(0.1, 3*sd)
		if isLate {
			late++
		}
		if isWrong {
			wrong++
		}
		if isLate || isWrong {
			worst = min(worst, share/w.with)
			t.Logf("%d: %v, %.0f tasks of %.1f min on %d machines by %.0f s: %d from %v in time in %.2f of %.2f, told %.3f, judged %v",
				n, w.q.Server, w.q.Bag.Size.Mean, w.q.Bag.Work.Mean/60_000, w.q.Hosts.Count, w.by, d.Workers, d.Start, share,
				w.with, told, d.Judged)
		}
	}
	t.Logf("of %d designs, %d judged, %d are late, with a chance of 1%% at most if they were not, the worst in time in %.2f of what was wanted, %d told wrongly",
		most, judged, late, worst, wrong)
	if late > most/100 || worst < 0.8 || wrong > 0 {
		t.Errorf("%d and %d of %d are late or told wrongly, in time in %.2f of what was wanted", late, wrong, most, worst)
	}
}
