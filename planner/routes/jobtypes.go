package routes

import (
	"context"
	"errors"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/units"
)

// A RoutedType is a type of external requests and what it meets.
type RoutedType struct {
	Name         string   `json:"name"`
	Share        float64  `json:"share"`
	Weight       float64  `json:"weight"`
	MeanResponse float64  `json:"mean_response_s"`
	Multiplier   *float64 `json:"multiplier"` // with by-type: the marginal of the clusters that it uses
	// Probabilities by cluster, with by-type; else those of the clusters.
	Probabilities []float64 `json:"probabilities,omitempty"`
}

// A TypeSearch is what is known of a split by type, which minimises what is not
// convex. The bound and the same mix are of the objective, the mean response
// weighted by type.
type TypeSearch struct {
	// Proven says whether no split by type is lower by more than a millionth.
	Proven     bool    `json:"proven"`
	LowerBound float64 `json:"lower_bound_s"` // no split by type is below
	Gap        float64 `json:"gap"`           // 1 − lower bound / objective value
	SameMix    float64 `json:"same_mix_s"`    // the least with the same mix at every cluster
	Starts     int     `json:"starts"`        // descents
	Problems   int     `json:"problems"`      // boxes of splits that a bound was found for
}

// otherType is what the shares of a file leave.
const otherType = "other"

// mix folds the service times of the types into the clusters, and leaves the
// types relative to the mix. The model takes one mean and one second moment for
// the external requests of a cluster; with ratios to the mix the types give both
// back.
func (r *router) mix(types []RequestType) error {
	if len(types) == 0 {
		return nil
	}
	left, taken := 1.0, false
	for _, t := range types {
		rt := routing.Type{Name: t.Name, Share: float64(t.Share), Weight: ask.Or(t.Weight, 1.0), ServiceRatio: 1,
			SecondMomentRatio: 1}
		if t.ServiceRatio != nil {
			rt.ServiceRatio = float64(*t.ServiceRatio)
			// The SCV of a type is that of the cluster, so that its second moment
			// goes with the square of the mean.
			rt.SecondMomentRatio = rt.ServiceRatio * rt.ServiceRatio
		}
		left -= rt.Share
		taken = taken || t.Name == otherType
		r.types = append(r.types, rt)
	}
	switch {
	case left > 1e-9 && taken:
		return ask.Inputf("types",
			"the shares leave some requests to a type named other, and a type has that name: let the shares add up "+
				"to 1")
	case left > 1e-9:
		r.types = append(r.types,
			routing.Type{Name: otherType, Share: left, Weight: 1, ServiceRatio: 1, SecondMomentRatio: 1})
	}
	first, second := 0.0, 0.0
	for _, t := range r.types {
		first += t.Share * t.ServiceRatio
		second += t.Share * t.SecondMomentRatio
	}
	differ := func(of func(*routing.Type) float64) bool {
		return slices.ContainsFunc(r.types, func(t routing.Type) bool { return of(&t) != of(&r.types[0]) })
	}
	r.unlike = differ(func(t *routing.Type) float64 { return t.Weight }) &&
		differ(func(t *routing.Type) float64 { return t.ServiceRatio })
	for i := range r.types {
		t := &r.types[i]
		r.weighted = r.weighted || t.Weight != r.types[0].Weight || t.ServiceRatio != 1 || t.Weight != 1
		t.ServiceRatio, t.SecondMomentRatio = t.ServiceRatio/first, t.SecondMomentRatio/second
	}
	for j := range r.clusters {
		r.clusters[j].ServiceTime *= first
		r.clusters[j].SecondMoment *= second
	}
	return nil
}

// byType routes each type its own way. Each type has its own probabilities, and
// utilization and response of a cluster follow from the mix that it gets.
func (r *router) byType(ctx context.Context) (*routePlan, error) {
	t, err := routing.SplitByType(ctx, r.clusters, r.nominal(), r.types)
	if domain := (*routing.DomainError)(nil); errors.As(err, &domain) {
		return nil, ask.Inputf("by_type", "%s: %s = %s, want %s",
			domain.Cluster, domain.Arg, ask.Digits(domain.Value), domain.Want)
	}
	if err != nil {
		return nil, r.explainError(err)
	}
	plan := &routePlan{byType: &t, work: make([]float64, len(r.clusters))}
	s := &plan.split
	s.Rate, s.Value = t.Rate, t.Value
	s.Routes = make([]routing.Route, len(r.clusters))
	if !t.Proven() {
		ask.Warn(&s.Warnings,
			"the split by type is the best that %d descents found and not proven to be the least: the problem is "+
				"not convex, and by the bound of the search another split can be up to %s lower",
			t.Starts, units.FormatFraction(t.Gap(), 2))
	}
	total := 0.0
	for i := range t.Rates {
		for _, x := range t.Rates[i] {
			total += x
		}
	}
	for j := range r.clusters {
		cl, route := &r.clusters[j], &s.Routes[j]
		route.Name = cl.Name
		work, spent := 0.0, 0.0
		for i := range r.types {
			x := t.Rates[i][j]
			route.Rate += x
			work += x * cl.ServiceTime * r.types[i].ServiceRatio
			spent += x * t.Responses[i][j]
		}
		route.Probability = min(1, route.Rate/total)
		route.Utilization = cl.LocalRate*cl.LocalServiceTime + work
		plan.work[j] = work
		s.MeanResponse += spent / t.Rate
		if route.Rate > 0 {
			route.Response = spent / route.Rate
			continue
		}
		// A cluster that gets nothing has the response that the mix would find
		// there.
		for i := range r.types {
			route.Response += r.types[i].Share * t.Responses[i][j]
		}
	}
	plan.byTypeP = t.Probabilities
	return plan, nil
}

// presentTypes fills in what each type meets.
func (r *router) presentTypes(a *Answer, plan *routePlan) error {
	for i, t := range r.types {
		out := RoutedType{Name: t.Name, Share: t.Share, Weight: t.Weight}
		if plan.byType != nil {
			out.Multiplier, out.Probabilities = ask.Figure(plan.byType.Multipliers[i]), plan.byTypeP[i]
		}
		for j := range plan.split.Routes {
			route := &plan.split.Routes[j]
			switch {
			case plan.byType != nil:
				out.MeanResponse += plan.byTypeP[i][j] * plan.byType.Responses[i][j]
			// If the service of a type differs from that of the mix, only its own part of the
			// response differs: the wait is the same.
			case route.Rate > 0:
				service, err := r.clusters[j].ServicePart(route.Rate)
				if err != nil {
					return r.explainError(err)
				}
				out.MeanResponse += route.Probability * (route.Response + (t.ServiceRatio-1)*service)
			}
		}
		a.Types = append(a.Types, out)
	}
	return nil
}
