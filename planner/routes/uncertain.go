package routes

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// defaultDraws is the number of draws from the rates where none is given.
const defaultDraws = 10000

// Uncertainty says how splits that were fixed beforehand fare over draws
// of the uncertain rates, the same draws for all.
type Uncertainty struct {
	Samples int            `json:"samples"`
	Seed    uint64         `json:"seed"`
	Splits  []HedgeOutcome `json:"splits"`
}

// A HedgeOutcome is how one split fares. A quantile is null where too many
// draws saturate a cluster, the mean where any does.
type HedgeOutcome struct {
	Split string   `json:"split"` // a policy at the most likely rates, least-mean or least-worst
	P5    *float64 `json:"mean_response_p5_s"`
	P50   *float64 `json:"mean_response_p50_s"`
	P95   *float64 `json:"mean_response_p95_s"`
	Mean  *float64 `json:"mean_response_average_s"`
	Worst *float64 `json:"mean_response_worst_s"` // at the upper end of all ranges
	// Unstable is the share of the draws in which some cluster is saturated.
	Unstable   *float64 `json:"saturated_share"`
	Saturated  *string  `json:"saturated_cluster"` // the one most often
	Infeasible *string  `json:"infeasible"`        // why there is no such split
	// Probabilities by cluster.
	Probabilities []float64 `json:"probabilities"`
}

// maxClusterDraws bounds the memory of the draws, some 110 bytes each: .54 GB for a million over five clusters.
const maxClusterDraws = 5_000_000

// uncertain says that the total rate or a local one is a range.
func (r *router) uncertain() bool { return r.local != nil || !r.rate.IsPoint() }

// Draw asks for n draws if a rate is a range, or as many as are allowed for the number of clusters.
func (q *Question) Draw(n int) {
	known := q.Rate == nil || q.Rate.IsPoint()
	for i := range q.Clusters {
		local := q.Clusters[i].Local
		known = known && (local == nil || local.Rate.IsPoint())
	}
	if !known {
		q.Samples = min(n, max(1, maxClusterDraws/max(1, len(q.Clusters))))
	}
}

// hedge judges the splits, with the one that was asked for and the one to
// recommend. Three splits are judged on the same draws: the one for the most
// likely rates, the one of least mean over the draws, and the one of least
// response at the upper ends.
func (r *router) hedge(ctx context.Context, nominal *routePlan) (*hedged, error) {
	n := r.q.Samples
	most := maxClusterDraws / len(r.clusters)
	n = cmp.Or(n, max(1, min(defaultDraws, most)))
	if n < 1 || n > max(1, most) {
		return nil, ask.Inputf("samples", "%d draws, want 1 to %d for %d clusters",
			n, max(1, most), len(r.clusters))
	}
	u := r.ranges()
	draws, err := r.draw(u, n)
	if err != nil {
		return nil, r.explainError(err)
	}
	h := &hedged{Uncertainty: Uncertainty{Samples: n, Seed: r.q.Seed}, chosen: nominal}
	// add judges one split. A split that does not exist is listed with its reason, and is an error
	// only if it was asked for.
	add := func(name string, s routing.Split, err error, chosen, recommended bool) error {
		o := HedgeOutcome{Split: name}
		if err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !errors.As(err, new(*routing.InfeasibleError)) && !errors.As(err, new(*routing.SaturatedError)) {
				return r.explainError(err)
			}
			why := r.hedgeReason(err)
			if chosen {
				return &ask.InfeasibleError{Constraint: "hedge", Reason: why}
			}
			o.Infeasible = &why
			h.Splits = append(h.Splits, o)
			return nil
		}
		if err := r.judge(ctx, u, draws, &o, s); err != nil {
			return err
		}
		h.Splits = append(h.Splits, o)
		if !chosen && !recommended {
			return nil
		}
		// The answer has the shares of the hedged split at the most likely rates.
		at, err := routing.Evaluate(r.clusters, scaled(o.Probabilities, r.nominal()))
		at.Warnings = s.Warnings
		plan := &routePlan{split: at, hedged: true}
		switch {
		case err == nil && chosen:
			h.chosen = plan
		case err == nil:
			h.recommended, h.name = plan, name
		// All draws may have been below the most likely rates, which then saturate a cluster.
		case chosen || !errors.As(err, new(*routing.SaturatedError)):
			return r.explainError(err)
		}
		return nil
	}
	recommends := r.recommends()
	if recommends {
		h.recommended, h.name = nominal, string(r.policy)
	}
	if err := add(string(r.policy), nominal.split, nil, false, false); err != nil {
		return nil, err
	}
	mean, err := parallel.Await(ctx, func() (routing.Split, error) { return draws.LeastMean(ctx) })
	if err := add("least-mean", mean, err, r.q.Hedge == HedgeMean, recommends); err != nil {
		return nil, err
	}
	worst, err := u.LeastWorst()
	return h, add("least-worst", worst, err, r.q.Hedge == HedgeWorst, false)
}

// hedged are the splits of uncertain rates on their way to the answer.
type hedged struct {
	Uncertainty
	chosen      *routePlan // that of the answer
	recommended *routePlan // nil where none is
	name        string     // of the recommended one among the splits
}

// judge fills in how a split fares.
func (r *router) judge(ctx context.Context, u routing.Uncertain, draws *routing.Scenarios, h *HedgeOutcome,
	s routing.Split) error {
	h.Probabilities = s.Probabilities()
	p, err := draws.Evaluate(ctx, h.Probabilities)
	if err != nil {
		return r.explainError(err)
	}
	for _, v := range []struct {
		share float64
		into  **float64
	}{{0.05, &h.P5}, {0.5, &h.P50}, {0.95, &h.P95}} {
		if t, ok := p.Quantile(v.share); ok {
			*v.into = ask.Figure(t)
		}
	}
	h.Unstable = ask.Figure(float64(p.Unstable) / float64(p.Draws))
	if p.Unstable == 0 {
		h.Mean = ask.Figure(p.Mean)
	} else {
		often := 0
		for j, k := range p.Saturations {
			if k > p.Saturations[often] {
				often = j
			}
		}
		h.Saturated = &r.clusters[often].Name
	}
	// The worst case has all rates at their upper ends at once.
	high := slices.Clone(u.Clusters)
	for j := range high {
		if u.LocalRates != nil {
			high[j].LocalRate = u.LocalRates[j].High
		}
	}
	worst, err := routing.Evaluate(high, scaled(h.Probabilities, u.Rates.High))
	if err == nil {
		h.Worst = ask.Figure(worst.MeanResponse)
	} else if !errors.As(err, new(*routing.SaturatedError)) {
		return r.explainError(err)
	}
	return nil
}

// scaled turns probabilities into rates.
func scaled(p []float64, by float64) []float64 {
	x := make([]float64, len(p))
	for j := range p {
		x[j] = p[j] * by
	}
	return x
}

// ranges returns the clusters with their rates as intervals.
func (r *router) ranges() routing.Uncertain {
	u := routing.Uncertain{Clusters: r.clusters, Rate: r.nominal(),
		Rates: routing.Range{Low: float64(r.rate.Low), High: float64(r.rate.High)}}
	if r.local != nil {
		u.LocalRates = make([]routing.Range, len(r.local))
		for j, l := range r.local {
			u.LocalRates[j] = routing.Range{Low: float64(l.Low), High: float64(l.High)}
		}
	}
	return u
}

// draw draws each rate by its own law, independent, the total rates first.
func (r *router) draw(u routing.Uncertain, n int) (*routing.Scenarios, error) {
	rng := rand.New(rand.NewPCG(r.q.Seed, 0))
	quantile := func(l units.Range[units.Rate]) float64 {
		v, _ := l.Quantile(rng.Float64())
		return float64(v)
	}
	// The total rates are drawn first, so that a local range more does not change
	// them.
	rates := make([]float64, n)
	for d := range rates {
		rates[d] = quantile(r.rate)
	}
	local := func(j, _ int) float64 { return r.clusters[j].LocalRate }
	if r.local != nil {
		local = func(j, _ int) float64 {
			if r.local[j].IsPoint() {
				return r.clusters[j].LocalRate
			}
			return quantile(r.local[j])
		}
	}
	return u.Given(rates, local)
}

// hedgeReason says why a split for all draws does not exist.
func (r *router) hedgeReason(err error) string {
	var infeasible *routing.InfeasibleError
	var saturated *routing.SaturatedError
	switch {
	case errors.As(err, &infeasible):
		return ask.Sprintf("no split carries all rates of the ranges: at the upper ends the clusters take at most "+
			"%v/s of %v/s",
			infeasible.Greatest, infeasible.Rate)
	case errors.As(err, &saturated):
		return ask.Sprintf("%s is saturated by its local requests within their range: utilization %v",
			saturated.Cluster, saturated.Utilization)
	}
	return err.Error()
}
