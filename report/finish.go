package report

import (
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Finish says when a bag of tasks is done, and what the cheapest help is. It leads with the
// cheapest help that is in time where a deadline was given, else with when the bag is done. Times
// are quantiles over the chances of machines.
func Finish(a *bags.FinishAnswer) *page.Section {
	s := page.New("finish", "When is the bag done, and what does help buy?", a.Warnings, a.Explanation)
	d := a.Design
	// A design of no worker is the answer that no help is needed.
	helped := d != nil && d.Workers > 0
	sayFinish(s, a)
	s.Fact("bag", asGiven(a.Bag), tasksCounted(a.Tasks))
	s.Fact("machines", say.Count(a.Machines), asGiven(a.Hosts)+", "+say.Number(a.There, 4)+" available on average")
	s.Fact("server", a.Server, serverWords[a.Server])
	// Unlike tasks under BOINC, and machines that are recorded or foreseen, have no formula, and the
	// quantiles are then of drawn runs.
	if a.Drawn > 0 {
		remark := "simulated, because no formula holds for this bag on these machines"
		told := ": "
		// Where the runs tell the median to within 5 % it is not worth a word.
		if p := a.DrawnP50; p.Low != nil && p.High != nil && *p.High > 1.1**p.Low {
			remark += told + "median " + orNever(p.Low) + " to " + orNever(p.High)
			told = ", "
		}
		if a.DrawnP95.Low != nil {
			remark += told + "95% point " + orNever(a.DrawnP95.Low) + " to " + orNever(a.DrawnP95.High)
		}
		s.Fact("drawn from", say.Plural(a.Drawn, "run"), remark)
	}
	if a.TailSlowdown != nil {
		s.Fact("tail slowdown",
			say.Maybe(a.TailSlowdown, say.Number, 3), "of the median, ideal "+say.Maybe(a.Ideal, say.Duration, 3))
	}
	if d != nil && d.Judged != nil {
		s.Fact("judged on", say.Plural(d.Judged.Runs, "run"), "on separate runs: chance "+
			say.Fraction(d.Judged.Low, 3)+" to "+say.Fraction(d.Judged.High, 3))
	}
	// SpeQuloS multiplies the time at which half is done by α to predict the end.
	s.Fact("at half", say.Maybe(a.Half, say.Duration, 3),
		say.Sized("α = ", say.Maybe(a.Alpha, say.Number, 4), " to predict the end by"))
	s.Fact("in time without help", say.Maybe(a.Chance, say.Rough, 4))
	finishTimes(s, a, helped)
	switch {
	case a.Search != nil:
		searchFacts(s, a)
	// The word is ready to be given to simulate bot.
	case helped:
		s.Fact("strategy to simulate", d.Strategy)
	}
	s.Data = []page.Data{page.Rows("finish", finishRows(a))}
	caption := "Chance that all tasks are done by a time."
	if len(a.Frontier) >= 2 {
		caption = "Effect of more " + a.HoursName()
		if a.Finish.P50 != nil {
			caption += ", below the chance that all tasks are done by a time"
		}
		caption += "."
	}
	s.Plots(a, caption)
	return s
}

// sayFinish says the answer: when the bag is done, or, with a deadline, which help is in time.
func sayFinish(s *page.Section, a *bags.FinishAnswer) {
	d := a.Design
	switch {
	case d == nil && a.Finish.P50 == nil:
		s.Say("hardly ever done")
	case d == nil && a.Finish.P95 == nil:
		s.Say("done by %s as likely as not, and with more than 5%% chance never", orNever(a.Finish.P50))
	case d == nil:
		s.Say("done by %s as likely as not, by %s with 95%%", orNever(a.Finish.P50), orNever(a.Finish.P95))
	case d.Workers == 0 && a.Search == nil:
		chance := say.Rough(d.Chance, 4)
		if d.Judged != nil {
			chance = say.Fraction(d.Judged.Chance, 3)
		}
		s.Say("no help is needed: done in time with chance %s", chance)
	case a.Search != nil:
		s.Say("%s", searched(a))
	case d.Judged != nil:
		s.Say("start %s %s: in time in %s of %s runs, for %s", cloudWorkers(d.Workers), whenDone(d.Start),
			say.Fraction(d.Judged.Chance, 3), say.Count(d.Judged.Runs), hoursAndCost(a, d.Hours, d.Cost))
	default:
		// The chance that leads is that with all times longer by the margin, since it is what was
		// asked for.
		margin := ""
		if a.Margin > 0 {
			margin = " even if everything takes " + say.Fraction(a.Margin, 3) + " longer"
		}
		s.Say("start %s %s: in time with chance %s%s, for %s",
			cloudWorkers(d.Workers), whenDone(d.Start), say.Rough(d.LateChance, 4), margin,
			hoursAndCost(a, d.Hours, d.Cost))
	}
}

// orNever writes a quantile of the time, a dash where a part of the runs never ends.
func orNever(v *float64) string { return say.Dashed(say.Maybe(v, say.Duration, 3)) }

// finishTimes adds the percentiles of the time, and what a simulation of the design found.
func finishTimes(s *page.Section, a *bags.FinishAnswer, helped bool) {
	// Without help, with help, and by simulation stand below each other in one unit a column.
	t := s.Table("done by", "5%", "50%", "95%", "99%")
	add := func(name string, v bags.Percentiles) {
		row := []any{name}
		for _, p := range []*float64{v.P5, v.P50, v.P95, v.P99} {
			row = append(row, say.Maybe(p, say.TimeCell, 3))
		}
		t.Row(row...)
	}
	add("without help", a.Finish)
	if helped {
		add("with help", a.Design.Finish)
	}
	if r := a.Simulation; r != nil {
		add("simulated", bags.Percentiles{
			P5:  r.Finish.P5.Mean,
			P50: r.Finish.P50.Mean,
			P95: r.Finish.P95.Mean,
			P99: r.Finish.P99.Mean,
		})
		s.Fact("simulated", say.Plural(r.Runs, "run"))
		s.Fact("in time", say.Maybe(r.Chance, say.Fraction, 3))
		// What help costs varies from run to run, and the formulas give its mean.
		if r.Hours != nil {
			s.Fact(a.HoursName(), say.Maybe(r.Hours.Mean, say.Number, 3),
				say.Maybe(r.Hours.Low, say.Number, 3)+" to "+say.Maybe(r.Hours.High, say.Number, 3))
		}
	}
}

// whenDone says when help starts. start is a share of the tasks, 0 to 1.
func whenDone(start float64) string {
	if start == 0 {
		return "at the beginning"
	}
	return "when " + say.Fraction(start, 4) + " is done"
}

// searched says what the cheapest help by simulation is. Shares of runs are written as such, and
// not as chances: they come from a simulation.
func searched(a *bags.FinishAnswer) string {
	r := a.Search
	if r.Workers == 0 {
		return "no help is needed: done in time in " + say.Fraction(r.Chance, 3) + " of the runs"
	}
	return "start " + cloudWorkers(r.Workers) + " " + whenDone(r.Start) + ": in time in " +
		say.Fraction(r.Chance, 3) + " of the runs, for " + hoursAndCost(a, *r.Hours.Mean, r.Cost)
}

// searchFacts say how that was found, and what the formulas have beside it. The design of the
// formulas stands beside, so that one sees what the search gained. Late runs among those tried say
// how sure the search is.
func searchFacts(s *page.Section, a *bags.FinishAnswer) {
	r, d := a.Search, a.Design
	s.Fact("found by simulation", say.Count(r.Tried)+" tried",
		say.Count(r.Simulated)+" runs, on "+say.Count(r.Runs)+" of which the cheapest help was late "+
			say.Count(r.Late)+" times: on time as requested with a confidence of 95%")
	// Runs that chose the cheapest help would show it too cheap, so that its hours are counted on
	// others.
	s.Fact("its "+a.HoursName(), say.Maybe(r.Hours.Mean, say.Number, 3),
		say.Maybe(r.Hours.Low, say.Number, 3)+" to "+say.Maybe(r.Hours.High, say.Number, 3)+
			", on runs that did not choose it")
	formulas := "no help"
	if d.Workers > 0 {
		formulas = cloudWorkers(d.Workers) + " from " + say.Fraction(d.Start, 4) + " on"
	}
	s.Fact("by the formulas", formulas, "with chance "+say.Rough(d.LateChance, 4)+" if everything takes "+
		say.Fraction(a.Margin, 3)+" longer, for "+hoursAndCost(a, d.Hours, d.Cost))
	if r.Workers > 0 {
		s.Fact("strategy to simulate", r.Strategy)
	}
}

// cloudWorkers counts them, as a plural of two words does not by itself.
func cloudWorkers(n int) string {
	if n == 1 {
		return "1 cloud worker"
	}
	return say.Count(n) + " cloud workers"
}

// hoursAndCost are what help takes. cost is nil where no price was given.
func hoursAndCost(a *bags.FinishAnswer, hours float64, cost *float64) string {
	text := say.Number(hours, 3) + " " + a.HoursName()
	if cost != nil {
		text += ", cost " + a.Money.Sign(say.Money(*cost))
	}
	return text
}

// finishRows are the frontier, or the percentiles where there is none. The frontier is the cheapest
// help by deadline.
func finishRows(a *bags.FinishAnswer) [][]string {
	if len(a.Frontier) == 0 {
		rows := [][]string{{"chance", "finish_s"}}
		for _, r := range []struct {
			p string
			v *float64
		}{{"0.05", a.Finish.P5}, {"0.5", a.Finish.P50}, {"0.95", a.Finish.P95}, {"0.99", a.Finish.P99}} {
			rows = append(rows, []string{r.p, say.Optional(r.v, say.Plain)})
		}
		return rows
	}
	rows := [][]string{{"by_s", "hours", "cost", "start", "workers"}}
	for _, f := range a.Frontier {
		rows = append(rows, []string{say.Plain(f.By), say.Plain(f.Hours), say.Optional(f.Cost, say.Plain),
			say.Plain(f.Start), say.Plain(float64(f.Workers))})
	}
	return rows
}
