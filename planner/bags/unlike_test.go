package bags

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// leaving are machines over a day of which the first leave often, for some minutes each time.
func leaving(machines, often int) *hosts.Platform {
	p := &hosts.Platform{Name: "leaving", Speed: hosts.Speed{Mean: 1000, SD: 250}}
	for i := range machines {
		r, record := sim.Stream(5, i), hosts.Record{Span: 86400, Changes: []float64{0}}
		for at := 0.0; i < often; {
			left := at + 300 + 600*r.ExpFloat64()
			at = left + 300 + 300*r.ExpFloat64()
			if at >= record.Span {
				break
			}
			record.Changes = append(record.Changes, left, at)
		}
		p.Records = append(p.Records, record)
	}
	return p
}

// Where a few recorded machines leave again and again and the others never the law is drawn: the
// formula takes each stay for one of any machine, and is off.
func TestUnlikeMachinesAreDrawn(t *testing.T) {
	p := leaving(78, 4)
	b := &bags.Bag{Name: "tasks", Size: bags.Spread{Mean: 1444}, Work: bags.Spread{Mean: 6e5}}
	a, err := Done(context.Background(), &FinishQuestion{Bag: b, Hosts: p, Replications: 100, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	f, err := bags.Finish(&bags.Setup{Bag: *b, Hosts: p})
	if err != nil {
		t.Fatal(err)
	}
	want := *a.Simulation.Finish.P50.Mean
	t.Logf("%d drawn: median %.0f s, formula %.0f s, simulated %.0f s", a.Drawn, *a.Finish.P50, f.Quantile(0.5), want)
	if a.Drawn == 0 || math.Abs(*a.Finish.P50/want-1) > 0.05 {
		t.Errorf("%d drawn: median %.0f s, simulated %.0f s", a.Drawn, *a.Finish.P50, want)
	}
	if off := f.Quantile(0.5)/want - 1; off < 0.05 {
		t.Errorf("the median of the formula is %.3f off: it need not be drawn", off)
	}
	if unlike(leaving(78, 78)) || unlike(leaving(78, 0)) {
		t.Error("machines of one kind are called unlike")
	}
}

// Equal machines are not called unlike because their times up vary: by a coefficient of variation of 1.6 here.
func TestEqualMachinesAreAlike(t *testing.T) {
	up, down := law.Weibull{Shape: 0.65, Scale: 7200}, law.Exponential{Scale: 60}
	for seed := range longtest.Of(20, 500) {
		if unlike(recorded(up, down, 78, 10*86400, seed)) {
			t.Errorf("seed %d: equal machines are called unlike", seed)
		}
	}
}

// recorded are equal machines over a span of s.
func recorded(up law.Weibull, down law.Exponential, machines int, span float64, seed int) *hosts.Platform {
	p := &hosts.Platform{Name: "equal", Speed: hosts.Speed{Mean: 1000}}
	for i := range machines {
		r, record := sim.Stream(17, seed, uint64(i)), hosts.Record{Span: span, Changes: []float64{0}}
		for at := up.Draw(r); at < span; at += up.Draw(r) {
			record.Changes = append(record.Changes, at)
			if at += down.Draw(r); at < span {
				record.Changes = append(record.Changes, at)
			}
		}
		p.Records = append(p.Records, record)
	}
	return p
}
