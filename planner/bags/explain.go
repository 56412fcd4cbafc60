package bags

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim/bot"
)

// explain shows what was simulated, and how its figures are made.
func (a *SimulateAnswer) explain(c *bot.Case) {
	e := &ask.Explanation{Model: "discrete events: machines that come and go, workers that pull tasks from a " + a.Server + " server"}
	e.Step("machines there", "N A, A = E a/(E a + E u)", fmt.Sprintf("%d · %s = %s", a.Machines, ask.Digits(a.Availability), ask.Digits(float64(a.Machines)*a.Availability)), "alternating renewal process in its steady state; Cox 1962")
	if m := a.Finish.Mean.Mean; m != nil {
		e.Step("time of the bag", "mean of independent runs, 95 % t interval; percentiles with intervals between order statistics", fmt.Sprintf("%d runs: %s s", a.Replications, ask.Digits(*m)), "Law, Simulation Modeling and Analysis, 2015")
	}
	if m, i := a.TailSlowdown.Mean, a.Ideal.Mean; m != nil && i != nil {
		e.Step("tail slowdown", "T/(t_c(0.9)/0.9)", fmt.Sprintf("ideal %s s, slowdown %s on average", ask.Digits(*i), ask.Digits(*m)), "SpeQuloS section 2.2, the ratio of figure 2's caption")
	}
	if a.Alpha != nil && a.Predicted != nil {
		e.Step("prediction at half", "α t_c(½)/½", fmt.Sprintf("α = %s: within 20 %% in %s %% of the runs", ask.Digits(*a.Alpha), ask.Digits(100**a.Predicted)), "SpeQuloS section 3.4")
	}
	if h := a.Help; h != nil && h.TailRemoval.Mean != nil {
		e.Step("tail removal", "1 − (T − T_ideal)/(T_without − T_ideal)", fmt.Sprintf("%s over %d runs with a tail", ask.Digits(*h.TailRemoval.Mean), h.Tails), "SpeQuloS section 4.2.1; with common random numbers")
	}
	if h := a.Help; h != nil && h.Spent.Mean != nil {
		e.Step("credits", "15 a cpu hour, from a worker's start", ask.Digits(*h.Spent.Mean)+" spent", "SpeQuloS section 3.3")
	}
	e.Assumptions = []string{
		"machines are independent but for their groups, or the record that they come from",
		"the first copy of a task to come back wins; one result of the cloud completes a task",
		"cloud workers never fail; they are paid from their start, boot included",
	}
	a.Explanation = e
}
