package sweeps

import (
	"math"
	"strconv"
	"strings"

	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// A fieldUnit is how figures are written whose JSON name has an ending. The order in the list
// matters: _per_s ends in _s.
type fieldUnit struct {
	suffix, unit string
	text         func(float64) string
}

var fieldUnits = []fieldUnit{
	{"_per_s", "/s", func(v float64) string { return units.FormatRate(v, 4) }},
	{"_s", "s", func(v float64) string { return units.FormatDuration(v, 4) }},
	{"_erl", "erl", func(v float64) string { return units.FormatNumber(v, 5) + " erl" }},
	{"_bps", "bit/s", func(v float64) string { return units.FormatBandwidth(v, 4) }},
	{"_bytes", "bytes", func(v float64) string { return units.FormatSize(v, 4) }},
	{"_mb", "MB", func(v float64) string { return units.FormatNumber(v, 5) + " MB" }},
}

// fractionWords are in the names of figures in 0..1.
var fractionWords = []string{"probability", "utilization", "availability", "reliability", "congestion", "service_level",
	"percentile", "gap", "share"}

// fieldKind returns the unit of a figure by its name, and whether it is a
// fraction. JSON names end in their units, so that nothing else has to say how a figure is written.
func fieldKind(name string) (u *fieldUnit, fraction bool) {
	for i := range fieldUnits {
		if strings.HasSuffix(name, fieldUnits[i].suffix) {
			return &fieldUnits[i], false
		}
	}
	// A logarithm of a probability is no fraction.
	if strings.HasPrefix(name, "log10_") {
		return nil, false
	}
	for _, w := range fractionWords {
		if strings.Contains(name, w) {
			return nil, true
		}
	}
	return nil, false
}

// fieldLabel returns the name of a figure in words, without its unit.
func fieldLabel(name string) string {
	if u, _ := fieldKind(name); u != nil {
		name = strings.TrimSuffix(name, u.suffix)
	}
	return strings.ReplaceAll(name, "_", " ")
}

// fieldAxis returns the name of a figure in words with its unit, for a plot.
func fieldAxis(name string) string {
	if u, _ := fieldKind(name); u != nil {
		return fieldLabel(name) + " (" + u.unit + ")"
	}
	return fieldLabel(name)
}

// fieldText writes a cell for people. What is no number stays as it is.
func fieldText(name, cell string) string {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	switch u, fraction := fieldKind(name); {
	case u != nil:
		return u.text(v)
	case fraction:
		return units.FormatFraction(v, 4)
	}
	if _, err := strconv.ParseInt(cell, 10, 64); err == nil && (name == "seed" || math.Abs(v) >= 1e15) {
		return cell // to be given again, or with digits that a float64 has not
	} else if err == nil {
		return units.FormatNumber(v, 15) // a count or an amount, in full
	}
	return units.FormatNumber(v, 5)
}

// fieldCell is fieldText for a column, whose times and rates are in one unit.
func fieldCell(name, cell string) any {
	v, err := strconv.ParseFloat(cell, 64)
	u, _ := fieldKind(name)
	switch {
	case err != nil || u == nil:
	case u.suffix == "_s":
		return say.TimeCell(v, 4)
	case u.suffix == "_per_s":
		return say.RateCell(v, 4)
	}
	return fieldText(name, cell)
}
