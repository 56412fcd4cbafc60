package bags

import (
	"fmt"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
)

// serverWords say how the servers hand out tasks, by the defaults of [bags.Rules].
var serverWords = map[string]string{
	"xwhep": "a task whose machine leaves is given out again 15 min after the last of its signs of life, one a " +
		"minute; idle machines ask every 30 to 90 s",
	"boinc": "three results of a task are given out to different machines, two complete it, and one more is given " +
		"out for each that is a day late; idle machines ask again within a day, at the submission within a minute",
	"checkpoint": "work is saved every 10 min, and a task whose machine leaves is queued at once; idle machines " +
		"ask every 30 to 90 s",
}

// explain says what was simulated, and how the figures were computed.
func (a *SimulateAnswer) explain(hourly bool) {
	e := &ask.Explanation{Model: "discrete events: machines that come and go, workers that pull tasks from a " +
		a.Server + " server"}
	e.Step("machines available", "N A, A = E a/(E a + E u)", fmt.Sprintf("%d · %s = %s", a.Machines,
		ask.Digits(a.Availability),
		ask.Digits(float64(a.Machines)*a.Availability)), "alternating renewal process in its steady state; Cox 1962")
	if m := a.Finish.Mean.Mean; m != nil {
		e.Step("time of the bag",
			"mean of independent runs, 95% t interval; percentiles with intervals between order statistics",
			fmt.Sprintf("%d runs: %s s", a.Replications, ask.Digits(*m)), "Law, Simulation Modeling and Analysis, 2015")
	}
	if m, i := a.TailSlowdown.Mean, a.Ideal.Mean; m != nil && i != nil {
		e.Step("tail slowdown", "T/(t_c(0.9)/0.9)",
			fmt.Sprintf("ideal %s s, slowdown %s on average", ask.Digits(*i), ask.Digits(*m)),
			"SpeQuloS section 2.2, the ratio of figure 2's caption")
	}
	if a.Alpha != nil && a.Predicted != nil {
		e.Step("prediction at half", "α t_c(½)/½", fmt.Sprintf("α = %s: within 20%% in %s%% of the runs",
			ask.Digits(*a.Alpha), ask.Digits(100**a.Predicted)), "SpeQuloS section 3.4")
	}
	if h := a.Help; h != nil && h.TailRemoval.Mean != nil {
		e.Step("tail removal", "1 − (T − T_ideal)/(T_without − T_ideal)",
			fmt.Sprintf("%s over %d runs with a tail", ask.Digits(*h.TailRemoval.Mean), h.Tails),
			"SpeQuloS section 4.2.1; with common random numbers")
	}
	if h := a.Help; h != nil && h.Spent.Mean != nil {
		hour := "15 a cpu hour, from a worker's start"
		if hourly {
			hour = "15 for each hour that a worker begins"
		}
		e.Step("credits", hour, ask.Digits(*h.Spent.Mean)+" spent", "SpeQuloS section 3.3")
	}
	e.Assumptions = []string{
		"machines are independent, except in groups and in records", serverWords[a.Server],
		"the first copy of a task to come back wins; one result of the cloud completes a task",
		"cloud workers never fail; they are paid from their start, boot included",
	}
	a.Explanation = e
}

// explain shows the formulas of the answer.
func (a *FinishAnswer) explain() {
	e := &ask.Explanation{Model: "mean numbers of tasks and machines through time; tasks are lost and begun " +
		"anew independently"}
	e.Step("machines available", "m = N A",
		fmt.Sprintf("%s: %s available", fault.Count(a.Machines, "machine"), ask.Digits(a.There)),
		"alternating renewal process; Cox 1962")
	switch {
	case a.Drawn > 0:
		e.Model = "discrete events: machines that come and go, workers that pull tasks from a " + a.Server + " server"
		e.Step("law", "P(T <= t) = share of the runs done by t",
			fmt.Sprintf("%d runs: median %s s", a.Drawn, orNone(a.Finish.P50)),
			"no formula holds for few machines, for machines that differ or come and go together, or for tasks that differ")
	case a.law.Waves:
		e.Step("fluid phase", "dQ/dt = returns − starts, starts = min(Q, askers)",
			fmt.Sprintf("the last of %s tasks is handed out for the first time or again at %s s",
				ask.Digits(a.Tasks), ask.Digits(a.law.Fluid)),
			"mean numbers of tasks and machines, followed through time")
		e.Step("law", "P(T <= t) = (1 − U(t)/n)^n", "median "+orNone(a.Finish.P50)+" s",
			"U of n tasks are not done at t; independent attempts")
	default:
		e.Step("law", "P(T <= t) = Π F(t − s_k)", "median "+orNone(a.Finish.P50)+" s",
			"independent attempts, s_k when the k-th task is handed out")
	}
	if a.TailSlowdown != nil {
		e.Step("tail slowdown", "T/(t_c(0.9)/0.9)",
			fmt.Sprintf("%s s over %s s", orNone(a.Finish.P50), orNone(a.Ideal)), "SpeQuloS section 2.2")
	}
	if d := a.Design; d != nil && d.Workers > 0 {
		e.Step("help", "V(t) = R(t) + ∫ (W/c) U(t)/U(s) ds, P(T <= t) = e^(−V(t))",
			fmt.Sprintf("W = %d from %s of the bag on: chance %s for %s hours", d.Workers, ask.Percent(d.Start, 4),
				ask.Percent(d.Chance, 4), ask.Digits(d.Hours)), "single fork; Wang, Joshi, Wornell 2019")
	}
	if d := a.Design; d != nil && d.Judged != nil {
		e.Step("judged", "share of separate runs in time", d.Judged.String(),
			"exact interval, 5% on either side; Clopper and Pearson 1934; where Wald's sequential test (1945) "+
				"set the number of runs, Armitage 1958")
	}
	paid := "by the second from its start"
	if a.Hourly {
		paid = "for each hour that it begins"
	}
	e.Assumptions = []string{
		serverWords[a.Server], "a cloud worker never fails and is paid " + paid,
		"workers reschedule tasks: in simulations with the same start and number of workers the method flat " +
			"took 1.1 to 3.7 times as many hours and was later, duplicate took .99 to 1.14 times as many; under " +
			"BOINC, where workers begin while results wait, duplicate took .58 to 1.2 times as many, and a " +
			"search by simulation tries it",
		"a margin costs hours: with one of 5% half of 17 designs took at most 1.4 times the hours that a search " +
			"by simulation found enough, three took 5 to 8 times as many; no start and number of workers of a " +
			"grid was 2% cheaper than what that search found (TestDesignAgainstGrid)",
		"with a margin of 3%, 1 of 397 random designs was late more often than chance explains; a design of " +
			"more than 8 workers whose deadline is less than 12 times what a task takes is judged on runs " +
			"(TestMostDrawnDesignsHold)",
		"if a design is judged, some hundred tries on runs look for cheaper help too, and give the frontier: for " +
			"none of 181 random designs a grid of some thousand found help more than 2% cheaper in the same runs " +
			"(TestJudgedDesignsAgainstGrid); large bags, of which few runs can be made, may be helped for less, and " +
			"a search by simulation looks longer",
	}
	if a.Drawn == 0 {
		e.Assumptions = append([]string{"machines are independent; their laws are the same for all"}, append(e.Assumptions,
			"in 60 cases, five of which led to corrections, the median was within 5% and the 95% point within "+
				"10% of simulation, up to chance (TestFinishAgainstSimulation, docs/APPROXIMATIONS.md)",
		)...)
	}
	a.Explanation = e
}

// orNone writes a figure that may be missing.
func orNone(v *float64) string {
	if v == nil {
		return "none"
	}
	return ask.Digits(*v)
}
