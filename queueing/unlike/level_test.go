package unlike

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// The percentile is the wait at which the level is reached, whichever the
// meaning; of all offered there is none where more give up than it leaves over.
func TestLevelPercentile(t *testing.T) {
	for _, m := range []queueing.Model{
		queueing.ErlangA{ArrivalRate: 1, ServiceTime: 100, Patience: 10}, queueing.ErlangA{ArrivalRate: 1, ServiceTime: 100, Patience: 300}, queueing.MMC{ArrivalRate: 1, ServiceTime: 100},
		Varying{
			Queue:  Queue{ArrivalRate: 1, ServiceTime: 100, Beside: []Group{{20, 2.2}}, WhenFull: Impatient, Patience: 60},
			Coming: []Coming{independent(60, 0.8, 0.7, 2)},
		},
	} {
		for _, n := range []float64{40, 99, 101, 120} {
			f, err := m.At(n)
			if errors.Is(err, queueing.ErrUnstable) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, of := range []queueing.ServiceLevelOf{queueing.Offered, queueing.Served, queueing.Stayed, queueing.Waits} {
				for _, p := range []float64{0, 0.3, 0.8, 0.95, 0.999} {
					w := f.LevelPercentile(of, p)
					switch never := of == queueing.Offered && f.Abandonment > 1-p; {
					case never != math.IsInf(w, 1):
						t.Errorf("%+v with %v: %v of %v is served within %v s, and %v give up", m, n, p, of, w, f.Abandonment)
					case never:
					case w == 0 && !(1-f.Late(of, 0) >= p-1e-9):
						t.Errorf("%+v with %v: %v of %v is said to be served at once, %v is", m, n, p, of, 1-f.Late(of, 0))
					case w > 0:
						numtest.Close(t, fmt.Sprintf("late share of %v after %v s", of, w), f.Late(of, w), 1-p, 1e-8)
					}
				}
			}
		}
	}
}
