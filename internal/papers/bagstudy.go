package papers

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A bagEnvironment is what SpeQuloS section 4.3.2 calls one: machines, a middleware
// and a kind of bag.
type bagEnvironment struct {
	trace  hosts.Trace
	server bot.Server
	bag    bags.Bag
	// departure for good, 0 but in the one environment that shows what it does.
	departure float64
}

// bagServers in the order of the paper's tables.
var bagServers = []bot.Server{bot.BOINC, bot.XWHEP}

// bagEnvironments are the 36 of the paper: six traces, two servers, three bags.
func bagEnvironments() []bagEnvironment {
	var all []bagEnvironment
	for _, t := range hosts.Traces() {
		for _, s := range bagServers {
			for _, b := range bags.Bags() {
				all = append(all, bagEnvironment{trace: t, server: s, bag: b})
			}
		}
	}
	return all
}

// departing is the environment of the paper's best case with machines that leave
// for good in 4.5 of 100 departures. That share was chosen, for want of any in the
// paper, so that the bag without help takes about the 28,818 s that are printed.
func departing() bagEnvironment {
	t := hosts.Traces()[0]
	return bagEnvironment{trace: t, server: bot.BOINC, bag: bags.Bags()[2], departure: 0.045}
}

func (e *bagEnvironment) name() string {
	name := e.trace.Name + " " + e.server.String() + " " + e.bag.Name
	if e.departure > 0 {
		name += " departing"
	}
	return name
}

// bagKinds are the rows of table 1, and which traces are of them.
var bagKinds = []struct {
	name   string
	traces []string
}{
	{"desktop grids", []string{"seti", "nd"}},
	{"best-effort grids", []string{"g5klyo", "g5kgre"}},
	{"spot instances", []string{"spot10", "spot100"}},
}

// mainStrategy is the one that section 4.3 takes: 9C-C-R.
var mainStrategy = spequlos.Strategy{
	When:    spequlos.When{Trigger: spequlos.Completed, Share: 0.9},
	HowMany: spequlos.HowMany{Amount: spequlos.Conservative},
	How:     spequlos.Reschedule,
}

// A bagRun is one bag of an environment: by the names of bagMeasure, NaN where it
// has none.
type bagRun map[string]float64

// What is measured of a run; those of a strategy have its name behind.
const (
	bagFinish    = "finish"
	bagHalf      = "half"
	bagSlowdown  = "slowdown"
	bagTailTasks = "tail tasks"
	bagTailTime  = "tail time"
	bagRemoval   = "removal"
	bagSpent     = "spent"
	bagCloud     = "cloud" // hours of the cloud over those that the bag takes there
	bagTail      = "tail"  // 1 where there is a tail to remove, else 0
)

// of names a measure under a strategy.
func of(measure string, s spequlos.Strategy) string { return measure + " " + s.String() }

// run runs the bag of a seed without help and then, on the same machines, with that
// of each strategy.
func (e *bagEnvironment) run(ctx context.Context, strategies []spequlos.Strategy, seed uint64,
	number int) (bagRun, error) {
	p, err := e.trace.Platform()
	if err != nil {
		return nil, err
	}
	p.Departure = e.departure
	c := &bot.Case{
		Bag:     e.bag,
		Hosts:   p,
		Server:  e.server,
		Credits: -1,
		Cloud:   bot.Cloud{Boot: bot.DefaultBoot},
	}
	chance := func(entity ...uint64) *rand.Rand { return sim.Stream(seed, number, entity...) }
	alone, err := bot.Simulate(c, chance, ctx.Err)
	if err != nil {
		return nil, err
	}
	r := bagRun{}
	r.time(bagFinish, bagHalf, alone)
	r[bagSlowdown], r[bagTailTasks], r[bagTailTime], r[bagTail] = math.NaN(), math.NaN(), math.NaN(), 0
	if v, ok := alone.Progress.TailSlowdown(); ok {
		r[bagSlowdown] = v
	}
	if tasks, time, ok := alone.Tail(); ok {
		r[bagTailTasks], r[bagTailTime] = 100*tasks, 100*time
	}
	for _, s := range strategies {
		c.Strategy = &s
		with, err := bot.Simulate(c, chance, ctx.Err)
		if err != nil {
			return nil, err
		}
		r.time(of(bagFinish, s), of(bagHalf, s), with)
		r[of(bagRemoval, s)] = math.NaN()
		if v, ok := bot.TailRemoval(alone, with); ok {
			r[of(bagRemoval, s)], r[bagTail] = 100*v, 1
		}
		r[of(bagSpent, s)] = 100 * with.Spent / with.Ordered
		work := e.bag.Work.Mean * float64(with.Tasks)
		r[of(bagCloud, s)] = 100 * with.CloudTime * bot.CloudSpeed.Mean / work
	}
	return r, nil
}

// time notes when a bag was done, and half of it.
func (r bagRun) time(finish, half string, o *bot.Outcome) {
	r[finish], r[half] = math.NaN(), math.NaN()
	if !o.Done() {
		return
	}
	r[finish] = o.End
	if t, ok := o.Progress.CompletionTime(0.5); ok {
		r[half] = t
	}
}

// A bagCell is an environment with its runs, in the order of the seeds.
type bagCell struct {
	bagEnvironment
	runs []bagRun
}

// values are a measure of all runs.
func (c *bagCell) values(measure string) []float64 {
	v := make([]float64, len(c.runs))
	for i, r := range c.runs {
		v[i] = r[measure]
	}
	return v
}

// runBags runs environments; done counts them.
func runBags(ctx context.Context, all []bagEnvironment, strategies []spequlos.Strategy, seeds int, seed uint64,
	done func(part, parts int)) ([]bagCell, error) {
	cells := make([]bagCell, len(all))
	for i, e := range all {
		cells[i] = bagCell{e, make([]bagRun, seeds)}
	}
	work := pieces.Work{Name: "environments and seeds", Count: len(all) * seeds, Seed: &seed}
	one := func(ctx context.Context, i int) (map[string]partials.Number, error) {
		r, err := cells[i/seeds].run(ctx, strategies, seed, i%seeds)
		kept := make(map[string]partials.Number, len(r))
		for name, v := range r {
			kept[name] = partials.Number(v)
		}
		return kept, err
	}
	err := pieces.Fold(ctx, work, partials.JSON[map[string]partials.Number](), one,
		func(i int, kept map[string]partials.Number) error {
			r := make(bagRun, len(kept))
			for name, v := range kept {
				r[name] = float64(v)
			}
			cells[i/seeds].runs[i%seeds] = r
			if done != nil && i%seeds == seeds-1 {
				done(i/seeds+1, len(all))
			}
			return nil
		})
	if err == nil {
		err = ctx.Err()
	}
	return cells, err
}
