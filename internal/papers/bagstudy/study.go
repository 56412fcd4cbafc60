// Package bagstudy runs the bags of tasks behind the figures of SpeQuloS: what do
// 36 environments come to with help from a cloud and without?
//
// [Of] gives the [Table] of all of them, a stored one unless other seeds are asked
// for. Package papers sets it beside what is printed.
//
// An environment is one of six kinds of machines, two servers and three kinds of bags. Each
// seed runs once without help and once for each strategy, on machines that come and go alike,
// so that gains are of pairs. Pieces of the work are seeds of environments, which shards divide.
//
// The runs are kept as means, shares and curves under names such as "removal 9C-C-R", since a
// run of all takes hours and the figures are read off it again and again.
package bagstudy

import (
	"cmp"
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

// An Environment is what SpeQuloS section 4.3.2 calls one: machines, a middleware
// and a kind of bag.
type Environment struct {
	Trace  hosts.Trace
	Server bot.Server
	Bag    bags.Bag
	// departure for good, 0 but in the one environment that shows what it does.
	departure float64
}

// Servers are those of the middleware, in the order of the paper's tables.
var Servers = []bot.Server{bot.BOINC, bot.XWHEP}

// Environments are the 36 of the paper: six traces, two servers, three bags.
func Environments() []Environment {
	var all []Environment
	for _, t := range hosts.Traces() {
		for _, s := range Servers {
			for _, b := range bags.Bags() {
				all = append(all, Environment{Trace: t, Server: s, Bag: b})
			}
		}
	}
	return all
}

// departing is the environment of the paper's best case with machines that leave
// for good in 4.5 of 100 departures. That share was chosen, for want of any in the
// paper, so that the bag without help takes about the 28,818 s that are printed.
func departing() Environment {
	t := hosts.Traces()[0]
	return Environment{Trace: t, Server: bot.BOINC, Bag: bags.Bags()[2], departure: 0.045}
}

// Name tells the environment in figures and files.
func (e *Environment) Name() string {
	name := e.Trace.Name + " " + e.Server.String() + " " + e.Bag.Name
	if e.departure > 0 {
		name += " departing"
	}
	return name
}

// Kinds are the rows of table 1, and which traces are of them.
var Kinds = []struct {
	Name   string
	traces []string
}{
	{"desktop grids", []string{"seti", "nd"}},
	{"best-effort grids", []string{"g5klyo", "g5kgre"}},
	{"spot instances", []string{"spot10", "spot100"}},
}

// MainStrategy is the one that section 4.3 takes: 9C-C-R.
var MainStrategy = spequlos.Strategy{
	When:    spequlos.When{Trigger: spequlos.Completed, Share: 0.9},
	HowMany: spequlos.HowMany{Amount: spequlos.Conservative},
	How:     spequlos.Reschedule,
}

// An outcome is one bag of an environment: by the names of measures, NaN where it
// has none. Times are in s, shares in percent.
type outcome map[string]float64

// What is measured of a run; those of a strategy have its name behind.
const (
	bagFinish   = "finish"
	bagHalf     = "half"
	bagSlowdown = "slowdown"
	TailTasks   = "tail tasks"
	TailTime    = "tail time"
	bagRemoval  = "removal"
	bagSpent    = "spent"
	bagCloud    = "cloud" // hours of the cloud over those that the bag takes there
	bagTail     = "tail"  // 1 where there is a tail to remove, else 0
)

// of names a measure under a strategy.
func of(measure string, s spequlos.Strategy) string { return measure + " " + s.String() }

// run runs the bag of a seed without help and then, on the same machines, with that
// of each strategy. number is that of the seed, by which machines, tasks and their luck are drawn.
// Errors: those of the simulation.
func (e *Environment) run(ctx context.Context, strategies []spequlos.Strategy, seed uint64,
	number int) (outcome, error) {
	p, err := e.Trace.Platform()
	if err != nil {
		return nil, err
	}
	p.Departure = e.departure
	c := &bot.Case{
		Bag:     e.Bag,
		Hosts:   p,
		Server:  e.Server,
		Credits: -1,
		Cloud:   bot.Cloud{Boot: bot.DefaultBoot},
	}
	// Each entity has a stream of its own, so that help changes nothing of the machines' luck.
	chance := func(entity ...uint64) *rand.Rand { return sim.Stream(seed, number, entity...) }
	alone, err := bot.Simulate(c, chance, ctx.Err)
	if err != nil {
		return nil, err
	}
	r := outcome{}
	r.time(bagFinish, bagHalf, alone)
	r[bagSlowdown], r[TailTasks], r[TailTime], r[bagTail] = math.NaN(), math.NaN(), math.NaN(), 0
	if v, ok := alone.Progress.TailSlowdown(); ok {
		r[bagSlowdown] = v
	}
	if tasks, time, ok := alone.Tail(); ok {
		r[TailTasks], r[TailTime] = 100*tasks, 100*time
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
		// What was ordered is what the strategy could have spent.
		r[of(bagSpent, s)] = 100 * with.Spent / with.Ordered
		work := e.Bag.Work.Mean * float64(with.Tasks)
		r[of(bagCloud, s)] = 100 * with.CloudTime * bot.CloudSpeed.Mean / work
	}
	return r, nil
}

// time notes when a bag was done, and half of it.
func (r outcome) time(finish, half string, o *bot.Outcome) {
	r[finish], r[half] = math.NaN(), math.NaN()
	if !o.Done() {
		return
	}
	r[finish] = o.End
	if t, ok := o.Progress.CompletionTime(0.5); ok {
		r[half] = t
	}
}

// A Cell is an environment with its runs, in the order of the seeds.
type Cell struct {
	Environment
	Runs []outcome
}

// values are a measure of all runs.
func (c *Cell) values(measure string) []float64 {
	v := make([]float64, len(c.Runs))
	for i, r := range c.Runs {
		v[i] = r[measure]
	}
	return v
}

// Run runs environments; done counts them. Errors: those of the runs; that of the context;
// pieces.ErrKept for a shard.
func Run(ctx context.Context, all []Environment, strategies []spequlos.Strategy, seeds int, seed uint64,
	done func(part, parts int)) ([]Cell, error) {
	cells := make([]Cell, len(all))
	for i, e := range all {
		cells[i] = Cell{e, make([]outcome, seeds)}
	}
	work := pieces.Work{Name: "environments and seeds", Count: len(all) * seeds, Seed: &seed}
	// NaN is no JSON number, so that shards keep values as partials.Number.
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
			r := make(outcome, len(kept))
			for name, v := range kept {
				r[name] = float64(v)
			}
			cells[i/seeds].Runs[i%seeds] = r
			if done != nil && i%seeds == seeds-1 {
				done(i/seeds+1, len(all))
			}
			return nil
		})
	err = cmp.Or(err, ctx.Err())
	return cells, err
}
