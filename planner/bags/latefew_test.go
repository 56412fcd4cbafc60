package bags

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// Few tasks that arrive late under BOINC are drawn: by the formula their median is far off, see
// TestFormulaWhereItIsDrawn.
func TestFewLateTasksAreDrawn(t *testing.T) {
	p, _ := NamedHosts("spot10")
	for i, n := range []float64{20, 45, 80} {
		b := &bags.Bag{Name: "late", Size: bags.Spread{Mean: n}, Work: bags.Spread{Mean: 1.5e5},
			Arrival: law.Weibull{Shape: 0.57, Scale: 100}}
		a, err := Done(context.Background(), &FinishQuestion{
			Bag: b, Hosts: p, Server: "boinc", Replications: 200, Seed: uint64(i + 1)})
		if err != nil {
			t.Fatal(err)
		}
		got, want := *a.Finish.P50, *a.Simulation.Finish.P50.Mean
		t.Logf("%v tasks: %d drawn, median %.0f s, simulated %.0f s", n, a.Drawn, got, want)
		if a.Drawn == 0 || got < 0.88*want || got > 1.12*want {
			t.Errorf("%v tasks: %d drawn, median %.0f s, simulated %.0f s", n, a.Drawn, got, want)
		}
	}
}

// Tasks under BOINC that are listed with their arrivals are drawn: the last of them each wait for
// a machine that asks, and by the formula 1000 such tasks of 20 s were done 2 % to 28 % early at
// their 95 % point, before a machine was counted to work from the beginning on 24 % late.
func TestListedTasksAreDrawn(t *testing.T) {
	for i, name := range longtest.Of([]string{"nd"}, []string{"nd", "spot10", "g5kgre", "spot100"}) {
		p, _ := NamedHosts(name)
		r, arrival := sim.Stream(3, i), law.Weibull{Shape: 0.57, Scale: 92}
		b := &bags.Bag{Name: "listed", Tasks: []bags.Task{{Work: 2e4}}}
		for range 999 {
			at, err := arrival.Quantile(r.Float64())
			if err != nil {
				t.Fatal(err)
			}
			b.Tasks = append(b.Tasks, bags.Task{Arrival: at, Work: 2e4})
		}
		a, err := Done(context.Background(), &FinishQuestion{
			Bag: b, Hosts: p, Server: "boinc", Replications: longtest.Of(60, 400), Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		got, want := *a.Finish.P50, *a.Simulation.Finish.P50.Mean
		t.Logf("%s: %d drawn, median %.0f s, simulated %.0f s", name, a.Drawn, got, want)
		if a.Drawn == 0 || math.Abs(got/want-1) > longtest.Of(0.1, 0.05) {
			t.Errorf("%s: %d drawn, median %.0f s, simulated %.0f s", name, a.Drawn, got, want)
		}
	}
}

// Under BOINC the last results of a bag are out on machines that are gone for good, and wait
// a day. The formula knows of it, but its help was not held against runs.
func TestOverdueResultsAreDrawn(t *testing.T) {
	p, _ := NamedHosts("nd")
	p.Departure = 0.05
	b := &bags.Bag{Name: "overdue", Size: bags.Spread{Mean: 400}, Work: bags.Spread{Mean: 2e6}}
	a, err := Done(context.Background(), &FinishQuestion{
		Bag: b, Hosts: p, Server: "boinc", Replications: 200, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want, off float64 }{
		{*a.Finish.P50, *a.Simulation.Finish.P50.Mean, 0.1},
		{*a.Finish.P95, *a.Simulation.Finish.P95.Mean, 0.2},
	} {
		t.Logf("%d drawn: %.0f s, simulated %.0f s", a.Drawn, c.got, c.want)
		if a.Drawn == 0 || c.got < (1-c.off)*c.want || c.got > (1+c.off)*c.want {
			t.Errorf("%d drawn: %.0f s, simulated %.0f s", a.Drawn, c.got, c.want)
		}
	}
}

// beside is by which share the formula is off at a chance, beside so many drawn runs, and two
// standard errors of that.
func beside(t *testing.T, c *bot.Case, runs int, p float64) (off, open float64) {
	t.Helper()
	drawn, ok, err := bot.Draw(context.Background(), c, bot.Drawing{Seed: 11, Effort: 1e12, Least: runs, Most: runs})
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	of, err := bags.FromRuns(&c.Bag, drawn)
	if err != nil {
		t.Fatal(err)
	}
	f, err := bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server})
	if err != nil {
		t.Fatal(err)
	}
	sd := math.Sqrt(p * (1 - p) / float64(runs))
	at := of.Quantile(p)
	return f.Quantile(p)/at - 1, (of.Quantile(p+2*sd) - of.Quantile(p-2*sd)) / (2 * at)
}

// How far the formula is off where the law is drawn in its place is what comments and warnings
// say, and beyond it is as near as elsewhere. So it is where machines leave for good under BOINC: it
// had left out that results on these wait for their deadline, and was up to 88 % early.
func TestFormulaWhereItIsDrawn(t *testing.T) {
	runs := longtest.Of(100, 400)
	spot, _ := NamedHosts("spot10")
	most := 0.0
	for _, n := range longtest.Of([]float64{30, 300}, []float64{15, 20, 30, 45, 65, 80, 150, 300}) {
		c := &bot.Case{Server: bot.BOINC, Hosts: spot, Bag: bags.Bag{
			Size: bags.Spread{Mean: n}, Work: bags.Spread{Mean: 1.5e5}, Arrival: law.Weibull{Shape: 0.57, Scale: 100}}}
		off, open := beside(t, c, runs, 0.5)
		t.Logf("%v tasks: the median is %+.1f %% off, ±%.1f %%, drawn: %v", n, 100*off, 100*open, lateAndFew(c))
		bound := 0.05
		if lateAndFew(c) {
			bound = lateAndFewOff
		}
		if math.Abs(off) > bound+open {
			t.Errorf("%v tasks: the median is %+.3f ± %.3f off, told %.2f", n, off, open, bound)
		}
		most = max(most, math.Abs(off)+open)
	}
	if most < lateAndFewOff {
		t.Errorf("the median is %.2f off at most, told %.2f", most, lateAndFewOff)
	}
	for _, departure := range longtest.Of([]float64{0.1}, []float64{0.02, 0.05, 0.1}) {
		for _, n := range longtest.Of([]float64{200}, []float64{200, 400, 800}) {
			p, _ := NamedHosts("nd")
			p.Departure = departure
			c := &bot.Case{Server: bot.BOINC, Hosts: p, Bag: bags.Bag{
				Size: bags.Spread{Mean: n}, Work: bags.Spread{Mean: 2e6}}}
			off, open := beside(t, c, runs, 0.95)
			t.Logf("departure %v, %v tasks: the 95 %% point is %+.1f %% off, ±%.1f %%", departure, n, 100*off, 100*open)
			if math.Abs(off) > 0.1+open {
				t.Errorf("departure %v, %v tasks: the 95 %% point is %+.3f ± %.3f off", departure, n, off, open)
			}
		}
	}
}
