package planner

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/reliability"
)

// randomCrossing makes types, a link and an epoch of every kind.
func randomCrossing(rng *rand.Rand) (*crossing, []cover.Item) {
	c := &crossing{rate: 3 * rng.Float64(), load: 30 * rng.Float64(), footprint: 1, up: math.Exp(3*rng.Float64() - 1), down: math.Exp(3*rng.Float64() - 1)}
	var items []cover.Item
	for range 1 + rng.IntN(4) {
		t := crossingType{public: rng.IntN(2) == 0, replicas: float64(1 + rng.IntN(3)), places: float64(1 + rng.IntN(2))}
		it := cover.Item{Worth: 0.2 + rng.Float64(), Most: 20, Counted: !t.public}
		if t.public {
			t.places, t.outages = rng.Float64()/t.replicas, 0.02*rng.Float64()
		}
		c.types, items = append(c.types, t), append(items, it)
	}
	switch rng.IntN(4) {
	case 0:
		c.footprint = 0
	case 1:
		c.up, c.down = 0, 0
	}
	if rng.IntN(4) == 0 {
		n := float64(rng.IntN(20))
		c.dedicated = &n
	}
	if rng.IntN(2) == 0 {
		c.delta = 1 + 10*rng.Float64()
	}
	if rng.IntN(3) > 0 || c.delta == 0 {
		c.epoch = &crossingEpoch{migrations: 5 * rng.Float64(), time: 2 * rng.Float64()}
		if rng.IntN(3) == 0 {
			c.epoch.model = reliability.ParallelRepair
		}
		if rng.IntN(3) == 0 {
			c.epoch.failures = 0.1 * rng.Float64()
		}
		if rng.IntN(3) == 0 {
			c.epoch.jobs = 10 * rng.Float64()
		}
		if rng.IntN(3) == 0 {
			c.epoch.length = 1 + 10*rng.Float64()
			if c.delta == 0 {
				c.delta = c.epoch.length
			}
		}
	}
	return c, items
}

// randomQueue makes the queue in which machines are as busy as in a crossing, of
// machines of every kind that come and go or not.
func randomQueue(rng *rand.Rand, c *crossing, items []cover.Item) *mixFigure {
	x := &mixFigure{queue: unlike.Queue{
		ArrivalRate: c.load,
		ServiceTime: 1,
		WhenFull:    unlike.WhenFull(rng.IntN(3)),
		Patience:    3 * rng.Float64(),
	}}
	alike := rng.IntN(3) == 0
	for i := range c.types {
		t := &c.types[i]
		k := unlike.Coming{Up: 1, Speed: math.Exp(2*rng.Float64() - 1), PerJob: 1 / t.places}
		if t.public || rng.IntN(4) == 0 {
			if k.Up = 0.2 + 0.8*rng.Float64(); rng.IntN(4) == 0 {
				k.Up = 1
			}
		}
		if t.public {
			if alike {
				t.replicas = 2
			}
			slots := float64(1 + rng.IntN(2))
			k.PerJob, t.places = t.replicas/slots, slots*k.Up/t.replicas
		}
		items[i].Worth = k.Speed * k.Up / k.PerJob
		x.kinds = append(x.kinds, k)
	}
	if rng.IntN(3) == 0 { // far beyond what is needed
		x.short = make([]float64, len(items))
		x.short[0] = 0.5
	}
	x.kinds = append(x.kinds, unlike.Coming{Up: 1, Speed: 1, PerJob: 1})
	return x
}

// Whatever is admitted in a box keeps what its relaxation says, by worth and by
// the product form.
func TestCrossingRelaxation(t *testing.T) {
	relaxations(t, 4000, func(*rand.Rand, *crossing, []cover.Item) *mixFigure { return nil })
	relaxations(t, 400, randomQueue)
}

func relaxations(t *testing.T, trials int, queue func(*rand.Rand, *crossing, []cover.Item) *mixFigure) {
	rng := rand.New(rand.NewPCG(7, 8))
	admitted, refused, tight := 0, 0, 0
	for trial := range trials {
		c, items := randomCrossing(rng)
		c = c.by(queue(rng, c, items))
		least, most := make([]int64, len(items)), make([]int64, len(items))
		for i := range items {
			least[i] = rng.Int64N(6)
			most[i] = least[i] + rng.Int64N(8)
		}
		l := &crossingLimit{crossing: c, items: items, need: 6 * rng.Float64() * float64(rng.IntN(2))}
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
			if worth < l.need && c.figure == nil {
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
					trial, n, least, most, worth, counted, line, r, c, c.epoch, items)
			}
		}
	}
	if admitted < 2*trials || refused < 2*trials || tight < refused/4 {
		t.Errorf("%d admitted, %d refused, %d of them by the line", admitted, refused, tight)
	}
}
