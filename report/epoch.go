package report

import "github.com/capplan/capplan/planner/survival"

// Epoch says how often to reschedule.
func Epoch(a *survival.EpochAnswer) *Section {
	s := &Section{
		ID:       "epoch",
		Title:    "How often to reschedule?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
	}
	s.Say("reschedule every %s s, which is %s (model %s)", number(a.Epoch, 7), duration(a.Epoch, 4), a.Model)
	s.Fact("jobs down for failures", number(a.JobsDownFailure, 5))
	s.Fact("jobs down for migrations", number(a.JobsDownMigration, 5))
	s.Fact("jobs down in all", number(a.JobsDown, 5))
	s.Fact("failures", rate(a.FailureRate, 4), "jobs that lose all replicas")
	if a.StableMax != nil {
		s.Fact("stable epochs", duration(a.StableMin, 5)+" to "+duration(*a.StableMax, 5))
		s.Fact("in parallel", duration(a.ParallelEpoch, 5), "the answer of the model parallel")
	} else {
		s.Fact("stable epochs", "all")
	}
	if c := a.Chain; c != nil {
		chain(s.List("step", "result", ""), c)
		if c.Link != nil {
			s.Add(Link(c.Link))
		}
	}
	s.Plots(a, "Failures go unnoticed longer in a long epoch; migrations weigh more in a short one.")
	return s
}

// chain shows the joint design step by step.
func chain(t *Table, c *survival.ChainAnswer) {
	t.Rows = [][]string{
		{"replicas", count(c.Replicas), "one is alive " + fraction(c.AvailabilityAll, 4) + " of the time"},
		{"all down", fraction(c.AllDown, 4), rate(c.AllDownRate, 4) + " for a job"},
		{"failure rate", rate(c.FailureRate, 4), "of " + number(c.PublicJobs, 6) + " public jobs"},
		{"epoch", duration(c.Epoch, 5), ""},
	}
	if l := c.Link; l != nil {
		load := ""
		if l.UplinkUtilization != nil {
			load = "uplink " + fraction(*l.UplinkUtilization, 3) + ", downlink " + maybe(l.DownlinkUtilization, fraction, 3) + " used"
		}
		t.Rows = append(t.Rows, []string{"link", load, "as below"})
	}
}
