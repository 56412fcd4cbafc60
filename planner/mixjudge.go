package planner

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/cover"
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
func (p *planning) judgedCosts(ctx context.Context, base []cover.Item, price float64) error {
	u, d := p.a.Uncertainty, p.draws
	n := p.mixing.Model.JudgedDraws(d.n)
	u.costs, p.ideal, d.judged = make([]float64, n), make([]float64, n), make([]judgedDraw, n)
	nominal := p.nominalCase()
	err := parallel.All(ctx, n, func(i int) error {
		u.costs[i], p.ideal[i] = math.Inf(1), math.Inf(1)
		if math.IsInf(d.need[i], 1) {
			return nil
		}
		c := d.figures(nominal, i)
		f, err := p.fleet(ctx, c)
		if err != nil {
			return err
		}
		j := &d.judged[i]
		j.need = d.need[i]
		if j.figure, err = p.figure(f, p.types, c); err != nil {
			return err
		}
		held := p.mixing.Crossing.ForCase(d.rate[i], d.load[i])
		s, err := j.figure.Near(ctx, d.items(i, base), held, j.need, price)
		if err != nil {
			return p.mixError(err, "")
		}
		j.figure.Forget()
		u.costs[i], p.ideal[i] = s.Met, math.Min(s.Met, s.Short)
		if j.gap = 0; s.Met > 0 && !math.IsInf(s.Met, 1) {
			j.gap = 1 - s.Bound/s.Met
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
func (p *planning) judge(ctx context.Context, all []MixCandidate) error {
	d, u := p.draws, p.a.Uncertainty
	short := make([]float64, len(d.judged)*len(all))
	if err := parallel.All(ctx, len(d.judged), func(i int) error {
		j := &d.judged[i]
		for k := range all {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if j.figure == nil {
				continue
			}
			if !j.figure.Meets(all[k].Counts) {
				short[i*len(all)+k] = math.Max(j.figure.Missing(all[k].Counts, j.need), 1e-9*j.need)
			}
		}
		if j.figure != nil {
			j.figure.Forget()
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
				p.ideal[i] = math.Min(p.ideal[i], paid(i, k))
			}
		}
	}
	for k := range all {
		c := &all[k]
		metDraws, regrets, greatest := 0, 0.0, 0.0
		c.Short, c.Regret, c.MaxRegret = 0, nil, nil
		for i := range d.judged {
			if d.judged[i].figure == nil {
				continue
			}
			if short[i*len(all)+k] == 0 {
				metDraws++
			}
			c.Short += short[i*len(all)+k]
			if u.Shortfall != nil {
				regret := paid(i, k) - p.ideal[i]
				regrets, greatest = regrets+regret, math.Max(greatest, regret)
			}
		}
		c.Chance = float64(metDraws) / float64(len(d.judged))
		if answered > 0 {
			c.Short /= float64(answered)
			if u.Shortfall != nil {
				c.Regret, c.MaxRegret = ask.Figure(regrets/float64(answered)), ask.Figure(greatest)
			}
		}
	}
	return nil
}
