package report

import (
	"strconv"

	"github.com/capplan/capplan/internal/scalars"
	"github.com/capplan/capplan/planner/machines"
)

// Predict says how likely a machine is free through a window of a day.
func Predict(a *machines.PredictAnswer) *Section {
	s := &Section{
		ID:       "availability",
		Title:    "Is the machine free?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{reliabilityData(a, &a.Figures, a.Down)},
	}
	s.Say("%s is free from %s for %s with probability %s, if in %s then (%s, %s)", a.Host, a.Start,
		duration(a.Window, 5), Probability(a.TemporalReliability), a.InitialState, a.Day, Plural(a.Days, "day"))
	AddChosen(s, a.Chosen)
	if a.Low != nil {
		s.Fact("band", Probability(*a.Low)+" to "+Probability(*a.High), fraction(a.Level, 4)+", seed "+Count(a.Seed))
	}
	s.Fact("free at the start", fraction(a.AtStart, 4), "of the days")
	s.Fact("free throughout", optional(a.Free, Probability), "at the start and from then on")
	s.Fact("observed",
		optional(a.Observed, Probability), "of "+Plural(a.ObservedDays, "day")+" that begin in "+a.InitialState)
	addReliability(s, &a.Figures, a.Down)
	s.Fact("MTTF, parametric", Maybe(a.MTTFParametric, duration, 4), "by sojourn laws of least AIC")
	addRepair(s, a.Repair)
	addSamples(s, a.Samples)
	addRepairStates(s, a.Repair)
	s.Plots(a, "By the semi-Markov process of the machine's record.")
	return s
}

// Solve says what a kernel tells of a window.
func Solve(a *machines.SolveAnswer) *Section {
	s := &Section{
		ID:       "solve",
		Title:    "What does the kernel say?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
		Data:     []Data{reliabilityData(a, &a.Figures, a.Down)},
	}
	s.Say("temporal reliability %s over %s (fails: %s)",
		Probability(a.TemporalReliability), duration(a.Window, 5), Probability(a.Unreliability))
	addReliability(s, &a.Figures, a.Down)
	addRepair(s, a.Repair)
	addSamples(s, a.Samples)
	addRepairStates(s, a.Repair)
	s.Plots(a)
	return s
}

// addReliability adds the figures of a window.
func addReliability(s *Section, f *machines.Figures, down []string) {
	for _, d := range down {
		if v := f.FailureProbability[d]; v > 0 || len(down) <= 3 {
			s.Fact("fails by "+d, Probability(v))
		}
	}
	mttf := "infinite"
	if f.MTTF != nil {
		mttf = duration(*f.MTTF, 4)
	}
	s.Fact("MTTF", mttf)
	s.Fact("mean up time", duration(f.MeanUp, 4), "within the window")
	s.Fact("initial state", f.InitialState, "for "+duration(f.Elapsed, 5)+" already")
	s.Fact("steps", Count(f.Horizon), "of "+duration(f.Step, 5))
}

// addRepair adds the figures of a machine that comes back.
func addRepair(s *Section, r *machines.Repair) {
	if r == nil {
		return
	}
	if r.Up != nil {
		s.Fact("up at the end", Probability(*r.Up), "whatever came before; repairs count")
		s.Fact("up of the window", fraction(*r.Share, 4), "mean share")
	}
	if r.LongRun == nil {
		s.Fact("in the long run", "none", r.Reason)
		return
	}
	s.Fact("in the long run", fraction(*r.LongRun, 4), "of the time up")
	s.Fact("mean up, mean down", Maybe(r.MeanUp, duration, 4)+", "+Maybe(r.MeanDown, duration, 4),
		"a cycle of "+Maybe(r.Cycle, duration, 4)+"; "+number(*r.Failures, 4)+" failures a day")
}

// addRepairStates shows the states of a machine that comes back.
func addRepairStates(s *Section, r *machines.Repair) {
	if r == nil {
		return
	}
	t := s.Table("state", "mean stay", "until up", "of entries", "of time")
	for _, x := range r.States {
		t.Row(x.State, Maybe(x.Sojourn, TimeCell, 4), Maybe(x.Recovery, TimeCell, 4), Maybe(x.Entries, fraction, 3),
			Maybe(x.Time, fraction, 3))
	}
}

// addSamples shows what a kernel rests on.
func addSamples(s *Section, all []machines.StateSample) {
	t := s.Table("state", "visits", "exits", "cut", "entered before", "longest")
	for _, x := range all {
		t.Row(x.State, Count(x.Visits), Count(x.Exits), Count(x.Cut), Count(x.Truncated), Plural(x.Longest, "step"))
	}
}

// reliabilityData adds to the scalar fields of an answer a column for each
// failure state.
func reliabilityData(a any, f *machines.Figures, down []string) Data {
	names, row := scalars.Of(a)
	for _, d := range down {
		names, row = append(names, "failure_probability_"+d), append(row, scalars.Exactly(f.FailureProbability[d]))
	}
	return Rows("availability", [][]string{names, row})
}

// Kernel says what was learnt of a window of a day; out names the file that it
// was written to, if any.
func Kernel(a *machines.KernelAnswer, out string) *Section {
	s := &Section{
		ID:    "kernel",
		Title: "What does the record tell of the window?",
		Notes: a.Warnings,
		Data:  []Data{kernelData(&a.Kernel)},
	}
	s.Say("kernel of %s steps of %s from %s, initial state %s",
		Count(a.Horizon), duration(a.Step, 5), Plural(a.Days, "day"), a.Initial)
	t := s.Table("from", "to", "probability", "atoms", "mean sojourn")
	for _, from := range a.States {
		for _, to := range a.States {
			total, mean, atoms := 0.0, 0.0, 0
			for l, v := range a.Kernel.Kernel[from][to] {
				total += v
				mean += v * float64(l+1) * a.Step
				if v > 0 {
					atoms++
				}
			}
			if atoms > 0 {
				t.Row(from, to, Probability(total), Count(atoms), TimeCell(mean/total, 4))
			}
		}
		if left := a.Tail[from]; left > 0 {
			t.Row(from, "", Probability(left), "", "not seen to end")
		}
	}
	addSamples(s, a.Samples)
	if out != "" {
		s.Say("written to %s", out)
	}
	return s
}

// kernelData are the atoms.
func kernelData(k *machines.Kernel) Data {
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
	return Rows("kernel", rows)
}

// shownReasons is how many reasons for machines without a kernel are shown.
const shownReasons = 10

// Fleet says what was learnt of a fleet of machines; out names the file that
// their kernels were written to, if any.
func Fleet(a *machines.FleetAnswer, out string) *Section {
	s := &Section{
		ID:    "fleet",
		Title: "What does the record tell of the fleet?",
		Notes: a.Warnings,
		Data:  []Data{rowsOf("fleet", a.Hosts)},
	}
	s.Say("%s fitted of %s (%s, %s from %s)", Plural(a.Fitted, "machine"), Count(a.Machines), a.Question.Day,
		duration(a.Question.Window, 5), Clock(a.Question.Start))
	s.Fact("median reliability", Probability(*a.Median), "of the window")
	s.Fact("middle half", Probability(*a.Quarter)+" to "+Probability(*a.Upper))
	s.Fact("range", Probability(*a.Least)+" to "+Probability(*a.Greatest))
	if a.Resumed > 0 {
		s.Fact("taken over", Count(a.Resumed), "from an earlier run")
	}
	t := s.List("not fitted", "reason, of the first")
	for i, r := range a.Reasons {
		if i == shownReasons {
			t.Row("...", Count(len(a.Reasons)-i)+" more reasons")
			break
		}
		t.Row(Count(r.Machines), r.Reason)
	}
	if out != "" {
		s.Say("written to %s", out)
	}
	return s
}
