package bags

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// Help where the law is drawn knows of the runs when results were given out, and follows them
// in groups so small that their mean is not too certain: of 120 machines in four groups under
// BOINC 96 % were promised by 17,000 s and 25 % of 150 runs in time, and with groups of 19 runs
// 85 of 100.
func TestHelpOfDrawnLaws(t *testing.T) {
	runs := longtest.Of(60, 300)
	p := &hosts.Platform{
		Count: 120, Up: law.Exponential{Scale: 6 * 3600}, Down: law.Exponential{Scale: 3600},
		Speed:  hosts.Speed{Mean: 1000, SD: 250},
		Groups: hosts.Groups{Count: 4, Up: law.Exponential{Scale: 86400}, Down: law.Exponential{Scale: 7200}},
	}
	b := &bags.Bag{Name: "tasks", Size: bags.Spread{Mean: 639}, Work: bags.Spread{Mean: 1.182e6}}
	for _, by := range longtest.Of([]float64{17000}, []float64{17000, 20000, 24000}) {
		a, err := Done(context.Background(), &FinishQuestion{
			Bag: b, Hosts: p, Server: "boinc", By: &by, Replications: runs, Seed: 4242})
		if err != nil {
			t.Fatal(err)
		}
		chance, hours := *a.Simulation.Chance, *a.Simulation.Hours.Mean
		t.Logf("by %v s: %+v, %d drawn, in time %.3f, %.1f hours", by, *a.Design, a.Drawn, chance, hours)
		if low := 0.95 - 3*math.Sqrt(0.95*0.05/float64(runs)); a.Drawn == 0 || chance < low {
			t.Errorf("by %v s: %d drawn, in time %.3f, wanted 0.95", by, a.Drawn, chance)
		}
		if math.Abs(hours/a.Design.Hours-1) > 0.1 {
			t.Errorf("by %v s: %.1f hours, told %.1f", by, hours, a.Design.Hours)
		}
	}
}
