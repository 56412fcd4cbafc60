package planner

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
)

// A judgedDraw is one set of figures that mixes are held to. A nil figure has
// no answer.
type judgedDraw struct {
	figure *mixFigure
	need   float64
	gap    float64 // share by which the cost may be above the least
}

// How many draws mixes are judged by: one costs half a millisecond, or where the
// figure has no table up to a second. By a table it is a share of the draws
// between both bounds.
const (
	judgedByTable = 1000
	judgedMost    = 4000
	judgedShare   = 0.125
	judgedByModel = 60
)

// judgedDraws is the number of draws by which mixes are judged.
func (x *mixFigure) judgedDraws(n int) int {
	if x.loss != nil || x.proven != nil || x.fleet.Load.Offered() < mostTable && x.tabled() != nil {
		return min(n, max(judgedByTable, min(int(judgedShare*float64(n)), judgedMost)))
	}
	return min(n, judgedByModel)
}

// judgedCosts finds for each judged draw a mix that would have been right for
// it, and where a shortfall has a price, what that and missing servers cost.
func (p *planning) judgedCosts(ctx context.Context, base []cover.Item, price float64) error {
	u, d := p.a.Uncertainty, p.draws
	n := p.mixing.figure.judgedDraws(d.n)
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
		held := p.mixing.crossing.forCase(d.rate[i], d.load[i])
		s, err := j.figure.near(ctx, d.items(i, base), held, j.need, price)
		if err != nil {
			return p.mixError(err, "")
		}
		j.figure.forget()
		u.costs[i], p.ideal[i] = s.met, math.Min(s.met, s.short)
		if j.gap = 0; s.met > 0 && !math.IsInf(s.met, 1) {
			j.gap = 1 - s.bound/s.met
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

// forget gives back the room that mixes seen so far take.
func (x *mixFigure) forget() {
	clear(x.known)
	clear(x.kept)
	clear(x.working)
	if x.table != nil {
		x.table.Forget()
	}
	if x.loss != nil {
		x.loss.Forget()
	}
}

// A nearCost is what a draw costs about: by a mix that meets the objectives, +Inf
// where none does, and by one with servers missing at a price.
type nearCost struct{ met, bound, short float64 }

// nearShares are the heights above the plane at which a mix is looked for.
var nearShares = []float64{1, 1.001, 1.002, 1.004, 1.008, 1.016, 1.03, 1.06, 1.12, 1.25, 1.6, 2, 2.6, 3.4, 4.5, 6}

// near finds mixes close to the cheapest: those worth enough by the plane, which
// is raised until one meets the objectives.
func (x *mixFigure) near(ctx context.Context, items []cover.Item, held *crossing, need,
	price float64) (nearCost, error) {
	out := nearCost{math.Inf(1), 0, math.Inf(1)}
	x.crossing = nil
	if held != nil {
		x.crossing = &crossingLimit{crossing: held.by(x), items: items}
	}
	x.prepare(items, need)
	items = x.grouping(items)
	solve := func(points []float64, share, price float64) (*cover.Solution, error) {
		better, goal := x.plane(items, need, points, share)
		p := &cover.Problem{Items: better, Need: goal, MostCounted: -1, Shortfall: price, MaxNodes: 2000}
		if x.crossing == nil {
			return cover.Solve(p)
		}
		return cover.SolveWithin(ctx, p, x.crossing, nil)
	}
	var short *cover.InfeasibleError
	if price > 0 {
		switch s, err := solve(x.short, 1, price); {
		case err == nil:
			out.short = x.improved(items, s.Counts, need, price)
		case !errors.As(err, &short):
			return out, err
		}
	}
	most := make([]int64, len(items))
	for i, it := range items {
		most[i] = it.Most
	}
	if len(x.rising) > 0 && !x.reachesWithin(make([]int64, len(most)), most) {
		return out, nil
	}
	points := x.proven
	switch low, err := solve(points, 1-1e-9, 0); {
	case errors.As(err, &short):
		return out, nil
	case err != nil:
		return out, err
	default:
		out.bound = low.Bound
	}
	before := 0.
	for _, share := range nearShares {
		s, err := solve(x.short, share, 0)
		if errors.As(err, &short) {
			break
		}
		if err != nil {
			return out, err
		}
		if !x.Admits(s.Counts) {
			before = share
			continue
		}
		out.met = s.Cost
		for range 3 {
			if before == 0 {
				break
			}
			middle := (before + share) / 2
			s, err := solve(x.short, middle, 0)
			if err != nil {
				return out, err
			}
			if x.Admits(s.Counts) {
				share, out.met = middle, math.Min(out.met, s.Cost)
			} else {
				before = middle
			}
		}
		return out, nil
	}
	s, err := x.within(ctx, items, held, need, 4000)
	switch {
	case errors.As(err, &short):
	case err != nil:
		return out, err
	default:
		out.met, out.bound = s.Cost, math.Max(out.bound, s.Bound)
	}
	return out, nil
}

// improved returns the cost of a mix with its missing servers, after machines
// were taken or left one by one as long as that costs less.
func (x *mixFigure) improved(items []cover.Item, counts []int64, need, price float64) float64 {
	cost := func(counts []int64) float64 {
		if x.crossing != nil && !x.crossing.Admits(counts) {
			return math.Inf(1)
		}
		sum := price * x.missing(counts, need)
		for i, n := range counts {
			sum += items[i].Price * float64(n)
		}
		return sum
	}
	at := append([]int64(nil), counts...)
	best := cost(at)
	for range 20 {
		moved := false
		for i := range at {
			for _, step := range []int64{-1, 1} {
				if n := at[i] + step; n < items[i].Least || n > items[i].Most || moved {
					continue
				}
				at[i] += step
				if c := cost(at); c < best*(1-1e-9) {
					best, moved = c, true
				} else {
					at[i] -= step
				}
			}
		}
		if !moved {
			break
		}
	}
	return best
}

// missingSlack is how near to its limit an objective is taken to be met exactly
// where servers are missing, a share: it moves the mean over draws by less than a
// hundredth of its standard error.
const missingSlack = 1e-5

// missing returns the servers of speed 1 that have to stand beside a mix for all
// objectives to be met, also by what is left after the losses that it has to
// survive; 0 where they are, at most the need.
func (x *mixFigure) missing(counts []int64, need float64) float64 {
	if x.room == nil {
		return x.missingNow(counts, need)
	}
	most := 0.0
	if !x.plain {
		most = x.missingNow(counts, need)
	}
	for left := range x.room.Losses(counts) {
		if most = math.Max(most, x.missingNow(left, need)); most >= need {
			break
		}
	}
	return most
}

// missingNow is missing of machines as they stand.
func (x *mixFigure) missingNow(counts []int64, need float64) float64 {
	n := x.floats(counts)
	at := func(servers float64) float64 {
		n[len(n)-1] = servers
		return x.slack(n, x.all)
	}
	low, from := 0.0, at(0)
	if from >= 0 {
		return 0
	}
	// The plane says about how many are missing.
	high := need
	for i, c := range counts {
		if x.short != nil && x.short[i] > 0 {
			high -= need * float64(c) / x.short[i]
		}
	}
	high = math.Min(math.Max(1.002*high, 0)+1e-3*need, need)
	to := at(high)
	for to < 0 && high < need {
		low, from = high, to
		high = math.Min(2*high, need)
		to = at(high)
	}
	if to <= 0 { // slow machines take jobs that servers of speed 1 are asked for
		return need
	}
	last := 0 // the end that moved
	for range 60 {
		if high-low <= 1e-6*need || math.Min(to, -from) < missingSlack {
			break
		}
		middle := low + (high-low)/2
		if !math.IsInf(from, -1) && !math.IsInf(to, 1) {
			middle = low + (high-low)*math.Min(math.Max(-from/(to-from), 1e-3), 1-1e-3)
		}
		switch s := at(middle); {
		case s == 0:
			return middle
		case s > 0:
			if high, to = middle, s; last > 0 { // the Illinois rule
				from /= 2
			}
			last = 1
		default:
			if low, from = middle, s; last < 0 {
				to /= 2
			}
			last = -1
		}
	}
	if -from < to {
		return low
	}
	return high
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
			if !j.figure.meets(all[k].Counts) {
				short[i*len(all)+k] = math.Max(j.figure.missing(all[k].Counts, j.need), 1e-9*j.need)
			}
		}
		if j.figure != nil {
			j.figure.forget()
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
