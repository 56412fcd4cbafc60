package bags

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A gridTrial is help on the same runs as all other: how many are late for a deadline, and the hours
// in all, until these are more than it may have.
type gridTrial struct {
	runs, late int
	hours      float64
}

// onGrid tries help on runs of a seed until more than so many are late, or the hours are more than
// may be, in all.
func (w *wanted) onGrid(t *testing.T, h bags.Help, by float64, seed uint64, runs, mayBeLate int, hours float64) gridTrial {
	t.Helper()
	c := *w.c
	strategy := bot.StrategyOf(h, spequlos.Reschedule)
	c.Strategy = &strategy
	const batch = 20
	out := gridTrial{}
	for out.runs < runs && out.late <= mayBeLate && out.hours <= hours {
		ends, each := make([]float64, batch), make([]float64, batch)
		err := parallel.All(context.Background(), batch, func(i int) error {
			o, err := bot.Simulate(&c, func(e ...uint64) *rand.Rand { return sim.Stream(seed, out.runs+i, e...) }, nil)
			if err != nil {
				return err
			}
			ends[i], each[i] = o.End, o.CloudTime/3600
			if !o.Done() {
				ends[i] = math.Inf(1)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, end := range ends {
			out.hours += each[i]
			if end > by {
				out.late++
			}
		}
		out.runs += batch
	}
	return out
}

// gridStarts are the starts of the grid.
var gridStarts = []float64{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98, 0.99, 0.995}

// cheapestOnGrid is the least share of so many hours for which help of the grid, of numbers of
// workers a tenth apart, is in time as often as wanted, on two sets of runs; 1 where none takes less.
func (w *wanted) cheapestOnGrid(t *testing.T, h bags.Help, by float64, runs int) (share float64, best bags.Help) {
	t.Helper()
	const seed, again = 801, 802
	mayBeLate := int(math.Floor((1-w.with)*float64(runs) + 1e-9))
	own := w.onGrid(t, h, by, seed, runs, runs, math.Inf(1))
	least := own.hours
	best = h
	tasks := w.q.Bag.MeanSize()
	for _, start := range gridStarts {
		most := int(math.Ceil((1 - start) * tasks))
		if start >= 1-1/tasks {
			continue
		}
		for k := 1; k <= most; k = max(k+1, k*11/10) {
			try := bags.Help{Start: start, Workers: k}
			v := w.onGrid(t, try, by, seed, runs, mayBeLate, least)
			if v.hours > least {
				break // more workers take more
			}
			if v.late > mayBeLate {
				continue
			}
			if a := w.onGrid(t, try, by, again, runs, mayBeLate, math.Inf(1)); a.late <= mayBeLate {
				least, best = v.hours, try
			}
			break
		}
	}
	return least / own.hours, best
}

// Designs that runs sought, where that of the law was late, against a grid on runs that neither saw.
// Of 300 bags, a list that was drawn before it was looked at, 139 designs were judged and 16 sought: seven
// of these the grid did not beat, half it beat by 7.8 % at most, and the worst took 3.4 times its hours.
// The first that was in time, which was taken before, took 1.1 to 4.6 times the hours of nine of these.
// With the law of checkpoints that followed the first 100 bags have six: three not beaten, the worst by 3.8.
func TestJudgedDesignsAgainstGrid(t *testing.T) {
	runs := longtest.Of(100, 200)
	draws, least := longtest.Of(23, 100), longtest.Of(2, 5) // of the first 23 two are sought
	r := rand.New(rand.NewPCG(2612, 14))
	var shares []float64
	judged := 0
	for n := range draws {
		w := drawnWanted(t, r)
		a, err := Done(context.Background(), w.q)
		if err != nil || a.Design.Judged == nil {
			continue
		}
		judged++
		d := a.Design
		if d.Judged.Tried == 1 {
			continue
		}
		h := bags.Help{Start: d.Start, Workers: d.Workers}
		share, best := w.cheapestOnGrid(t, h, w.by, runs)
		shares = append(shares, share)
		t.Logf("%d %s: %+v for %.4g h, judged %v: the grid takes %.3f of it from %+v", n, w.q.Server, h, d.Hours, d.Judged, share, best)
	}
	slices.Sort(shares)
	t.Logf("%d judged, %d sought by runs: of their hours the grid takes %.3f", judged, len(shares), shares)
	if len(shares) < least || shares[len(shares)/2] < 0.85 || shares[0] < 0.25 {
		t.Errorf("%d judged, %d sought by runs: of their hours the grid takes %.3f", judged, len(shares), shares)
	}
}
