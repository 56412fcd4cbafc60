package main

import (
	"fmt"

	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// How figures are written for people.

func count(n int64) string { return units.FormatNumber(float64(n), 6) }

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

func erlangs(a float64) string { return units.FormatNumber(a, 5) + " erl" }

func optionalFraction(p *float64) string {
	if p == nil {
		return ""
	}
	return units.FormatFraction(*p, 3)
}

func optionalTime(p *float64) string {
	if p == nil {
		return ""
	}
	return units.FormatDuration(*p, 3)
}

func optionalNumber(p *float64, digits int) string {
	if p == nil {
		return ""
	}
	return units.FormatNumber(*p, digits)
}

func optionalRate(p *float64) string {
	if p == nil {
		return ""
	}
	return units.FormatRate(*p, 4)
}

// waitPercentile says the wait, or that no wait is long enough for the share.
func waitPercentile(f *sizing.Figures) string {
	if f.WaitPercentile == nil && f.WaitPercentileOf != nil && f.ArrivalRate != nil {
		return "not reached"
	}
	return optionalTime(f.WaitPercentile)
}

// figureRow is one line about a fleet.
type figureRow struct {
	label string
	show  func(*sizing.Figures) string
	limit string // the objective that bounds it
}

func figureRows(kind sizing.ModelKind) []figureRow {
	rows := []figureRow{
		{"blocking probability", func(f *sizing.Figures) string { return optionalFraction(f.Blocking) }, "max_blocking"},
		{"wait probability", func(f *sizing.Figures) string { return optionalFraction(f.WaitProbability) }, "max_blocking"},
		{"abandon probability", func(f *sizing.Figures) string { return optionalFraction(f.Abandonment) }, "max_abandon"},
		{"service level", func(f *sizing.Figures) string { return optionalFraction(f.ServiceLevel) }, "max_wait"},
	}
	if kind != sizing.Loss {
		rows = append(rows,
			figureRow{"wait percentile", waitPercentile, ""},
			figureRow{"mean wait", func(f *sizing.Figures) string { return optionalTime(f.MeanWait) }, "max_mean_wait"},
			figureRow{"mean response", func(f *sizing.Figures) string { return optionalTime(f.MeanResponse) }, "max_mean_response"},
			figureRow{"mean queue length", func(f *sizing.Figures) string { return optionalNumber(f.MeanQueueLength, 3) }, ""})
	}
	return append(rows, figureRow{"utilization", func(f *sizing.Figures) string { return optionalFraction(f.Utilization) }, "max_utilization"})
}

// showFigures adds the rows of a fleet, with the limits they have to keep.
func showFigures(p *page, kind sizing.ModelKind, f *sizing.Figures, objectives []sizing.ObjectiveResult, binding string) {
	for _, r := range figureRows(kind) {
		label := r.label
		if label == "service level" && f.ServiceLevelOf != nil {
			label = "service level of " + string(*f.ServiceLevelOf)
		}
		if label == "wait percentile" && f.Percentile != nil {
			label = "wait, " + percentileName(*f.Percentile)
			if f.WaitPercentileOf != nil {
				label += " of " + string(*f.WaitPercentileOf)
			}
		}
		var remark []string
		for _, o := range objectives {
			if o.Name == r.limit {
				remark = append(remark, limitText(o, binding))
			}
		}
		p.row(label, r.show(f), remark...)
	}
	if f.Approximate {
		p.row("approximate", f.Method, measuredText(f.ErrorRange)...)
	}
	p.row("offered load", erlangs(f.OfferedLoad))
	p.row("throughput", optionalRate(f.Throughput))
}

// measuredText says how far off an approximation was found.
func measuredText(r *sizing.ErrorRange) []string {
	if r == nil {
		return []string{"error not measured"}
	}
	for _, of := range []struct {
		name string
		span *sizing.ErrorSpan
	}{{"mean wait", r.MeanWait}, {"blocking", r.Blocking}} {
		if s := of.span; s != nil {
			return []string{fmt.Sprintf("%s %+.0f to %+.0f %% off", of.name, 100*s.Low, 100*s.High)}
		}
	}
	return []string{"error not measured"}
}

func percentileName(p float64) string { return units.FormatOrdinal(p) + " percentile" }

// limitText says how an objective stands.
func limitText(o sizing.ObjectiveResult, binding string) string {
	sign, limit := "≤", ""
	switch o.Name {
	case "max_wait":
		sign, limit = "≥", units.FormatFraction(o.Limit, 4)
	case "max_mean_wait", "max_mean_response":
		limit = units.FormatDuration(o.Limit, 4)
	default:
		limit = units.FormatFraction(o.Limit, 4)
	}
	s := fmt.Sprintf("limit %s %s", sign, limit)
	if o.Name == binding {
		s += ", binding"
	}
	if !o.Met {
		s += ", not met"
	}
	return s
}

// showCandidates adds the table of fleets around the answer.
func showCandidates(p *page, kind sizing.ModelKind, fleets []sizing.Candidate) {
	if len(fleets) == 0 {
		return
	}
	rows := [][]string{{"servers"}, {"meets the objectives"}}
	for _, c := range fleets {
		rows[0] = append(rows[0], count(c.Servers))
		switch {
		case c.Unstable:
			rows[1] = append(rows[1], "no, unstable")
		case c.Met:
			rows[1] = append(rows[1], "yes")
		default:
			rows[1] = append(rows[1], "no")
		}
	}
	for _, r := range figureRows(kind) {
		row := []string{r.label}
		any := false
		for _, c := range fleets {
			cell := r.show(&c.Figures)
			if c.Unstable {
				cell = ""
			}
			any = any || cell != ""
			if cell == "" {
				cell = "-"
			}
			row = append(row, cell)
		}
		if any {
			rows = append(rows, row)
		}
	}
	p.table(rows)
}

// modelName says what the model does with an arrival that finds all busy.
func modelName(kind sizing.ModelKind) string {
	switch kind {
	case sizing.Loss:
		return "arrivals that find all busy are lost"
	case sizing.Abandon:
		return "arrivals wait and may give up"
	}
	return "arrivals wait"
}
