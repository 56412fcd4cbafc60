package routes

import (
	"cmp"
	"context"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// Policy is a rule that splits a stream over clusters.
type Policy string

// The policies. The empty one is pap.
const (
	PAP Policy = "pap" // least objective, by default the mean response
	RR  Policy = "rr"  // the same rate everywhere
	LRF Policy = "lrf" // the more, the lower the local rate
	BCF Policy = "bcf" // in proportion to computing power
)

// routePolicies are the policies as package routing has them.
var routePolicies = map[Policy]routing.Policy{
	PAP: routing.PolicyPAP,
	RR:  routing.PolicyRR,
	LRF: routing.PolicyLRF,
	BCF: routing.PolicyBCF,
}

// Objective is what pap minimises.
type Objective string

// The objectives. The empty one is response.
const (
	Response    Objective = "response"    // mean response, weighted by type where types have weights
	Cost        Objective = "cost"        // price of the cluster and of the response
	Preemptions Objective = "preemptions" // exact, or by a linear regression on the response where one is given
)

// Hedge is which split answers where rates are ranges.
type Hedge string

// The hedges. The empty one is nominal.
const (
	HedgeNone  Hedge = "nominal" // that of the most likely rates
	HedgeMean  Hedge = "mean"    // least mean response over the draws
	HedgeWorst Hedge = "worst"   // least mean response at the upper ends
)

// A Question asks how to split a stream of external requests over
// clusters that serve local requests with preemptive priority. Local requests
// interrupt external ones, which go on afterwards. Source: InterGrid section 4.
type Question struct {
	Clusters []Cluster     `json:"clusters,omitempty"`
	Types    []RequestType `json:"types,omitempty"`
	// Workload makes the clusters instead.
	Workload *Workload `json:"workload,omitempty"`
	// Rate of external requests; nil: that of the workload.
	Rate      *units.Range[units.Rate] `json:"arrival_rate_per_s,omitempty" as:"rate"`
	Policy    Policy                   `json:"policy,omitempty"`
	Objective Objective                `json:"objective,omitempty"`
	// DelayCost is the price of a second of response, for the cost.
	DelayCost *units.Rate `json:"delay_cost_per_s,omitempty"`
	// Money is how the prices were written; nil: without a currency.
	Money *units.PriceForm `json:"money,omitempty"`
	// PreemptionModel is a regression; nil: preemptions are counted exactly, at
	// clusters of one server.
	PreemptionModel *PreemptionModel `json:"preemption_model,omitempty"`
	// MaxUtilization bounds the clusters where preemptions are counted exactly, for
	// their least number alone would saturate those that preempt least; nil: 95 %.
	MaxUtilization *units.Fraction `json:"max_utilization,omitempty"`
	// ByType routes each type its own way.
	ByType bool  `json:"by_type,omitempty"`
	Hedge  Hedge `json:"hedge,omitempty"`
	// Dispatch asks for the clusters of the first requests, by Rule.
	Dispatch int64          `json:"dispatch,omitempty"`
	Rule     DispatchRule   `json:"rule,omitempty"`
	Offset   DispatchOffset `json:"offset,omitempty"`
	// Samples and Seed drive the draws where rates are ranges; 0 samples are
	// 10,000, fewer for more than 500 clusters.
	Samples int    `json:"samples,omitempty"`
	Seed    uint64 `json:"seed,omitempty"`
	Explain bool   `json:"explain,omitempty"`
}

// PriceDelay takes the price of response time as it was written. A response is in seconds, and so
// is its price.
func (q *Question) PriceDelay(m units.Money) {
	if q == nil {
		return
	}
	if q.DelayCost = new(units.Rate(m.Price)); m.Form.Currency != "" {
		q.Money = &m.Form
	}
}

// A PreemptionModel is the regression response = intercept + slope·preemptions.
// The paper counts preemptions by such a line, fitted to its own simulation; what
// it says outside of the responses fitted means nothing.
type PreemptionModel struct {
	Intercept float64 `json:"intercept_s"`
	Slope     float64 `json:"slope_s"` // > 0
}

// An Answer is a split and what the policies would make of the stream.
type Answer struct {
	Policy    Policy    `json:"policy"`
	Objective Objective `json:"objective"`
	// Money is how the prices were written; left out where they have no currency.
	Money   *units.PriceForm `json:"money,omitempty"`
	Hedge   Hedge            `json:"hedge,omitempty"`    // where rates are ranges
	Rate    float64          `json:"arrival_rate_per_s"` // external requests, the most likely rate
	MaxRate float64          `json:"max_rate_per_s"`     // any less can be routed
	// Multiplier is the marginal of the objective that all clusters in use
	// share: by how much one more request per second raises the total per
	// second. Null where the split minimises nothing at this rate.
	Multiplier   *float64 `json:"multiplier"`
	MeanResponse float64  `json:"mean_response_s"`
	// ObjectiveValue is what was minimised: per request, but for preemptions per
	// second, or by a regression, the sum over clusters. Null where the regression of preemptions is asked
	// below its intercept, where its count is negative and means nothing.
	ObjectiveValue *float64 `json:"objective_value"`
	// ByRegression says that preemptions are those of a regression.
	ByRegression bool `json:"by_regression,omitempty"`
	// PreemptionRate is how often local requests preempt external ones at all
	// clusters, exact; null where a cluster has several servers.
	PreemptionRate *float64 `json:"preemptions_per_s"`
	// of all splits that send every cluster the same mix
	LeastMeanResponse float64         `json:"least_mean_response_s"`
	Clusters          []RoutedCluster `json:"clusters"`
	Policies          []PolicyOutcome `json:"policies"`
	// Types are those of the file, with what each meets.
	Types         []RoutedType     `json:"types,omitempty"`
	TypeSearch    *TypeSearch      `json:"type_search,omitempty"`    // with by-type
	Dispatch      []string         `json:"dispatch"`                 // names of clusters, in order
	DispatchTypes []string         `json:"dispatch_types,omitempty"` // of the same requests
	Discrepancy   *DispatchMeasure `json:"dispatch_discrepancy,omitempty"`

	Uncertainty *Uncertainty     `json:"uncertainty,omitempty"`
	Recommended *Recommended     `json:"recommended,omitempty"` // where rates are ranges
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	asked *Question // for the plots
}

// A RoutedCluster is one cluster's part.
type RoutedCluster struct {
	Name string `json:"name"`
	// ExternalRate is the part of the external requests that it is sent.
	ExternalRate     float64 `json:"external_rate_per_s"`
	Probability      float64 `json:"probability"`
	Utilization      float64 `json:"utilization"`         // local and external
	ExternalResponse float64 `json:"external_response_s"` // at rate 0 that of the rare first request
	// LocalUtilization is what its own requests take.
	LocalUtilization float64 `json:"local_utilization"`
	MaxRate          float64 `json:"max_rate_per_s"` // of external requests, not attained
	// Marginal of the objective; null where types are routed each their way.
	Marginal *float64 `json:"marginal"`
	// PreemptionRate is how often a local request preempts an external one;
	// null for several servers.
	PreemptionRate *float64 `json:"preemptions_per_s"`
}

// A PolicyOutcome is what one policy makes of the stream. Figures are null
// where it saturates a cluster, which is then named.
type PolicyOutcome struct {
	Policy         Policy   `json:"policy"`
	MeanResponse   *float64 `json:"mean_response_s"`
	ObjectiveValue *float64 `json:"objective_value"`
	// Price is the objective over that of pap, the optimum with every cluster
	// sent the same mix; null too where that is not above 0.
	Price     *float64 `json:"price_of_optimum"`
	Saturated *string  `json:"saturated_cluster"` // the most loaded one
	// SaturatedUtilization is what the cluster would be sent, over what it can
	// serve.
	SaturatedUtilization *float64 `json:"saturated_utilization"`
	SaturatedClusters    int      `json:"saturated_clusters"`
}

// Route answers a Question. Errors: *ask.InputError; *ask.InfeasibleError for a
// rate that no split carries, with the greatest, and for a chosen baseline that
// saturates a cluster; that of the context.
func Route(ctx context.Context, q *Question) (*Answer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	r, err := newRouter(q)
	if err != nil {
		return nil, err
	}
	// All policies are asked, not only the one that was chosen: the answer
	// compares them.
	outcomes, err := routing.CompareFor(r.clusters, r.nominal(), r.objective)
	if err != nil {
		return nil, r.explainError(err)
	}
	a := &Answer{
		Policy:            r.policy,
		Objective:         r.kind,
		Money:             r.money,
		ByRegression:      q.PreemptionModel != nil,
		Rate:              r.nominal(),
		Warnings:          r.warnings,
		LeastMeanResponse: outcomes[0].Split.MeanResponse,
		Policies:          r.presentPolicies(outcomes),
		Dispatch:          []string{},
		asked:             new(*q),
	}
	// The least mean response is given whatever was minimised, to show what the objective costs in
	// response.
	if r.kind != Response || r.weighted {
		best, err := routing.PAP(r.clusters, r.nominal())
		if err != nil {
			return nil, r.explainError(err)
		}
		a.LeastMeanResponse = best.MeanResponse
	}
	chosen := outcomes[routePolicies[r.policy]]
	if chosen.Err != nil {
		return nil, r.explainError(chosen.Err)
	}
	plan := &routePlan{split: chosen.Split}
	// A hedged split is judged first, and it replaces the split for the most likely rates if it was
	// asked for.
	var hedges *hedged
	if r.uncertain() {
		a.Hedge = cmp.Or(q.Hedge, HedgeNone)
		if hedges, err = r.hedge(ctx, plan); err != nil {
			return nil, err
		}
		a.Uncertainty, plan = &hedges.Uncertainty, hedges.chosen
	}
	if q.ByType {
		if plan, err = r.byType(ctx); err != nil {
			return nil, err
		}
	}
	if err := r.present(a, plan); err != nil {
		return nil, err
	}
	if err := r.dispatch(ctx, a, plan); err != nil {
		return nil, err
	}
	if q.Explain {
		a.Explanation = r.explain(a, plan)
	}
	if hedges != nil {
		if err := r.recommend(a, hedges); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// A routePlan is a split on its way to the answer.
type routePlan struct {
	split   routing.Split
	byType  *routing.TypeSplit // nil: every cluster is sent the same mix
	hedged  bool               // the split is not the optimum of its rate
	byTypeP [][]float64        // probabilities by type and cluster
	work    []float64          // by type: share of time that each cluster serves external requests
}

// present fills in the figures of the plan.
func (r *router) present(a *Answer, plan *routePlan) error {
	s := &plan.split
	a.MeanResponse, a.ObjectiveValue = s.MeanResponse, r.counted(s)
	// A multiplier is that of the split which minimises; others have none.
	if r.policy == PAP && !plan.hedged && plan.byType == nil {
		a.Multiplier = ask.Figure(s.Multiplier)
	}
	if t := plan.byType; t != nil {
		a.TypeSearch = &TypeSearch{
			Proven:     t.Proven(),
			LowerBound: t.LowerBound,
			Gap:        t.Gap(),
			SameMix:    t.Common,
			Starts:     t.Starts,
			Problems:   t.Nodes,
		}
	}
	a.Warnings = append(a.Warnings, s.Warnings...)
	a.Clusters = make([]RoutedCluster, len(s.Routes))
	for j := range s.Routes {
		route, cl := &s.Routes[j], &r.clusters[j]
		servers := max(1, cl.Servers)
		most, err := cl.Capacity()
		if err != nil {
			return r.explainError(err)
		}
		a.MaxRate += most
		a.Clusters[j] = RoutedCluster{
			Name: route.Name, ExternalRate: route.Rate, Probability: route.Probability, Utilization: route.Utilization,
			ExternalResponse: route.Response,
			LocalUtilization: cl.LocalRate * cl.LocalServiceTime / servers,
			MaxRate:          most,
		}
		if plan.byType == nil {
			a.Clusters[j].Marginal = ask.Figure(route.Marginal)
		}
		// With several servers an arrival finds a free one at times, and no
		// closed form says how often it preempts.
		if servers == 1 {
			if plan.byType != nil {
				a.Clusters[j].PreemptionRate = ask.Figure(cl.LocalRate * plan.work[j])
			} else if v, err := cl.PreemptionRate(route.Rate); err == nil {
				a.Clusters[j].PreemptionRate = ask.Figure(v)
			}
		}
	}
	rate := 0.0
	for j := range a.Clusters {
		if a.Clusters[j].PreemptionRate == nil {
			return r.presentTypes(a, plan)
		}
		rate += *a.Clusters[j].PreemptionRate
	}
	a.PreemptionRate = ask.Figure(rate)
	return r.presentTypes(a, plan)
}

// counted is the value of a split, nil if it is that of a regression of preemptions below its
// intercept.
func (r *router) counted(s *routing.Split) *float64 {
	if m, ok := r.objective.(routing.Preemptions); ok {
		for j := range s.Routes {
			if s.Routes[j].Response < m.Intercept {
				return nil
			}
		}
	}
	return ask.Figure(s.Value)
}

// presentPolicies states what each policy comes to; one that saturates clusters
// names the worst of them.
func (r *router) presentPolicies(outcomes []routing.Outcome) []PolicyOutcome {
	var all []PolicyOutcome
	for _, o := range outcomes {
		p := PolicyOutcome{Policy: Policy(o.Policy.String())}
		if over, ok := o.Err.(*routing.SaturatedError); ok {
			p.Saturated, p.SaturatedUtilization, p.SaturatedClusters =
				new(cmp.Or(over.Name, over.Cluster)), ask.Figure(over.Utilization), 1+over.Others
		} else {
			p.MeanResponse, p.ObjectiveValue = ask.Figure(o.Split.MeanResponse), r.counted(&o.Split)
			if o.Price > 0 && p.ObjectiveValue != nil {
				p.Price = ask.Figure(o.Price)
			}
		}
		all = append(all, p)
	}
	return all
}

// nominal is the most likely rate, per s.
func (r *router) nominal() float64 { return float64(r.rate.Nominal()) }

// oneOfWords refuses a word that is not in a list.
func oneOfWords(field, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	return ask.Inputf(field, "%q is not one of %v", value, words)
}
