package planner

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// A judgedDraw is one set of figures that mixes are held to. A nil figure has
// no answer.
type judgedDraw struct {
	figure *mixes.Model
	need   float64
	gap    float64 // share by which the cost may be above the least
}

// judgedCosts finds for each judged draw a mix that would have been right for
// it, and where a shortfall has a price, what that and missing servers cost.
func (j *judging) judgedCosts(ctx context.Context, price float64) error {
	u, d := j.uncertainty, j.draws
	n := j.mixing.Model.JudgedDraws(d.n)
	u.costs, j.ideal, d.judged = make([]float64, n), make([]float64, n), make([]judgedDraw, n)
	nominal := j.nominalCase()
	err := parallel.All(ctx, n, func(i int) error {
		u.costs[i], j.ideal[i] = math.Inf(1), math.Inf(1)
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		c := d.figures(nominal, i)
		f, err := j.fleet(ctx, c)
		if err != nil {
			return err
		}
		one := &d.judged[i]
		one.need = d.need[i]
		if one.figure, err = j.figure(f, j.types, c); err != nil {
			return err
		}
		held := j.mixing.Crossing.ForCase(d.rate[i], d.load[i])
		s, err := one.figure.Near(ctx, d.items(i, j.items), held, one.need, price)
		if err != nil {
			return mixError(err, "")
		}
		one.figure.Forget()
		u.costs[i], j.ideal[i] = s.Met, math.Min(s.Met, s.Short)
		if one.gap = 0; s.Met > 0 && !math.IsInf(s.Met, 1) {
			one.gap = 1 - s.Bound/s.Met
		}
		return nil
	})
	if err != nil {
		return err
	}
	gaps, answered := 0.0, 0
	for i := range d.judged {
		if !math.IsInf(u.costs[i], 1) {
			gaps, answered = gaps+d.judged[i].gap, answered+1
		}
	}
	if answered > 0 {
		u.IdealGap = ask.Figure(gaps / float64(answered))
	}
	return nil
}

// judge holds mixes against the judged draws by their own figures. What would
// have been right for a draw is the cheapest of what was found for it and of
// these.
func (j *judging) judge(ctx context.Context, all []MixCandidate) error {
	d, u := j.draws, j.uncertainty
	short := make([]float64, len(d.judged)*len(all))
	if err := parallel.All(ctx, len(d.judged), func(i int) error {
		one := &d.judged[i]
		for k := range all {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if one.figure == nil {
				continue
			}
			if !one.figure.Meets(all[k].Counts) {
				short[i*len(all)+k] = math.Max(one.figure.Missing(all[k].Counts, one.need), 1e-9*one.need)
			}
		}
		if one.figure != nil {
			one.figure.Forget()
		}
		return nil
	}); err != nil {
		return err
	}
	paid := func(i, k int) float64 {
		sum := 0.0
		for t, n := range all[k].Counts {
			sum += d.price[i*d.types+t] * float64(n)
		}
		if u.Shortfall != nil {
			sum += *u.Shortfall * short[i*len(all)+k]
		}
		return sum
	}
	answered := 0
	for i := range d.judged {
		if d.judged[i].figure == nil {
			continue
		}
		answered++
		for k := range all {
			if u.Shortfall != nil {
				j.ideal[i] = math.Min(j.ideal[i], paid(i, k))
			}
		}
	}
	for k := range all {
		c := &all[k]
		metDraws, regrets, greatest, missing := 0, 0.0, 0.0, 0.0
		c.Regret, c.MaxRegret = nil, nil
		for i := range d.judged {
			if d.judged[i].figure == nil {
				continue
			}
			if short[i*len(all)+k] == 0 {
				metDraws++
			}
			missing += short[i*len(all)+k]
			if u.Shortfall != nil {
				regret := paid(i, k) - j.ideal[i]
				regrets, greatest = regrets+regret, math.Max(greatest, regret)
			}
		}
		c.Chance = ask.Figure(float64(metDraws) / float64(len(d.judged)))
		if answered > 0 {
			missing /= float64(answered)
			if u.Shortfall != nil {
				c.Regret, c.MaxRegret = ask.Figure(regrets/float64(answered)), ask.Figure(greatest)
			}
		}
		c.Short = ask.Figure(missing)
	}
	return nil
}
