package bags

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim/bot"
	"github.com/capplan/capplan/units"
)

// Where the formula does not hold, the law is drawn by simulation instead. On few machines that
// takes as many runs as some 15 ms pay for, at least enough for the median to be within about 5 %.
// Machines that come and go together or are unlike, and unlike tasks under BOINC, get runs for some .2 s
// of a processor, as such bags are large.
var (
	drawnFew    = bot.Drawing{Seed: drawnSeed, Effort: 100e3, Least: 100, Most: 4000}
	drawnCommon = bot.Drawing{Seed: drawnSeed, Effort: 1.5e6, Least: 60, Most: 1000}
	// enough where the formula is wrong by a factor
	drawnOverdue = bot.Drawing{Seed: drawnSeed, Effort: 1.5e6, Least: 25, Most: 1000}
)

// drawnSeed is a seed that nobody is likely to check the law with.
const drawnSeed = 0x6472617773

// drawing returns what to draw for a case, with help or without; ok is true if the formula does not hold for it.
func drawing(c *bot.Case, help bool) (d bot.Drawing, ok bool) {
	_, _, few := bags.FewMachines(c.Hosts.Machines())
	switch {
	case c.Hosts.Population != nil, c.Hosts.Groups.Count > 0, commonWarning(c.Hosts) != "", unlike(c.Hosts),
		few && len(c.Hosts.Records) > 0:
		return drawnCommon, true
	case overdue(c), unlikeTasks(c) && (help || c.Server == bot.BOINC) && !few, leavesFew(c), help && manyStays(c):
		return drawnOverdue, true
	case listed(c), alike(c), restless(c):
		return drawnCommon, true
	}
	if quick(c) {
		return drawnCommon, true
	}
	return drawnFew, few || lateAndFew(c) || aboutEnough(c)
}

// overdue reports whether results may be out on machines that are gone for good: under BOINC these
// are waited for until their deadline, a day later. The formula takes this into account
// (TestFormulaWhereItIsDrawn), but the effect of help on such bags was not compared with runs.
func overdue(c *bot.Case) bool { return c.Server == bot.BOINC && c.Hosts.Departure > 0 }

// leavesFew reports whether so many machines are gone for good when the bag is done that few or
// none are left. If each machine leaves for good at rate λ and the work for each machine that is up
// is w, a share λw of the machines has gone by then. The formula follows their mean number. It
// has a 95 % point where 11 of 50 machines are left by that share, or 22 of 200, although one run in
// twenty is never done; where 66 are left its 95 % point is within a tenth (TestFewMachinesRemain).
func leavesFew(c *bot.Case) bool {
	up, down, err := c.Hosts.Laws()
	if c.Hosts.Departure == 0 || err != nil || down == nil {
		return false
	}
	machines := float64(c.Hosts.Machines())
	work := c.Bag.TotalWork() / (c.Hosts.Speed.Mean * machines * c.Hosts.Availability())
	if c.Server == bot.BOINC {
		work *= float64(c.Rules.WithDefaults().Results)
	}
	_, _, few := bags.FewMachines(int(machines * (1 - c.Hosts.Departure/(up.Mean()+down.Mean())*work)))
	return few
}

// neverDone reports whether, by the formula, so many bags are never done because machines leave for
// good that there is no 95 % point. leavesFew counts the work of tasks only, and not what is lost where
// machines save little; the formula counts it, but by mean numbers, so that it may say of all bags
// that they are never done where one in six is (Z10 of TestFinishOfRestarts).
func neverDone(c *bot.Case, f *bags.FinishLaw) bool {
	return c.Hosts.Departure > 0 && math.IsInf(f.Quantile(0.95), 1)
}

// listed reports whether tasks arrive at listed times under BOINC. The last of them each wait for
// one of the few machines that ask, while the formula follows mean numbers.
func listed(c *bot.Case) bool {
	return c.Server == bot.BOINC && slices.ContainsFunc(c.Bag.Tasks, func(t bags.Task) bool { return t.Arrival > 0 })
}

// aboutEnough reports whether, under BOINC, there is usually a machine for each result, but in more
// than one run in a thousand there is not, so that a second wave follows. √(NA(1 − A)) is the
// standard deviation of the number of machines; the formula uses only the mean. Its 95 % point was
// 32 and 39 % early for 31 tasks on 100 machines and for 16 on 51, whose results take equally long
// on all (P33, O14 of TestFinishOfFewWaves).
func aboutEnough(c *bot.Case) bool {
	there, results := float64(c.Hosts.Machines())*c.Hosts.Availability(), c.Bag.MeanSize()*float64(c.Rules.WithDefaults().Results)
	sd := math.Sqrt(there * (1 - c.Hosts.Availability()))
	return c.Server == bot.BOINC && c.Bag.Arrival == nil && results < there && results > there-3*sd
}

// restlessShare is the share of the machines that must stay long enough. With shares of .18 and .05
// the median was 16 and 32 % late, with .00 it was infinite (TestFinishOfRestarts).
const restlessShare = 0.2

// restless reports whether fewer machines than that stay as long as a task takes, of listed ones the largest, or,
// with checkpoints, until the next save. The few attempts that succeed are then mostly on the fastest
// machines, which the formula merges with others.
func restless(c *bot.Case) bool {
	up, down, err := c.Hosts.Laws()
	if c.Server == bot.BOINC || err != nil || down == nil {
		return false
	}
	needed := c.Bag.TotalWork() / c.Bag.MeanSize() / c.Hosts.Speed.Mean
	if len(c.Bag.Tasks) > 0 {
		needed = c.Bag.LargestWork() / c.Hosts.Speed.Mean
	}
	if c.Server == bot.Checkpoint {
		needed = min(needed, c.Rules.WithDefaults().Save)
	}
	return 1-law.Equilibrium(up, needed) < restlessShare
}

// unlikeShare is the ratio of variance to mean of the number of times that each recorded machine
// left above which machines count as unlike. Of equal machines it approaches the squared coefficient
// of variation of the time from one leaving to the next (Cox, Renewal Theory, 1962): 1 for a Poisson
// number, and so below 4 if that varies by less than 2, or 1.6 with what chance does in a record of 78
// machines (TestEqualMachinesAreAlike). The formula takes every stay for one of any machine: for 78
// machines of which four leave every quarter of an hour its median is 2.8 times the simulated one
// (TestUnlikeMachinesAreDrawn). Of PlanetLab, where two of 78 left 120 times on a day and 46 never,
// a ratio of 35, it was 8 % late.
const unlikeShare = 4

// unlike reports whether some of the recorded machines leave far more often than others.
func unlike(p *hosts.Platform) bool {
	var counts []float64
	for _, r := range p.Records {
		counts = append(counts, float64(len(r.Changes)/2))
	}
	if len(counts) < 2 {
		return false
	}
	mean, variance := stat.MeanVariance(counts, nil)
	return variance > unlikeShare*max(1, mean)
}

// alike reports whether machines of one speed never leave, under BOINC. They end their results in
// step for ever, all results of a task at once, whereas in the formula some results come early
// enough to make the last one unnecessary. On 400 such machines its median is 8 % early for 5,000
// tasks; with a coefficient of variation of the speed of .01 it is 2 to 3 % early, of .02 one
// (TestMachinesAlikeAreDrawn).
func alike(c *bot.Case) bool {
	_, down, err := c.Hosts.Laws()
	return c.Server == bot.BOINC && err == nil && down == nil && c.Hosts.Speed.SD < 0.02*c.Hosts.Speed.Mean
}

// lateResults is the number of results for each machine from which on the formula holds for tasks
// that arrive late under BOINC. Machines that find nothing ask ever more rarely, down to once a
// day, and with fewer tasks most are done by machines that happen to ask. On spot10 the median is
// 41 to 47 % off for 15 to 65 tasks, 39 % for 80, 7 % for 150 and right for 300
// (TestFormulaWhereItIsDrawn).
const lateResults = 10

// lateAndFewOff is the greatest relative error of the formula's median in that test.
const lateAndFewOff = 0.5

// lateAndFew reports whether tasks arrive late under BOINC and are too few for the formula.
func lateAndFew(c *bot.Case) bool {
	if c.Server != bot.BOINC || c.Bag.Arrival == nil && len(c.Bag.Tasks) == 0 {
		return false
	}
	results := c.Bag.MeanSize() * float64(c.Rules.WithDefaults().Results)
	return results < lateResults*float64(c.Hosts.Machines())
}

// A bag is quick if so few machines have asked for work when it is done; machines ask by the
// minute, or, for tasks that arrive late under BOINC, when they come or once a day. The formula
// follows mean numbers of machines. TestQuickBagsAreDrawn measures its error. If late tasks are few too, those
// machines hardly do a result each: of 60 that 23 machines did the 95 % point was 26 % early.
const (
	quickTakers     = 50
	quickTakersLate = 10
	quickTakersFew  = 25
)

// quick reports whether the machines that happen to ask first do all of a bag. If machines ask for
// the first time at a rate r and then do one task after another, the total work W is done when
//
//	r t²/2 = W,    machines that take part r t = √(2 r W)
func quick(c *bot.Case) bool {
	rules, machines := c.Rules.WithDefaults(), float64(c.Hosts.Machines())
	work, most := c.Bag.TotalWork()/c.Hosts.Speed.Mean, float64(quickTakers)
	rate := machines * c.Hosts.Availability() / rules.Ask
	if c.Server == bot.BOINC {
		work *= float64(rules.Results)
		if c.Bag.Arrival != nil || listed(c) {
			if most = quickTakersLate; lateAndFew(c) {
				most = quickTakersFew
			}
			rate = machines * c.Hosts.Availability() / rules.Backoff
			if up, down, err := c.Hosts.Laws(); err == nil && down != nil {
				rate += machines * c.Hosts.GroupAvailability() / (up.Mean() + down.Mean())
			}
		}
	}
	if most == quickTakers && work/c.Bag.MeanSize() > rules.Ask/2 {
		return false // a machine that has asked is busy until all have
	}
	return 2*rate*work < most*most
}

// lawOf returns the law of a case, from which help is looked for or not: the formula where it holds, else the law of
// drawn runs, or again the formula if the runs would take too long.
func lawOf(ctx context.Context, c *bot.Case, help bool) (f *bags.FinishLaw, drawn int, err error) {
	d, wanted := drawing(c, help)
	if wanted {
		f, runs, err := bot.DrawLaw(ctx, c, d)
		if err != nil || runs > 0 {
			return f, runs, FromModel(err)
		}
	}
	f, err = parallel.Await(ctx, func() (*bags.FinishLaw, error) { // 8 million tasks take 3 s
		return bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server, Rules: c.Rules})
	})
	if err == nil && !wanted && neverDone(c, f) {
		if drawn, runs, err := bot.DrawLaw(ctx, c, drawnOverdue); err != nil || runs > 0 {
			return drawn, runs, FromModel(err)
		}
	}
	return f, 0, FromModel(err)
}

// drawnInterval returns what chance leaves open of a quantile from this number of runs: the
// quantiles at two standard errors of its probability.
func drawnInterval(f *bags.FinishLaw, p float64, runs int) *simulate.Interval {
	sd := math.Sqrt(p * (1 - p) / float64(runs))
	return &simulate.Interval{
		Mean: ask.Figure(f.Quantile(p)),
		Low:  ask.Figure(f.Quantile(p - 2*sd)),
		High: ask.Figure(f.Quantile(min(p+2*sd, 1-0.5/float64(runs)))),
	}
}

// warnOfFormula says where the formula is known to be wrong.
func (a *FinishAnswer) warnOfFormula(q *FinishQuestion) {
	if median, high, few := bags.FewMachines(q.Hosts.Machines()); few {
		a.doubt(DoubtTimes,
			"with so few machines all may be away at once: against simulations the closed form was up to %s "+
				"early at the median and %s at the 95%% point; confirm it by simulation",
			ask.Percent(median, 2), ask.Percent(high, 2))
	}
	for _, p := range []float64{0.5, 0.95} {
		low, high := a.law.Plateau(p)
		if t := a.law.Quantile(p); high > plateauSpan*low && !math.IsInf(t, 1) {
			a.doubt(DoubtTimes,
				"the time by which the bag is done with chance %s depends on a few tasks whose machines left: "+
					"it lies between %s and %s if a third fewer or a third more such tasks remain than "+
					"expected; a simulation settles it",
				ask.Percent(p, 2), units.FormatDuration(low, 3), units.FormatDuration(high, 3))
		}
	}
	c, err := (&SimulateQuestion{Bag: q.Bag, Hosts: q.Hosts, Server: q.Server}).kase()
	switch {
	case err != nil:
	case leavesFew(c), neverDone(c, a.law):
		a.doubt(DoubtTimes,
			"so many machines leave for good that few or none remain when the bag is done: the closed form "+
				"follows their mean number, and its 95%% point is too early if some bags are never done")
	case overdue(c) && q.By != nil:
		a.doubt(DoubtTimes,
			"results on machines that left for good are waited for until their deadline: the effect of help in "+
				"this case was not compared with simulations")
	}
	if err == nil && aboutEnough(c) {
		a.doubt(DoubtTimes,
			"there are about as many machines as results, so a second wave follows whenever fewer machines are "+
				"available: the closed form uses their mean number, and its 95%% point was up to 39%% early "+
				"against simulations")
	}
	if err == nil && restless(c) {
		a.doubt(DoubtTimes,
			"few machines stay as long as a task takes, or until its next checkpoint, so the fastest of them do "+
				"most of the work: the median of the closed form was up to 32%% late against simulations, and "+
				"later still if hardly any machine stays")
	}
	switch {
	case err != nil || !unlikeTasks(c):
	case c.Server != bot.BOINC && q.By != nil:
		a.doubt(DoubtTimes,
			"the tasks differ in size, and the closed form lets help take any of them: the effect of help in this "+
				"case was not compared with simulations")
	case c.Server == bot.BOINC:
		a.doubt(DoubtTimes,
			"the tasks differ in size, and the closed form treats a long task like one on a slow machine: its "+
				"median was up to %s early against simulations of such bags",
			ask.Percent(unlikeOff, 2))
	}
	if err == nil && manyStays(c) && q.By != nil {
		a.doubt(DoubtTimes,
			"the largest task takes many stays of a machine, from checkpoint to checkpoint: the effect of help in "+
				"this case was not compared with simulations")
	}
	if unlike(q.Hosts) {
		a.doubt(DoubtTimes,
			"some of these machines leave far more often than others, but the closed form treats their stays as "+
				"those of one machine: against simulations of such records its median was between 8%% late and "+
				"2.8 times as late")
	}
	if err == nil && quick(c) {
		a.doubt(DoubtTimes,
			"such a bag is done after only a few machines have asked for work, and the closed form, which "+
				"follows their mean number, may be off by any factor: for tasks that take no time it gave a day "+
				"instead of a second")
	}
	if q.Hosts.Population != nil {
		a.doubt(DoubtTimes,
			"the machines of a fleet differ, but the closed form treats their stays as those of one machine: "+
				"against simulations of two fleets its median was up to 15%% early and 9%% late, its 95%% point "+
				"20%% early to 36%% late")
	}
	if q.Hosts.Groups.Count > 0 {
		a.doubt(DoubtTimes,
			"the closed form uses the mean of the outages that groups share and so understates the spread; a "+
				"simulation follows them")
	}
	if w := commonWarning(q.Hosts); w != "" {
		a.doubt(DoubtTimes, "%s", w)
	}
}
