package sizing

import (
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/drawn"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// DefaultSamples is the number of draws where SizeQuestion.Samples is 0. With ten
// thousand draws the chance at the 95th percentile of the need has a standard error
// of a fifth of a percentage point, √(0.05·0.95/10000).
const DefaultSamples = 10000

// MaxSamples bounds the draws that may be asked for.
const MaxSamples = 10_000_000

// Uncertainty says how the need varies over the draws from uncertain inputs.
// A quantile is null where that share of the draws has no answer at all.
type Uncertainty struct {
	Samples int    `json:"samples"`
	Seed    uint64 `json:"seed"`
	// P5, P50 and P95 are the servers that suffice in 5, 50 and 95 percent of the draws.
	P5  *int64 `json:"servers_p5"`
	P50 *int64 `json:"servers_p50"`
	P95 *int64 `json:"servers_p95"`
	// Infeasible is the share of the draws that no number of servers meets.
	Infeasible float64     `json:"infeasible_share"`
	Candidates []Candidacy `json:"candidates"`
	// LeastRegret is the fleet of least expected regret, null without costs.
	LeastRegret *int64 `json:"least_regret_servers"`
	// Money is what regrets are in, which are per hour where it is for a time; nil: bare numbers.
	Money *units.CostForm `json:"money,omitempty"`
}

// costed reports whether a cost is given. One cost alone is refused as a question that is not
// finished.
func (q *SizeQuestion) costed() bool { return q.ServerCost.Number != 0 || q.ShortfallCost.Number != 0 }

// A Candidacy is how a fleet stands up to the draws.
type Candidacy struct {
	Servers int64 `json:"servers"`
	// Chance is the share of the draws in which the fleet is enough.
	Chance float64 `json:"probability_met"`
	// Regret is the expected cost above that of the fleet that would have been
	// right, null without costs.
	Regret *float64 `json:"expected_regret"`
	// MaxRegret is that of the worst draw; null as Regret.
	MaxRegret *float64 `json:"max_regret"`
}

// A Recommended is the fleet to take where the load is a range. The fleet of the
// 95th percentile is the one that is safe, and costs, if any are given, do not
// move it; without it the least regret, and else the best chance there is.
type Recommended struct {
	Servers int64      `json:"servers"`
	Chance  float64    `json:"probability_met"`
	Reason  ask.Reason `json:"reason"`
}

// recommended chooses among the candidates, which rise in servers and so in
// chance; nil where no draw has an answer.
func (u *Uncertainty) recommended() *Recommended {
	if len(u.Candidates) == 0 {
		return nil
	}
	for _, want := range []struct {
		servers *int64
		reason  ask.Reason
	}{{u.P95, ask.Safe}, {u.LeastRegret, ask.LeastRegret}} {
		if want.servers == nil {
			continue
		}
		for _, c := range u.Candidates {
			if c.Servers == *want.servers {
				return &Recommended{Servers: c.Servers, Chance: c.Chance, Reason: want.reason}
			}
		}
	}
	r := &Recommended{Reason: ask.Safest}
	for _, c := range u.Candidates {
		if r.Servers == 0 || c.Chance > r.Chance {
			r.Servers, r.Chance = c.Servers, c.Chance
		}
	}
	return r
}

// uncertainty draws scenarios and sizes each. The draws come from one stream
// in order, so that neither the number of cores nor their pace matters. A change
// of a limit is then seen against the same draws.
func uncertainty(ctx context.Context, q *SizeQuestion, nominal int64) (*Uncertainty, error) {
	n := cmp.Or(q.Samples, DefaultSamples)
	if n < 1 || n > MaxSamples {
		return nil, ask.Inputf("samples", "%d draws, want 1 to %d", n, MaxSamples)
	}
	costs := q.ServerCost.Number > 0 && q.ShortfallCost.Number > 0
	if !costs && q.costed() {
		return nil, ask.Inputf("server_cost",
			"the choice of least regret needs both {server_cost} and {shortfall_cost}, above 0")
	}
	form, clash := units.OneCost(q.ServerCost, q.ShortfallCost)
	if clash != nil {
		return nil, ask.Clash("server_cost", "shortfall_cost", *clash)
	}
	// All draws are made first, three for each whether or not its range needs
	// them, so that a range more does not shift the draws of the others.
	rng := rand.New(rand.NewPCG(q.Seed, 0))
	draws := make([][2]float64, n)
	for i := range draws {
		if i%65536 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		draws[i] = q.quantiles(rng.Float64(), rng.Float64(), rng.Float64())
	}
	needs, err := q.drawn(ctx, draws, costs)
	if err != nil {
		return nil, err
	}
	u := &Uncertainty{Samples: n, Seed: q.Seed, Money: form.Unless()}
	for _, p := range []struct {
		at **int64
		of float64
	}{{&u.P5, 0.05}, {&u.P50, 0.5}, {&u.P95, 0.95}} {
		if *p.at, err = drawn.Quantile(needs, p.of); err != nil {
			return nil, err
		}
	}
	finite, err := needs.Met(math.MaxFloat64)
	if err != nil {
		return nil, err
	}
	u.Infeasible = 1 - float64(finite)/float64(n)
	if finite == 0 {
		return u, nil
	}
	low, err := needs.At(0)
	if err != nil {
		return nil, err
	}
	high, err := needs.At(finite - 1)
	if err != nil {
		return nil, err
	}
	var regret func(servers float64) (mean, worst float64)
	if all, ok := needs.(drawn.Known); ok && costs {
		more, fewer := float64(q.ServerCost.Number), float64(q.ShortfallCost.Number)
		regret = all[:finite].Regret(more, fewer)
		// Expected regret is that of the newsvendor: its least point is a quantile.
		if u.LeastRegret, err = drawn.Quantile(all[:finite], fewer/(fewer+more)); err != nil {
			return nil, err
		}
	}
	for _, servers := range candidates(low, high, float64(nominal), u) {
		k, err := needs.Met(servers)
		if err != nil {
			return nil, err
		}
		c := Candidacy{Servers: int64(servers), Chance: float64(k) / float64(n)}
		if regret != nil {
			mean, worst := regret(servers)
			c.Regret, c.MaxRegret = ask.Figure(mean), ask.Figure(worst)
		}
		u.Candidates = append(u.Candidates, c)
	}
	return u, nil
}

// drawn returns the needs of draws, which it sorts: all of them where they are summed,
// or rise with something else than the load; else as they are asked for.
func (q *SizeQuestion) drawn(ctx context.Context, draws [][2]float64, sums bool) (drawn.Needs, error) {
	if err := q.sortByLoad(ctx, draws); err != nil {
		return nil, err
	}
	load := func(k int) Load { return q.loadOf(draws[k]) }
	var chart *needChart
	if sums || !q.ordered() {
		var err error
		if chart, err = chartOf(ctx, len(draws), load, q.fleetOf); err != nil {
			return nil, err
		}
	}
	needs := &drawn.Ordered{
		Draws: len(draws),
		Solve: func(k int, guess float64) (float64, error) {
			s := load(k)
			if n, _, _ := chart.need(s); n > 0 {
				return n, ctx.Err()
			}
			return needNear(ctx, s, guess, q.fleetOf)
		},
		Covers: q.Headroom.Covers,
	}
	switch {
	case !q.ordered():
		return needs.Each(ctx)
	case sums:
		return needs.All(ctx)
	}
	return needs, nil
}

// fleetOf returns the fleet of one load of the question.
func (q *SizeQuestion) fleetOf(s Load) (*Fleet, error) {
	return NewFleet(&q.Traffic, &q.Objectives, q.Model, q.Pool, s)
}

// needNear returns the servers that a load needs before a headroom, +Inf if no number is enough:
// the share of such draws is part of the answer.
func needNear(ctx context.Context, s Load, guess float64, fleet func(Load) (*Fleet, error)) (float64, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	f, err := fleet(s)
	if err != nil {
		return 0, err
	}
	servers := 0.0
	if f.log != nil || len(f.Limits) == 0 {
		servers, _, err = f.near(ctx, guess)
	} else {
		one := *f
		one.Model = queueing.Remembering(f.Model)
		for i := 0; err == nil && i < len(f.Limits); i++ { // one by one no real number is looked for
			one.Limits = f.Limits[i : i+1]
			n := 0.0
			n, _, err = one.near(ctx, guess)
			servers = math.Max(servers, n)
		}
	}
	if _, ok := err.(*ask.InfeasibleError); ok {
		return math.Inf(1), nil
	}
	return servers, err
}

// ordered reports whether the need rises with the load of a scenario alone:
// where arrivals are lost, or where all wait and only one figure of the load is
// a range. Where some give up, a greater load may shorten the waits of the rest.
func (q *SizeQuestion) ordered() bool {
	single := len(q.ranges()) == 1
	switch q.choose(q.Model, &q.Traffic) {
	case Loss:
		return true
	case Sharing:
		return single
	case Wait: // the approximations of services of other SCVs are not all monotone
		if ask.Or(q.ServiceSCV, units.Number(1)) == 1 {
			return single
		}
	}
	return single && q.Pool != nil && q.Pool.Count != CountMean
}

// sortByLoad sorts draws. Ten million take seconds, which a signal cuts short.
func (q *SizeQuestion) sortByLoad(ctx context.Context, draws [][2]float64) error {
	if q.OfferedLoad == nil {
		return parallel.Sort(ctx, draws, func(a, b [2]float64) int {
			return cmp.Or(cmp.Compare(a[0]*a[1], b[0]*b[1]), cmp.Compare(a[1], b[1]))
		})
	}
	return parallel.Sort(ctx, draws, func(a, b [2]float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
}

// candidates returns the fleet sizes to report: all between the extremes where
// they are few, else some twenty evenly spaced, always with the nominal
// answer, the quantiles and the choice of least regret.
func candidates(low, high, nominal float64, u *Uncertainty) []float64 {
	seen := map[float64]bool{nominal: true}
	for _, p := range []*int64{u.P5, u.P50, u.P95, u.LeastRegret} {
		if p != nil {
			seen[float64(*p)] = true
		}
	}
	step := math.Max(1, math.Ceil((high-low)/20))
	for s := low; s <= high; s += step {
		seen[s] = true
	}
	seen[high] = true
	return slices.Sorted(maps.Keys(seen))
}
