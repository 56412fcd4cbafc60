package report

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// What is shown of long lists; the data has all. The first 200 requests of a dispatch show its
// pattern.
const (
	shownClusters = 30
	shownDispatch = 200
)

// Route says how to split a stream over clusters. The figure is of the response
// against the rate, or of the shares of the clusters; with "" of both. It leads with the mean
// response of external requests under the policy that was asked for, and where rates are ranges under
// the split that is recommended.
func Route(a *routes.Answer, figure string) *page.Section {
	s := page.New("routing", "Where should requests go?",
		a.Warnings, a.Explanation, page.RowsOf("routing", a.Clusters))
	if a.Recommended != nil {
		addRecommendedSplit(s, a)
	} else {
		s.Say("mean response %s for %s over %s (%s)",
			say.Duration(a.MeanResponse, 4), say.Rate(a.Rate, 5), say.Plural(len(a.Clusters), "cluster"), policy(a))
	}
	// Each objective has a value in its own unit: money, preemptions a second, or seconds.
	switch a.Objective {
	case routes.Cost:
		s.Fact("cost per request", a.Money.Sign(say.Maybe(a.ObjectiveValue, say.Number, 4)))
	case routes.Preemptions:
		switch {
		case !a.ByRegression:
		case a.ObjectiveValue == nil:
			s.Fact("preemptions", "-", "none by the regression: a response is below its intercept")
		default:
			s.Fact("preemptions", say.Number(*a.ObjectiveValue, 4), "by the regression, summed over clusters")
		}
		s.Fact("preemptions, exact", say.Maybe(a.PreemptionRate, say.Rate, 4), "λxθ, summed over clusters")
	default:
		if len(a.Types) > 0 {
			s.Fact("weighted response", say.Maybe(a.ObjectiveValue, say.Duration, 4))
		}
	}
	if a.TypeSearch == nil && (a.Policy != routes.PAP || a.Objective != routes.Response || len(a.Types) > 0) {
		// Where another policy or objective leads, the least response says what that costs.
		s.Fact("least mean response", say.Duration(a.LeastMeanResponse, 4))
	}
	if t := a.TypeSearch; t != nil {
		// A split by type is searched for, and the bound says how far from the best it may be.
		s.Fact("same mix everywhere", say.Duration(t.SameMix, 4), "weighted, the best")
		s.Fact("any split by type", "≥ "+say.Duration(t.LowerBound, 4), "weighted, a proven bound")
	} else {
		// The multiplier of the optimum: what one more request a second would add to the total
		// response.
		s.Fact("multiplier", say.Maybe(a.Multiplier, say.Number, 4))
	}
	// Above it some cluster saturates whatever the split.
	s.Fact("greatest rate", say.Rate(a.MaxRate, 4), "a lower rate can be routed")
	addClusters(s, a, a.Clusters)
	addPolicies(s, a)
	// Without types the table gets no row and is not shown.
	types := s.Table("type", "share", "weight", "mean response")
	for _, t := range a.Types {
		types.Row(t.Name, say.Fraction(t.Share, 4), say.Number(t.Weight, 4), say.TimeCell(t.MeanResponse, 4))
	}
	// Below a recommended split the draws stand already.
	if a.Recommended == nil {
		addHedges(s, a.Uncertainty)
	}
	addDispatch(s, a)
	// A name that is none draws both.
	plots := map[string]func(context.Context) (*ask.Plot, error){"response": a.ResponsePlot, "shares": a.SharesPlot}
	if plot, ok := plots[figure]; ok {
		s.Draws = func(ctx context.Context) ([]page.Figure, error) {
			p, err := plot(ctx)
			if err != nil {
				return nil, err
			}
			return s.Figures([]ask.Plot{*p}), nil
		}
	} else {
		s.Plots(a, "The response of each policy grows without end as the rate approaches the capacity.",
			"How each policy splits the stream.")
	}
	return s
}

// policy names the split. It says too whether the split is proven to be the least.
func policy(a *routes.Answer) string {
	switch {
	case a.TypeSearch != nil && a.TypeSearch.Proven:
		return "pap by type, proven to be the least"
	case a.TypeSearch != nil:
		return "pap by type, not proven: at most " + say.Fraction(a.TypeSearch.Gap, 2) + " lower is possible"
	case a.Hedge == routes.HedgeMean:
		return "pap, least mean response over the draws"
	case a.Hedge == routes.HedgeWorst:
		return "pap, least mean response at the upper ends"
	case a.Policy == routes.PAP && a.Objective == routes.Cost:
		return "pap, least cost"
	case a.Policy == routes.PAP && a.Objective == routes.Preemptions && !a.ByRegression:
		return "pap, fewest preemptions"
	case a.Policy == routes.PAP && a.Objective == routes.Preemptions:
		return "pap, fewest preemptions by the regression"
	}
	return map[routes.Policy]string{
		routes.PAP: "pap, the optimum",
		routes.RR:  "rr, round robin",
		routes.LRF: "lrf, least rate first",
		routes.BCF: "bcf, biggest cluster first",
	}[a.Policy]
}

// addRecommendedSplit leads with the split to take where rates are ranges, and with the draws that it was
// judged by. That for the most likely rates stands below.
func addRecommendedSplit(s *page.Section, a *routes.Answer) {
	r, o := a.Recommended, a.Uncertainty.Of(a.Recommended.Split)
	saturated := "no draw saturates a cluster"
	if o.Saturated != nil {
		saturated = fmt.Sprintf("%s is saturated in %s of the draws, and no split carries all of them", *o.Saturated,
			say.Fraction(*o.Unstable, 3))
	}
	safe := "safe"
	if r.Reason != ask.Safe {
		safe = "not safe"
	}
	if o.Mean != nil {
		s.Say("mean response %s on average over the given ranges, %s at the 95%% point, over %s: %s, %s (%s)",
			say.Duration(*o.Mean, 4), say.Maybe(o.P95, say.Duration, 4), say.Plural(len(r.Clusters), "cluster"), safe,
			saturated, "pap, least mean response over the draws")
		s.Say("At %s, the most likely, its mean response is %s:", say.Rate(a.Rate, 5), say.Duration(r.MeanResponse, 4))
		addClusters(s, a, r.Clusters)
	} else {
		// The split is that for the most likely rates, which follows.
		s.Say("%s over the given ranges: %s", safe, saturated)
	}
	addHedges(s, a.Uncertainty)
	s.Say("For the most likely %s alone, mean response %s (%s):", say.Rate(a.Rate, 5), say.Duration(a.MeanResponse, 4),
		policy(a))
}

// addClusters lists the clusters of a split, of many those that are sent the most. Rates of all clusters stand
// in one unit, that of the whole stream.
func addClusters(s *page.Section, a *routes.Answer, list []routes.RoutedCluster) {
	unit, name := page.RateUnit(a.Rate)
	t := s.Table("cluster", "external /"+strings.TrimPrefix(name, "per "), "share", "utilization", "response")
	if len(list) > shownClusters {
		list = slices.Clone(list)
		sort.SliceStable(list, func(i, j int) bool { return list[i].ExternalRate > list[j].ExternalRate })
		t.More, t.MoreIn = len(list)-shownClusters, "csv"
		list = list[:shownClusters]
	}
	for _, c := range list {
		response := say.TimeCell(c.ExternalResponse, 4)
		// A cluster that is sent nothing has no external requests to respond to; the number there is a
		// limit.
		if c.ExternalRate == 0 {
			response = say.Quantity{}
		}
		// Shares of 1e-12 come of the search's tolerance, and would be written with an exponent.
		t.Row(c.Name, say.Number(c.ExternalRate/unit, 4), say.Fraction(math.Round(c.Probability*1e12)/1e12, 4),
			say.Fraction(c.Utilization, 4), response)
	}
}

// addPolicies compares what simpler policies would make of the same stream. A policy that saturates
// a cluster has no response, and the cluster is named.
func addPolicies(s *page.Section, a *routes.Answer) {
	t := s.Table("policy", "mean response", "against the optimum")
	if search := a.TypeSearch; search != nil {
		t.Head[2] = "against the same mix"
		t.Row("by type", say.TimeCell(a.MeanResponse, 4), "× "+say.Number(*a.ObjectiveValue/search.SameMix, 4))
	}
	// What is compared stands beside the comparison where it is not the response.
	minimised := map[routes.Objective]string{routes.Cost: "cost per request",
		routes.Preemptions: "preemptions"}[a.Objective]
	if minimised != "" {
		t.Head = slices.Insert(t.Head, 2, minimised)
	}
	row := func(o *routes.PolicyOutcome, against string) {
		cells := []any{string(o.Policy), say.Maybe(o.MeanResponse, say.TimeCell, 4), against}
		if minimised != "" {
			cells = slices.Insert(cells, 2, any(objectiveOf(a, o.ObjectiveValue)))
		}
		t.Row(cells...)
	}
	for i := range a.Policies {
		o := &a.Policies[i]
		if o.Saturated == nil {
			row(o, say.Sized("× ", say.Maybe(o.Price, say.Number, 4), ""))
			continue
		}
		more := ""
		if o.SaturatedClusters > 1 {
			more = fmt.Sprintf(" and %d more", o.SaturatedClusters-1)
		}
		row(o, "saturates "+*o.Saturated+" ("+say.Number(*o.SaturatedUtilization, 4)+")"+more)
	}
}

// objectiveOf writes a cost per request with its currency, and preemptions by time, but those of a
// regression, which have no unit.
func objectiveOf(a *routes.Answer, value *float64) string {
	switch {
	case value == nil:
		return ""
	case a.Objective == routes.Cost:
		return a.Money.Sign(say.Number(*value, 4))
	case a.ByRegression:
		return say.Number(*value, 4)
	default:
		return say.Rate(*value, 4)
	}
}

// addHedges shows what splits come to where rates are ranges. The quantiles are of the mean
// response over the draws; saturated is the share of draws in which some cluster is.
func addHedges(s *page.Section, u *routes.Uncertainty) {
	if u == nil {
		return
	}
	// The number of draws and the seed head the table, since all columns rest on them.
	t := s.Table(fmt.Sprintf("over %s, seed %d", say.Plural(u.Samples, "draw"), u.Seed),
		"5%", "50%", "95%", "average", "worst", "saturated")
	for _, h := range u.Splits {
		if h.Infeasible != nil {
			t.Row(h.Split, "", "", "", "", "", "none exists")
			continue
		}
		saturated := say.Fraction(*h.Unstable, 3)
		if h.Saturated != nil {
			saturated += ", " + *h.Saturated
		}
		row := []any{h.Split}
		for _, v := range []*float64{h.P5, h.P50, h.P95, h.Mean, h.Worst} {
			row = append(row, say.Maybe(v, say.TimeCell, 4))
		}
		t.Row(append(row, saturated)...)
	}
}

// addDispatch lists where the first requests go, as many on a line as fit. The discrepancy says how
// far the counts of any beginning of the list are from the split.
func addDispatch(s *page.Section, a *routes.Answer) {
	if len(a.Dispatch) == 0 {
		return
	}
	d := a.Discrepancy
	rule := string(d.Rule)
	if d.Offset == routes.OffsetFastest {
		rule += ", the fastest late"
	}
	mixed := ""
	// Of several types the list of each keeps to its split, and the list of all less closely.
	if len(a.DispatchTypes) > 0 {
		mixed = fmt.Sprintf(" by type, %s and %s in the list of all",
			say.Number(d.MixedAhead, 3), say.Number(d.MixedBehind, 3))
	}
	of := ""
	if a.Recommended != nil && a.Recommended.Split != string(a.Policy) {
		of = " by the split for the most likely rate"
	}
	s.Say("dispatch%s (%s): counts at most %s ahead of and %s behind their ideals%s",
		of, rule, say.Number(d.Ahead, 3), say.Number(d.Behind, 3), mixed)
	t := s.List()
	line := ""
	for i, name := range a.Dispatch {
		if i == shownDispatch {
			t.More, t.MoreIn = len(a.Dispatch)-shownDispatch, "json"
			break
		}
		if len(a.DispatchTypes) > 0 {
			name = a.DispatchTypes[i] + ":" + name
		}
		// 72 characters leave room within a line of 80.
		if line != "" && len(line)+len(name) > 72 {
			t.Row(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + name)
	}
	t.Row(line)
}
