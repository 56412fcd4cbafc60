package routing

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
)

// A Range is an interval [Low, High].
type Range struct{ Low, High float64 }

// Uncertain is a stream whose rates are known as ranges. A split is fixed
// before the rates are seen: probabilities, not rates.
type Uncertain struct {
	Clusters   []Cluster // LocalRate holds the nominal rate
	LocalRates []Range   // per s, by cluster, 0 ≤ Low ≤ High; nil: all as nominal
	Rate       float64   // nominal Λ > 0, external requests/s
	Rates      Range     // of Λ; the zero Range means Rate itself
}

func (u *Uncertain) rates() Range {
	if u.Rates == (Range{}) {
		return Range{u.Rate, u.Rate}
	}
	return u.Rates
}

func (u *Uncertain) local(j int) Range {
	if u.LocalRates == nil {
		r := u.Clusters[j].LocalRate
		return Range{r, r}
	}
	return u.LocalRates[j]
}

func (u *Uncertain) check(fn string) error {
	if err := checkStream(fn, u.Clusters, u.Rate); err != nil {
		return err
	}
	c := check{fn: fn}
	if u.LocalRates != nil && len(u.LocalRates) != len(u.Clusters) {
		c.fail("local rates", float64(len(u.LocalRates)), fmt.Sprintf("one range per cluster, %d", len(u.Clusters)))
		return c.err
	}
	r := u.rates()
	c.positive("low end of the rate", r.Low)
	c.interval("rate", r)
	for j := range u.Clusters {
		if err := u.Clusters[j].check(fn, j); err != nil {
			return err
		}
		c.cluster = label(&u.Clusters[j], j)
		l := u.local(j)
		c.atLeastZero("low end of the local rate", l.Low)
		c.interval("local rate", l)
		if l.High > 0 {
			c.positive("local service time", u.Clusters[j].LocalServiceTime)
		}
	}
	return c.err
}

func (c *check) interval(arg string, r Range) {
	if !(r.High >= r.Low) || math.IsInf(r.High, 1) {
		c.fail("high end of the "+arg, r.High, fmt.Sprintf("a finite end >= the low end, %g", r.Low))
	}
}

// LeastWorst returns the split whose greatest mean response over the ranges is
// least. T rises with every rate, so the worst case of any split is the upper
// end of all ranges, and the answer is [PAP] there; MeanResponse is that worst
// case. Errors as for PAP at the upper ends.
func (u Uncertain) LeastWorst() (Split, error) {
	const fn = "Uncertain.LeastWorst"
	if err := u.check(fn); err != nil {
		return Split{}, err
	}
	high := slices.Clone(u.Clusters)
	for j := range high {
		high[j].LocalRate = u.local(j).High
	}
	s, err := minimize(fn, high, u.rates().High, MeanResponse{})
	s.Objective = "worst mean response"
	return s, err
}

// Scenarios are draws of the rates. The same draws judge several splits, so that their difference is not noise.
type Scenarios struct {
	of       Uncertain
	rate     []float64   // by draw
	stations [][]station // by cluster and draw; idle ≤ 0 where the local stream saturates the cluster
}

// Draw returns n ≥ 1 draws, each rate uniform in its range and independent, by
// the source given. For other laws see [Uncertain.Given]. Memory is some 60
// bytes per cluster and draw. Errors: *DomainError.
func (u Uncertain) Draw(n int, rng *rand.Rand) (*Scenarios, error) {
	const fn = "Uncertain.Draw"
	if err := u.check(fn); err != nil {
		return nil, err
	}
	c := check{fn: fn}
	if most := maxClusterDraws / max(1, len(u.Clusters)); n < 1 || n > most {
		c.fail("draws", float64(n), fmt.Sprintf("1 to %d draws for %d clusters", most, len(u.Clusters)))
	}
	if rng == nil {
		c.fail("source", 0, "a source of random numbers")
	}
	if c.err != nil {
		return nil, c.err
	}
	uniform := func(r Range) float64 { return min(r.High, r.Low+rng.Float64()*(r.High-r.Low)) }
	rates := make([]float64, n)
	for d := range rates {
		rates[d] = uniform(u.rates())
	}
	return u.scenarios(fn, rates, func(j, _ int) float64 { return uniform(u.local(j)) })
}

// maxClusterDraws bounds draws times clusters, each of which takes some hundred
// bytes.
const maxClusterDraws = 5_000_000

// Given returns draws made by the caller, by whatever law: the total rates, and
// by local the local rate of cluster j in draw d, asked for in order of j and
// then d. Every rate lies within its range, else a *DomainError.
func (u Uncertain) Given(rates []float64, local func(j, d int) float64) (*Scenarios, error) {
	const fn = "Uncertain.Given"
	if err := u.check(fn); err != nil {
		return nil, err
	}
	c := check{fn: fn}
	if most := maxClusterDraws / max(1, len(u.Clusters)); len(rates) < 1 || len(rates) > most {
		c.fail("draws", float64(len(rates)), fmt.Sprintf("1 to %d draws for %d clusters", most, len(u.Clusters)))
	}
	for _, v := range rates {
		c.within("rate", v, u.rates())
	}
	if c.err != nil {
		return nil, c.err
	}
	if local == nil {
		local = func(j, _ int) float64 { return u.Clusters[j].LocalRate }
	}
	s, err := u.scenarios(fn, slices.Clone(rates), func(j, d int) float64 {
		v := local(j, d)
		if r := u.local(j); !(v >= r.Low && v <= r.High) {
			c.cluster = label(&u.Clusters[j], j)
			c.within("local rate", v, r)
			v = r.Low
		}
		return v
	})
	if c.err != nil {
		return nil, c.err
	}
	return s, err
}

func (c *check) within(arg string, v float64, r Range) {
	if !(v >= r.Low && v <= r.High) {
		c.fail(arg, v, fmt.Sprintf("%s within its range %g..%g", arg, r.Low, r.High))
	}
}

func (u Uncertain) scenarios(fn string, rates []float64, local func(j, d int) float64) (*Scenarios, error) {
	s := &Scenarios{of: u, rate: rates, stations: make([][]station, len(u.Clusters))}
	for j := range u.Clusters {
		s.stations[j] = make([]station, len(rates))
		for d := range rates {
			cl := u.Clusters[j]
			cl.LocalRate = local(j, d)
			st, err := cl.station(fn, j)
			if e, ok := err.(*SaturatedError); ok {
				st = station{c: cl.servers(), rho: e.Utilization}
			} else if err != nil {
				return nil, err
			}
			s.stations[j][d] = st
		}
	}
	return s, nil
}

// Performance is the law of the mean response over the draws.
type Performance struct {
	Draws    int
	Unstable int // draws in which the split saturates some cluster
	// Mean and SD of the mean response over the stable draws, s; 0 where there
	// are none. They are of all draws only where Unstable is 0.
	Mean, SD float64
	// Saturations counts by cluster the draws in which it was saturated.
	Saturations []int

	sorted []float64
}

// Quantile returns the least mean response, in s, that a share p of the draws
// does not exceed, 0 < p ≤ 1, an unstable draw exceeding any. Where too many
// are unstable for that, ok is false.
func (p Performance) Quantile(share float64) (response float64, ok bool) {
	k := math.Ceil(share * float64(p.Draws) * (1 - 1e-15))
	if !(share > 0 && share <= 1) || len(p.sorted) == 0 || k > float64(len(p.sorted)) {
		return 0, false
	}
	return p.sorted[max(int(k)-1, 0)], true
}

// Evaluate returns how a split, as probabilities by cluster, fares over the
// draws. The probabilities are ≥ 0 and add up to 1, else a *DomainError; ctx is
// asked between draws.
func (s *Scenarios) Evaluate(ctx context.Context, probabilities []float64) (Performance, error) {
	ctx = given.Context(ctx)
	const fn = "Scenarios.Evaluate"
	if err := checkProbabilities(fn, probabilities, len(s.stations)); err != nil {
		return Performance{}, err
	}
	p := Performance{Draws: len(s.rate), Saturations: make([]int, len(s.stations))}
	for d, rate := range s.rate {
		if err := ctx.Err(); err != nil {
			return Performance{}, err
		}
		var total numeric.Sum
		stable := true
		for j := range s.stations {
			st := &s.stations[j][d]
			x := probabilities[j] * rate
			if st.idle <= 0 || st.saturated(st.slack(x)) {
				// A cluster that its local stream saturates fails those sent
				// to it; with none sent it is no concern of the split.
				if st.idle > 0 || x > 0 {
					p.Saturations[j]++
					stable = false
				}
				continue
			}
			if x > 0 {
				total.Add(probabilities[j] * st.response(x, st.slack(x)))
			}
		}
		if !stable {
			p.Unstable++
			continue
		}
		p.sorted = append(p.sorted, total.Value())
	}
	slices.Sort(p.sorted)
	if n := float64(len(p.sorted)); n > 0 {
		var m, v numeric.Sum
		for _, t := range p.sorted {
			m.Add(t / n)
		}
		p.Mean = m.Value()
		for _, t := range p.sorted {
			v.Add((t - p.Mean) * (t - p.Mean) / max(n-1, 1))
		}
		p.SD = math.Sqrt(v.Value())
	}
	return p, nil
}

// LeastMean returns the fixed probabilities that minimise the average over the
// draws of the mean response,
//
//	Σⱼ (1/D) Σ_d pⱼ Tⱼ(Λ_d pⱼ; λⱼ_d)
//
// separable and convex in p, by the water-filling of [PAP]. It is the sample
// average problem: of these draws, not of the law behind them, whose mean may
// be infinite. Rate, Response and Utilization in the split are at the nominal
// rates (Response 0 where those saturate the cluster); Value is the average
// over the draws, Marginal that of the average per unit of probability.
//
// Errors: *SaturatedError for a cluster whose local stream saturates it in some
// draw; *InfeasibleError where no fixed split is stable in every draw, with the
// greatest nominal rate for which one is.
func (s *Scenarios) LeastMean(ctx context.Context) (Split, error) {
	ctx = given.Context(ctx)
	const fn = "Scenarios.LeastMean"
	n := len(s.stations)
	f := fill{closed: make([]hyperbola, n), curves: make([]curve, n)}
	for j := range f.curves {
		if err := ctx.Err(); err != nil {
			return Split{}, err
		}
		c := &averaged{limitP: math.Inf(1), rate: s.rate}
		for d := range s.rate {
			st := &s.stations[j][d]
			if st.idle <= 0 {
				return Split{}, &SaturatedError{
					Func:        fn,
					Cluster:     label(&s.of.Clusters[j], j),
					Name:        s.of.Clusters[j].Name,
					Utilization: st.rho,
					Local:       true,
				}
			}
			c.limitP = min(c.limitP, st.limit()/s.rate[d])
		}
		c.gap = make([]float64, len(s.rate))
		c.draws = make([]curve, len(s.rate))
		for d := range s.rate {
			st := &s.stations[j][d]
			c.gap[d] = max(0, st.limit()-s.rate[d]*c.limitP)
			c.draws[d] = st.curve(unweighted)
		}
		f.curves[j] = c
		f.closed[j] = likeness(c)
	}
	f.prepare()
	if !(f.size-1 > rounded) {
		top := s.of.Rate * f.size
		return Split{}, &InfeasibleError{fn, s.of.Rate, top, math.Max(s.of.Rate-top, 0)}
	}
	z := f.solve(1)
	split := Split{
		Objective:  "mean response averaged over draws",
		Rate:       s.of.Rate,
		Multiplier: f.base + z,
		Routes:     make([]Route, n),
	}
	var value, nominal numeric.Sum
	stable := true
	f.each(z, 1, func(j int, p point) {
		r := &split.Routes[j]
		cl := &s.of.Clusters[j]
		*r = Route{
			Name:        cl.Name,
			Rate:        p.x * s.of.Rate,
			Probability: min(1, p.x),
			Marginal:    f.curves[j].marginal(p.x, p.slack),
		}
		for d := range s.rate {
			st := &s.stations[j][d]
			if x := p.x * s.rate[d]; x > 0 {
				value.Add(p.x * st.response(x, f.curves[j].(*averaged).slack(d, p.slack)) / float64(len(s.rate)))
			}
		}
		if st, err := cl.station(fn, j); err == nil && st.slack(r.Rate) > 0 {
			*r = Route{cl.Name, r.Rate, p.x, st.rho + r.Rate*st.theta, st.response(r.Rate, st.slack(r.Rate)),
				r.Marginal}
			nominal.Add(p.x * r.Response)
		} else {
			stable = false
		}
	})
	split.Value = value.Value()
	if stable {
		split.MeanResponse = nominal.Value()
	}
	split.Warnings = regime(s.of.Clusters)
	return split, nil
}

// averaged is the cost of a cluster in the probability p, averaged over draws.
type averaged struct {
	limitP float64
	rate   []float64
	gap    []float64 // of each draw's limit over rate·limitP, external requests/s
	draws  []curve
}

func (a *averaged) limit() float64 { return a.limitP }

// slack is that of draw d in its own rate.
func (a *averaged) slack(d int, slack float64) float64 { return a.gap[d] + a.rate[d]*slack }

// marginal is d/dp (1/D) Σ F_d(Λ_d p)/Λ_d.
func (a *averaged) marginal(p, slack float64) float64 {
	var total numeric.Sum
	for d, c := range a.draws {
		free := a.slack(d, slack)
		if free <= 0 {
			return math.Inf(1)
		}
		total.Add(c.marginal(a.rate[d]*p, free))
	}
	return total.Value() / float64(len(a.draws))
}

func checkProbabilities(fn string, p []float64, n int) error {
	c := check{fn: fn}
	if len(p) != n {
		c.fail("probabilities", float64(len(p)), fmt.Sprintf("one per cluster, %d", n))
	}
	var all numeric.Sum
	for j, v := range p {
		c.atLeastZero(fmt.Sprintf("probability[%d]", j), v)
		all.Add(v)
	}
	if v := all.Value(); !(math.Abs(v-1) <= rounding) {
		c.fail("probabilities", v, "probabilities that add up to 1")
	}
	return c.err
}
