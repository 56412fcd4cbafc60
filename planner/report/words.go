package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// How figures are written.

func count(n int64) string { return units.FormatNumber(float64(n), 6) }

func plural(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

func number(v float64, digits int) string { return units.FormatNumber(v, digits) }

// money writes an amount per hour: cents, or more digits for less.
func money(v float64) string {
	if v < 0 {
		return "-" + money(-v)
	}
	cents := math.Round(v * 100)
	if v < 1e6 && v != 0 && (v >= 1 || math.Abs(v*100-cents) < 1e-7) {
		return fmt.Sprintf("%s.%02d/h", number(math.Trunc(cents/100), 8), int64(cents)%100)
	}
	return number(v, 4) + "/h"
}

func fraction(v float64) string { return units.FormatFraction(v, 3) }

func optional[T any](p *T, show func(T) string) string {
	if p == nil {
		return ""
	}
	return show(*p)
}

func dash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func optionalFraction(p *float64) string { return optional(p, fraction) }

func duration(s float64) string { return units.FormatDuration(s, 4) }

func optionalTime(p *float64) string { return optional(p, duration) }

func optionalRate(p *float64) string {
	return optional(p, func(v float64) string { return units.FormatRate(v, 4) })
}

func optionalMoney(p *float64) string { return optional(p, money) }

// and joins words: a, b and c.
func and(words []string) string {
	switch len(words) {
	case 0:
		return ""
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// objectiveWords says what an objective asks for.
func objectiveWords(q *planner.PlanQuestion, o *sizing.ObjectiveResult) string {
	switch o.Name {
	case "max_blocking":
		return "blocking ≤ " + units.FormatFraction(o.Limit, 4)
	case "max_wait":
		return "wait ≤ " + duration(float64(*q.Objectives.MaxWait)) + " for " + units.FormatFraction(o.Limit, 4)
	case "max_mean_wait":
		return "mean wait ≤ " + duration(o.Limit)
	case "max_mean_response":
		return "mean response ≤ " + duration(o.Limit)
	case "max_utilization":
		return "utilization ≤ " + units.FormatFraction(o.Limit, 4)
	case "max_abandon":
		return "abandonment ≤ " + units.FormatFraction(o.Limit, 4)
	}
	return strings.ReplaceAll(o.Name, "_", " ")
}

// objectiveValue writes the figure that an objective bounds.
func objectiveValue(name string, v float64) string {
	if name == "max_mean_wait" || name == "max_mean_response" {
		return duration(v)
	}
	return fraction(v)
}

// objectiveMeasured names what the value of an objective measures.
func objectiveMeasured(name string) string {
	if name == "max_wait" {
		return "served in time"
	}
	return objectiveFigure(name)
}

// objectiveFigure names the figure that an objective bounds.
func objectiveFigure(name string) string {
	return map[string]string{
		"max_blocking": "blocking", "max_wait": "chance to wait longer", "max_mean_wait": "mean wait",
		"max_mean_response": "mean response", "max_utilization": "utilization", "max_abandon": "abandonment",
	}[name]
}

// plain writes a number for a table of data.
func plain(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func optionalPlain(p *float64) string { return optional(p, plain) }
