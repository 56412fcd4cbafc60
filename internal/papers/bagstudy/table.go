package bagstudy

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A Table is what the runs of the bags came to. It is what bags.json holds, so that the figures
// need no simulation of hours.
type Table struct {
	Seeds int `json:"seeds"` // behind each environment
	// StrategySeeds are those behind figures 4 and 5, which take eighteen
	// strategies each.
	StrategySeeds int    `json:"strategy_seeds"`
	Seed          uint64 `json:"seed"`
	// Figures are means with intervals, by name.
	Figures map[string]means.Interval `json:"figures"`
	// Curves are shares, in percent, by name.
	Curves map[string][]Point `json:"curves"`
	// First are the first seed's times of each environment, to be made again.
	First map[string]float64 `json:"first"`
}

// A Point is a share at x.
type Point struct {
	X     float64        `json:"x"`
	Share means.Interval `json:"share"`
}

//go:embed bags.json
var storedBagRuns []byte

// bagSeeds are the runs behind each environment where other ones than the stored
// are asked for.
const bagSeeds = 5

// Stored is the table that stands beside this file. It is parsed anew each time, so that a caller
// may change it.
func Stored() *Table {
	t := &Table{}
	if err := json.Unmarshal(storedBagRuns, t); err != nil {
		panic("bagstudy: bags.json: " + err.Error()) // part of the program
	}
	return t
}

// Of returns the table for seeds from a seed on: the stored one, or where they are
// other ones than its own (0 and at most 1), one that is made now, of the strategies
// that count.
func Of(ctx context.Context, strategies []spequlos.Strategy, seeds int, seed uint64,
	done func(part, parts int)) (*Table, error) {
	if seeds == 0 && seed <= 1 {
		return Stored(), nil
	}
	seeds = cmp.Or(seeds, bagSeeds)
	return makeBags(ctx, strategies, seeds, max(seed, 1), done)
}

// makeBags runs all environments with and without help. One strategy takes a nineteenth of the time
// of eighteen and no help.
func makeBags(ctx context.Context, strategies []spequlos.Strategy, seeds int, seed uint64,
	done func(part, parts int)) (*Table, error) {
	all := Environments()
	// The environment with departures is of the main strategy alone.
	helped := slices.Contains(strategies, MainStrategy)
	if helped {
		all = append(all, departing())
	}
	cells, err := Run(ctx, all, strategies, seeds, seed, done)
	if err != nil {
		return nil, err
	}
	t := tableOfBags(cells, helped, seed)
	if len(strategies) > 1 {
		t.removals(cells[:len(Environments())], strategies)
	}
	return t, nil
}

// tableOfBags takes runs together, those of the main strategy among them where they
// are helped. Cells with departures enter their own figures and no other.
func tableOfBags(cells []Cell, helped bool, seed uint64) *Table {
	t := &Table{
		Seeds:   len(cells[0].Runs),
		Seed:    seed,
		Figures: map[string]means.Interval{},
		Curves:  map[string][]Point{},
		First:   map[string]float64{},
	}
	for i := range cells {
		t.environment(&cells[i], helped)
	}
	cells = slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return c.departure > 0 })
	t.tails(cells)
	if helped {
		t.stability(cells)
		t.predictions(cells)
	}
	return t
}

// figure keeps the mean of values over the seeds, where there is one. A single run has no interval,
// and its mean stands for both ends.
func (t *Table) figure(name string, values []float64) {
	if v, ok := means.Of(values); ok && !math.IsNaN(v[1]) {
		t.Figures[name] = v
	} else if ok {
		t.Figures[name] = means.Interval{v[0], v[0], v[0]}
	}
}

// environment keeps the times of one. The saving is paired by seed, which takes out the luck of the
// machines.
func (t *Table) environment(c *Cell, helped bool) {
	name := c.Name()
	without := c.values(bagFinish)
	t.figure(name+" without", without)
	t.First[name+" without"] = without[0]
	if !helped {
		return
	}
	with := c.values(of(bagFinish, MainStrategy))
	t.figure(name+" with", with)
	t.First[name+" with"] = with[0]
	saving := slices.Clone(without)
	for i := range saving {
		saving[i] -= with[i]
	}
	t.figure(name+" saving", saving)
	t.figure(name+" cloud", c.values(of(bagCloud, MainStrategy)))
}

// bySeed averages a measure over cells for each seed, cells without it left out. The spread between
// these means is that between seeds, of which intervals are made.
func bySeed(cells []Cell, in func(*Cell) bool, value func(c *Cell, seed int) float64) []float64 {
	if len(cells) == 0 {
		return nil
	}
	out := make([]float64, len(cells[0].Runs))
	for i := range out {
		sum, n := 0.0, 0.0
		for k := range cells {
			c := &cells[k]
			if !in(c) {
				continue
			}
			if v := value(c, i); !math.IsNaN(v) {
				sum += v
				n++
			}
		}
		out[i] = sum / n
	}
	return out
}

func ofServer(s bot.Server) func(*Cell) bool {
	return func(c *Cell) bool { return c.Server == s }
}

// percentWhere is 100 where a condition holds of a value, 0 where it doesn't, NaN of
// NaN: the mean of it is the share in percent.
func percentWhere(v float64, holds bool) float64 {
	switch {
	case math.IsNaN(v):
		return math.NaN()
	case holds:
		return 100
	}
	return 0
}

// curve keeps the share of runs of which something holds, at each x. holds is told the value and x.
func (t *Table) curve(name string, at []float64, cells []Cell, in func(*Cell) bool,
	value func(c *Cell, seed int) float64, holds func(v, x float64) bool) {
	var points []Point
	for _, x := range at {
		v, ok := means.Of(bySeed(cells, in, func(c *Cell, seed int) float64 {
			v := value(c, seed)
			return percentWhere(v, holds(v, x))
		}))
		if !ok {
			continue
		}
		if math.IsNaN(v[1]) {
			v = means.Interval{v[0], v[0], v[0]}
		}
		points = append(points, Point{x, v})
	}
	t.Curves[name] = points
}

// bagSlowdowns are the x of figure 2, its 1.33 among them.
var bagSlowdowns = []float64{0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.33, 1.5, 1.75, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 30,
	50}

// tails are figure 2 and table 1.
func (t *Table) tails(cells []Cell) {
	for _, s := range Servers {
		slowdown := func(c *Cell, seed int) float64 { return c.Runs[seed][bagSlowdown] }
		t.curve("slowdown "+s.String(), bagSlowdowns, cells, ofServer(s), slowdown,
			func(v, x float64) bool { return v <= x })
		t.worst(cells, s)
		for _, kind := range Kinds {
			in := func(c *Cell) bool { return c.Server == s && slices.Contains(kind.traces, c.Trace.Name) }
			for _, m := range []string{TailTasks, TailTime} {
				t.figure(m+" "+kind.Name+" "+s.String(),
					bySeed(cells, in, func(c *Cell, seed int) float64 { return c.Runs[seed][m] }))
			}
		}
	}
}

// worst is the slowdown that 5 % of the runs exceed, with the order statistics
// between which it lies with 95 %. Below 20 runs no run is one of the worst 5 %.
func (t *Table) worst(cells []Cell, s bot.Server) {
	var all []float64
	for i := range cells {
		if cells[i].Server == s {
			all = append(all, cells[i].values(bagSlowdown)...)
		}
	}
	all = slices.DeleteFunc(all, math.IsNaN)
	slices.Sort(all)
	n := float64(len(all))
	if n < 20 {
		return
	}
	// The number of runs above a quantile is binomial, here by its normal approximation.
	half := 1.96 * math.Sqrt(n*0.05*0.95)
	at := func(k float64) float64 { return all[int(min(max(k, 0), n-1))] }
	t.Figures["worst slowdown "+s.String()] = means.Interval{at(0.95 * n), at(0.95*n - half), at(0.95*n + half)}
}

// bagRemovals are the x of figure 4, in percent of the tail.
var bagRemovals = []float64{-100, -50, -20, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.99}

// removals are figures 4 and 5.
func (t *Table) removals(cells []Cell, strategies []spequlos.Strategy) {
	t.StrategySeeds = len(cells[0].Runs)
	every := func(*Cell) bool { return true }
	t.figure("tails", bySeed(cells, every, func(c *Cell, seed int) float64 { return 100 * c.Runs[seed][bagTail] }))
	for _, s := range strategies {
		removal := func(c *Cell, seed int) float64 { return c.Runs[seed][of(bagRemoval, s)] }
		t.curve("removal "+s.String(), bagRemovals, cells, every, removal, func(v, x float64) bool { return v > x })
		t.figure("spent "+s.String(),
			bySeed(cells, every, func(c *Cell, seed int) float64 { return c.Runs[seed][of(bagSpent, s)] }))
		t.figure("cloud "+s.String(),
			bySeed(cells, every, func(c *Cell, seed int) float64 { return c.Runs[seed][of(bagCloud, s)] }))
	}
	// Pairs of strategies that the text orders, the greater first.
	for _, o := range SpentOrders {
		t.figure("spent: "+o.Name, bySeed(cells, every, func(c *Cell, seed int) float64 {
			return meanSpent(c.Runs[seed], strategies, o.more) - meanSpent(c.Runs[seed], strategies, o.less)
		}))
	}
}

// meanSpent is what strategies of one kind spend. A strategy is meant once, whatever it spends.
func meanSpent(r outcome, strategies []spequlos.Strategy, of func(spequlos.Strategy) bool) float64 {
	sum, n := 0.0, 0.0
	for _, s := range strategies {
		if of(s) {
			sum += r[bagSpent+" "+s.String()]
			n++
		}
	}
	return sum / n
}

// Machines are counted over at most so many days, and in at most so many runs: the
// 31,092 of seti come and go half a million times in ten days.
const (
	countDays  = 10
	countSeeds = 20
)

// CountHosts adds how many machines there are over time. Errors: those of the simulation; that of
// the context.
func (t *Table) CountHosts(ctx context.Context, seeds int, seed uint64) error {
	var kept error // of a shard, whose works follow each other whatever they come to
	for _, trace := range hosts.Traces() {
		p, err := trace.Platform()
		if err != nil {
			return err
		}
		count := &bot.Count{Hosts: p, Moments: 241}
		r, err := sim.Run(ctx, count, sim.Options{Seed: seed, Replications: min(seeds, countSeeds),
			Horizon: hosts.Day * min(countDays, trace.Days)})
		if errors.Is(err, pieces.ErrKept) {
			kept = err
			continue
		}
		if err != nil {
			return err
		}
		if r.Interrupted {
			return context.Cause(ctx)
		}
		for _, name := range []string{bot.Present, bot.Fewest, bot.Most} {
			e, _ := r.Figure(name)
			t.Figures["machines "+trace.Name+" "+name] = means.Interval{e.Mean, e.Low, e.High}
		}
	}
	return kept
}
