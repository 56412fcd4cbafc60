package report

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// Bag shows how long a bag of tasks takes on machines that leave. It leads with when half and 95 %
// of the runs were done. Every figure is a mean over runs with its 95 % interval; figures without
// data are left out.
func Bag(a *bags.SimulateAnswer) *page.Section {
	s := page.New("bag", "How long does the bag take?", a.Warnings, a.Explanation)
	// Text, CSV and table are made of one list, so that they have the same rows in the same order.
	figures := bagFigures("", &a.BagFigures)
	// The lead for a bag that no run finished within the horizon; half of the runs done replaces it.
	s.Say("no run was done")
	if a.Finish.P50.Mean != nil {
		s.Lead = fmt.Sprintf("half of the runs are done by %s, 95%% by %s",
			say.Duration(*a.Finish.P50.Mean, 3), say.Dashed(say.Maybe(a.Finish.P95.Mean, say.Duration, 3)))
	}
	s.Fact("bag", asGiven(a.Bag), tasksCounted(a.Tasks))
	s.Fact("machines", say.Count(a.Machines), asGiven(a.Hosts)+", available "+say.Fraction(a.Availability, 3))
	s.Fact("server", a.Server, "strategy "+a.Strategy)
	s.Fact("runs", say.Count(a.Replications), fmt.Sprintf("seed %d", a.Seed))
	// Speed is shown only with --timing, since it changes from run to run.
	if a.EventsPerSecond != nil {
		s.Fact("events", say.Count(a.Events), say.Number(*a.EventsPerSecond, 3)+" a second")
	}
	addIntervals(s, figures)
	// SpeQuloS predicts the end from the time at which half is done, times α; the share of runs
	// within 20 % is how it judges that.
	if a.Alpha != nil {
		s.Fact("predicted at half",
			say.Maybe(a.Predicted, say.Fraction, 3), "of the runs within 20%, α = "+say.Number(*a.Alpha, 4))
	}
	// Help is judged against the same runs without it, which stand below it.
	if h := a.Help; h != nil {
		// Labels say which are without, since CSV has no table to tell them apart.
		help := append(helpFigures(h), bagFigures("without: ", &h.Without)...)
		addIntervals(s, help)
		s.Fact("tails",
			say.Count(h.Tails),
			"runs had a tail to remove without help; for the other "+say.Count(h.NoTail)+" no removal is given")
		figures = append(figures, help...)
	}
	// Figures differ in their units, so that the unit is a column.
	rows := [][]string{strings.Fields("figure unit mean low high")}
	for _, f := range figures {
		rows = append(rows, []string{f.label, f.unit, say.Optional(f.value.Mean, say.Plain),
			say.Optional(f.value.Low, say.Plain), say.Optional(f.value.High, say.Plain)})
	}
	s.Data = []page.Data{page.Rows("bag", rows)}
	return s
}

// A simulatedFigure is a mean over runs with its interval. The unit chooses how it is written; the
// CSV has base units.
type simulatedFigure struct {
	label, unit string // s, share or a number
	value       simulate.Interval
}

// written are the mean and the ends of the interval. Cells of times take the unit of their row, so
// that a mean and its interval can be compared at a glance.
func (f *simulatedFigure) written() []any {
	var cells []any
	for _, v := range []*float64{f.value.Mean, f.value.Low, f.value.High} {
		switch f.unit {
		case "s":
			cells = append(cells, say.Maybe(v, say.TimeCell, 3))
		case "share":
			cells = append(cells, say.Maybe(v, say.Fraction, 3))
		default:
			cells = append(cells, say.Maybe(v, say.Number, 4))
		}
	}
	return cells
}

// bagFigures are those of a bag, with a word before their names. Tail slowdown is the time over the
// ideal one, which is what the bag would take at the rate at which it had completed nine tenths.
func bagFigures(word string, f *bags.BagFigures) []simulatedFigure {
	all := []simulatedFigure{
		{"mean time", "s", f.Finish.Mean},
		{"5% done by", "s", f.Finish.P5},
		{"50% done by", "s", f.Finish.P50},
		{"95% done by", "s", f.Finish.P95},
		{"99% done by", "s", f.Finish.P99},
		{"ideal", "s", f.Ideal},
		{"tail slowdown", "", f.TailSlowdown},
		{"tasks in the tail", "share", f.TailTasks},
		{"time in the tail", "share", f.TailTime},
		{"work lost", "s", f.Lost},
	}
	for i := range all {
		all[i].label = word + all[i].label
	}
	return all
}

// helpFigures are those of the cloud workers that helped. Removal of the tail is the share of the
// time beyond the ideal that help saved.
func helpFigures(h *bags.HelpFigures) []simulatedFigure {
	return []simulatedFigure{
		{"sooner by", "s", h.Saving},
		{"tail removed", "share", h.TailRemoval},
		{"credits spent", "", h.Spent},
		{"of those ordered", "share", h.SpentShare},
		{"cloud workers", "", h.Workers},
		{"their time", "s", h.CloudTime},
		{"tasks done by them", "share", h.CloudTasks},
	}
}

// addIntervals shows the figures that there are. Across makes a row, not a column, one unit.
func addIntervals(s *page.Section, all []simulatedFigure) {
	t := s.Table("figure", "mean", "from", "to")
	t.Across = true
	for i := range all {
		if f := &all[i]; f.value.Mean != nil {
			t.Row(append([]any{f.label}, f.written()...)...)
		}
	}
}

// Hosts says how many of some machines are there over time. The law and the simulation stand beside
// each other, with what the paper prints where the machines are those of a paper.
func Hosts(a *bags.HostsAnswer) *page.Section {
	s := page.New("hosts", "How many of the machines are available?", a.Warnings, nil)
	s.Say("%s of %s available on average, standard deviation %s",
		say.Number(a.Mean, 5), say.Plural(a.Machines, "machine is", "machines are"), say.Number(a.SD, 3))
	s.Fact("availability", say.Fraction(a.Availability, 4))
	s.Fact("mean up", say.Maybe(a.MeanUp, say.Duration, 5))
	s.Fact("mean down", say.Maybe(a.MeanDown, say.Duration, 5))
	s.Fact("runs", say.Count(a.Replications), fmt.Sprintf("of %s, seed %d", say.Duration(a.Horizon, 4), a.Seed))
	t := s.Table("available machines", "law", "simulated", "from", "to", "published")
	// Least and most have no law: they depend on how long one looks.
	add := func(label, law string, v simulate.Interval, published func(*bags.PublishedCount) float64) {
		paper := ""
		if a.Published != nil {
			paper = say.Number(published(a.Published), 6)
		}
		f := simulatedFigure{value: v}
		t.Row(append(append([]any{label, law}, f.written()...), paper)...)
	}
	add("mean", say.Number(a.Mean, 5), a.Simulated.Mean, func(c *bags.PublishedCount) float64 { return c.Mean })
	add("standard deviation", say.Number(a.SD, 3), a.Simulated.SD, func(c *bags.PublishedCount) float64 { return c.SD })
	add("least", "", a.Simulated.Fewest, func(c *bags.PublishedCount) float64 { return c.Fewest })
	add("most", "", a.Simulated.Most, func(c *bags.PublishedCount) float64 { return c.Most })
	if a.Published != nil {
		s.Fact("greatest deviation",
			say.Number(a.Published.MostSD, 4), "possible with the published mean and extremes")
	}
	rows := [][]string{{"time_s", "machines"}}
	for i, at := range a.Times {
		rows = append(rows, []string{say.Plain(at), say.Plain(a.Counts[i])})
	}
	s.Data = []page.Data{page.Rows("hosts", rows)}
	s.Plots(a, "One run, with the mean and the published extremes.")
	return s
}

// asGiven names a bag or machines. Those that are described in numbers have the name of the form
// alone, which would say nothing.
func asGiven(name string) string {
	if name == "tasks" || name == "laws" {
		return "as given"
	}
	return name
}

// serverWords say what each server does where a machine leaves.
var serverWords = map[string]string{
	"xwhep":      "a task whose machine leaves is lost, and given out again after a timeout",
	"boinc":      "a task whose machine leaves waits for the machine to return; a quorum of results completes it",
	"checkpoint": "a task whose machine leaves continues elsewhere from its last checkpoint",
}

// tasksCounted writes a number of tasks, which may be a mean. A bag whose size is drawn has a mean
// that need not be whole.
func tasksCounted(n float64) string {
	if n == 1 {
		return "1 task"
	}
	return say.Number(n, 6) + " tasks"
}
