package chart_test

import (
	"fmt"
	"math"

	. "github.com/capplan/capplan/chart"
)

// erlangB is the blocking of 1..n servers by the recursion of Erlang's formula.
func erlangB(load float64, n int) []float64 {
	b, out := 1.0, make([]float64, n)
	for k := range out {
		b = load * b / (float64(k+1) + load*b)
		out[k] = b
	}
	return out
}

func span(from, to, step float64) []float64 {
	var xs []float64
	for i := 0; from+float64(i)*step <= to+step/2; i++ {
		xs = append(xs, from+float64(i)*step)
	}
	return xs
}

func apply(xs []float64, f func(float64) float64) []float64 {
	ys := make([]float64, len(xs))
	for i, x := range xs {
		ys[i] = f(x)
	}
	return ys
}

// objective is a blocking curve with its target and the answer.
func objective() Chart {
	b := erlangB(120, 185)
	return Chart{
		Title:    "Blocking against servers",
		Subtitle: "M/G/n/n, offered load 120 erl",
		XLabel:   "servers",
		YLabel:   "blocking probability",
		YLog:     true,
		Series:   []Series{{Name: "Erlang B", X: span(100, 185, 1), Y: b[99:]}},
		HLines:   []Rule{{0.01, "objective 1%"}},
		Marks:    []Mark{{138, 0.0095, "138 servers: 0.95%"}},
	}
}

// day is a load over 24 hours and the servers that three methods give.
func day() (load, servers Chart) {
	hours := span(0, 23, 1)
	rate := apply(hours, func(h float64) float64 {
		return math.Round(1100 + 700*math.Sin((h-8)*math.Pi/12) + 150*math.Sin((h-3)*math.Pi/4))
	})
	need := func(f func(float64) float64) []float64 {
		return apply(rate, func(r float64) float64 { return math.Ceil(f(r / 20)) })
	}
	load = Chart{
		Title:    "Load and servers over a day",
		Subtitle: "service time 3 min, wait at most 20 s for 80% of the calls",
		YLabel:   "calls per hour",
		Series:   []Series{{X: hours, Y: rate, Style: Step}},
	}
	servers = Chart{
		XLabel: "time of day (h)",
		YLabel: "servers",
		XStep:  3,
		Series: []Series{
			{Name: "stationary", X: hours, Y: need(func(a float64) float64 { return a + 1.2*math.Sqrt(a) }), Style: Step},
			{Name: "square root", X: hours, Y: need(func(a float64) float64 { return a + 2*math.Sqrt(a) }), Style: Step},
			{Name: "peak", X: hours, Y: apply(hours, func(float64) float64 { return 102 }), Style: Step},
		},
	}
	return load, servers
}

// throughput is a band and a line under a bound.
func throughput() Chart {
	xs := span(0, 12, 0.1)
	through := apply(xs, func(x float64) float64 { return x * (1 - erlangB(x*10+1e-9, 60)[59]) })
	return Chart{
		Title:  "Throughput against arrival rate",
		XLabel: "arrival rate (/s)",
		YLabel: "throughput (/s)",
		Series: []Series{
			{Name: "5% to 95% of the draws", X: xs, Style: Band,
				YLow:  apply(through, func(y float64) float64 { return 0.9 * y }),
				YHigh: apply(through, func(y float64) float64 { return 1.06 * y })},
			{Name: "dedicated servers", X: xs, Y: through},
			{Name: "without loss", X: xs, Y: xs},
		},
		HLines: []Rule{{6, "bound: 60 servers, 10 s each"}},
		VLines: []Rule{{5.4, "today"}},
	}
}

// gallery holds charts that once looked wrong or may.
func gallery() map[string]Chart {
	xs := span(1, 40, 1)
	sin := func(k float64) []float64 {
		return apply(xs, func(x float64) float64 { return 5 + k + math.Sin(x/6+k) })
	}
	many := Chart{Title: "Seven lines", XLabel: "x", YLabel: "y"}
	for _, n := range []string{"round robin", "least response first", "biased centralised", "random", "power of two", "shortest queue", "PAP"} {
		many.Series = append(many.Series, Series{Name: n, X: xs, Y: sin(float64(len(many.Series)) * 0.7)})
	}
	crowd := Chart{Title: "Forty lines", XLabel: "x", YLabel: "y", XStep: 7}
	for i := range 40 {
		crowd.Series = append(crowd.Series, Series{Name: fmt.Sprintf("cluster number %d", i+1), X: xs, Y: sin(float64(i) / 5)})
	}
	limit := 0.5
	all := map[string]Chart{
		"objective":  objective(),
		"throughput": throughput(),
		"many":       many,
		"forty":      crowd,
		"single": {Title: "One point", XLabel: "servers", YLabel: "revenue", Series: []Series{{Name: "answer", X: []float64{42}, Y: []float64{1.5e7}}},
			Marks: []Mark{{42, 1.5e7, "here"}}},
		"large": {Title: "Large values", XLabel: "bytes", YLabel: "jobs", Series: []Series{
			{X: []float64{1e9, 2e9, 3.5e9}, Y: []float64{2e18, 5e18, 3e18}}}},
		"small": {Title: "Small values", XLabel: "time (s)", YLabel: "probability", Series: []Series{
			{X: []float64{1e-6, 2e-6, 3.5e-6}, Y: []float64{-2e-9, 5e-9, 3e-9}}}},
		"negative": {Title: "Gain and loss", XLabel: "servers", YLabel: "gain", Series: []Series{
			{Name: "gain", X: span(1, 8, 1), Y: []float64{-300, -120, 40, 130, 150, 120, 20, -90}, Style: Bars},
			{Name: "cost", X: span(1, 8, 1), Y: []float64{100, 120, 140, 160, 180, 200, 220, 240}, Style: Bars}}},
		"loglog": {Title: "Both axes logarithmic", XLabel: "servers", YLabel: "time (s)", XLog: true, YLog: true, Series: []Series{
			{Name: "measured", X: []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}, Y: []float64{3e-7, 1e-6, 8e-6, 7e-5, 1e-3, 0.02, 0.09}, Style: Points},
			{Name: "fitted", X: []float64{1, 1e6}, Y: []float64{2e-7, 0.1}}}},
		"logdecades": {Title: "Three hundred decades", XLabel: "servers", YLabel: "blocking", YLog: true, Series: []Series{
			{X: []float64{0, 500, 1000}, Y: []float64{1, 1e-100, 1e-290}}}},
		"lognarrow": {Title: "Less than a decade", XLabel: "x", YLabel: "y", YLog: true, Series: []Series{
			{X: []float64{0, 1, 2}, Y: []float64{2, 2.5, 3}}}},
		"long": {Title: "A title that is much longer than the drawing is wide and that therefore has to be broken into two lines, and even cut at the end of the second because nobody reads that much",
			Subtitle: "λ = 5.4/s, ρ ≤ 0.9, wait → 0", XLabel: "servers", YLabel: "a label of the vertical axis that is longer than the axis it stands beside, which happens with units spelled out in full",
			Series: []Series{{Name: "a name in the legend that is long enough to need a row of its own in the legend of this drawing, and longer still until it is cut off", X: xs, Y: sin(0)},
				{Name: "short", X: xs, Y: sin(1)}}},
		"wide": {Title: "Long tick labels", XLabel: "time (s)", YLabel: "y", Series: []Series{
			{X: []float64{100000.001, 100000.0125}, Y: []float64{0, 1}}}},
		"limits": {Title: "Limits cut the data", XLabel: "x", YLabel: "y", YMin: &limit, Series: []Series{
			{X: []float64{0, 1, 2, 3}, Y: []float64{0, 2, 0.2, 1}}, {X: []float64{0, 1, 2}, Y: []float64{0.1, 1, 0.1}, Style: Points}}},
		"crowded": {Title: "Marks close together", XLabel: "servers", YLabel: "cost", Series: []Series{{Name: "cost", X: xs, Y: apply(xs, func(x float64) float64 { return 100/x + x })}},
			HLines: []Rule{{20, "budget"}, {21, "budget with reserve"}}, VLines: []Rule{{10, "nominal"}, {11, "95%"}},
			Marks: []Mark{{10, 20, "least cost"}, {11, 20.1, "least regret"}, {9, 20.1, "one fewer"}}},
	}
	for name, c := range grids() {
		all[name] = c
	}
	return all
}
