package report

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
)

// Finish says when a bag of tasks is done, and what the cheapest help is.
func Finish(a *bags.FinishAnswer) *Section {
	s := newSection("finish", "When is the bag done, and what does help buy?", a.Warnings, a.Explanation)
	late := func(v *float64) string { return dashed(maybe(v, duration, 3)) }
	d := a.Design
	helped := d != nil && d.Workers > 0
	switch {
	case d == nil && a.Finish.P50 == nil:
		s.Say("hardly ever done")
	case d == nil:
		s.Say("done by %s as likely as not, by %s with 95 %%", late(a.Finish.P50), late(a.Finish.P95))
	case !helped:
		s.Say("no help is needed: done in time with chance %s", fraction(d.Chance, 4))
	default:
		margin := ""
		if a.Margin > 0 {
			margin = " even if all takes " + fraction(a.Margin, 3) + " longer"
		}
		cost := number(d.Hours, 3) + " worker hours"
		if d.Cost != nil {
			cost += ", cost " + a.Money.Sign(money(*d.Cost))
		}
		s.Say("start %s cloud workers when %s is done: in time with chance %s%s, for %s",
			count(d.Workers), fraction(d.Start, 4), fraction(d.LateChance, 4), margin, cost)
	}
	s.Fact("bag", a.Bag, number(a.Tasks, 6)+" tasks")
	s.Fact("machines", count(a.Machines), a.Hosts+", "+number(a.There, 4)+" there on average")
	s.Fact("server", a.Server)
	s.Fact("tail slowdown", maybe(a.TailSlowdown, number, 3), "of the median, ideal "+maybe(a.Ideal, duration, 3))
	s.Fact("at half", maybe(a.Half, duration, 3), sized("α = ", maybe(a.Alpha, number, 4), " to predict the end by"))
	s.Fact("in time without help", maybe(a.Chance, fraction, 4))
	t := s.Table("done by", "5 %", "50 %", "95 %", "99 %")
	add := func(name string, v bags.Percentiles) {
		t.Row(name, late(v.P5), late(v.P50), late(v.P95), late(v.P99))
	}
	add("without help", a.Finish)
	if helped {
		add("with help", d.Finish)
	}
	if r := a.Simulation; r != nil {
		add("simulated", bags.Percentiles{
			P5:  r.Finish.P5.Mean,
			P50: r.Finish.P50.Mean,
			P95: r.Finish.P95.Mean,
			P99: r.Finish.P99.Mean,
		})
		s.Fact("simulated", count(r.Runs)+" runs")
		s.Fact("in time", maybe(r.Chance, fraction, 3))
		if r.Hours != nil {
			s.Fact("worker hours",
				maybe(r.Hours.Mean, number, 3), maybe(r.Hours.Low, number, 3)+" to "+maybe(r.Hours.High, number, 3))
		}
	}
	if helped {
		s.Fact("to simulate", "--strategy "+d.Strategy)
	}
	s.Data = []Data{Rows("finish", finishRows(a))}
	s.Plots(a, "What more worker hours buy.")
	return s
}

// finishRows are the frontier, or the percentiles where there is none.
func finishRows(a *bags.FinishAnswer) [][]string {
	if len(a.Frontier) == 0 {
		rows := [][]string{{"chance", "finish_s"}}
		for _, r := range []struct {
			p string
			v *float64
		}{{"0.05", a.Finish.P5}, {"0.5", a.Finish.P50}, {"0.95", a.Finish.P95}, {"0.99", a.Finish.P99}} {
			rows = append(rows, []string{r.p, optional(r.v, ask.Digits)})
		}
		return rows
	}
	rows := [][]string{{"by_s", "hours", "cost", "start", "workers"}}
	for _, f := range a.Frontier {
		rows = append(rows, []string{ask.Digits(f.By), ask.Digits(f.Hours), optional(f.Cost, ask.Digits),
			ask.Digits(f.Start), ask.Digits(float64(f.Workers))})
	}
	return rows
}
