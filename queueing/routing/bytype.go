package routing

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// A TypeSplit routes each type of external request its own way.
type TypeSplit struct {
	Rate  float64     // Λ, external requests/s, all types
	Rates [][]float64 // by type and cluster, external requests/s
	// Probabilities by type and cluster, each ≤ 1 and adding up to 1 by type to
	// the last digits; 0 throughout for a type of share 0.
	Probabilities [][]float64
	// Responses are Tⱼⁱ by type and cluster, s, also where the rate is 0.
	Responses [][]float64
	// Value is the mean of weight times response over external requests, s.
	Value float64
	// LowerBound is what no split by type can go below, s: LowerBound ≤ least
	// Value ≤ Value.
	LowerBound float64
	// Common is the Value of the best split with the same mix everywhere
	// ([WeightedTypes]); Value ≤ Common.
	Common float64
	// Multipliers by type: the marginal of every cluster in use by that type.
	Multipliers []float64
	// Stationarity is the greatest violation of the conditions of a stationary
	// point, relative to the type's multiplier.
	Stationarity float64
	Starts       int // splits that a descent was started from
	Nodes        int // boxes of ratios that a bound was found for
}

// Gap returns (Value − LowerBound)/Value, how much lower the least value can be
// at most, relative to Value.
func (t TypeSplit) Gap() float64 { return max(0, (t.Value-t.LowerBound)/t.Value) }

// ProofGap is the [TypeSplit.Gap] up to which Value is proven to be the least.
const ProofGap = 1e-6

// Proven reports whether no split by type is lower by more than [ProofGap].
func (t TypeSplit) Proven() bool { return t.Gap() <= ProofGap }

// SplitByType minimises the weighted mean response of several types of request,
// each free to favour other clusters,
//
//	Σⱼ Σᵢ weightᵢ xᵢⱼ Tⱼⁱ / Λ,   Tⱼⁱ = (1/(1−ρ)) (θᵢ + (Σₖ xₖω_k + λμ)/(2(1 − ρ − Σₖ xₖθ_k)))
//
// for clusters of one server, with first come first served across types.
//
// This is not convex: the waiting term is W·R/F with W = Σ weightᵢxᵢ,
// R = (Σ xᵢωᵢ + λμ)/2 and F = 1 − ρ − Σ xᵢθᵢ, and the best split with the same
// mix everywhere is often a saddle point. Value comes from descents that start
// at many splits, each a stationary point; LowerBound from prices of the types
// (the Lagrangian dual), at which every cluster is at the least of closed forms
// ([shareForm.modes]), and from branch and bound on the ratios W/R of the
// clusters. It is tight where there are many clusters for each type, and after
// some branching where there are few of both. The search ends when the two meet
// within [ProofGap] or its fixed budget of work is used, which many types or
// clusters make likely: then Gap says what is left open, below 1 % for up to 8
// clusters and 16 types (TestSplitByTypeGap). The budget counts operations, not
// time, so that a result does not depend on the machine.
//
// Errors as for [Minimize]; clusters of several servers are a *DomainError; ctx
// is asked within every loop.
func SplitByType(ctx context.Context, clusters []Cluster, rate float64, types []Type) (TypeSplit, error) {
	ctx = given.Context(ctx)
	const fn = "SplitByType"
	start, err := minimize(fn, clusters, rate, WeightedTypes{Types: types})
	if err != nil {
		return TypeSplit{}, err
	}
	groups, member := kinds(types)
	p := &byType{rate: rate, types: groups, stations: make([]station, len(clusters))}
	for j := range clusters {
		if c := clusters[j].servers(); c != 1 {
			return TypeSplit{}, &DomainError{fn, label(&clusters[j], j), "servers", c, oneServerOnly}
		}
		if p.stations[j], err = clusters[j].station(fn, j); err != nil {
			return TypeSplit{}, err
		}
	}
	p.x = newRates(len(groups), len(clusters))
	for i := range groups {
		for j := range clusters {
			p.x[i][j] = groups[i].Share * start.Routes[j].Rate
		}
	}
	out := TypeSplit{Rate: rate, Common: start.Value, Starts: 1, LowerBound: start.Value}
	if len(groups) > 1 {
		if err := p.search(ctx, &out); err != nil {
			return TypeSplit{}, err
		}
	}
	p.report(&out, types, member)
	return out, nil
}

// oneServerOnly says why clusters of several servers are refused.
const oneServerOnly = "1 server: the search and its bound rest on the M/G/1 wait of all types together; " +
	"leave by-type out, or give each server as a cluster with a queue of its own"

// kinds merges types that differ in name and share only, which may take each
// other's place without a change of cost, and leaves out those of share 0.
// member is the kind of each type, −1 where it has none.
func kinds(types []Type) (groups []Type, member []int) {
	member = make([]int, len(types))
	for i := range types {
		t := types[i]
		t.ServiceRatio, t.SecondMomentRatio = t.ratios()
		member[i] = -1
		if t.Share == 0 {
			continue
		}
		for k := range groups {
			g := &groups[k]
			if g.Weight == t.Weight && g.ServiceRatio == t.ServiceRatio && g.SecondMomentRatio == t.SecondMomentRatio {
				member[i], g.Share = k, g.Share+t.Share
				break
			}
		}
		if member[i] < 0 {
			member[i], groups = len(groups), append(groups, t)
		}
	}
	return groups, member
}

// report fills in the figures of the split that p holds, by the types as given.
func (p *byType) report(out *TypeSplit, types []Type, member []int) {
	out.Value = p.value()
	out.LowerBound = min(out.LowerBound, out.Value)
	z := make([]float64, len(p.types))
	for k := range p.types {
		var off float64
		z[k], off = p.stationarity(k)
		out.Stationarity = max(out.Stationarity, off)
	}
	n := len(p.stations)
	out.Rates, out.Probabilities = newRates(len(types), n), newRates(len(types), n)
	out.Responses, out.Multipliers = newRates(len(types), n), make([]float64, len(types))
	for i := range types {
		service, _ := types[i].ratios()
		for j := range p.stations {
			free, _, residual := p.others(-1, j)
			s := &p.stations[j]
			out.Responses[i][j] = (service*s.theta + residual/free) / s.idle
		}
		k := member[i]
		if k < 0 {
			continue
		}
		out.Multipliers[i] = z[k]
		out.Probabilities[i] = shares(p.x[k])
		for j, q := range out.Probabilities[i] {
			out.Rates[i][j] = q * types[i].Share * p.rate
		}
	}
}

// shares returns the parts of rates ≥ 0 in their sum, each at most 1.
func shares(rates []float64) []float64 {
	var all numeric.Sum
	for _, x := range rates {
		all.Add(x)
	}
	total := all.Value()
	out := make([]float64, len(rates))
	for j, x := range rates {
		out[j] = math.Min(1, x/total)
	}
	return out
}

func newRates(types, clusters int) [][]float64 {
	all := make([]float64, types*clusters)
	out := make([][]float64, types)
	for i := range out {
		out[i] = all[i*clusters : (i+1)*clusters : (i+1)*clusters]
	}
	return out
}
