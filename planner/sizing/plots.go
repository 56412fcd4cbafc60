package sizing

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// Plots returns the servers over the day, or the chance of fleets over the draws
// of an uncertain load, or the figure that binds against the number of servers.
// One of the three answers what the reader asks next: by how much it would miss
// with fewer.
func (a *SizeAnswer) Plots(ctx context.Context) ([]ask.Plot, error) {
	ctx = given.Context(ctx)
	switch {
	case a.Staffing != nil:
		return a.Staffing.plots(), nil
	case a.Uncertainty != nil:
		return []ask.Plot{a.Uncertainty.plot(a.Servers)}, nil
	case a.asked == nil:
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	// The fleet is made anew from the question: it holds models and is too large
	// to keep in every answer.
	f, err := a.asked.fleet()
	if err != nil {
		return nil, err
	}
	for _, l := range f.Limits {
		// A log's widest job may ask for more servers than any objective, and where
		// no servers are needed nothing binds. Then the first objective is drawn, which
		// shows how far below its limit the fleet is.
		if l.Name == a.Binding || len(f.Limits) == 1 || a.Binding == "widest_job" || a.Binding == "" {
			p, err := a.objectivePlot(ctx, f, l)
			return []ask.Plot{p}, err
		}
	}
	return nil, ask.NotDrawn("this answer has no curve to draw")
}

// Noun is what the servers of the answer are called. The dedicated ones are named
// as such where a pool helps, and a log counts processors.
func (a *SizeAnswer) Noun() string {
	switch {
	case a.DedicatedServers != nil:
		return "dedicated server"
	case a.Log != nil:
		return "processor"
	}
	return "server"
}

// objectivePlot returns the figure that an objective bounds, over fleets around
// the answer: for the nominal case, at most some 120 points. Fleets without a
// steady state are left out, and figures so far below the limit that they are
// not worth drawing.
func (a *SizeAnswer) objectivePlot(ctx context.Context, f *Fleet, l Limit) (ask.Plot, error) {
	o := l.Objective
	y := ask.Axis{Name: objectiveFigure(l.Name, a.Model), Unit: "fraction", Scale: ask.Decades}
	switch o.Metric {
	// Decades suit shares, which fall by a factor with each server more. A
	// utilization falls slowly and is read in percent.
	case queueing.MeanWait, queueing.MeanResponse:
		y.Unit = "s"
	case queueing.Utilization:
		y.Scale, y.Max = ask.Linear, ask.Figure(1)
	}
	if o.Metric == queueing.ResponseShare {
		y.Name = "probability of a response longer"
	}
	if o.Metric == queueing.LateShare || o.Metric == queueing.ResponseShare {
		y.Name += " than " + units.FormatDuration(o.Wait, 3)
	}
	curve := ask.Curve{Name: y.Name}
	// With a headroom the curve is about those that the objectives need: the whole
	// fleet is so far below the limit that nothing is to be seen there.
	whole := float64(a.Servers)
	n := whole
	if a.Headroom != nil {
		n = float64(a.Headroom.Needed)
	}
	// All that is of interest lies within four standard deviations of the number of busy servers,
	// √a each; a plot shows at least four servers to either side.
	reach := math.Max(4, math.Ceil(4*math.Sqrt(a.OfferedLoad)))
	low, high := math.Max(0, n-reach), n+reach
	step := math.Max(1, math.Ceil((high-low)/120))
	// The steps are laid so that the answer is one of the points.
	low = math.Max(0, n-step*math.Floor((n-low)/step))
	p := ask.Plot{
		Title:    fmt.Sprintf("%s for %s erl", ask.Counted(a.Servers, a.Noun()), units.FormatNumber(a.OfferedLoad, 5)),
		Subtitle: fmt.Sprintf("%s against %ss, %s", y.Name, a.Noun(), a.Model.Words()),
		X:        ask.Axis{Name: a.Noun() + "s"},
		Y:        y,
	}
	for s := low; s <= high; s += step {
		g, err := f.At(ctx, s)
		if errors.Is(err, queueing.ErrUnstable) {
			continue
		}
		if err != nil {
			return p, ask.FromQueueing("servers", err)
		}
		// No servers have no utilization to draw.
		if o.Metric == queueing.Utilization && s+f.worth == 0 {
			continue
		}
		v := o.Value(g)
		// Values of 0 have no logarithm, and those below a millionth of the limit would stretch the
		// axis until the limit stands in a corner.
		if o.Metric != queueing.Utilization && (v <= 0 || v < o.Limit*1e-6) {
			continue
		}
		if curve.Add(s, v); s == n {
			p.Marks = []ask.Mark{{X: s, Y: v, Name: ask.Counted(n, a.Noun()) + ":"}}
		}
	}
	if len(curve.X) == 0 {
		return p, ask.NothingDrawn("the figure that binds is 0 for any fleet, so there is nothing to draw")
	}
	p.Curves = []ask.Curve{curve}
	if n != whole {
		p.Upright = []ask.Rule{{Value: whole, Name: "with headroom"}}
	}
	if o.Limit > 0 {
		p.Across = []ask.Rule{{Value: o.Limit, Name: "limit"}}
	}
	return p, nil
}

// objectiveFigure names the figure that an objective bounds. With a waiting
// system a limit on blocking is one on having to wait, as the same bound is asked
// of Erlang C.
func objectiveFigure(objective string, kind ModelKind) string {
	if objective == "max_blocking" && kind != Loss {
		return "probability to wait"
	}
	return map[string]string{
		"max_blocking":      "blocking probability",
		"max_wait":          "probability to wait longer",
		"max_mean_wait":     "mean wait",
		"max_mean_response": "mean response",
		"max_utilization":   "utilization",
		"max_abandon":       "probability to abandon",
	}[objective]
}

// plots returns the arrivals over the day above the servers by three methods. The
// three methods are drawn beside each other since they differ where the load
// changes fast, and only there.
func (s *Staffing) plots() []ask.Plot {
	time := ask.Axis{Name: "time of day", Clock: true}
	arrivals := ask.Curve{Name: "arrival rate", Style: ask.Held}
	methods := []ask.Curve{
		{Name: "SIPP", Style: ask.Held}, {Name: "lagged SIPP", Style: ask.Held}, {Name: "MOL", Style: ask.Held},
	}
	// The figures hold for whole intervals, so that the curves are steps.
	for _, v := range s.Intervals {
		hour := v.Start / 3600
		arrivals.Add(hour, v.Rate)
		for i, n := range []int64{v.ServersSIPP, v.ServersLaggedSIPP, v.ServersMOL} {
			methods[i].Add(hour, float64(n))
		}
	}
	title := "Servers over the day"
	// Up to two days the axis shows the time of day; beyond, days are what one
	// reads.
	if n := len(s.Intervals); n > 0 && s.Intervals[n-1].End > 48*3600 {
		days := int64(math.Ceil((s.Intervals[n-1].End - s.Intervals[0].Start) / 86400))
		time.Name, title = "time", "Servers over "+ask.Counted(days, "day")
	}
	return []ask.Plot{{
		Title:    title,
		Subtitle: "arrivals, and servers per interval by three methods",
		X:        time,
		Y:        ask.Axis{Name: "arrivals", Unit: "per_s"},
		Curves:   []ask.Curve{arrivals},
	}, {X: time, Y: ask.Axis{Name: "servers"}, Curves: methods}}
}

// plot returns the chance that a fleet meets the objectives. The marks are the
// servers that suffice in half and in 19 of 20 draws, and the nominal fleet.
func (u *Uncertainty) plot(nominal int64) ask.Plot {
	chance := ask.Curve{Name: "chance"}
	p := ask.Plot{
		Title:    "Chance that a fleet meets the objectives",
		Subtitle: fmt.Sprintf("over %s of the load, seed %d", ask.Counted(u.Samples, "draw"), u.Seed),
		X:        ask.Axis{Name: "servers"},
		Y:        ask.Axis{Name: "share of draws", Unit: "fraction", Min: new(float64), Max: ask.Figure(1)},
	}
	for _, c := range u.Candidates {
		if chance.Add(float64(c.Servers), c.Chance); c.Servers == nominal {
			p.Marks = []ask.Mark{{X: float64(nominal), Y: c.Chance, Name: "nominal case:", ByX: true}}
		}
	}
	p.Curves = []ask.Curve{chance}
	for _, q := range []struct {
		servers *int64
		name    string
	}{{u.P50, "50%:"}, {u.P95, "95%:"}} {
		if q.servers != nil {
			p.Upright = append(p.Upright, ask.Rule{Value: float64(*q.servers), Name: q.name})
		}
	}
	return p
}

// Plots returns what [Size] draws of the question. The same curve serves, since
// the fleet that is checked is one of those on it; size is asked again for what
// check does not keep.
func (a *CheckAnswer) Plots(ctx context.Context) ([]ask.Plot, error) {
	ctx = given.Context(ctx)
	if a.asked == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	size, err := Size(ctx, a.asked)
	if err != nil {
		return nil, err
	}
	return size.Plots(ctx)
}

// Plots returns the greatest load, or the longest service, against the number of
// servers. Fleets too small for any load are left out.
func (a *CapacityAnswer) Plots(ctx context.Context) ([]ask.Plot, error) {
	ctx = given.Context(ctx)
	switch {
	case a.SolveFor == SolveObjective:
		return nil, ask.NotDrawn("solving for the objective gives no curve to draw")
	case a.asked == nil:
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	y, solved := ask.Axis{Name: "greatest load", Unit: "erl"}, func(a *CapacityAnswer) *float64 { return a.MaxLoad }
	if a.MaxServiceTime != nil {
		y, solved = ask.Axis{Name: "longest service time",
			Unit: "s"}, func(a *CapacityAnswer) *float64 { return a.MaxServiceTime }
	}
	curve := ask.Curve{Name: y.Name}
	// Some eighty fleets are asked, half of them smaller. Each costs a search,
	// which is fast enough to draw.
	step := max(a.Servers/40, 1)
	for n := max(a.Servers-40*step, 1); n <= a.Servers+40*step; n += step {
		one := *a.asked
		one.Servers, one.Explain = n, false
		b, err := Capacity(ctx, &one)
		// An error of the context ends the drawing; any other is that of a fleet
		// too small, which is left out.
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			curve.Add(float64(n), *solved(b))
		}
	}
	return []ask.Plot{{
		Title:    "What a fleet can take",
		Subtitle: "within the objectives, " + a.Model.Words(),
		X:        ask.Axis{Name: "servers"},
		Y:        y,
		Curves:   []ask.Curve{curve},
		Marks:    []ask.Mark{{X: float64(a.Servers), Y: *solved(a), Name: ask.Counted(a.Servers, "server") + ":"}},
	}}, nil
}

// Plots returns throughput against the rate, as PCU figure 6 does. At the right
// the load is half as much again as the fleet can serve, so that throughput is
// seen to level off.
func (a *ThroughputAnswer) Plots(ctx context.Context) ([]ask.Plot, error) {
	ctx = given.Context(ctx)
	if a.asked == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its question")
	}
	most := max(2*a.Rate, 1.5*a.Equivalent/a.asked.ServiceTime)
	if most == 0 {
		return nil, ask.NothingDrawn("an empty fleet without load has no curve to draw")
	}
	var rates []float64
	for i := range 101 {
		rates = append(rates, most*float64(i)/100)
	}
	both, dedicated, err := ThroughputCurve(ctx, a.asked, rates)
	if err != nil {
		return nil, err
	}
	p := ask.Plot{
		Title:    "Throughput against load",
		Subtitle: units.FormatNumber(a.Equivalent, 7) + " equivalent servers",
		X:        ask.Axis{Name: "arrival rate", Unit: "per_s"},
		Y:        ask.Axis{Name: "throughput", Unit: "per_s"},
		Curves:   []ask.Curve{{Name: "all that arrives", X: rates, Y: rates}},
		Marks:    []ask.Mark{{X: a.Rate, Y: a.Throughput}},
	}
	if a.asked.Pool != nil {
		p.Curves = append(p.Curves, ask.Curve{Name: "dedicated and public", X: rates, Y: both},
			ask.Curve{Name: "dedicated alone", X: rates, Y: dedicated})
	} else {
		p.Curves = append(p.Curves, ask.Curve{Name: "dedicated servers", X: rates, Y: dedicated})
	}
	return []ask.Plot{p}, nil
}
