package report

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
)

// What is shown of long lists; the data has all.
const (
	shownClusters = 30
	shownDispatch = 200
)

// Route says how to split a stream over clusters. The figure is of the response
// against the rate, or of the shares of the clusters; with "" of both.
func Route(a *routes.Answer, figure string) *Section {
	s := &Section{
		ID:       "routing",
		Title:    "Where to send requests?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{rowsOf("routing", a.Clusters)},
	}
	s.Say("mean response %s for %s over %s (%s)",
		duration(a.MeanResponse, 4), rate(a.Rate, 5), Plural(len(a.Clusters), "cluster"), policy(a))
	switch a.Objective {
	case routes.Cost:
		s.Fact("cost per request", Maybe(a.ObjectiveValue, number, 4))
	case routes.Preemptions:
		switch {
		case !a.ByRegression:
		case a.ObjectiveValue == nil:
			s.Fact("preemptions", "-", "none by the regression: a response is below its intercept")
		default:
			s.Fact("preemptions", number(*a.ObjectiveValue, 4), "by the regression, summed over clusters")
		}
		s.Fact("preemptions, exact", Maybe(a.PreemptionRate, rate, 4), "λxθ, summed over clusters")
	default:
		if len(a.Types) > 0 {
			s.Fact("weighted response", Maybe(a.ObjectiveValue, duration, 4))
		}
	}
	if a.TypeSearch == nil && (a.Policy != routes.PAP || a.Objective != routes.Response || len(a.Types) > 0) {
		s.Fact("least mean response", duration(a.LeastMeanResponse, 4))
	}
	if t := a.TypeSearch; t != nil {
		s.Fact("same mix everywhere", duration(t.SameMix, 4), "weighted, the best")
		s.Fact("any split by type", "≥ "+duration(t.LowerBound, 4), "weighted, a proven bound")
	} else {
		s.Fact("multiplier", Maybe(a.Multiplier, number, 4))
	}
	s.Fact("greatest rate", rate(a.MaxRate, 4), "any less can be routed")
	addClusters(s, a)
	addPolicies(s, a)
	types := s.Table("type", "share", "weight", "mean response")
	for _, t := range a.Types {
		types.Row(t.Name, fraction(t.Share, 4), number(t.Weight, 4), TimeCell(t.MeanResponse, 4))
	}
	addHedges(s, a.Uncertainty)
	addDispatch(s, a)
	plots := map[string]func(context.Context) (*ask.Plot, error){"response": a.ResponsePlot, "shares": a.SharesPlot}
	if plot, ok := plots[figure]; ok {
		s.Draws = func(ctx context.Context) ([]Figure, error) {
			p, err := plot(ctx)
			if err != nil {
				return nil, err
			}
			return s.Figures([]ask.Plot{*p}), nil
		}
	} else {
		s.Plots(a, "The response of each policy grows without end as the rate nears what it can take.",
			"How each policy splits the stream.")
	}
	return s
}

// policy names the split.
func policy(a *routes.Answer) string {
	switch {
	case a.TypeSearch != nil && a.TypeSearch.Proven:
		return "pap by type, proven to be the least"
	case a.TypeSearch != nil:
		return "pap by type, not proven: at most " + fraction(a.TypeSearch.Gap, 2) + " lower is possible"
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

// addClusters lists the clusters, of many those that are sent the most.
func addClusters(s *Section, a *routes.Answer) {
	list := a.Clusters
	unit, name := rateUnit(a.Rate)
	t := s.Table("cluster", "external /"+strings.TrimPrefix(name, "per "), "share", "utilization", "response")
	if len(list) > shownClusters {
		list = append([]routes.RoutedCluster(nil), list...)
		sort.SliceStable(list, func(i, j int) bool { return list[i].ExternalRate > list[j].ExternalRate })
		t.More, t.MoreIn = len(list)-shownClusters, "csv"
		list = list[:shownClusters]
	}
	for _, c := range list {
		response := TimeCell(c.ExternalResponse, 4)
		if c.ExternalRate == 0 {
			response = quantity{}
		}
		t.Row(c.Name, number(c.ExternalRate/unit, 4), fraction(math.Round(c.Probability*1e12)/1e12, 4),
			fraction(c.Utilization, 4), response)
	}
}

// addPolicies compares what simpler policies would make of the same stream.
func addPolicies(s *Section, a *routes.Answer) {
	t := s.Table("policy", "mean response", "against the optimum")
	if search := a.TypeSearch; search != nil {
		t.Head[2] = "against the same mix"
		t.Row("by type", TimeCell(a.MeanResponse, 4), "× "+number(*a.ObjectiveValue/search.SameMix, 4))
	}
	for _, o := range a.Policies {
		if o.Saturated != nil {
			more := ""
			if o.SaturatedClusters > 1 {
				more = fmt.Sprintf(" and %d more", o.SaturatedClusters-1)
			}
			t.Row(string(o.Policy), "", "saturates "+*o.Saturated+" ("+number(*o.SaturatedUtilization, 4)+")"+more)
			continue
		}
		t.Row(string(o.Policy), Maybe(o.MeanResponse, TimeCell, 4), sized("× ", Maybe(o.Price, number, 4), ""))
	}
}

// addHedges shows what splits come to where rates are ranges.
func addHedges(s *Section, u *routes.Uncertainty) {
	if u == nil {
		return
	}
	t := s.Table(fmt.Sprintf("over %s, seed %d", Plural(u.Samples, "draw"), u.Seed),
		"5%", "50%", "95%", "average", "worst", "saturated")
	for _, h := range u.Splits {
		if h.Infeasible != nil {
			t.Row(h.Split, "", "", "", "", "", "there is none")
			continue
		}
		saturated := fraction(*h.Unstable, 3)
		if h.Saturated != nil {
			saturated += ", " + *h.Saturated
		}
		row := []any{h.Split}
		for _, v := range []*float64{h.P5, h.P50, h.P95, h.Mean, h.Worst} {
			row = append(row, Maybe(v, TimeCell, 4))
		}
		t.Row(append(row, saturated)...)
	}
}

// addDispatch lists where the first requests go, as many on a line as fit.
func addDispatch(s *Section, a *routes.Answer) {
	if len(a.Dispatch) == 0 {
		return
	}
	d := a.Discrepancy
	rule := string(d.Rule)
	if d.Offset == routes.OffsetFastest {
		rule += ", the fastest late"
	}
	mixed := ""
	if len(a.DispatchTypes) > 0 {
		mixed = fmt.Sprintf(" by type, %s and %s in the list of all", number(d.MixedAhead, 3), number(d.MixedBehind, 3))
	}
	s.Say("dispatch (%s): counts at most %s ahead and %s behind their ideals%s",
		rule, number(d.Ahead, 3), number(d.Behind, 3), mixed)
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
		if line != "" && len(line)+len(name) > 72 {
			t.Row(line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + name)
	}
	t.Row(line)
}
