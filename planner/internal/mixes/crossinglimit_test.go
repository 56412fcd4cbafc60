package mixes

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/reliability"
)

// randomCrossing makes types, a link and an epoch of every kind.
func randomCrossing(rng *rand.Rand) (*Crossing, []cover.Item) {
	c := &Crossing{Rate: 3 * rng.Float64(), Load: 30 * rng.Float64(), Footprint: 1, Up: math.Exp(3*rng.Float64() - 1), Down: math.Exp(3*rng.Float64() - 1)}
	var items []cover.Item
	for range 1 + rng.IntN(4) {
		t := CrossingType{Public: rng.IntN(2) == 0, Replicas: float64(1 + rng.IntN(3)), Places: float64(1 + rng.IntN(2))}
		it := cover.Item{Worth: 0.2 + rng.Float64(), Most: 20, Counted: !t.Public}
		if t.Public {
			t.Places, t.Outages = rng.Float64()/t.Replicas, 0.02*rng.Float64()
		}
		c.Types, items = append(c.Types, t), append(items, it)
	}
	switch rng.IntN(4) {
	case 0:
		c.Footprint = 0
	case 1:
		c.Up, c.Down = 0, 0
	}
	if rng.IntN(4) == 0 {
		n := float64(rng.IntN(20))
		c.Dedicated = &n
	}
	if rng.IntN(2) == 0 {
		c.Delta = 1 + 10*rng.Float64()
	}
	if rng.IntN(3) > 0 || c.Delta == 0 {
		c.Epoch = &CrossingEpoch{Migrations: 5 * rng.Float64(), Time: 2 * rng.Float64()}
		if rng.IntN(3) == 0 {
			c.Epoch.Model = reliability.ParallelRepair
		}
		if rng.IntN(3) == 0 {
			c.Epoch.Failures = 0.1 * rng.Float64()
		}
		if rng.IntN(3) == 0 {
			c.Epoch.Jobs = 10 * rng.Float64()
		}
		if rng.IntN(3) == 0 {
			c.Epoch.Length = 1 + 10*rng.Float64()
			if c.Delta == 0 {
				c.Delta = c.Epoch.Length
			}
		}
	}
	return c, items
}

// randomQueue makes the queue in which machines are as busy as in a crossing, of
// machines of every kind that come and go or not.
func randomQueue(rng *rand.Rand, c *Crossing, items []cover.Item) *Model {
	x := &Model{queue: unlike.Queue{
		ArrivalRate: c.Load,
		ServiceTime: 1,
		WhenFull:    unlike.WhenFull(rng.IntN(3)),
		Patience:    3 * rng.Float64(),
	}}
	alike := rng.IntN(3) == 0
	for i := range c.Types {
		t := &c.Types[i]
		k := unlike.Coming{Up: 1, Speed: math.Exp(2*rng.Float64() - 1), PerJob: 1 / t.Places}
		if t.Public || rng.IntN(4) == 0 {
			if k.Up = 0.2 + 0.8*rng.Float64(); rng.IntN(4) == 0 {
				k.Up = 1
			}
		}
		if t.Public {
			if alike {
				t.Replicas = 2
			}
			slots := float64(1 + rng.IntN(2))
			k.PerJob, t.Places = t.Replicas/slots, slots*k.Up/t.Replicas
		}
		items[i].Worth = k.Speed * k.Up / k.PerJob
		x.Kinds = append(x.Kinds, k)
	}
	if rng.IntN(3) == 0 { // far beyond what is needed
		x.short = make([]float64, len(items))
		x.short[0] = 0.5
	}
	x.Kinds = append(x.Kinds, unlike.Coming{Up: 1, Speed: 1, PerJob: 1})
	return x
}

// Whatever is admitted in a box keeps what its relaxation says, by worth and by
// the product form.
func TestCrossingRelaxation(t *testing.T) {
	relaxations(t, longtest.Of(1000, 4000), func(*rand.Rand, *Crossing, []cover.Item) *Model { return nil })
	relaxations(t, longtest.Of(100, 400), randomQueue)
}

func relaxations(t *testing.T, trials int, queue func(*rand.Rand, *Crossing, []cover.Item) *Model) {
	rng := rand.New(rand.NewPCG(7, 8))
	admitted, refused, tight := 0, 0, 0
	for trial := range trials {
		c, items := randomCrossing(rng)
		c = c.By(queue(rng, c, items))
		least, most := make([]int64, len(items)), make([]int64, len(items))
		for i := range items {
			least[i] = rng.Int64N(6)
			most[i] = least[i] + rng.Int64N(8)
		}
		l := &crossingLimit{Crossing: c, items: items, need: 6 * rng.Float64() * float64(rng.IntN(2))}
		r := l.Relax(least, most)
		n := make([]int64, len(items))
		for range 60 {
			worth, counted, line := 0.0, int64(0), 0.0
			for i, it := range items {
				n[i] = least[i] + rng.Int64N(most[i]-least[i]+1)
				worth += it.Worth * float64(n[i])
				if it.Counted {
					counted += n[i]
				}
				if r.Weight != nil {
					line += r.Weight[i] * float64(n[i])
				}
			}
			if worth < l.need && c.model == nil {
				continue
			}
			if !l.Admits(n) {
				refused++
				if r.Weight != nil && line > r.Most {
					tight++
				}
				continue
			}
			admitted++
			over := r.Weight != nil && line > r.Most+1e-9*(1+math.Abs(r.Most))
			if !r.OK || worth < r.Worth*(1-1e-9) || r.Counted >= 0 && counted > r.Counted || over {
				t.Fatalf("trial %d: %v of %v to %v is admitted, worth %v, counted %d, line %v; relaxed %+v, crossing %+v, epoch %+v, items %+v",
					trial, n, least, most, worth, counted, line, r, c, c.Epoch, items)
			}
		}
	}
	if admitted < 2*trials || refused < 2*trials || tight < refused/4 {
		t.Errorf("%d admitted, %d refused, %d of them by the line", admitted, refused, tight)
	}
}
