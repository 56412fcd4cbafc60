package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

func sizeCommand() *command {
	q := &sizing.SizeQuestion{}
	f := newSizeFlags(q)
	return &command{
		name: "size", usage: "how many servers for this load and these objectives?", flags: f.set,
		description: `The load is one of: --load; --rate and --service-time; --load-curve and
--service-time; --swf. The answer is the fewest servers that meet every
objective: it is computed that they do and that one fewer does not.

Lose at most 1% of the calls offered as 120 erlangs:

  $ capplan size --load 120 --max-blocking 1%

Answer 80% of 2 calls a minute of 5 minutes each within 20 seconds:

  $ capplan size --rate 2/min --service-time 5min --max-wait 20s --percentile 80%

The load is not known well:

  $ capplan size --load 80..100..130 --max-blocking 1%

The load changes over the day:

  $ capplan size --load-curve testdata/day.csv --service-time 4min --max-wait 20s --percentile 80% --plot day.svg

Any CSV with a time and a count or rate is a load curve; many days fold into a
typical one, and a column of durations is the service time:

  $ capplan size --load-curve testdata/requests.csv --day p95 --max-wait 100ms

The load of a job log:

  $ capplan size --swf testdata/das2-small.swf.gz --max-blocking 2%

Dedicated servers beside 10,000 unreliable public ones:

  $ capplan size --load 1200 --max-blocking 1% --public 10000 --public-speed 0.34 --public-availability 35% --replicas 2`,
		ask: func(ctx context.Context, s *streams, _ []string) (*result, error) {
			if err := f.read(ctx, s); err != nil {
				return nil, err
			}
			a, err := sizing.Size(ctx, q)
			if err != nil {
				return nil, err
			}
			r := &result{value: a, warnings: a.Warnings, text: func(p *page) { showSize(p, a) }}
			r.draw = func(ctx context.Context) (*drawing, error) { return drawSize(ctx, q, a) }
			if a.Staffing != nil {
				r.rows = func() [][]string { return staffingRows(a.Staffing) }
			}
			return r, nil
		},
	}
}

func showSize(p *page, a *sizing.SizeAnswer) {
	unit, units1 := "servers", "server"
	if a.DedicatedServers != nil {
		unit, units1 = "dedicated servers", "dedicated server"
	}
	if a.Log != nil {
		unit, units1 = "processors", "processor"
	}
	peak := ""
	if a.Staffing != nil {
		peak = " at the peak"
	}
	p.headline("%s%s for %s (%s)", plural(a.Servers, units1, unit), peak, erlangs(a.OfferedLoad), modelName(a.Model))
	showFigures(p, a.Model, &a.Figures, a.Objectives, a.Binding)
	if a.Binding == "widest_job" {
		p.row("binding", "the widest job", "no fewer processors could run it")
	}
	p.row("fractional need", optionalNumber(a.ServersReal, 7))
	if a.PublicServers != nil {
		p.row("public servers", optionalNumber(a.PublicServers, 7))
		p.row("equivalent servers", optionalNumber(a.EquivalentServers, 7), "dedicated and public together")
		p.row("public machines", a.PublicCount.Words())
	}
	if l := a.Log; l != nil {
		p.row("jobs", count(int64(l.Jobs)), fmt.Sprintf("%s skipped, %s", count(int64(l.SkippedJobs)), plural(int64(l.MalformedLines), "malformed line", "malformed lines")))
		p.row("job rate", units.FormatRate(l.ArrivalRate, 4), "gaps with SCV "+units.FormatNumber(l.InterarrivalSCV, 3))
		p.row("mean run time", units.FormatDuration(l.ServiceTime, 3), "SCV "+units.FormatNumber(l.ServiceSCV, 3))
		p.row("processors per job", units.FormatNumber(l.WidthMean, 3), "up to "+count(int64(l.WidthMax)))
	}
	fleets := []sizing.Candidate{}
	this := sizing.Candidate{Servers: a.Servers, Met: true, Figures: a.Figures}
	for _, c := range a.Alternatives {
		if c.Servers > a.Servers {
			fleets = append(fleets, this)
		}
		fleets = append(fleets, c)
	}
	showCandidates(p, a.Model, fleets)
	if a.Staffing != nil {
		p.table(showStaffing(a.Staffing))
	}
	if a.Uncertainty != nil {
		showUncertainty(p, a.Uncertainty)
	}
	p.explain(a.Explanation)
}

func showStaffing(s *sizing.Staffing) [][]string {
	rows := [][]string{{"from", "arrivals", "SIPP", "lagged SIPP", "MOL"}}
	for _, v := range s.Intervals {
		rows = append(rows, []string{clock(v.Start), units.FormatRate(v.Rate, 4),
			count(v.ServersSIPP), count(v.ServersLaggedSIPP), count(v.ServersMOL)})
	}
	return append(rows, []string{"server hours", "", units.FormatNumber(s.HoursSIPP, 6), units.FormatNumber(s.HoursLaggedSIPP, 6), units.FormatNumber(s.HoursMOL, 6)})
}

// clock writes seconds of a day as hours and minutes.
func clock(seconds float64) string {
	if minutes := seconds / 60; minutes == math.Trunc(minutes) && minutes >= 0 && minutes < 100*60 {
		return fmt.Sprintf("%02d:%02d", int(minutes)/60, int(minutes)%60)
	}
	return units.FormatDuration(seconds, 6)
}

func staffingRows(s *sizing.Staffing) [][]string {
	rows := [][]string{{"start_s", "end_s", "arrival_rate_per_s", "servers", "servers_sipp", "servers_lagged_sipp", "servers_mol", "mol_load_erl", "binding"}}
	for i := range s.Intervals {
		_, cells := scalars(&s.Intervals[i])
		rows = append(rows, cells)
	}
	return rows
}

func showUncertainty(p *page, u *sizing.Uncertainty) {
	quantile := func(n *int64) string {
		if n == nil {
			return "none"
		}
		return count(*n)
	}
	p.headline("Over %s draws (seed %d) the need is %s to %s servers in 90%% of them, %s in the middle.",
		count(int64(u.Samples)), u.Seed, quantile(u.P5), quantile(u.P95), quantile(u.P50))
	if u.Infeasible > 0 {
		p.row("no answer", units.FormatFraction(u.Infeasible, 3), "of the draws meet the objectives with no fleet")
	}
	if u.LeastRegret != nil {
		p.row("least regret", plural(*u.LeastRegret, "server", "servers"))
	}
	rows := [][]string{{"servers", "chance to meet the objectives"}}
	for _, c := range u.Candidates {
		row := []string{count(c.Servers), units.FormatFraction(c.Chance, 4)}
		if c.Regret != nil {
			row = append(row, units.FormatNumber(*c.Regret, 4), units.FormatNumber(*c.MaxRegret, 4))
		}
		rows = append(rows, row)
	}
	if u.LeastRegret != nil {
		rows[0] = append(rows[0], "expected regret", "greatest regret")
	}
	p.table(rows)
}

// drawSize draws the objective against servers with the answer marked, or the
// staffing over the load.
func drawSize(ctx context.Context, q *sizing.SizeQuestion, a *sizing.SizeAnswer) (*drawing, error) {
	if a.Staffing != nil {
		return drawStaffing(a.Staffing), nil
	}
	if a.Uncertainty != nil {
		return drawUncertainty(a), nil
	}
	curves, err := sizing.ObjectiveCurves(ctx, q, a)
	if err != nil {
		return nil, err
	}
	servers := "servers"
	switch {
	case a.DedicatedServers != nil:
		servers = "dedicated servers"
	case a.Log != nil:
		servers = "processors"
	}
	for _, c := range curves {
		if c.Name == a.Binding || len(curves) == 1 || a.Binding == "widest_job" {
			return &drawing{bottom: objectiveChart(c, a, servers)}, nil
		}
	}
	return nil, &usageError{reason: "--plot: this answer has no curve to draw"}
}

// objectiveChart is the figure that binds against the number of servers.
func objectiveChart(c sizing.ObjectiveCurve, a *sizing.SizeAnswer, servers string) chart.Chart {
	label, unit, limit := "", 1.0, units.FormatFraction(c.Limit, 3)
	switch c.Name {
	case "max_blocking":
		label = "blocking probability"
		if a.Model != sizing.Loss {
			label = "probability to wait"
		}
	case "max_wait":
		label = "probability to wait longer than " + units.FormatDuration(c.Wait, 3)
	case "max_mean_wait", "max_mean_response":
		label = map[string]string{"max_mean_wait": "mean wait (s)", "max_mean_response": "mean response (s)"}[c.Name]
		limit = units.FormatDuration(c.Limit, 3)
	case "max_utilization":
		label = "utilization"
	case "max_abandon":
		label = "probability to abandon"
	}
	d := chart.Chart{
		Title:    plural(a.Servers, servers[:len(servers)-1], servers) + " for " + erlangs(a.OfferedLoad),
		Subtitle: label + " against " + servers + ", " + modelName(a.Model),
		XLabel:   servers, YLabel: label,
		YLog: c.Name != "max_utilization" && slices.Max(c.Value) > 0,
	}
	x, y := []float64{}, []float64{}
	for i, v := range c.Value {
		// A logarithmic axis ends where a figure is no longer worth drawing.
		if d.YLog && (v <= 0 || v < c.Limit*1e-6) {
			continue
		}
		x, y = append(x, c.Servers[i]), append(y, v/unit)
		if c.Servers[i] == float64(a.Servers) {
			value := units.FormatFraction(v, 3)
			if c.Name == "max_mean_wait" || c.Name == "max_mean_response" {
				value = units.FormatDuration(v, 3)
			}
			d.Marks = []chart.Mark{{X: c.Servers[i], Y: v, Label: plural(a.Servers, servers[:len(servers)-1], servers) + ": " + value}}
		}
	}
	d.Series = []chart.Series{{Name: label, X: x, Y: y, Style: chart.Line}}
	if c.Limit > 0 {
		d.HLines = []chart.Rule{{Value: c.Limit, Label: "limit " + limit}}
	}
	return d
}

func drawStaffing(s *sizing.Staffing) *drawing {
	var hours, rate, sipp, lagged, mol []float64
	for _, v := range s.Intervals {
		hours = append(hours, v.Start/3600)
		rate = append(rate, v.Rate*3600)
		sipp, lagged, mol = append(sipp, float64(v.ServersSIPP)), append(lagged, float64(v.ServersLaggedSIPP)), append(mol, float64(v.ServersMOL))
	}
	top := chart.Chart{
		Title: "Servers over the day", Subtitle: "arrivals, and servers per interval by three methods",
		XLabel: "time (h)", YLabel: "arrivals per hour",
		Series: []chart.Series{{Name: "arrival rate", X: hours, Y: rate, Style: chart.Step}},
	}
	bottom := chart.Chart{
		XLabel: "time (h)", YLabel: "servers",
		Series: []chart.Series{
			{Name: "SIPP", X: hours, Y: sipp, Style: chart.Step},
			{Name: "lagged SIPP", X: hours, Y: lagged, Style: chart.Step},
			{Name: "MOL", X: hours, Y: mol, Style: chart.Step},
		},
	}
	if n := len(s.Intervals); n > 0 && s.Intervals[n-1].End-s.Intervals[0].Start <= 48*3600 {
		bottom.XStep = 3
	}
	zero := 0.0
	top.YMin = &zero
	return &drawing{top: &top, bottom: bottom}
}

// drawUncertainty draws the chance that a fleet meets the objectives.
func drawUncertainty(a *sizing.SizeAnswer) *drawing {
	u := a.Uncertainty
	c := chart.Chart{
		Title:    "Chance that a fleet meets the objectives",
		Subtitle: fmt.Sprintf("over %s draws of the load, seed %d", count(int64(u.Samples)), u.Seed),
		XLabel:   "servers", YLabel: "share of draws",
	}
	var x, y []float64
	for _, v := range u.Candidates {
		x, y = append(x, float64(v.Servers)), append(y, v.Chance)
		if v.Servers == a.Servers {
			c.Marks = []chart.Mark{{X: x[len(x)-1], Y: v.Chance, Label: "nominal case: " + strconv.FormatInt(a.Servers, 10)}}
		}
	}
	c.Series = []chart.Series{{Name: "chance", X: x, Y: y, Style: chart.Line}}
	for _, q := range []struct {
		n    *int64
		name string
	}{{u.P50, "50%"}, {u.P95, "95%"}} {
		if q.n != nil {
			c.VLines = append(c.VLines, chart.Rule{Value: float64(*q.n), Label: q.name + ": " + count(*q.n)})
		}
	}
	low, high := 0.0, 1.0
	c.YMin, c.YMax = &low, &high
	return &drawing{bottom: c}
}
