package bags

import (
	"context"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/law"
)

// Few tasks that arrive late under BOINC are drawn: their median was up to 78 % off by the
// formula.
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

// Under BOINC the last results of a bag are out on machines that are gone for good, and wait
// a day: by the formula the 95 % point was 81 % early.
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
