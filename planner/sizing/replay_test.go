package sizing

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// A replay that ends early because it misses an objective is one that would have missed it at its end.
func TestGoalsAreThoseOfTheWholeReplay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	jobs := make([]station.Job, 3000)
	now := 0.0
	for i := range jobs {
		now += r.ExpFloat64()
		jobs[i] = station.Job{At: now, Length: 10 * r.ExpFloat64(), Width: 1 + r.IntN(8)}
	}
	wait, response, busy, level := units.Duration(5), units.Duration(14), units.Fraction(0.2), units.Percentile(0.9)
	for _, o := range []Objectives{
		{MaxMeanWait: &wait}, {MaxMeanResponse: &response}, {MaxBlocking: &busy}, {MaxWait: &wait, Percentile: &level},
	} {
		for _, kind := range []ModelKind{Wait, Loss} {
			q := &SizeQuestion{Objectives: o, Simulate: &simulate.Question{}, Replay: ReplayQuestion{Jobs: jobs}}
			stopped, met := 0, 0
			for n := int64(30); n < 90; n += 3 {
				whole, _, err := q.replayed(t.Context(), kind, n, nil)
				if err != nil {
					t.Fatal(err)
				}
				switch _, _, err := q.replayedBy(t.Context(), kind, n, nil, q.goals(kind)); {
				case errors.Is(err, station.ErrMissed):
					if stopped++; whole.Met {
						t.Errorf("%+v, %s: %d servers meet the objective and were said to miss it", o, kind, n)
					}
				case err != nil:
					t.Fatal(err)
				case whole.Met:
					met++
				}
			}
			if kind == Wait && (stopped == 0 || met == 0) {
				t.Errorf("%+v: %d replays stopped, %d met the objective", o, stopped, met)
			}
		}
	}
}
