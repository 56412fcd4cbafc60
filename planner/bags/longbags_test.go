package bags

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/units"
)

// A bag of tasks a hundred times as long, on machines that stay a hundred times as long, takes a
// hundred times as long, but for the minutes that a server takes to notice. Runs were given up
// after 100 days: such bags were "hardly ever done", and help for them was refused as infeasible.
func TestLongBags(t *testing.T) {
	const longer = 100
	ask := func(s *HostsSpec, tasks, hours, by float64) *FinishAnswer {
		t.Helper()
		p, err := s.Platform()
		if err != nil {
			t.Fatal(err)
		}
		b, err := (&BagSpec{Tasks: new(units.Count(tasks)), TaskTime: new(units.Duration(hours * 3600))}).Make(p)
		if err != nil {
			t.Fatal(err)
		}
		q := &FinishQuestion{Bag: b, Hosts: p, Replications: 10, Seed: 1}
		if by > 0 {
			q.By = new(by * 3600)
		}
		a, err := Done(context.Background(), q)
		if err != nil {
			t.Fatalf("%v tasks of %v h: %v", tasks, hours, err)
		}
		return a
	}
	few := func(up, down string) *HostsSpec { return &HostsSpec{Count: new(units.Count(3)), Up: up, Down: down} }
	long, short := ask(few("10000h", "100h"), 5, 5000, 0), ask(few("100h", "1h"), 5, 50, 0)
	for _, q := range []struct {
		name        string
		long, short *float64
	}{
		{"median", long.Finish.P50, short.Finish.P50},
		{"95 % point", long.Finish.P95, short.Finish.P95},
		{"simulated median", long.Simulation.Finish.P50.Mean, short.Simulation.Finish.P50.Mean},
	} {
		if q.long == nil || math.Abs(*q.long/longer / *q.short - 1) > 0.02 {
			t.Errorf("five long tasks on three machines: %s %v, a hundredth of them %v", q.name, q.long, *q.short)
		}
	}
	five := &HostsSpec{Count: new(units.Count(5))}
	long, short = ask(five, 300, 10000, 60000), ask(five, 300, 100, 600)
	if l, s := long.Design, short.Design; l == nil || s == nil || math.Abs(float64(l.Workers)/float64(s.Workers)-1) > 0.05 {
		t.Errorf("help for long tasks: %+v, a hundredth of them %+v", l, s)
	}
}
