package report

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
)

func sizeSection(q *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	z := a.Size
	if z == nil {
		return nil, nil
	}
	s := &Section{ID: "size", Title: "How many servers?", Explanation: z.Explanation}
	peak := ""
	if z.Staffing != nil {
		peak = " at the peak"
	}
	s.Lead = fmt.Sprintf("%s of speed 1%s for %s erl.", plural(z.Servers, "server", "servers"), peak, number(z.OfferedLoad, 5))
	for i := range z.Objectives {
		o := &z.Objectives[i]
		remark := ""
		if o.Name == z.Binding {
			remark = "binds"
		}
		if o.Value != nil {
			s.row(objectiveWords(q, o), objectiveValue(o.Name, *o.Value), remark)
		}
	}
	if !bounds(z, "max_utilization") {
		s.row("utilization", optionalFraction(z.Utilization))
	}
	if z.Model != sizing.Loss {
		s.row("mean wait", optionalTime(z.MeanWait))
		s.row("mean response", optionalTime(z.MeanResponse))
	}
	s.row("fractional need", optional(z.ServersReal, func(v float64) string { return number(v, 7) }))
	if l := z.Log; l != nil {
		s.row("jobs in the log", count(int64(l.Jobs)))
		s.row("processors of a job", number(l.WidthMean, 3), "up to "+count(int64(l.WidthMax)))
	}
	s.Tables = append(s.Tables, alternatives(z))
	if st := z.Staffing; st != nil {
		return s, staffing(s, st)
	}
	if z.Log != nil {
		return s, nil
	}
	curves, err := sizing.ObjectiveCurves(context.Background(), q.SizeQuestion(), z)
	if err != nil {
		return nil, err
	}
	for _, v := range curves {
		if v.Name != z.Binding || len(v.Servers) < 2 {
			continue
		}
		scale, unit := 100.0, " (%)"
		if v.Name == "max_mean_wait" || v.Name == "max_mean_response" {
			scale, unit = 1, " (s)"
		}
		zero := 0.0
		c := chart.Chart{Title: plural(z.Servers, "server", "servers") + " for " + number(z.OfferedLoad, 5) + " erl", Subtitle: objectiveFigure(v.Name) + " against the number of servers",
			XLabel: "servers of speed 1", YLabel: objectiveFigure(v.Name) + unit, YMin: &zero,
			HLines: []chart.Rule{{Value: scale * v.Limit, Label: "limit"}}}
		line := chart.Series{Name: objectiveFigure(v.Name), Style: chart.Line}
		for i := range v.Servers {
			if y := scale * v.Value[i]; y <= 8*scale*v.Limit+1e-9 || v.Limit == 0 {
				line.X, line.Y = append(line.X, v.Servers[i]), append(line.Y, y)
			}
			if v.Servers[i] == float64(z.Servers) {
				c.Marks = []chart.Mark{{X: v.Servers[i], Y: scale * v.Value[i], Label: count(z.Servers)}}
			}
		}
		if len(line.X) > 1 {
			c.Series = []chart.Series{line}
			s.figure("size", "The figure that binds, for fleets around the answer.", c)
		}
	}
	return s, nil
}

// staffing adds the day.
func staffing(s *Section, st *sizing.Staffing) error {
	t := Table{ID: "staffing", Caption: "Servers over the day, by method (" + string(st.Method) + " is the answer; all three are approximate)", Head: []string{"from", "arrivals", "SIPP", "lagged SIPP", "MOL"}, Words: 1, Long: true}
	var hours, arrivals, servers []float64
	for _, v := range st.Intervals {
		t.Rows = append(t.Rows, []string{clock(v.Start), rate(v.Rate), count(v.ServersSIPP), count(v.ServersLaggedSIPP), count(v.ServersMOL)})
		hours, arrivals, servers = append(hours, v.Start/3600), append(arrivals, v.Rate*3600), append(servers, float64(v.Servers))
	}
	t.Rows = append(t.Rows, []string{"server hours", "", number(st.HoursSIPP, 6), number(st.HoursLaggedSIPP, 6), number(st.HoursMOL, 6)})
	s.Tables = append(s.Tables, t)
	if len(hours) < 2 {
		return nil
	}
	zero := 0.0
	top := chart.Chart{Title: "Servers over the day", Subtitle: "arrivals, and the servers that they need (" + string(st.Method) + ")", XLabel: "time (h)", YLabel: "arrivals per hour", YMin: &zero,
		Series: []chart.Series{{Name: "arrivals", X: hours, Y: arrivals, Style: chart.Step}}}
	bottom := chart.Chart{XLabel: "time (h)", YLabel: "servers", YMin: &zero, Series: []chart.Series{{Name: "servers", X: hours, Y: servers, Style: chart.Step}}}
	if hours[len(hours)-1]-hours[0] <= 48 {
		bottom.XStep = 3
	}
	s.Figures = append(s.Figures, Figure{ID: "staffing", Caption: "The load over the day and the servers for it.", Top: &top, Chart: bottom})
	return nil
}

// clock writes seconds of a day as hours and minutes.
func clock(seconds float64) string {
	if minutes := seconds / 60; minutes == math.Trunc(minutes) && minutes >= 0 && minutes < 100*60 {
		return fmt.Sprintf("%02d:%02d", int(minutes)/60, int(minutes)%60)
	}
	return duration(seconds)
}

// alternatives is the table of one server fewer and one more, with the figure
// that each objective bounds.
func alternatives(z *sizing.SizeAnswer) Table {
	t := Table{ID: "alternatives-size", Caption: "One server fewer, one more", Head: []string{"servers", "meets the objectives"}, Words: 1}
	for _, o := range z.Objectives {
		t.Head = append(t.Head, objectiveMeasured(o.Name))
	}
	beside := !bounds(z, "max_utilization")
	if beside {
		t.Head = append(t.Head, "utilization")
	}
	for i := range z.Alternatives {
		c := &z.Alternatives[i]
		met := "no"
		if c.Met {
			met = "yes"
		}
		row := []string{count(c.Servers), met}
		for _, o := range z.Objectives {
			value := map[string]*float64{
				"max_blocking": c.Blocking, "max_wait": c.ServiceLevel, "max_mean_wait": c.MeanWait,
				"max_mean_response": c.MeanResponse, "max_utilization": c.Utilization, "max_abandon": c.Abandonment,
			}[o.Name]
			if o.Name == "max_blocking" && value == nil {
				value = c.WaitProbability // blocked calls wait
			}
			row = append(row, dash(optional(value, func(v float64) string { return objectiveValue(o.Name, v) })))
		}
		if beside {
			row = append(row, dash(optionalFraction(c.Utilization)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// bounds reports whether an objective is among those asked for.
func bounds(z *sizing.SizeAnswer, name string) bool {
	return slices.ContainsFunc(z.Objectives, func(o sizing.ObjectiveResult) bool { return o.Name == name })
}
