package papers

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A bagTable is what the runs of the bags came to.
type bagTable struct {
	Seeds int `json:"seeds"` // behind each environment
	// StrategySeeds are those behind figures 4 and 5, which take eighteen
	// strategies each.
	StrategySeeds int    `json:"strategy_seeds"`
	Seed          uint64 `json:"seed"`
	// Figures are means with intervals, by name.
	Figures map[string]meanInterval `json:"figures"`
	// Curves are shares, in percent, by name.
	Curves map[string][]bagPoint `json:"curves"`
	// First are the first seed's times of each environment, to be made again.
	First map[string]float64 `json:"first"`
}

// A bagPoint is a share at x.
type bagPoint struct {
	X     float64      `json:"x"`
	Share meanInterval `json:"share"`
}

//go:embed bags.json
var storedBagRuns []byte

// bagSeeds are the runs behind each environment where other ones than the stored
// are asked for.
const bagSeeds = 5

func storedBags() *bagTable {
	t := &bagTable{}
	if err := json.Unmarshal(storedBagRuns, t); err != nil {
		panic("papers: bags.json: " + err.Error()) // part of the program
	}
	return t
}

// bagsOf returns the table for seeds from a seed on: the stored one, or where they are
// other ones than its own (0 and at most 1), one that is made now, of the strategies
// that count.
func bagsOf(ctx context.Context, strategies []spequlos.Strategy, seeds int, seed uint64,
	done func(part, parts int)) (*bagTable, error) {
	if seeds == 0 && seed <= 1 {
		return storedBags(), nil
	}
	if seeds == 0 {
		seeds = bagSeeds
	}
	return makeBags(ctx, strategies, seeds, max(seed, 1), done)
}

// makeBags runs all environments with and without help.
func makeBags(ctx context.Context, strategies []spequlos.Strategy, seeds int, seed uint64,
	done func(part, parts int)) (*bagTable, error) {
	all := bagEnvironments()
	helped := slices.Contains(strategies, mainStrategy)
	if helped {
		all = append(all, departing())
	}
	cells, err := runBags(ctx, all, strategies, seeds, seed, done)
	if err != nil {
		return nil, err
	}
	t := tableOfBags(cells, helped, seed)
	if len(strategies) > 1 {
		t.removals(cells[:len(bagEnvironments())], strategies)
	}
	return t, nil
}

// tableOfBags takes runs together, those of the main strategy among them where they
// are helped.
func tableOfBags(cells []bagCell, helped bool, seed uint64) *bagTable {
	t := &bagTable{
		Seeds:   len(cells[0].runs),
		Seed:    seed,
		Figures: map[string]meanInterval{},
		Curves:  map[string][]bagPoint{},
		First:   map[string]float64{},
	}
	for i := range cells {
		t.environment(&cells[i], helped)
	}
	cells = slices.DeleteFunc(slices.Clone(cells), func(c bagCell) bool { return c.departure > 0 })
	t.tails(cells)
	if helped {
		t.stability(cells)
		t.predictions(cells)
	}
	return t
}

// figure keeps the mean of values over the seeds, where there is one.
func (t *bagTable) figure(name string, values []float64) {
	if v, ok := interval(values); ok && !math.IsNaN(v[1]) {
		t.Figures[name] = v
	} else if ok {
		t.Figures[name] = meanInterval{v[0], v[0], v[0]}
	}
}

// environment keeps the times of one.
func (t *bagTable) environment(c *bagCell, helped bool) {
	name := c.name()
	without := c.values(bagFinish)
	t.figure(name+" without", without)
	t.First[name+" without"] = without[0]
	if !helped {
		return
	}
	with := c.values(of(bagFinish, mainStrategy))
	t.figure(name+" with", with)
	t.First[name+" with"] = with[0]
	saving := slices.Clone(without)
	for i := range saving {
		saving[i] -= with[i]
	}
	t.figure(name+" saving", saving)
	t.figure(name+" cloud", c.values(of(bagCloud, mainStrategy)))
}

// bySeed averages a measure over cells for each seed, cells without it left out.
func bySeed(cells []bagCell, in func(*bagCell) bool, value func(c *bagCell, seed int) float64) []float64 {
	if len(cells) == 0 {
		return nil
	}
	out := make([]float64, len(cells[0].runs))
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

func ofServer(s bot.Server) func(*bagCell) bool {
	return func(c *bagCell) bool { return c.server == s }
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

// curve keeps the share of runs of which something holds, at each x.
func (t *bagTable) curve(name string, at []float64, cells []bagCell, in func(*bagCell) bool,
	value func(c *bagCell, seed int) float64, holds func(v, x float64) bool) {
	var points []bagPoint
	for _, x := range at {
		v, ok := interval(bySeed(cells, in, func(c *bagCell, seed int) float64 {
			v := value(c, seed)
			return percentWhere(v, holds(v, x))
		}))
		if !ok {
			continue
		}
		if math.IsNaN(v[1]) {
			v = meanInterval{v[0], v[0], v[0]}
		}
		points = append(points, bagPoint{x, v})
	}
	t.Curves[name] = points
}

// bagSlowdowns are the x of figure 2, its 1.33 among them.
var bagSlowdowns = []float64{0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.25, 1.33, 1.5, 1.75, 2, 2.5, 3, 4, 5, 7, 10, 15, 20, 30,
	50}

// tails are figure 2 and table 1.
func (t *bagTable) tails(cells []bagCell) {
	for _, s := range bagServers {
		slowdown := func(c *bagCell, seed int) float64 { return c.runs[seed][bagSlowdown] }
		t.curve("slowdown "+s.String(), bagSlowdowns, cells, ofServer(s), slowdown,
			func(v, x float64) bool { return v <= x })
		t.worst(cells, s)
		for _, kind := range bagKinds {
			in := func(c *bagCell) bool { return c.server == s && slices.Contains(kind.traces, c.trace.Name) }
			for _, m := range []string{bagTailTasks, bagTailTime} {
				t.figure(m+" "+kind.name+" "+s.String(),
					bySeed(cells, in, func(c *bagCell, seed int) float64 { return c.runs[seed][m] }))
			}
		}
	}
}

// worst is the slowdown that 5 % of the runs exceed, with the order statistics
// between which it lies with 95 %.
func (t *bagTable) worst(cells []bagCell, s bot.Server) {
	var all []float64
	for i := range cells {
		if cells[i].server == s {
			all = append(all, cells[i].values(bagSlowdown)...)
		}
	}
	all = slices.DeleteFunc(all, math.IsNaN)
	slices.Sort(all)
	n := float64(len(all))
	if n < 20 {
		return
	}
	half := 1.96 * math.Sqrt(n*0.05*0.95)
	at := func(k float64) float64 { return all[int(min(max(k, 0), n-1))] }
	t.Figures["worst slowdown "+s.String()] = meanInterval{at(0.95 * n), at(0.95*n - half), at(0.95*n + half)}
}

// bagRemovals are the x of figure 4, in percent of the tail.
var bagRemovals = []float64{-100, -50, -20, 0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.99}

// removals are figures 4 and 5.
func (t *bagTable) removals(cells []bagCell, strategies []spequlos.Strategy) {
	t.StrategySeeds = len(cells[0].runs)
	every := func(*bagCell) bool { return true }
	t.figure("tails", bySeed(cells, every, func(c *bagCell, seed int) float64 { return 100 * c.runs[seed][bagTail] }))
	for _, s := range strategies {
		removal := func(c *bagCell, seed int) float64 { return c.runs[seed][of(bagRemoval, s)] }
		t.curve("removal "+s.String(), bagRemovals, cells, every, removal, func(v, x float64) bool { return v > x })
		t.figure("spent "+s.String(),
			bySeed(cells, every, func(c *bagCell, seed int) float64 { return c.runs[seed][of(bagSpent, s)] }))
		t.figure("cloud "+s.String(),
			bySeed(cells, every, func(c *bagCell, seed int) float64 { return c.runs[seed][of(bagCloud, s)] }))
	}
	// Pairs of strategies that the text orders, the greater first.
	for _, o := range spentOrders {
		t.figure("spent: "+o.name, bySeed(cells, every, func(c *bagCell, seed int) float64 {
			return meanSpent(c.runs[seed], strategies, o.more) - meanSpent(c.runs[seed], strategies, o.less)
		}))
	}
}

// meanSpent is what strategies of one kind spend.
func meanSpent(r bagRun, strategies []spequlos.Strategy, of func(spequlos.Strategy) bool) float64 {
	sum, n := 0.0, 0.0
	for _, s := range strategies {
		if of(s) {
			sum += r[bagSpent+" "+s.String()]
			n++
		}
	}
	return sum / n
}

// bagNormalised are the x of figure 7.
var bagNormalised = []float64{0.2, 0.4, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.6, 1.8, 2,
	2.5, 3, 4, 5}

// stability is figure 7, and the spread of what it shows.
func (t *bagTable) stability(cells []bagCell) {
	for _, s := range bagServers {
		for _, part := range []struct {
			name, measure string
		}{{"without", bagFinish}, {"with", of(bagFinish, mainStrategy)}} {
			mean := map[string]float64{}
			for i := range cells {
				if v, ok := interval(cells[i].values(part.measure)); ok {
					mean[cells[i].name()] = v[0]
				}
			}
			normalised := func(c *bagCell, seed int) float64 { return c.runs[seed][part.measure] / mean[c.name()] }
			name := s.String() + " " + part.name
			t.curve("stability "+name, bagNormalised, cells, ofServer(s), normalised,
				func(v, x float64) bool { return v <= x })
			t.figure("deviation "+name, bySeed(cells, ofServer(s), func(c *bagCell, seed int) float64 {
				return 100 * math.Abs(normalised(c, seed)-1)
			}))
		}
	}
}

// predictions are table 4: of each environment the share of runs whose time lay
// within 20 % of the prediction at half, α being that of all of them.
func (t *bagTable) predictions(cells []bagCell) {
	success := map[string][]float64{}
	for i := range cells {
		c := &cells[i]
		total, half := c.values(of(bagFinish, mainStrategy)), c.values(of(bagHalf, mainStrategy))
		var archive spequlos.Archive
		for k := range total {
			if !math.IsNaN(total[k]) && !math.IsNaN(half[k]) {
				// both are above 0 and in order
				_ = archive.Add("", spequlos.PastRun{Total: total[k], Times: []float64{half[k], total[k]}})
			}
		}
		p, err := archive.Predict("", 0.5, 1)
		if err != nil || p.Runs == 0 {
			continue
		}
		of := make([]float64, len(total))
		for k := range total {
			of[k] = percentWhere(total[k],
				math.Abs(total[k]-2*p.Alpha*half[k]) <= spequlos.Tolerance*2*p.Alpha*half[k]*(1+1e-12))
		}
		success[c.name()] = of
		t.Figures["predicted "+c.name()] = shareInterval(of)
	}
	in := func(name string, wanted func(*bagCell) bool) {
		t.figure("predicted "+name, bySeed(cells, wanted, func(c *bagCell, seed int) float64 {
			if of := success[c.name()]; of != nil {
				return of[seed]
			}
			return math.NaN()
		}))
	}
	for _, trace := range hosts.Traces() {
		in(trace.Name, func(c *bagCell) bool { return c.trace.Name == trace.Name })
	}
	for _, s := range bagServers {
		for _, b := range []string{"small", "big", "random"} {
			in(s.String()+" "+b, func(c *bagCell) bool { return c.server == s && c.bag.Name == b })
		}
	}
	in("mixed", func(*bagCell) bool { return true })
}

// shareInterval is a share in percent with its interval by Wilson, which none and
// all have too.
func shareInterval(percents []float64) meanInterval {
	n, sum := 0.0, 0.0
	for _, v := range percents {
		if !math.IsNaN(v) {
			n++
			sum += v / 100
		}
	}
	const z = 1.959963984540054
	p := sum / n
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return meanInterval{100 * p, 100 * max(0, min(middle-half, p)), 100 * min(1, max(middle+half, p))}
}

// Machines are counted over at most so many days, and in at most so many runs: the
// 31,092 of seti come and go half a million times in ten days.
const (
	countDays  = 10
	countSeeds = 20
)

// countHosts adds how many machines there are over time.
func (t *bagTable) countHosts(ctx context.Context, seeds int, seed uint64) error {
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
			t.Figures["machines "+trace.Name+" "+name] = meanInterval{e.Mean, e.Low, e.High}
		}
	}
	return kept
}
