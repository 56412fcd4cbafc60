package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Station says what a station does by simulation. A station has no closed form beside it.
func Station(a *queues.SimulatedStation) *page.Section {
	s := page.New("station", "What does the station do?", a.Warnings, nil)
	s.Say("%s, %s", say.Plural(a.Servers, "server"), a.Order)
	addSimulation(s, a.Simulation)
	return s
}

// addSimulation adds the figures by simulation, beside those of the closed form. Every figure has a
// 95 % interval over replications. Agreement is judged figure by figure, and over all.
func addSimulation(s *page.Section, a *simulate.Simulation) {
	if a == nil {
		return
	}
	// Without a closed form nothing is judged.
	verdict := ""
	if a.Agrees != nil {
		verdict = ", agrees"
		if !*a.Agrees {
			verdict = ", differs"
		}
	}
	s.Say("By simulation%s: %s, %s, seed %d", verdict, say.Plural(a.Replications, "run"), a.Model, a.Seed)
	head := []string{"figure", "mean", "from", "to"}
	closed := false
	for _, f := range a.Figures {
		closed = closed || f.ClosedForm != nil
	}
	if closed { // the two columns would be empty without
		head = append(head, "closed form", "verdict")
	}
	t := s.Table(head...)
	t.Across = true
	for _, name := range a.Names() {
		f, write := a.Figures[name], writerOf(name)
		row := []any{figureWords(name), write(f.Mean), write(f.Low), write(f.High)}
		if closed {
			row = append(row, write(f.ClosedForm), verdictOf(f))
		}
		t.Row(row...)
	}
	if a.EventsPerSecond != nil {
		s.Fact("events", say.Count(a.Events), say.Number(*a.EventsPerSecond, 3)+" a second")
	}
}

// verdictOf says whether the closed form lies within what the simulation allows. A difference without
// a verdict is that of an approximation, whose error is known not to be 0.
func verdictOf(f simulate.Figure) string {
	switch {
	case f.TooRare:
		return "too rare to tell"
	// An exact closed form is within the interval or not.
	case f.Agrees == nil && f.Difference != nil:
		return "off by " + signedPercent(*f.Difference)
	case f.Agrees == nil:
		return ""
	case *f.Agrees:
		return "agrees"
	case f.Difference == nil:
		return "differs"
	}
	return "differs by " + signedPercent(*f.Difference)
}

// signedPercent writes a relative difference, a large one as a factor. From ten times on, a
// percentage is hard to read.
func signedPercent(v float64) string {
	switch {
	case math.Abs(v) < 5e-5:
		return "0%"
	case v > 9:
		return fmt.Sprintf("a factor of %.3g", v+1)
	case math.Abs(v) >= 0.095:
		return fmt.Sprintf("%+.0f%%", 100*v)
	}
	return fmt.Sprintf("%+.2g%%", 100*v)
}

// figureWords writes the name of a figure in words, without its unit. A dot parts a class from its
// figure.
func figureWords(name string) string {
	name = strings.TrimSuffix(strings.TrimSuffix(name, "_per_s"), "_s")
	return strings.ReplaceAll(strings.ReplaceAll(name, "_", " "), ".", ": ")
}

// writerOf returns how the values of a figure are written. The name of a figure ends in its unit;
// what ends in none of these is a plain number.
func writerOf(name string) func(*float64) any {
	switch {
	case strings.HasSuffix(name, "_per_s"):
		return func(v *float64) any { return say.Maybe(v, say.RateCell, 4) }
	case strings.HasSuffix(name, "_s"):
		return func(v *float64) any { return say.Maybe(v, say.TimeCell, 3) }
	case strings.HasSuffix(name, "_probability"), strings.HasSuffix(name, "_level"),
		strings.HasSuffix(name, "utilization"), strings.HasSuffix(name, "congestion"):
		return func(v *float64) any { return say.Maybe(v, say.Fraction, 3) }
	}
	return func(v *float64) any { return say.Maybe(v, say.Number, 4) }
}

// addReplayed says what became of the objectives when a log itself ran. A log has an order of jobs
// that no formula knows, so that the limits are held against the log itself.
func addReplayed(s *page.Section, r *sizing.Replay) {
	if r == nil {
		return
	}
	verdict, how := "met", ""
	if !r.Met {
		verdict = "not met"
	}
	if r.Scheduler != "" {
		how = ", " + r.Scheduler
	}
	s.Say("The log replayed on %s%s: the objectives are %s.", say.Plural(r.Servers, "processor"), how, verdict)
	t := s.Table("objective", "limit", "in the replay", "")
	for _, o := range r.Objectives {
		// Objectives are shares but for those on means, which are times.
		write := say.Fraction
		if o.Name == "max_mean_wait" || o.Name == "max_mean_response" {
			write = say.Duration
		}
		t.Row(strings.ReplaceAll(o.Name, "_", "-"), write(o.Limit, 3), write(o.Value, 3),
			map[bool]string{true: "met", false: "not met"}[o.Met])
	}
	if r.Least != nil {
		s.Fact("least fleet in the replay", say.Plural(*r.Least, "processor"), "one fewer does not meet the objectives")
	}
}
