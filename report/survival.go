package report

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// Epoch says how often to reschedule. It leads with the time between two rounds of scheduling at
// which the fewest jobs are down.
func Epoch(a *survival.EpochAnswer) *page.Section {
	s := page.New("epoch", "How often to reschedule?", a.Warnings, a.Explanation)
	// Schedulers are set in seconds, people think in minutes.
	s.Say("reschedule every %s s, which is %s (model %s)", say.Number(a.Epoch, 4), say.Duration(a.Epoch, 4), a.Model)
	s.Fact("jobs down for failures", say.Number(a.JobsDownFailure, 4))
	s.Fact("jobs down for migrations", say.Number(a.JobsDownMigration, 4))
	s.Fact("jobs down in all", say.Number(a.JobsDown, 4))
	s.Fact("failures", say.Rate(a.FailureRate, 4), "jobs that lose all replicas")
	// The model mm1 has a queue on either side, and no steady state beyond these bounds; parallel
	// has none to overflow.
	if a.StableMax != nil {
		s.Fact("stable epochs", say.Duration(a.StableMin, 4)+" to "+say.Duration(*a.StableMax, 4))
		s.Fact("in parallel", say.Duration(a.ParallelEpoch, 4), "the answer of the model parallel")
	} else {
		s.Fact("stable epochs", "all")
	}
	if c := a.Chain; c != nil {
		chain(s.List("step", "result", ""), c)
		if c.Link != nil {
			s.Add(Link(c.Link))
		}
	}
	s.Plots(a, "In a long epoch failures go unnoticed longer; in a short one migrations weigh more.")
	return s
}

// chain shows the joint design step by step. Each step is the input of the next: replicas, how
// often all of a job's fail, the epoch, the link.
func chain(t *page.Table, c *survival.ChainAnswer) {
	t.Rows = [][]string{
		{"replicas", say.Count(c.Replicas), "one is alive " + say.Fraction(c.AvailabilityAll, 4) + " of the time"},
		{"all down", say.Fraction(c.AllDown, 4), say.Rate(c.AllDownRate, 4) + " for a job"},
		{"failure rate", say.Rate(c.FailureRate, 4), "of " + say.Number(c.PublicJobs, 4) + " public jobs"},
		{"epoch", say.Duration(c.Epoch, 4), ""},
	}
	if l := c.Link; l != nil {
		load := ""
		if l.UplinkUtilization != nil {
			load = "uplink " + say.Fraction(*l.UplinkUtilization, 3) +
				", downlink " + say.Maybe(l.DownlinkUtilization, say.Fraction, 3) + " used"
		}
		t.Rows = append(t.Rows, []string{"link", load, "as below"})
	}
}

// Link says what the bottleneck link allows. It leads with what was left out of the question: the
// rate, the servers or the bandwidth. Bounds are strict, since a link at its capacity queues
// without end.
func Link(a *survival.LinkAnswer) *page.Section {
	s := page.New("link", "What does the link allow?", a.Warnings, a.Explanation)
	ofMix := a.PublicShare != nil // the rest is the worst case, all jobs on public machines
	switch {
	case ofMix && *a.PublicShare == 0:
		s.Say("nothing crosses the link: the mix has no public machines")
		return s
	case a.MaxArrivalRate != nil && ofMix:
		s.Say("fewer than %s jobs arriving, with %s and %s of the jobs on public machines",
			say.Rate(*a.MaxArrivalRate, 4), say.Plural(*a.Dedicated, "dedicated server"),
			say.Fraction(*a.PublicShare, 3))
	case a.MaxArrivalRate != nil:
		s.Say("fewer than %s jobs arriving, with %s (%s binds servers and epoch)",
			say.Rate(*a.MaxArrivalRate, 4), say.Plural(*a.Dedicated, "dedicated server"), *a.Binding)
	case a.MaxDedicated != nil:
		s.Say("at most %s (%s binds)", say.Plural(*a.MaxDedicated, "dedicated server"), *a.Binding)
	default:
		// Without the bandwidth it is what is asked for.
		s.Say("more than %s up and %s down", bandwidth(*a.MinUplink), bandwidth(*a.MinDownlink))
	}
	if ofMix {
		s.Fact("jobs over the link", say.Fraction(*a.PublicShare, 3), "what the mix serves on public machines")
		s.Fact("swaps in an epoch",
			say.Maybe(a.Swaps, say.Number, 5), "at most: one for each dedicated machine and each job on public ones")
	}
	s.Fact("servers, by the uplink", below(a.MaxDedicatedUplink))
	s.Fact("servers, by the downlink", below(a.MaxDedicatedDownlink))
	if a.MinEpoch != nil && *a.MinEpoch > 0 {
		s.Fact("epoch", "> "+say.Duration(*a.MinEpoch, 4), "for these servers")
	}
	s.Fact("uplink used", say.Maybe(a.UplinkUtilization, say.Fraction, 3))
	s.Fact("downlink used", say.Maybe(a.DownlinkUtilization, say.Fraction, 3))
	// Where the bandwidth was given, what is needed of it stands beside.
	if a.MinUplink != nil && a.Uplink != nil {
		s.Fact("uplink needed", "> "+bandwidth(*a.MinUplink))
		s.Fact("downlink needed", "> "+bandwidth(*a.MinDownlink))
	}
	if ofMix {
		s.Fact("replicas of a job", say.Count(a.Replicas))
	}
	s.Plots(a, "Below the line the uplink carries every arriving job and every swap.")
	return s
}

// below is what a number of servers has to be less than, as the next whole number. nil is a
// direction that was not given.
func below(limit *float64) string {
	if limit == nil {
		return ""
	}
	// The limit is not reached, so that a whole number itself is allowed only below it.
	return "< " + say.Number(math.Ceil(*limit), 4)
}

func bandwidth(v float64) string { return units.FormatBandwidth(v, 5) }

// Checkpoint says when to save, or that replicas are better. It leads with the work between two
// checkpoints and the expected run time with it, or with none at all where the job is short.
func Checkpoint(a *survival.CheckpointAnswer) *page.Section {
	s := page.New("checkpoint", "When to save?", a.Warnings, a.Explanation)
	if a.SavesNothing() {
		s.Say("save nothing: %s for %s of work without a checkpoint",
			say.Duration(*a.WithoutSaving, 4), say.Duration(a.Question.Work, 4))
	} else {
		s.Say("save after every %s of work: %s for %s of work", say.Duration(a.Interval, 4),
			runTime(a.ExpectedRun, a.Log10Slowdown), say.Duration(a.Question.Work, 4))
	}
	// On a machine whose hazard changes over the day a constant rate misses the best interval; both
	// intervals are compared by the work that they save.
	if p := a.Predicted; p != nil {
		s.Fact("by the curve of "+p.Machine, "save after every "+say.Duration(p.Interval, 4),
			fmt.Sprintf("%s of work saved before the first failure, %s with the interval of a constant rate",
				say.Duration(p.Saved, 4), say.Duration(p.Constant, 4)))
		s.Fact("stays free", say.Probability(p.Chance),
			"through "+say.Duration(p.Window, 4)+", as with an MTBF of "+say.Duration(p.MTBF, 4))
	}
	// The rules of Young and Daly stand beside the exact optimum, so that one sees what they lose.
	rules := s.Table("rule", "interval", "expected run", "slowdown")
	for _, r := range a.Rules {
		rules.Row(r.Rule, say.TimeCell(r.Interval, 4), runCell(r.ExpectedRun, r.Log10Slowdown),
			say.Maybe(r.Slowdown, say.Number, 4))
	}
	// Replicas without checkpoints are faster or dearer; setbacks and losses say how often a job
	// begins anew.
	if len(a.Options) > 0 {
		t := s.Table("option", "expected run", "machine time", "set back at least once", "started over at least once")
		for _, o := range a.Options {
			t.Row(o.Name, say.Maybe(o.ExpectedRun, say.TimeCell, 3), say.Maybe(o.MachineTime, say.TimeCell, 3),
				say.Fraction(o.Setback, 3),
				say.Fraction(o.Loss, 3))
		}
		// The two may be different options: time of people, or of machines.
		s.Fact("fastest", a.Fastest)
		s.Fact("cheapest", a.Cheapest, "by machine time")
	}
	s.Plots(a, "Saving too often costs time, saving too rarely loses work.")
	return s
}

// runCell is runTime in a column. It has the unit of its column where the time can be written.
func runCell(run *float64, log10 float64) any {
	if run == nil {
		return runTime(nil, log10)
	}
	return say.TimeCell(*run, 3)
}

// runTime writes a run time or, if no number holds it, the power of ten of the slowdown. It has the digits of
// the work beside it, below which it would else seem to be.
func runTime(run *float64, log10 float64) string {
	if run == nil {
		return "10^" + say.Number(log10, 4) + " times the work"
	}
	return say.Duration(*run, 4)
}
