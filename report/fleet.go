package report

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// A fleetFigure is one line about a fleet. All sections that show a fleet take their lines from one
// list, so that labels, order and digits are the same in a command and in a plan.
type fleetFigure struct {
	// label is what people call the figure; cell is its value, empty where the model has none.
	label string
	cell  any
	limit string // the objective that bounds it; empty: none
}

// fleetFigures are the lines that a model has, of a fleet. Their order is that in which a planner
// reads: loss, wait, what it costs in utilization.
func fleetFigures(kind sizing.ModelKind, f *sizing.Figures) []fleetFigure {
	share := func(v *float64) any { return say.Maybe(v, say.Fraction, 3) }
	time := func(v *float64) any { return say.Maybe(v, say.TimeCell, 3) }
	utilization := fleetFigure{"utilization", share(f.Utilization), "max_utilization"}
	meanResponse := fleetFigure{"mean response", time(f.MeanResponse), "max_mean_response"}
	// Servers that share have no queue: who comes is served at once, slower.
	if kind == sizing.Sharing {
		return []fleetFigure{
			{"shared", share(f.WaitProbability), ""},
			{"delay by sharing", time(f.MeanWait), ""},
			meanResponse,
			utilization,
		}
	}
	// A model has one of blocking and wait probability, and the other is nil.
	all := []fleetFigure{
		{"blocking probability", share(f.Blocking), "max_blocking"},
		{"wait probability", share(f.WaitProbability), "max_blocking"},
		{"abandon probability", share(f.Abandonment), "max_abandon"},
		{"service level", share(f.ServiceLevel), "max_wait"},
	}
	// Nobody waits in a loss system, so that its lines of waits are left out.
	if kind != sizing.Loss {
		all = append(all,
			fleetFigure{"wait percentile", waitPercentile(f), ""},
			fleetFigure{"mean wait", time(f.MeanWait), "max_mean_wait"},
			meanResponse,
			fleetFigure{"mean queue length", say.Maybe(f.MeanQueueLength, say.Number, 3), ""})
	}
	return append(all, utilization)
}

// waitPercentile says the wait, or that no wait is long enough for the share. The label beside it
// says of which share.
func waitPercentile(f *sizing.Figures) any {
	// Where some give up, fewer than the share asked for may be served at all, and no time holds for
	// it.
	if f.WaitPercentile == nil && f.WaitPercentileOf != nil && f.ArrivalRate != nil {
		return "not reached"
	}
	return say.Maybe(f.WaitPercentile, say.TimeCell, 3)
}

// addFleet adds the facts of a fleet, with the limits that they have to keep. binding is the name
// of the objective that asks for the most servers, "" where none is to be marked.
func addFleet(s *page.Section, kind sizing.ModelKind, f *sizing.Figures, objectives []sizing.ObjectiveResult,
	binding string) {
	for _, r := range fleetFigures(kind, f) {
		// Where some give up, a level or a percentile means nothing without whom it counts.
		label := r.label
		if label == "service level" && f.ServiceLevelOf != nil {
			label = "service level of " + string(*f.ServiceLevelOf)
		}
		if label == "wait percentile" && f.Percentile != nil {
			label = "wait, " + percentile(*f.Percentile)
			if f.WaitPercentileOf != nil {
				label += " of " + string(*f.WaitPercentileOf)
			}
		}
		var remark []string
		for _, o := range objectives {
			if o.Name == r.limit {
				remark = append(remark, limitWords(o, binding))
			}
		}
		s.Fact(label, say.Written(r.cell), remark...)
	}
	addResponses(s, f, objectives, binding)
	// How far off the method was found is told with every figure that rests on it.
	if f.Approximate {
		s.Fact("approximate", f.Method, errorRange(f.ErrorRange))
	}
	s.Fact("offered load", say.Erlangs(f.OfferedLoad))
	s.Fact("throughput", say.Maybe(f.Throughput, say.Rate, 4))
}

// addResponses adds the percentiles of responses that are limited. A limit that binds or is not met
// says so beside it.
func addResponses(s *page.Section, f *sizing.Figures, objectives []sizing.ObjectiveResult, binding string) {
	// The one limit of max_response has that name, and those of a list of percentiles each their own.
	for i, r := range f.Responses {
		name := "response_p" + say.Number(100*r.Percentile, 15)
		remark := "limit ≤ " + say.Duration(r.Within, 4)
		for _, o := range objectives {
			if o.Name != name && (i > 0 || o.Name != "max_response") {
				continue
			}
			if o.Name == binding {
				remark += ", binding"
			}
			if !o.Met {
				remark += ", not met"
			}
		}
		value := "not reached"
		if r.Value != nil {
			value = say.Duration(*r.Value, 3)
		}
		s.Fact("response, "+percentile(r.Percentile), value, remark)
	}
}

// errorRange says how far off an approximation was found. The ranges are those of package
// queueing/internal/measured, which docs/APPROXIMATIONS.md lists.
func errorRange(r *ask.ErrorRange) string {
	switch {
	case r == nil:
	case r.MeanWait != nil:
		return fmt.Sprintf("mean wait %+.0f to %+.0f%% off", 100*r.MeanWait.Low, 100*r.MeanWait.High)
	case r.WaitProbability != nil:
		return fmt.Sprintf("chance to wait in an interval %+.0f to %+.0f%% off",
			100*r.WaitProbability.Low, 100*r.WaitProbability.High)
	case r.Blocking != nil:
		return fmt.Sprintf("blocking %+.0f to %+.0f%% off", 100*r.Blocking.Low, 100*r.Blocking.High)
	}
	return "error not measured"
}

// limitWords says how an objective stands. A limit is written to four digits, one more than a
// figure, so that a figure at its limit is not taken for one above.
func limitWords(o sizing.ObjectiveResult, binding string) string {
	// A share of arrivals in time has to be reached; every other figure has to stay below its limit.
	text := "limit ≤ " + objectiveValue(o.Name, o.Limit, 4)
	if o.Name == "max_wait" || o.Within != nil {
		text = "limit ≥ " + say.Asked(o.Limit, 4)
	}
	if o.Name == binding {
		text += ", binding"
	}
	if !o.Met {
		text += ", not met"
	}
	return text
}

// objectiveValue writes the figure that an objective bounds. Two objectives are times in s; all
// others are shares.
func objectiveValue(name string, v float64, digits int) string {
	if name == "max_mean_wait" || name == "max_mean_response" {
		return say.Duration(v, digits)
	}
	return say.Fraction(v, digits)
}

// addFleets adds the table of fleets around the answer, a column for each. The fleets stand side by
// side in order of size, so that a row shows what one server more changes.
func addFleets(s *page.Section, kind sizing.ModelKind, all []sizing.Candidate) {
	if len(all) == 0 {
		return
	}
	t := s.Table("servers")
	t.Across = true
	met := []any{"meets the objectives"}
	var figures [][]fleetFigure // of each fleet
	for i, c := range all {
		t.Head, figures = append(t.Head, say.Count(c.Servers)), append(figures, fleetFigures(kind, &all[i].Figures))
		// A fleet below the load has no figures.
		if c.Unstable {
			met = append(met, "no, unstable")
		} else {
			met = append(met, say.YesNo(c.Met))
		}
	}
	t.Row(met...)
	for line, r := range figures[0] {
		row := []any{r.label}
		known := false
		for i, c := range all {
			var cell any = ""
			if !c.Unstable {
				cell = figures[i][line].cell
			}
			// A line that is empty for every fleet, as of a model without it, is left out.
			known = known || cell != "" && cell != say.Quantity{}
			row = append(row, cell)
		}
		if known {
			t.Row(row...)
		}
	}
}
