package report

import (
	"strconv"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Predict says how likely a machine is free through a window of a day. It leads with the temporal
// reliability: the chance to stay free throughout, given that the machine is free at the start. The
// chance without that condition stands below.
func Predict(a *machines.PredictAnswer) *page.Section {
	s := page.New("availability", "Is the machine free?", a.Warnings, a.Explanation,
		reliabilityData(a, &a.Figures, a.Down))
	// The condition is part of the sentence: without it the chance is another.
	s.Say("%s is free from %s for %s with probability %s, if in %s then (%s, %s)", a.Host, a.Start,
		say.Duration(a.Window, 5), say.Probability(a.TemporalReliability), a.InitialState, a.Day,
		say.Plural(a.Days, "day"))
	AddChosen(s, a.Chosen)
	if a.Low != nil {
		// The band is of days drawn anew, and its seed makes it again.
		s.Fact("band", say.Probability(*a.Low)+" to "+say.Probability(*a.High),
			say.Fraction(a.Level, 4)+", seed "+say.Count(a.Seed))
	}
	// These three tell what was seen on the days, for the model to be held against.
	s.Fact("free at the start", say.Fraction(a.AtStart, 4), "of the days")
	s.Fact("free throughout", say.Optional(a.Free, say.Probability), "at the start and from then on")
	s.Fact("observed",
		say.Optional(a.Observed, say.Probability),
		"of "+say.Plural(a.ObservedDays, "day")+" that begin in "+a.InitialState)
	addReliability(s, &a.Figures, a.Down)
	// The kernel knows nothing beyond its longest stay; laws fitted to the stays go on.
	s.Fact("MTTF, parametric", say.Maybe(a.MTTFParametric, say.Duration, 4), "by sojourn laws of least AIC")
	addRepair(s, a.Repair)
	addSamples(s, a.Samples)
	addRepairStates(s, a.Repair)
	s.Plots(a, "By the semi-Markov process of the machine's record.")
	return s
}

// Solve shows what a kernel says about a window. A kernel comes without a record, so there is no
// band and nothing observed.
func Solve(a *machines.SolveAnswer) *page.Section {
	s := page.New("solve", "What does the kernel say?", a.Warnings, a.Explanation,
		reliabilityData(a, &a.Figures, a.Down))
	s.Say("temporal reliability %s over %s (failures: %s)",
		say.Probability(a.TemporalReliability), say.Duration(a.Window, 5), say.Probability(a.Unreliability))
	addReliability(s, &a.Figures, a.Down)
	addRepair(s, a.Repair)
	addSamples(s, a.Samples)
	addRepairStates(s, a.Repair)
	s.Plots(a)
	return s
}

// addReliability adds the figures of a window. down are the failure states by name; the chances to
// end in each add up to the chance to fail.
func addReliability(s *page.Section, f *machines.Figures, down []string) {
	for _, d := range down {
		// Of many failure states only those that occur are listed.
		if v := f.FailureProbability[d]; v > 0 || len(down) <= 3 {
			s.Fact("fails by "+d, say.Probability(v))
		}
	}
	// A kernel that never fails has no mean time to it.
	mttf := "infinite"
	if f.MTTF != nil {
		mttf = say.Duration(*f.MTTF, 4)
	}
	s.Fact("MTTF", mttf)
	// If MTTF is infinite, the mean within the window still distinguishes machines.
	s.Fact("mean up time", say.Duration(f.MeanUp, 4), "within the window")
	s.Fact("initial state", f.InitialState, "for "+say.Duration(f.Elapsed, 5)+" already")
	s.Fact("steps", say.Count(f.Horizon), "of "+say.Duration(f.Step, 5))
}

// addRepair adds the figures of a machine that comes back. Nothing is added where repairs were not
// kept (--repairs).
func addRepair(s *page.Section, r *machines.Repair) {
	if r == nil {
		return
	}
	if r.Up != nil {
		s.Fact("up at the end", say.Probability(*r.Up), "whatever came before; repairs count")
		s.Fact("up of the window", say.Fraction(*r.Share, 4), "mean share")
	}
	// A kernel with a state that nothing leaves has no long run.
	if r.LongRun == nil {
		s.Fact("in the long run", "none", r.Reason)
		return
	}
	s.Fact("in the long run", say.Fraction(*r.LongRun, 4), "of the time up")
	s.Fact("mean up, mean down", say.Maybe(r.MeanUp, say.Duration, 4)+", "+say.Maybe(r.MeanDown, say.Duration, 4),
		"a cycle of "+say.Maybe(r.Cycle, say.Duration, 4)+"; "+say.Number(*r.Failures, 4)+" failures a day")
}

// addRepairStates shows the states of a machine that comes back. Entries are visits of a state
// among all; time is its share in the long run.
func addRepairStates(s *page.Section, r *machines.Repair) {
	if r == nil {
		return
	}
	t := s.Table("state", "mean stay", "until up", "of entries", "of time")
	for _, x := range r.States {
		t.Row(x.State, say.Maybe(x.Sojourn, say.TimeCell, 4), say.Maybe(x.Recovery, say.TimeCell, 4),
			say.Maybe(x.Entries, say.Fraction, 3),
			say.Maybe(x.Time, say.Fraction, 3))
	}
}

// addSamples shows the data behind a kernel. Few exits say little: a row gives how many stays were
// seen to end, were cut by the window, or began before it.
func addSamples(s *page.Section, all []machines.StateSample) {
	t := s.Table("state", "visits", "exits", "cut", "entered before", "longest")
	for _, x := range all {
		t.Row(x.State, say.Count(x.Visits), say.Count(x.Exits), say.Count(x.Cut), say.Count(x.Truncated),
			say.Plural(x.Longest, "step"))
	}
}

// reliabilityData adds to the scalar fields of an answer a column for each
// failure state. The states differ from kernel to kernel, so that their columns cannot be fields.
func reliabilityData(a any, f *machines.Figures, down []string) page.Data {
	names, row := scalars.Of(a)
	for _, d := range down {
		names, row = append(names, "failure_probability_"+d), append(row, scalars.Exactly(f.FailureProbability[d]))
	}
	return page.Rows("availability", [][]string{names, row})
}

// Kernel shows what a kernel says about a window of a day; out names the file that it
// was written to, if any. A row is a transition: its chance, on how many ages it rests, and the
// mean stay before it.
func Kernel(a *machines.KernelAnswer, out string) *page.Section {
	s := page.New("kernel", "What does the record say about the window?", a.Warnings, nil, kernelData(&a.Kernel))
	s.Say("kernel of %s steps of %s from %s, initial state %s",
		say.Count(a.Horizon), say.Duration(a.Step, 5), say.Plural(a.Days, "day"), a.Initial)
	t := s.Table("from", "to", "probability", "atoms", "mean sojourn")
	for _, from := range a.States {
		for _, to := range a.States {
			total, mean, atoms := 0.0, 0.0, 0
			// The atom at position l is the chance to leave after l+1 steps.
			for l, v := range a.Kernel.Kernel[from][to] {
				total += v
				mean += v * float64(l+1) * a.Step
				if v > 0 {
					atoms++
				}
			}
			// Transitions that were never seen are no rows.
			if atoms > 0 {
				t.Row(from, to, say.Probability(total), say.Count(atoms), say.TimeCell(mean/total, 4))
			}
		}
		// What is left is the chance that the stay was not seen to end within the record.
		if left := a.Tail[from]; left > 0 {
			t.Row(from, "", say.Probability(left), "", "not seen to end")
		}
	}
	addSamples(s, a.Samples)
	if out != "" {
		s.Say("written to %s", out)
	}
	return s
}

// kernelData returns the atoms. An atom is the chance to leave for a state after a number of steps.
func kernelData(k *machines.Kernel) page.Data {
	rows := [][]string{{"from", "to", "steps", "time_s", "probability"}}
	for _, from := range k.States {
		for _, to := range k.States {
			for l, v := range k.Kernel[from][to] {
				if v > 0 {
					rows = append(rows, []string{from, to, strconv.Itoa(l + 1), scalars.Exactly(float64(l+1) * k.Step),
						scalars.Exactly(v)})
				}
			}
		}
	}
	return page.Rows("kernel", rows)
}

// shownReasons is how many reasons for machines without a kernel are shown.
const shownReasons = 10

// Fleet shows the machines of a fleet; out names the file that
// their kernels were written to, if any. Of thousands of machines the quantiles are told; the CSV
// has a row for each.
func Fleet(a *machines.FleetAnswer, out string) *page.Section {
	s := page.New("fleet", "What does the record say about the fleet?", a.Warnings, nil, page.RowsOf("fleet", a.Hosts))
	s.Say("%s fitted of %s (%s, %s from %s)", say.Plural(a.Fitted, "machine"), say.Count(a.Machines), a.Question.Day,
		say.Duration(a.Question.Window, 5), say.Clock(a.Question.Start))
	// Quantiles show what a mean over thousands of machines would hide: a few that are bad.
	s.Fact("median reliability", say.Probability(*a.Median), "of the window")
	s.Fact("middle half", say.Probability(*a.Quarter)+" to "+say.Probability(*a.Upper))
	s.Fact("range", say.Probability(*a.Least)+" to "+say.Probability(*a.Greatest))
	if a.Resumed > 0 {
		s.Fact("taken over", say.Count(a.Resumed), "from an earlier run")
	}
	// Machines that fail alike are counted together, with the reason of the first.
	t := s.List("not fitted", "reason, of the first")
	for i, r := range a.Reasons {
		if i == shownReasons {
			t.Row("...", say.Count(len(a.Reasons)-i)+" more reasons")
			break
		}
		t.Row(say.Count(r.Machines), r.Reason)
	}
	if out != "" {
		s.Say("written to %s", out)
	}
	return s
}
