package chart_test

import (
	"fmt"
	"math"

	. "github.com/capplan/capplan/chart"
)

// grid returns f at each place.
func grid(xs, ys []float64, f func(x, y float64) float64) [][]float64 {
	out := make([][]float64, len(ys))
	for i, y := range ys {
		out[i] = apply(xs, func(x float64) float64 { return f(x, y) })
	}
	return out
}

// waiting is the mean wait of M/M/1 over rate and service time, empty where
// the queue grows for ever.
func waiting() Chart {
	xs, ys := span(0.1, 2, 0.1), span(0.2, 1.4, 0.1)
	return Chart{
		Title: "Mean wait by rate and service time", Subtitle: "M/M/1",
		XLabel: "arrival rate (/s)", YLabel: "service time (s)",
		Heat: &Heat{X: xs, Y: ys, Label: "mean wait (s)", Log: true, Empty: "unstable",
			Value: grid(xs, ys, func(x, y float64) float64 {
				if x*y >= 0.995 {
					return math.NaN()
				}
				return x * y * y / (1 - x*y)
			})},
		Marks: []Mark{{1, 0.5, "today: 0.5 s"}},
	}
}

// tornado is the effect of each input alone on an answer of 138 servers.
func tornado() Chart {
	return Chart{
		Title: "How the number of servers depends on each input", Subtitle: "each input alone at its 5% and 95% point",
		XLabel: "servers", Base: 138, Arrange: Overlaid,
		YNames: []string{"arrival rate", "service time", "objective of blocking", "variability", "patience of the callers"},
		Series: []Series{
			{Name: "low", X: []float64{112, 121, 146, 138, 142}, Y: span(0, 4, 1), Style: Rows, Labels: []string{"4.2/s", "17 s", "0.5%", "0.8", "30 s"}},
			{Name: "high", X: []float64{171, 155, 131, 139, 140}, Y: span(0, 4, 1), Style: Rows, Labels: []string{"6.6/s", "25 s", "2%", "1.6", "3 min"}},
		},
		VLines: []Rule{{138, "nominal 138"}},
	}
}

// classes are grouped bars with names and whiskers.
func classes() Chart {
	at := span(0, 2, 1)
	return Chart{
		Title: "Revenue by class of job", Subtitle: "100 jobs, mean and 95% interval over 20 seeds",
		XLabel: "class", YLabel: "revenue ($)", XNames: []string{"small", "medium", "large"},
		Series: []Series{
			{Name: "lp-round", X: at, Y: []float64{5e4, 8.2e5, 2.4e5}, YLow: []float64{4.8e4, 8e5, 2.2e5}, YHigh: []float64{5.2e4, 8.4e5, 2.6e5}, Style: Bars},
			{Name: "unit-big", X: at, Y: []float64{5.1e4, 6.9e5, 1.6e5}, YLow: []float64{4.9e4, 6.7e5, 1.5e5}, YHigh: []float64{5.3e4, 7.1e5, 1.7e5}, Style: Bars},
			{Name: "max-big", X: at, Y: []float64{3e4, 5.2e5, 2.9e5}, YLow: []float64{2.8e4, 4.9e5, 2.8e5}, YHigh: []float64{3.2e4, 5.5e5, 3e5}, Style: Bars},
		},
	}
}

// grids are the charts of cells, names, bars and whiskers that once looked
// wrong or may.
func grids() map[string]Chart {
	decades := []float64{1, 10, 100, 1000}
	long := []string{"round robin", "least response time first", "biased centralised, with the queue of each cluster", "random", "power of two choices", "shortest queue"}
	steep := func(x, y float64) float64 { return 1e6*x + y }
	ten := span(1, 10, 1)
	fine := span(0, 199, 1)
	band := func(f float64) []float64 { return apply(ten, func(x float64) float64 { return f * math.Sqrt(x) }) }
	many := make([]string, 60)
	for i := range many {
		many[i] = fmt.Sprintf("machine-%02d.example", i+1)
	}
	return map[string]Chart{
		"waiting": waiting(), "tornado": tornado(), "classes": classes(),
		"heatlog": {Title: "Both axes logarithmic", XLabel: "servers", YLabel: "load (erl)", XLog: true, YLog: true,
			Heat: &Heat{X: decades, Y: decades, Value: grid(decades, decades, func(x, y float64) float64 { return y / (x + y) }), Label: "blocking probability"}},
		"heatuneven": {Title: "Places of uneven distance", XLabel: "servers", YLabel: "y",
			Heat: &Heat{X: []float64{10, 20, 50, 100}, Y: []float64{1, 2, 4}, Value: grid([]float64{10, 20, 50, 100}, []float64{1, 2, 4}, steep), Label: "revenue ($)"}},
		"heatone": {Title: "One cell", XLabel: "x", YLabel: "y", Heat: &Heat{X: []float64{3}, Y: []float64{0}, Value: [][]float64{{7}}}},
		"heatnames": {Title: "Names on both axes", YLabel: "policy", XNames: many[:12], YNames: long,
			Heat: &Heat{X: span(0, 11, 1), Y: span(0, 5, 1), Value: grid(span(0, 11, 1), span(0, 5, 1), func(x, y float64) float64 {
				if int(x+y)%7 == 3 {
					return math.NaN()
				}
				return x - 3*y
			}), Label: "gain (servers)"}},
		"heatfine": {Title: "Forty thousand cells", XLabel: "x", YLabel: "y",
			Heat:   &Heat{X: fine, Y: fine, Value: grid(fine, fine, func(x, y float64) float64 { return math.Sin(x/30) * math.Cos(y/20) }), Label: "a label of the scale that is much longer than the scale it stands beside, and that has to be cut somewhere"},
			Series: []Series{{Name: "limit", X: []float64{0, 199}, Y: []float64{20, 150}}}, HLines: []Rule{{60, "a level"}}},
		"stacked": {Title: "Levels of the jobs", YLabel: "jobs", XNames: long, Arrange: Stacked, Series: []Series{
			{Name: "level 1", X: span(0, 5, 1), Y: []float64{10, 20, 30, 40, 50, 60}, Style: Bars},
			{Name: "level 2", X: span(0, 5, 1), Y: []float64{40, 30, 30, 20, 10, 10}, Style: Bars},
			{Name: "none", X: span(0, 5, 1), Y: []float64{-5, -10, 0, 0, -20, -3}, Style: Bars}}},
		"stackedrows": {Title: "Where the time goes", XLabel: "time (s)", YNames: long, Arrange: Stacked, Series: []Series{
			{Name: "wait", X: []float64{1, 2, 3, 4, 5, 6}, Y: span(0, 5, 1), Style: Rows},
			{Name: "service", X: []float64{4, 4, 4, 4, 4, 4}, Y: span(0, 5, 1), Style: Rows, Labels: []string{"5 s", "6 s", "7 s", "8 s", "9 s", "10 s"}}}},
		"groupedrows": {Title: "Two methods", XLabel: "revenue ($)", YNames: []string{"small", "medium", "large"}, Series: []Series{
			{Name: "lp-round", X: []float64{1, 5, 3}, Y: span(0, 2, 1), Style: Rows},
			{Name: "unit-big", X: []float64{1.1, 4, 2}, Y: span(0, 2, 1), Style: Rows}}},
		"sixty": {Title: "Sixty machines", YLabel: "temporal reliability", XNames: many, Series: []Series{
			{X: span(0, 59, 1), Y: apply(span(0, 59, 1), func(x float64) float64 { return 1 - x/80 }), Style: Bars}}},
		"rowsmany": {Title: "Sixty machines", XLabel: "temporal reliability", YNames: many, Series: []Series{
			{X: apply(span(0, 59, 1), func(x float64) float64 { return 1 - x/80 }), Y: span(0, 59, 1), Style: Rows}}},
		"labels": {Title: "Labels at bars", YLabel: "gain", XNames: []string{"a", "b", "c"}, Series: []Series{
			{X: span(0, 2, 1), Y: []float64{3, -2, 5}, Style: Bars, Labels: []string{"3 servers", "2 fewer", "5 servers"}}}},
		"whiskers": {Title: "Revenue against availability", Subtitle: "mean and 95% interval over 20 seeds", XLabel: "primary factor", YLabel: "revenue ($)", Series: []Series{
			{Name: "lp-round", X: ten, Y: band(1), YLow: band(0.95), YHigh: band(1.1)},
			{Name: "unit-big", X: ten, Y: band(0.8), YLow: band(0.7), YHigh: band(0.85), Style: Points}}},
		"whiskerslog": {Title: "Whiskers on logarithmic axes", XLabel: "n", YLabel: "error", XLog: true, YLog: true, Series: []Series{
			{Name: "error", X: decades, Y: []float64{1, 0.1, 0.01, 1e-3}, YLow: []float64{0.5, 0.05, 1e-3, 1e-5}, YHigh: []float64{2, 0.3, 0.02, 2e-3}, Style: Points}}},
	}
}
