package planner

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/units"
)

// A judgedDraw is one set of figures that mixes are held to. A nil figure has
// no answer.
type judgedDraw struct {
	figure *mixes.Model
	need   float64
	gap    float64 // share by which the cost may be above the least
}

// judgedCosts finds for each judged draw a mix that would have been right for
// it, and where a shortfall has a price, what that and missing servers cost. The
// ideal of a draw is the cheapest of what was found for it: a mix that meets it,
// or where a shortfall has a price, one that leaves servers missing.
func (j *judging) judgedCosts(ctx context.Context, price float64) error {
	u, d := j.uncertainty, j.draws
	n := j.mixing.Model.JudgedDraws(d.n)
	u.costs, j.ideal, d.judged = make([]float64, n), make([]float64, n), make([]judgedDraw, n)
	nominal := j.nominalCase()
	settle := func(i int) error {
		u.costs[i], j.ideal[i] = math.Inf(1), math.Inf(1)
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		c := d.figures(nominal, i)
		f, err := j.drawnFleet(ctx, c)
		if err != nil {
			return err
		}
		one := &d.judged[i]
		one.need = d.need[i]
		if one.figure, err = j.figure(ctx, f, j.types, c); err != nil {
			return err
		}
		one.figure.Allowed = j.work.Drawn.Given / mixes.FewDraws
		// Draws differ in how many jobs come, and so in what link and epoch
		// allow.
		held := j.mixing.Crossing.ForCase(d.rate[i], d.load[i])
		s, err := one.figure.Near(ctx, d.items(i, j.items), held, one.need, price)
		if err != nil {
			return mixError(err, "")
		}
		// The model keeps figures of mixes; of hundreds of draws they would fill
		// memory.
		one.figure.Forget()
		u.costs[i], j.ideal[i] = units.ExactCents(s.Met), math.Min(s.Met, s.Short)
		if one.gap = 0; s.Met > 0 && !math.IsInf(s.Met, 1) {
			one.gap = 1 - s.Bound/s.Met
		}
		return nil
	}
	// The first draws tell how many can be afforded.
	for begin, stage := 0, 0; begin < n; stage++ {
		end := mixes.DrawsBy(stage, n)
		if err := parallel.All(ctx, end-begin, func(i int) error { return settle(begin + i) }); err != nil {
			return err
		}
		if begin = end; end < n {
			first := make([]*mixes.Model, end)
			for i := range first {
				first[i] = d.judged[i].figure
			}
			n, j.holding = j.work.Drawn.Draws(first, j.counts, n)
		}
	}
	if n < len(u.costs) {
		j.warn(mixes.FewDrawsWords("mixes are chosen for and judged on", n))
		u.costs, j.ideal, d.judged = u.costs[:n], j.ideal[:n], d.judged[:n]
	}
	gaps, answered := 0.0, 0
	for i := range d.judged {
		if x := d.judged[i].figure; x != nil {
			j.work.Drawn.Left -= x.Steps()
		}
		if !math.IsInf(u.costs[i], 1) {
			gaps, answered = gaps+d.judged[i].gap, answered+1
		}
	}
	if answered > 0 {
		u.IdealGap = ask.Figure(gaps / float64(answered))
	}
	return nil
}

// A tally is how a mix does over draws.
type tally struct {
	draws           int  // those without an answer among them
	priced          bool // a shortfall has a price, so that there are regrets
	met, answered   int
	missing         float64 // servers, over the draws that have an answer
	regret, biggest float64
}

// add counts a draw that has an answer: the servers that the mix is short of, and its
// regret.
func (t *tally) add(short, regret float64) {
	if short <= 0 {
		t.met++
	}
	t.answered++
	t.missing += short
	t.regret += regret
	t.biggest = math.Max(t.biggest, regret)
}

// into states the tally as that of a candidate. A draw without an answer is
// missed by every mix, and has no shortfall or regret.
func (t *tally) into(c *MixCandidate) {
	c.Chance, c.Short, c.Regret, c.MaxRegret = ask.Figure(float64(t.met)/float64(t.draws)), new(float64), nil, nil
	if t.answered == 0 {
		return
	}
	n := float64(t.answered)
	c.Short = ask.Figure(t.missing / n)
	if t.priced {
		c.Regret, c.MaxRegret = ask.Figure(t.regret/n), ask.Figure(t.biggest)
	}
}

// judgeByWorth holds a mix against all draws by what its machines are worth,
// each type scaled by a factor; nil: 1. What a loss takes are the dearest
// machines, by worth: by figures they could be others, which this way of judging
// does not ask.
func (j *judging) judgeByWorth(ctx context.Context, name string, counts []int64, scale []float64) MixCandidate {
	c := j.outset(name, counts)
	d, base := j.draws, j.items
	if d == nil {
		return c
	}
	// What a loss leaves has to be enough, but all machines are paid for.
	left := counts // of which the worth has to be enough
	if room := j.Headroom(); room != nil {
		worth := make([]float64, len(base))
		for t := range base {
			worth[t] = base[t].Worth
		}
		left = mixes.DearestLost(room, counts, worth)
	}
	var used []int // of sixty types a mix has few
	for t, n := range counts {
		if n > 0 {
			used = append(used, t)
		}
	}
	held := tally{draws: d.n, priced: j.uncertainty.Shortfall != nil && len(j.ideal) == d.n}
	for i := range d.n {
		if i%65536 == 65535 && ctx.Err() != nil {
			break // the plan is given up
		}
		if math.IsInf(d.need[i], 1) {
			continue
		}
		has, paid := 0.0, 0.0
		for _, t := range used {
			worth := d.worth[i*d.types+t]
			if scale != nil {
				worth *= scale[t]
			}
			has += worth * float64(left[t])
			paid += d.price[i*d.types+t] * float64(counts[t])
		}
		short := math.Max(d.need[i]*(1-1e-12)-has, 0)
		regret := 0.0
		if held.priced {
			// A mix that costs less than what was found for the draw has no
			// regret, and shows that the search was short.
			regret = math.Max(paid+*j.uncertainty.Shortfall*short-j.ideal[i], 0)
		}
		held.add(short, regret)
	}
	held.into(&c)
	return c
}

// judge holds mixes against the judged draws by their own figures, those that were not
// before. What would have been right for a draw is the cheapest of what was found for it
// and of all that are judged. All candidates have to be judged before any has its
// regret, since one of them may be the ideal of a draw.
func (j *judging) judge(ctx context.Context, all []MixCandidate) error {
	if err := j.findShort(ctx, all); err != nil {
		return err
	}
	d, u := j.draws, j.uncertainty
	if u.Shortfall != nil {
		for i := range d.judged {
			for k := range all {
				if d.judged[i].figure != nil {
					j.ideal[i] = math.Min(j.ideal[i], j.paid(&all[k], i))
				}
			}
		}
	}
	for k := range all {
		held := tally{draws: len(d.judged), priced: u.Shortfall != nil}
		for i, short := range j.short[mixes.Key(all[k].Counts)] {
			if d.judged[i].figure == nil {
				continue
			}
			regret := 0.0
			if held.priced {
				regret = j.paid(&all[k], i) - j.ideal[i]
			}
			held.add(short, regret)
		}
		held.into(&all[k])
	}
	return nil
}

// findShort finds how many servers the mixes that were not judged yet are short of in
// each draw. The draws are gone through side by side, and for each all new mixes:
// its model is then in memory once.
func (j *judging) findShort(ctx context.Context, all []MixCandidate) error {
	if j.short == nil {
		j.short = map[string][]float64{}
	}
	draws := j.draws.judged
	var fresh []*MixCandidate
	for k := range all {
		if key := mixes.Key(all[k].Counts); j.short[key] == nil {
			j.short[key] = make([]float64, len(draws))
			fresh = append(fresh, &all[k])
		}
	}
	steps := make([]float64, len(draws)) // by draw: in any order their sum may differ
	defer func() { j.work.Held.Left -= floats.Sum(steps) }()
	hold := func(i int) error {
		one := &draws[i]
		if one.figure == nil {
			return nil
		}
		begun := one.figure.Steps()
		defer func() { steps[i] = one.figure.Steps() - begun }()
		defer one.figure.Forget()
		for _, c := range fresh {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			rough := j.work.Held.Rough || one.figure.Steps()-begun > mixes.LongDraw
			j.short[mixes.Key(c.Counts)][i] = one.figure.Short(c.Counts, one.need, rough)
		}
		return nil
	}
	// What the first took decides how those after them are held, whoever is faster.
	for begin, end := 0, mixes.FewestDraws; begin < len(draws); begin, end = end, end+2*mixes.FewDraws {
		end = min(end, len(draws))
		if err := parallel.All(ctx, end-begin, func(i int) error { return hold(begin + i) }); err != nil {
			return err
		}
		j.work.Held.Rough = j.work.Held.Rough || j.work.Held.Overdrawn(floats.Sum(steps)) ||
			floats.Max(steps) > mixes.LongDraw
	}
	return nil
}

// paid is what a mix costs in a judged draw, with the servers that it is short of there
// where they have a price.
func (j *judging) paid(c *MixCandidate, i int) float64 {
	d, sum := j.draws, 0.0
	for t, n := range c.Counts {
		sum += d.price[i*d.types+t] * float64(n)
	}
	if price := j.uncertainty.Shortfall; price != nil {
		sum += *price * j.short[mixes.Key(c.Counts)][i]
	}
	return sum
}
