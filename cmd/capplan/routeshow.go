package main

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/units"
)

// What a page shows of long lists; JSON and CSV hold all.
const (
	shownClusters = 30
	shownDispatch = 200
)

func showRoute(p *page, a *routes.Answer) {
	p.headline("mean response %s for %s over %s (%s)", units.FormatDuration(a.MeanResponse, 5), units.FormatRate(a.Rate, 5), plural(int64(len(a.Clusters)), "cluster", "clusters"), policyName(a))
	switch a.Objective {
	case routes.Cost:
		p.row("cost per request", optionalNumber(a.ObjectiveValue, 6))
	case routes.Preemptions:
		if a.ObjectiveValue == nil {
			p.row("preemptions", "-", "none by the regression: a response is below its intercept")
		} else {
			p.row("preemptions", optionalNumber(a.ObjectiveValue, 6), "by the regression, summed over clusters")
		}
		if a.PreemptionRate != nil {
			p.row("preemptions, exact", units.FormatRate(*a.PreemptionRate, 5), "λxθ, summed over clusters")
		}
	default:
		if len(a.Types) > 0 {
			p.row("weighted response", optionalTimeDigits(a.ObjectiveValue, 5))
		}
	}
	if a.TypeSearch == nil && (a.Policy != routes.PAP || a.Objective != routes.Response || len(a.Types) > 0) {
		p.row("least mean response", units.FormatDuration(a.LeastMeanResponse, 5))
	}
	if t := a.TypeSearch; t != nil {
		p.row("same mix everywhere", units.FormatDuration(t.SameMix, 5), "weighted, the best")
		p.row("any split by type", "≥ "+units.FormatDuration(t.LowerBound, 5), "weighted, a proven bound")
	} else {
		p.row("multiplier", optionalNumber(a.Multiplier, 7))
	}
	p.row("greatest rate", units.FormatRate(a.MaxRate, 5), "any less can be routed")
	showRouted(p, a)
	rows := [][]string{{"policy", "mean response", "against the optimum"}}
	if t := a.TypeSearch; t != nil {
		rows = [][]string{
			{"policy", "mean response", "against the same mix"},
			{"by type", units.FormatDuration(a.MeanResponse, 5), "× " + units.FormatNumber(*a.ObjectiveValue/t.SameMix, 5)},
		}
	}
	for _, o := range a.Policies {
		if o.Saturated != nil {
			more := ""
			if o.SaturatedClusters > 1 {
				more = fmt.Sprintf(" and %d more", o.SaturatedClusters-1)
			}
			rows = append(rows, []string{string(o.Policy), "-", "saturates " + *o.Saturated + " (" + units.FormatNumber(*o.SaturatedUtilization, 4) + ")" + more})
			continue
		}
		against := "-"
		if o.Price != nil {
			against = "× " + units.FormatNumber(*o.Price, 5)
		}
		rows = append(rows, []string{string(o.Policy), optionalTimeDigits(o.MeanResponse, 5), against})
	}
	p.table(rows)
	if len(a.Types) > 0 {
		rows := [][]string{{"type", "share", "weight", "mean response"}}
		for _, t := range a.Types {
			rows = append(rows, []string{t.Name, units.FormatFraction(t.Share, 4), units.FormatNumber(t.Weight, 4), units.FormatDuration(t.MeanResponse, 5)})
		}
		p.table(rows)
	}
	showHedges(p, a.Uncertainty)
	showDispatch(p, a)
	p.explain(a.Explanation)
}

func policyName(a *routes.Answer) string {
	switch {
	case a.TypeSearch != nil && a.TypeSearch.Proven:
		return "pap by type, proven to be the least"
	case a.TypeSearch != nil:
		return "pap by type, not proven: at most " + units.FormatFraction(a.TypeSearch.Gap, 2) + " lower is possible"
	case a.Hedge == routes.HedgeMean:
		return "pap, least mean response over the draws"
	case a.Hedge == routes.HedgeWorst:
		return "pap, least mean response at the upper ends"
	case a.Policy == routes.PAP && a.Objective == routes.Cost:
		return "pap, least cost"
	case a.Policy == routes.PAP && a.Objective == routes.Preemptions:
		return "pap, fewest preemptions by the regression"
	}
	return map[routes.Policy]string{
		routes.PAP: "pap, the optimum", routes.RR: "rr, round robin", routes.LRF: "lrf, least rate first", routes.BCF: "bcf, biggest cluster first",
	}[a.Policy]
}

// perUnit returns the unit in which a rate per second is at least 1, and how
// many seconds it has.
func perUnit(rate float64) (seconds float64, unit string) {
	switch {
	case rate >= 1:
		return 1, "/s"
	case rate >= 1./60:
		return 60, "/min"
	case rate >= 1./3600:
		return 3600, "/h"
	}
	return 86400, "/d"
}

func optionalTimeDigits(v *float64, digits int) string {
	if v == nil {
		return "-"
	}
	return units.FormatDuration(*v, digits)
}

// showRouted lists the clusters, of many those that are sent the most.
func showRouted(p *page, a *routes.Answer) {
	list, left := a.Clusters, 0
	if len(list) > shownClusters {
		list = append([]routes.RoutedCluster(nil), list...)
		sort.SliceStable(list, func(i, j int) bool { return list[i].ExternalRate > list[j].ExternalRate })
		list, left = list[:shownClusters], len(list)-shownClusters
	}
	seconds, unit := perUnit(a.Rate)
	rows := [][]string{{"cluster", "external " + unit, "share", "utilization", "response"}}
	for _, c := range list {
		response := units.FormatDuration(c.ExternalResponse, 5)
		if c.ExternalRate == 0 {
			response = "-"
		}
		rows = append(rows, []string{c.Name, units.FormatNumber(c.ExternalRate*seconds, 5), units.FormatFraction(math.Round(c.Probability*1e12)/1e12, 4), units.FormatFraction(c.Utilization, 4), response})
	}
	if left > 0 {
		rows = append(rows, []string{fmt.Sprintf("and %s more, see --format csv", count(int64(left)))})
	}
	p.table(rows)
}

func showHedges(p *page, u *routes.Uncertainty) {
	if u == nil {
		return
	}
	rows := [][]string{{fmt.Sprintf("over %s, seed %d", plural(int64(u.Samples), "draw", "draws"), u.Seed), "5%", "50%", "95%", "average", "worst", "saturated"}}
	for _, h := range u.Splits {
		if h.Infeasible != nil {
			rows = append(rows, []string{h.Split, "-", "-", "-", "-", "-", "there is none"})
			continue
		}
		saturated := units.FormatFraction(*h.Unstable, 3)
		if h.Saturated != nil {
			saturated += ", " + *h.Saturated
		}
		rows = append(rows, []string{h.Split, optionalTimeDigits(h.P5, 4), optionalTimeDigits(h.P50, 4), optionalTimeDigits(h.P95, 4), optionalTimeDigits(h.Mean, 4), optionalTimeDigits(h.Worst, 4), saturated})
	}
	p.table(rows)
}

func showDispatch(p *page, a *routes.Answer) {
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
		mixed = fmt.Sprintf(" by type, %s and %s in the list of all", units.FormatNumber(d.MixedAhead, 3), units.FormatNumber(d.MixedBehind, 3))
	}
	p.headline("dispatch (%s): counts at most %s ahead and %s behind their ideals%s", rule, units.FormatNumber(d.Ahead, 3), units.FormatNumber(d.Behind, 3), mixed)
	var rows [][]string
	line := ""
	for i, name := range a.Dispatch {
		if i == shownDispatch {
			break
		}
		if len(a.DispatchTypes) > 0 {
			name = a.DispatchTypes[i] + ":" + name
		}
		if line != "" && len(line)+len(name) > 72 {
			rows, line = append(rows, []string{line}), ""
		}
		line = strings.TrimSpace(line + " " + name)
	}
	rows = append(rows, []string{line})
	if left := len(a.Dispatch) - shownDispatch; left > 0 {
		rows = append(rows, []string{fmt.Sprintf("and %s more, see --format json", count(int64(left)))})
	}
	p.list(rows)
}

// routeRows is the CSV, one cluster a row.
func routeRows(a *routes.Answer) [][]string {
	return scalarRows(a.Clusters)
}

// drawRoute draws the mean response of the policies against the total rate, or
// their shares by cluster.
func drawRoute(ctx context.Context, q *routes.Question, a *routes.Answer, kind string) (*drawing, error) {
	if kind == "shares" {
		return drawShares(ctx, q, a)
	}
	curves, top, err := q.ResponseCurves(ctx, a)
	if err != nil {
		return nil, err
	}
	low := 0.0
	c := chart.Chart{
		Title: "Mean response against the rate", Subtitle: fmt.Sprintf("%s, greatest rate %s", plural(int64(len(a.Clusters)), "cluster", "clusters"), units.FormatRate(a.MaxRate, 5)),
		XLabel: "external requests (per s)", YLabel: "mean response (s)", YMin: &low, YMax: &top, XMin: &low, XMax: &a.MaxRate,
		VLines: []chart.Rule{{Value: a.Rate, Label: units.FormatRate(a.Rate, 5)}},
		Marks:  []chart.Mark{{X: a.Rate, Y: a.MeanResponse, Label: units.FormatDuration(a.MeanResponse, 4)}},
	}
	for _, r := range curves {
		if len(r.Rate) > 0 {
			c.Series = append(c.Series, chart.Series{Name: string(r.Policy), X: r.Rate, Y: r.Response, Style: chart.Line})
		}
	}
	return &drawing{bottom: c}, nil
}

func drawShares(ctx context.Context, q *routes.Question, a *routes.Answer) (*drawing, error) {
	v, err := q.Shares(ctx, a, 12)
	if err != nil {
		return nil, err
	}
	var names []string
	x := make([]float64, len(v.Names))
	for i, n := range v.Names {
		x[i] = float64(i + 1)
		names = append(names, strconv.Itoa(i+1)+" "+n)
	}
	label := strings.Join(names, ", ")
	if v.Others > 0 {
		label += fmt.Sprintf(" (%s more left out)", count(int64(v.Others)))
	}
	low, left, right := 0.0, 0.5, float64(len(x))+0.5
	c := chart.Chart{
		Title: "Share of each cluster by policy", Subtitle: "at " + units.FormatRate(a.Rate, 5),
		XLabel: label, YLabel: "share of external requests", YMin: &low, XMin: &left, XMax: &right, XStep: 1,
	}
	for i, p := range v.Policies {
		c.Series = append(c.Series, chart.Series{Name: string(p), X: x, Y: v.Shares[i], Style: chart.Bars})
	}
	return &drawing{bottom: c}, nil
}
