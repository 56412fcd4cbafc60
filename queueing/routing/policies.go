package routing

import (
	"fmt"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
)

// A Policy is a rule that splits a stream.
type Policy int

// The policies. The last three look at no more than a rate or a size, and may
// overload a cluster while others idle.
const (
	PolicyPAP Policy = iota // least mean response, PAP
	PolicyRR                // RoundRobin
	PolicyLRF               // LeastRateFirst
	PolicyBCF               // BiggestClusterFirst
)

var policyNames = [...]string{"pap", "rr", "lrf", "bcf"}

func (p Policy) String() string {
	if p < 0 || int(p) >= len(policyNames) {
		return fmt.Sprintf("Policy(%d)", int(p))
	}
	return policyNames[p]
}

// policies are all of them, the optimum first.
var policies = [...]Policy{PolicyPAP, PolicyRR, PolicyLRF, PolicyBCF}

// Apply splits rate external requests per second over the clusters by the
// policy. See the functions of the policies' names.
func (p Policy) Apply(clusters []Cluster, rate float64) (Split, error) {
	return p.ApplyFor(clusters, rate, MeanResponse{})
}

// ApplyFor splits by the policy with another objective in the place of the mean
// response: PolicyPAP minimises it, the others, whose rates do not depend on
// it, have their Value and Marginal by it. Errors as for [Minimize].
func (p Policy) ApplyFor(clusters []Cluster, rate float64, o Objective) (Split, error) {
	switch p {
	case PolicyPAP:
		return minimize("PAP", clusters, rate, o)
	case PolicyRR:
		return roundRobin(clusters, rate, o)
	case PolicyLRF:
		return leastRateFirst(clusters, rate, o)
	case PolicyBCF:
		return biggestClusterFirst(clusters, rate, o)
	}
	return Split{}, &DomainError{"Policy.Apply", "", "policy", float64(p), "one of the policies of this package"}
}

// RoundRobin gives each cluster the same rate, Λ/N (InterGrid eq. 25).
//
// Like every baseline it may overload a cluster. That is a *SaturatedError
// naming the most loaded one; the split that comes with it has the rates,
// probabilities and utilizations, Response and Marginal of the stable clusters
// only and no MeanResponse. Nothing is clipped or moved. Other errors as for
// [PAP].
func RoundRobin(clusters []Cluster, rate float64) (Split, error) {
	return roundRobin(clusters, rate, MeanResponse{})
}

func roundRobin(clusters []Cluster, rate float64, o Objective) (Split, error) {
	return baseline("RoundRobin", PolicyRR, clusters, rate, o, func(int) float64 { return 1 })
}

// LeastRateFirst gives a cluster the more the lower its local rate:
//
//	xⱼ = Λ (1 − λⱼ/Σλ)/(N − 1)
//
// (InterGrid eq. 26 lacks the N − 1, without which the rates add up to
// (N − 1)Λ.) A single cluster takes all; without any local requests all take
// the same. Overload is as for [RoundRobin].
func LeastRateFirst(clusters []Cluster, rate float64) (Split, error) {
	return leastRateFirst(clusters, rate, MeanResponse{})
}

func leastRateFirst(clusters []Cluster, rate float64, o Objective) (Split, error) {
	var all numeric.Sum
	for j := range clusters {
		all.Add(clusters[j].LocalRate)
	}
	total := all.Value()
	if len(clusters) < 2 || total == 0 {
		return baseline("LeastRateFirst", PolicyLRF, clusters, rate, o, func(int) float64 { return 1 })
	}
	return baseline("LeastRateFirst",
		PolicyLRF, clusters, rate, o, func(j int) float64 { return 1 - clusters[j].LocalRate/total })
}

// BiggestClusterFirst splits in proportion to computing power, the sum of
// speeds of the processing elements (InterGrid eq. 27): [Cluster.Power], or
// Servers/ServiceTime where that is 0, to which power is proportional when
// external requests bring the same work everywhere. Overload is as for
// [RoundRobin].
func BiggestClusterFirst(clusters []Cluster, rate float64) (Split, error) {
	return biggestClusterFirst(clusters, rate, MeanResponse{})
}

func biggestClusterFirst(clusters []Cluster, rate float64, o Objective) (Split, error) {
	return baseline("BiggestClusterFirst", PolicyBCF, clusters, rate, o, func(j int) float64 {
		if c := &clusters[j]; c.Power == 0 {
			return c.servers() / c.ServiceTime
		}
		return clusters[j].Power
	})
}

func baseline(fn string, p Policy, clusters []Cluster, rate float64, o Objective,
	weight func(j int) float64) (Split, error) {
	if err := checkStream(fn, clusters, rate); err != nil {
		return Split{}, err
	}
	if o == nil {
		o = MeanResponse{}
	}
	if err := o.check(fn); err != nil {
		return Split{}, err
	}
	var all numeric.Sum
	for j := range clusters {
		if _, err := clusters[j].station(fn, j); err != nil {
			return Split{}, err
		}
		all.Add(weight(j))
	}
	total := all.Value()
	x := make([]float64, len(clusters))
	for j := range x {
		x[j] = rate * (weight(j) / total)
	}
	return evaluate(fn, p.String(), clusters, rate, x, o)
}

// Evaluate returns the figures of a split that the caller chose, rates by
// cluster in external requests/s, each finite and ≥ 0, not all 0. Overload is
// as for [RoundRobin].
func Evaluate(clusters []Cluster, rates []float64) (Split, error) {
	const fn = "Evaluate"
	if len(rates) != len(clusters) {
		return Split{}, &DomainError{fn, "", "rates",
			float64(len(rates)), fmt.Sprintf("one per cluster, %d", len(clusters))}
	}
	var all numeric.Sum
	for j, x := range rates {
		c := check{fn: fn}
		if j < len(clusters) {
			c.cluster = label(&clusters[j], j)
		}
		c.atLeastZero("rate", x)
		if c.err != nil {
			return Split{}, c.err
		}
		all.Add(x)
	}
	if err := checkStream(fn, clusters, all.Value()); err != nil {
		return Split{}, err
	}
	return evaluate(fn, "given", clusters, all.Value(), rates, MeanResponse{})
}

func evaluate(fn, name string, clusters []Cluster, rate float64, x []float64, o Objective) (Split, error) {
	split := Split{Objective: name, Rate: rate, Routes: make([]Route, len(clusters))}
	var total, value numeric.Sum
	var over *SaturatedError
	for j := range clusters {
		s, err := o.station(fn, &clusters[j], j)
		if err != nil {
			return Split{}, err
		}
		p := point{x[j], s.slack(x[j])}
		r := &split.Routes[j]
		if s.saturated(p.slack) {
			*r = Route{
				Name:        clusters[j].Name,
				Rate:        p.x,
				Probability: min(1, p.x/rate),
				Utilization: max(1, s.rho+p.x*s.theta),
			}
			switch {
			case over == nil:
				over = &SaturatedError{
					Func:        fn,
					Cluster:     label(&clusters[j], j),
					Name:        clusters[j].Name,
					Utilization: r.Utilization,
				}
			case r.Utilization > over.Utilization:
				over.Cluster, over.Name, over.Utilization = label(&clusters[j], j), clusters[j].Name, r.Utilization
				over.Others++
			default:
				over.Others++
			}
			continue
		}
		*r = route(&clusters[j], &s, p, rate)
		if h, ok := o.closed(&clusters[j], &s); ok {
			r.Marginal = h.marginal(p.x, p.slack)
		} else {
			r.Marginal = o.curve(&clusters[j], &s).marginal(p.x, p.slack)
		}
		total.Add(r.Probability * r.Response)
		value.Add(o.value(&clusters[j], &s, r, p.slack))
	}
	split.Warnings = regime(clusters)
	if over != nil {
		return split, over
	}
	split.MeanResponse, split.Value = total.Value(), value.Value()
	split.Warnings = append(split.Warnings, o.warnings(&split)...)
	return split, nil
}

// An Outcome is what one policy makes of a stream.
type Outcome struct {
	Policy Policy
	Split  Split
	// Price is the objective over the optimum's, ≥ 1; 0 where Err is set and
	// where the optimum is not above 0 (preemptions by a regression).
	Price float64
	Err   error // *SaturatedError where the policy overloads a cluster
}

// Compare applies every policy, the optimum first. It fails only where the
// optimum does; a baseline that overloads a cluster has its error in the
// outcome.
func Compare(clusters []Cluster, rate float64) ([]Outcome, error) {
	return CompareFor(clusters, rate, MeanResponse{})
}

// CompareFor is [Compare] by another objective, which PolicyPAP then minimises.
func CompareFor(clusters []Cluster, rate float64, o Objective) ([]Outcome, error) {
	out := make([]Outcome, len(policies))
	for i, p := range policies {
		split, err := p.ApplyFor(clusters, rate, o)
		if err != nil && (i == 0 || !isSaturated(err)) {
			return nil, err
		}
		out[i] = Outcome{Policy: p, Split: split, Err: err}
		if best := out[0].Split.Value; err == nil && best > 0 {
			out[i].Price = split.Value / best
		}
	}
	return out, nil
}

func isSaturated(err error) bool {
	s, ok := err.(*SaturatedError)
	return ok && s.Is(queueing.ErrUnstable)
}
