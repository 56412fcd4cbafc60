package routes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// A router is a Question in the terms of the model.
type router struct {
	q         *Question
	policy    Policy
	kind      Objective
	clusters  []routing.Cluster         // moments of the mix of types
	local     []units.Range[units.Rate] // by cluster; nil: all are points
	rate      units.Range[units.Rate]
	objective routing.Objective
	types     []routing.Type   // relative to the mix; nil: requests are alike
	weighted  bool             // types differ in weight or service
	unlike    bool             // they differ in both, so that weights move the split
	money     *units.PriceForm // of all prices; nil: without a currency
	warnings  []string
}

// newRouter checks a question and makes the model of its clusters, its mix of types and what is
// minimized. Words come first and contradictions last, so that the first fault told is the one that
// explains the others.
func newRouter(q *Question) (*router, error) {
	r := &router{q: q, policy: q.Policy, kind: q.Objective}
	r.policy = cmp.Or(r.policy, PAP)
	r.kind = cmp.Or(r.kind, Response)
	if err := oneOfWords("policy", string(r.policy), "pap", "rr", "lrf", "bcf"); err != nil {
		return nil, err
	}
	if err := oneOfWords("hedge", string(q.Hedge), "", "nominal", "mean", "worst"); err != nil {
		return nil, err
	}
	if err := oneOfWords("rule", string(q.Rule), "", "billiard", "balanced"); err != nil {
		return nil, err
	}
	if err := oneOfWords("offset", string(q.Offset), "", "fastest", "none"); err != nil {
		return nil, err
	}
	if err := r.currency(q); err != nil {
		return nil, err
	}
	switch {
	case q.Workload != nil && len(q.Clusters) > 0:
		return nil, ask.Inputf("workload", "give clusters in a file or a named workload, not both")
	case q.Workload != nil:
		if err := q.Workload.clusters(r); err != nil {
			return nil, err
		}
	case len(q.Clusters) == 0:
		return nil, ask.Inputf("clusters", "no clusters given")
	// Where a scenario has machines they have become clusters by now.
	default:
		for j := range q.Clusters {
			if c := &q.Clusters[j]; c.Machine != "" {
				return nil, ask.Inputf(fmt.Sprintf("clusters[%d].machine", j),
					"cluster %q names the machine %q: types of machines belong to a scenario, for plan", c.Name,
					c.Machine)
			}
		}
		r.fromFile(q.Clusters)
	}
	if q.Rate != nil {
		r.rate = *q.Rate
	}
	if !(r.rate.Low > 0) {
		return nil, ask.Inputf("rate", "want the rate of external requests, above 0, such as 3/s")
	}
	if err := routing.CheckNames(r.clusters); err != nil {
		return nil, &ask.InputError{Field: "clusters", Reason: fault.Problem(err)}
	}
	if err := r.mix(q.Types); err != nil {
		return nil, err
	}
	if err := r.minimand(); err != nil {
		return nil, err
	}
	return r, r.contradictions()
}

// fromFile turns clusters of a file into those of the model. Ranges of local
// rates are kept apart from the clusters, which have the most likely ones.
func (r *router) fromFile(clusters []Cluster) {
	r.clusters = make([]routing.Cluster, len(clusters))
	for j := range clusters {
		c := &clusters[j]
		r.clusters[j] = c.model()
		if c.Local == nil {
			continue
		}
		if !c.Local.Rate.IsPoint() && r.local == nil {
			r.local = make([]units.Range[units.Rate], len(clusters))
			for i := range clusters {
				if clusters[i].Local != nil {
					r.local[i] = clusters[i].Local.Rate
				}
			}
		}
	}
	// BCF compares powers. Given powers and derived ones are on two scales and cannot be compared.
	given := 0
	for j := range r.clusters {
		if r.clusters[j].Power > 0 {
			given++
		}
	}
	if given > 0 && given < len(r.clusters) {
		ask.Warn(&r.warnings,
			"%d of %d clusters have a power; bcf uses servers divided by service time for the others, which must "+
				"then be in the same unit",
			given, len(r.clusters))
	}
}

// currency finds the one currency in which the prices of clusters and of the response are.
func (r *router) currency(q *Question) error {
	r.money = q.Money
	for i := range q.Clusters {
		now := ask.Value(q.Clusters[i].Price).Currency
		switch {
		case now == "":
		case r.money == nil || r.money.Currency == "":
			r.money = &units.PriceForm{Currency: now}
		case r.money.Currency != now:
			return &ask.InputError{Field: fmt.Sprintf("clusters[%d].price", i),
				Reason: fmt.Sprintf("is in %s, and another price in %s", now, r.money.Currency),
				Want:   units.OneCurrency}
		}
	}
	return nil
}

// model is the cluster in the terms of the model, its local rate the most likely.
func (c *Cluster) model() routing.Cluster {
	// second is E[S²] by mean and SCV.
	second := func(mean units.Duration, scv *units.Number) float64 {
		return float64(mean) * float64(mean) * (1 + ask.Or(scv, 1.0))
	}
	out := routing.Cluster{
		Name:         c.Name,
		ServiceTime:  float64(c.External.ServiceTime),
		SecondMoment: second(c.External.ServiceTime, c.External.SCV),
		Servers:      float64(ask.Value(c.Servers)),
		Price:        float64(ask.Value(c.Price).Number),
		Power:        float64(ask.Value(c.Power)),
	}
	if c.Local != nil {
		out.LocalRate = float64(c.Local.Rate.Nominal())
		out.LocalServiceTime = float64(c.Local.ServiceTime)
		out.LocalSecondMoment = second(c.Local.ServiceTime, c.Local.SCV)
	}
	return out
}

// minimand sets the objective. What belongs to another objective is refused, since it would have no
// effect.
func (r *router) minimand() error {
	q := r.q
	if r.kind != Cost && q.DelayCost != nil {
		return ask.Inputf("delay_cost", "only used with objective cost")
	}
	if r.kind != Preemptions && q.PreemptionModel != nil {
		return ask.Inputf("preemption_model", "only used with objective preemptions")
	}
	if q.MaxUtilization != nil && (r.kind != Preemptions || q.PreemptionModel != nil) {
		return ask.Inputf("max-utilization", "only used with objective preemptions without a model")
	}
	switch r.kind {
	case Response:
		r.objective = routing.MeanResponse{}
		if r.weighted {
			r.objective = routing.WeightedTypes{Types: r.types}
		}
		if r.unlike && r.policy == PAP && r.uncertain() {
			r.warnings = append(r.warnings, "over the draws splits are compared by the mean response of all requests, "+
				"which least-mean and least-worst minimise: weights of types do not count there")
		}
		return nil
	case Cost:
		if q.DelayCost == nil || !(*q.DelayCost > 0) {
			return ask.Inputf("delay_cost",
				"objective cost needs the price of response time, above 0, such as 3/h or 0.01/s, "+
					"in the currency of the clusters' prices")
		}
		r.objective = routing.Cost{Delay: float64(*q.DelayCost)}
		if !slices.ContainsFunc(r.clusters, func(c routing.Cluster) bool { return c.Price > 0 }) {
			r.warnings = append(r.warnings, "no cluster has a price, so the least cost is the least mean response")
		}
	case Preemptions:
		return r.preemptions()
	default:
		return ask.Inputf("objective", "%q is not an objective, want response, cost or preemptions", string(r.kind))
	}
	r.warnOfWeights()
	return nil
}

// preemptions sets the objective of the fewest preemptions. Without a regression the count is λxθ
// at each cluster, which is linear in the split: the clusters that preempt least would be
// saturated, which the bound on their utilization prevents.
func (r *router) preemptions() error {
	r.warnOfWeights()
	if p := r.q.PreemptionModel; p != nil {
		r.objective = routing.Preemptions{Intercept: p.Intercept, Slope: p.Slope}
		return nil
	}
	o := routing.PreemptionRate{}
	if v := r.q.MaxUtilization; v != nil {
		if o.MaxUtilization = float64(*v); !(o.MaxUtilization > 0 && o.MaxUtilization < 1) {
			return ask.Inputf("max-utilization", "is %s, want more than 0%% and less than 100%%, such as 95%%",
				units.FormatFraction(o.MaxUtilization, 4))
		}
	}
	r.objective = o
	for j := range r.clusters {
		if c := &r.clusters[j]; c.Servers > 1 {
			return ask.Inputf("objective",
				"preemptions are counted exactly only at clusters of one server, and %s has %s: give a regression "+
					"of your own, such as {preemption_model} 3.09s,12ms, or use {objective} response",
				c.Name, ask.Digits(c.Servers))
		}
	}
	return nil
}

// warnOfWeights warns where weights do not count.
func (r *router) warnOfWeights() {
	if slices.ContainsFunc(r.types, func(t routing.Type) bool { return t.Weight != 1 }) {
		r.warnings = append(r.warnings, "weights of types count for objective response only")
	}
}

// contradictions finds what cannot be asked together.
func (r *router) contradictions() error {
	q := r.q
	hedged := q.Hedge == HedgeMean || q.Hedge == HedgeWorst
	switch {
	case hedged && !r.uncertain():
		return ask.Inputf("hedge", "needs a rate that is a range, such as {rate} 2..4/s, or one in the file")
	case hedged && (r.policy != PAP || r.kind != Response):
		return ask.Inputf("hedge", "only used with policy pap and objective response")
	case q.ByType && len(r.types) < 2:
		return ask.Inputf("by_type", "needs types of requests in the file")
	case q.ByType && (r.policy != PAP || r.kind != Response):
		return ask.Inputf("by_type", "only used with policy pap and objective response")
	case q.ByType && hedged:
		return ask.Inputf("by_type", "cannot be hedged: leave one of {by_type} and {hedge} out")
	case q.Dispatch < 0 || q.Dispatch > maxDispatch:
		return ask.Inputf("dispatch", "%d requests, want at most %d", q.Dispatch, maxDispatch)
	case q.Dispatch == 0 && (q.Rule != "" || q.Offset != ""):
		return ask.Inputf("dispatch", "{rule} and {offset} belong to a dispatch list, such as {dispatch} 20")
	case q.Rule == Balanced && q.Offset == OffsetFastest:
		return ask.Inputf("offset", "only used with rule billiard; balanced uses no offset")
	case q.Samples != 0 && !r.uncertain():
		return ask.Inputf("samples", "only used with rates that are ranges")
	}
	return nil
}

// explainError turns an error of package routing into one of this package. An error of a bound on
// the utilization differs from one of the clusters themselves, since the remedy differs.
func (r *router) explainError(err error) error {
	var infeasible *routing.InfeasibleError
	var saturated *routing.SaturatedError
	var domain *routing.DomainError
	switch {
	case errors.As(err, &infeasible) && r.bounded() && infeasible.Greatest < r.capacities()*(1-1e-9):
		return ask.Infeasiblef("max-utilization", infeasible.Rate, infeasible.Greatest,
			"a rate of %s/s is %s/s more than the clusters can take if none is busier than %s; want a rate up to "+
				"%s/s or a higher limit",
			ask.Digits(infeasible.Rate), ask.Digits(infeasible.Excess),
			units.FormatFraction(r.objective.(routing.PreemptionRate).Bound(), 4), ask.Digits(infeasible.Greatest))
	case errors.As(err, &infeasible):
		by := ask.Digits(infeasible.Excess) + "/s more than"
		if infeasible.Excess == 0 {
			by = "all that"
		}
		return ask.Infeasiblef("rate", infeasible.Rate, infeasible.Greatest,
			"a rate of %s/s is %s the clusters have left; the greatest feasible rate is just below %s/s",
			ask.Digits(infeasible.Rate), by, strconv.FormatFloat(infeasible.Greatest, 'g', 10, 64))
	case errors.As(err, &saturated) && saturated.Local:
		field, hint := "clusters", ""
		if r.q.Workload != nil {
			field, hint = "reference_speed", "; a lower one makes requests shorter"
		}
		return ask.Inputf(field, "%s is saturated by its local requests: utilization %s, want less than 1%s",
			saturated.Cluster, ask.Digits(saturated.Utilization), hint)
	case errors.As(err, &saturated):
		more := ""
		if saturated.Others > 0 {
			more = fmt.Sprintf(" (and %d more)", saturated.Others)
		}
		return ask.Infeasiblef("utilization", 1, saturated.Utilization,
			"policy %s saturates %s%s: utilization %s, want less than 1; policy pap carries the rate", r.policy,
			saturated.Cluster, more, ask.Digits(saturated.Utilization))
	case errors.As(err, &domain):
		field := domain.Arg
		if f, ok := routeFields[domain.Arg]; ok {
			field = f
		}
		where := ""
		if domain.Cluster != "" {
			where = domain.Cluster + ": "
		}
		return ask.Inputf(field, "%s%s = %s is outside the domain, want %s",
			where, domain.Arg, ask.Digits(domain.Value), domain.Want)
	}
	return err
}

// bounded says that the objective bounds the utilization.
func (r *router) bounded() bool {
	_, ok := r.objective.(routing.PreemptionRate)
	return ok
}

// routeFields names arguments of package routing as the question does.
var routeFields = map[string]string{
	"knee": "size_knee", "log mean": "duration_log_mean", "external scale": "gap_scale", "local scale": "local_scale",
	"slope":           "preemption_model",
	"intercept":       "preemption_model",
	"delay price":     "delay_cost",
	"reference speed": "reference_speed",
}

// capacities returns the sum of what the clusters have left.
func (r *router) capacities() float64 {
	total := 0.0
	for j := range r.clusters {
		c, err := r.clusters[j].Capacity()
		// A cluster without a capacity has been refused before.
		if err != nil {
			return math.NaN()
		}
		total += c
	}
	return total
}
