package report

import "github.com/capplan/capplan/planner/survival"

// Checkpoint says when to save, or that replicas are better.
func Checkpoint(a *survival.CheckpointAnswer) *Section {
	s := &Section{
		ID:       "checkpoint",
		Title:    "When to save?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
	}
	s.Say("save after every %s of work: %s for %s of work", duration(a.Interval, 4),
		runTime(a.ExpectedRun, a.Log10Slowdown), duration(a.Question.Work, 4))
	rules := s.Table("rule", "interval", "expected run", "slowdown")
	for _, r := range a.Rules {
		rules.Row(r.Rule, duration(r.Interval, 4), runTime(r.ExpectedRun, r.Log10Slowdown), maybe(r.Slowdown, number, 5))
	}
	if len(a.Options) > 0 {
		t := s.Table("option", "expected run", "machine time", "set back at least once", "begun anew at least once")
		for _, o := range a.Options {
			t.Row(o.Name, maybe(o.ExpectedRun, duration, 3), maybe(o.MachineTime, duration, 3), fraction(o.Setback, 3), fraction(o.Loss, 3))
		}
		s.Fact("fastest", a.Fastest)
		s.Fact("cheapest", a.Cheapest, "by machine time")
	}
	s.Plots(a, "Saving too often costs time, saving too rarely loses work.")
	return s
}

// runTime writes a run time, or the power of ten of the slowdown where no number
// holds it.
func runTime(run *float64, log10 float64) string {
	if run == nil {
		return "10^" + number(log10, 4) + " times the work"
	}
	return duration(*run, 3)
}
