package simulate

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/sim/station"
)

// A queue that was not planned as a whole is said, in words and in numbers, and one that was is not.
func TestQueueTooLongToPlan(t *testing.T) {
	jobs := make([]station.Job, 400)
	for i := range jobs {
		jobs[i] = station.Job{At: float64(i), Length: 20, Estimate: 50, Width: 1 + i%7}
	}
	for _, steps := range []float64{0, 3000} {
		s := System{All: true, Station: station.Station{Servers: 8, Order: station.Conservative, Jobs: jobs, Steps: steps}}
		a, err := (&Question{}).Of(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.Join(a.Warnings(""), "\n")
		if steps == 0 {
			if a.MovedUp != nil || a.LeastPromised != nil || strings.Contains(text, "queue") {
				t.Errorf("moved up %v, promised %v: %s", a.MovedUp, a.LeastPromised, text)
			}
			continue
		}
		if a.MovedUp == nil || !(*a.MovedUp > 0 && *a.MovedUp < 1) || a.LeastPromised == nil || !(*a.LeastPromised >= 1) {
			t.Errorf("moved up %v, promised %v", a.MovedUp, a.LeastPromised)
		}
		for _, want := range []string{"% of the early ends", "promised a start", "whole queue"} {
			if !strings.Contains(text, want) {
				t.Errorf("%q lacks %q", text, want)
			}
		}
		if _, there := a.Figures[station.MovedUp]; there {
			t.Error("it is among the figures of customers")
		}
	}
}
