package report

import (
	"fmt"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
)

func availabilitySection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	v := a.Predict
	if v == nil {
		return nil, nil
	}
	s := &Section{ID: "availability", Title: "Is the machine free?", Explanation: v.Explanation}
	s.Lead = fmt.Sprintf("%s is free from %s for %s with probability %s, if it is in %s then.", v.Host, v.Start, duration(v.Window), fraction(v.TemporalReliability), v.InitialState)
	s.row("free at the start", fraction(v.AtStart), "of the days")
	if v.Free != nil {
		s.row("free throughout", fraction(*v.Free), "from the start on")
	}
	if v.Low != nil && v.High != nil {
		s.row("band", fraction(*v.Low)+" to "+fraction(*v.High), fraction(v.Level)+" over days")
	}
	s.row("observed", optionalFraction(v.Observed), "of "+plural(int64(v.ObservedDays), "day", "days"))
	s.row("mean time to failure", optionalTime(v.MTTF))
	s.row("days learnt from", count(int64(v.Days)), v.Day)
	curve := v.Drawn(v.Down)
	hours := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = x[i] / 3600
		}
		return out
	}
	percent := func(x []float64) []float64 {
		out := make([]float64, len(x))
		for i := range x {
			out[i] = 100 * x[i]
		}
		return out
	}
	high := 100.0
	c := chart.Chart{Title: "Chance that the machine stays free", Subtitle: v.Host + " from " + v.Start + ", " + v.Day + "s", XLabel: "length of the window (h)", YLabel: "chance (%)", YMax: &high}
	if b := v.Band(); b != nil {
		c.Series = append(c.Series, chart.Series{Name: fraction(v.Level) + " band", X: hours(b.Window), YLow: percent(b.Low), YHigh: percent(b.High), Style: chart.Band})
	}
	c.Series = append(c.Series, chart.Series{Name: "temporal reliability", X: hours(curve.Window), Y: percent(curve.Reliability), Style: chart.Line})
	if len(curve.Window) > 1 {
		s.figure("availability", "By the semi-Markov process of the machine's record.", c)
	}
	return s, nil
}

func rankingSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	v := a.Rank
	if v == nil || len(v.Hosts) == 0 {
		return nil, nil
	}
	s := &Section{ID: "ranking", Title: "Which machine?", Lead: fmt.Sprintf("%s: free throughout with probability %s.", v.Hosts[0].Name, optionalFraction(v.Hosts[0].Chance())), Explanation: v.Explanation}
	t := Table{ID: "ranking", Caption: "Machines, the best first", Head: []string{"machine", "free throughout", "free at the start", "mean load", "days"}, Words: 1}
	c := chart.Chart{Title: "Chance that each machine stays free", XLabel: "chance (%)"}
	bars := chart.Series{Style: chart.Rows}
	for i, h := range v.Hosts {
		if i >= shownHosts {
			t.Caption += fmt.Sprintf(" (the first %d of %d)", shownHosts, len(v.Hosts))
			break
		}
		t.Rows = append(t.Rows, []string{h.Name, optionalFraction(h.Chance()), fraction(h.AtStart), fraction(h.MeanLoad), count(int64(h.Days))})
		c.YNames = append(c.YNames, h.Name)
		chance := 0.0
		if p := h.Chance(); p != nil {
			chance = *p
		}
		bars.X, bars.Y, bars.Labels = append(bars.X, 100*chance), append(bars.Y, float64(i)), append(bars.Labels, optionalFraction(h.Chance()))
	}
	zero := 0.0
	c.XMin, c.Series = &zero, []chart.Series{bars}
	s.Tables = []Table{t}
	s.figure("ranking", "By each machine's own record.", c)
	return s, nil
}
